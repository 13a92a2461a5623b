package config

import (
	"math"
	"os"
	"path/filepath"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/schema/yamldoc"
)

// text returns a value that is a text, else "".
func text(v *yamldoc.Value) string {
	if v == nil || v.Kind != yamldoc.Text {
		return ""
	}
	return v.Text
}

// texts returns the texts of a list.
func texts(v *yamldoc.Value) []string {
	if v == nil || len(v.Items) == 0 {
		return nil
	}
	list := make([]string, len(v.Items))
	for i, item := range v.Items {
		list[i] = text(item)
	}
	return list
}

// maxInteger is the greatest number that a key can have: that of an int
// on any computer.
const maxInteger = math.MaxInt32

// integer returns a whole number, which YAML lets be written 2, 2.0, 0x2 or
// 2e0. It reports false when that is more than maxInteger.
func integer(data any) (int, bool) {
	switch n := data.(type) {
	case int:
		return n, n <= maxInteger
	case float64:
		return int(n), n <= maxInteger
	}
	return 0, false // int64 and uint64 stand for what an int cannot hold
}

// path resolves the path written at v. Section "Paths" of the specification.
func (l *loader) path(v *yamldoc.Value, at string) string {
	resolved, err := resolve(l.config.Folder, v.Text)
	if err != nil {
		l.refuse(place{path: at, value: v}, "NoHome", nil)
	}
	return resolved
}

// program resolves the program written at v: a bare name is kept.
func (l *loader) program(v *yamldoc.Value, at string) string {
	if !isPath(v.Text) {
		return v.Text
	}
	return l.path(v, at)
}

// command resolves a program followed by its arguments.
func (l *loader) command(v *yamldoc.Value, at string) []string {
	words := texts(v)
	if len(words) > 0 && words[0] != "" {
		words[0] = l.program(v.Items[0], at+"[0]")
	}
	return words
}

// lookFor warns when the program written at a place cannot be run: it may be
// installed later.
func (l *loader) lookFor(program string, env map[string]string, at place, code string) {
	if program == "" || l.refused[at.path] {
		return
	}
	asked := [2]string{program, env["PATH"]} // many agents have the same program
	found, known := l.found[asked]
	if !known {
		found = l.lookPath(program, env) == nil
		l.found[asked] = found
	}
	if found {
		return
	}
	l.warn(at, code, map[string]any{"Program": program, "IsPath": isPath(program)})
}

// warn reports the value at a place, which keeps nothing from working.
func (l *loader) warn(at place, code string, args map[string]any) {
	l.report(Problem{
		Line: at.value.Line, Column: at.value.Column, Path: at.path, Severity: Warning, Code: code, Args: args,
	})
}

// isPath reports whether a program is a path rather than a name for PATH.
func isPath(program string) bool {
	return strings.ContainsRune(program, '/') || strings.ContainsRune(program, filepath.Separator)
}

// resolve makes path absolute: relative to folder, or to the home folder
// after "~". The error is that there is no home folder.
func resolve(folder, path string) (string, error) {
	if rest, found := strings.CutPrefix(path, "~"); found && (rest == "" || os.IsPathSeparator(rest[0])) {
		home, err := os.UserHomeDir()
		return filepath.Join(home, rest), err
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	return filepath.Join(folder, path), nil
}
