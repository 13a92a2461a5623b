package assist

// Split splits a command line: spaces separate, single or double quotes
// group. The error is localizable: a quote is not closed.
func Split(line string) ([]string, error) { return nil, nil }

// Join is a command line that Split splits into words.
func Join(words []string) string { return "" }
