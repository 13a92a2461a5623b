package protect

import "strings"

// slashed is a name with slashes only.
func slashed(name string) string { return strings.ReplaceAll(name, `\`, "/") }

// plain is a name without what the file system does not look at: dots and
// blanks at the end of each element, and the stream of a file, as in
// "AGENTS.md::$DATA".
func plain(name string) string {
	elements := strings.Split(name, "/")
	for i, element := range elements {
		element, _, _ = strings.Cut(element, ":")
		elements[i] = strings.TrimRight(element, ". ")
	}
	return strings.Join(elements, "/")
}
