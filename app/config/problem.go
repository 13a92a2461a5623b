package config

import (
	"slices"

	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

// Severity says whether a [Problem] keeps the file from being used.
type Severity int

// The severities. The zero value is Error.
const (
	Error   Severity = iota // the file cannot be used as it is
	Warning                 // the file can be used, something in it may not work
)

// String returns "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Problem is one thing wrong with a configuration file, where it is, and how
// to fix it. Section "Error messages" of the specification.
type Problem struct {
	Line, Column int    // where, from 1; columns count characters
	Path         string // what, as "agents[0].name"; "" is the whole file
	Severity     Severity
	Code         string         // the kind of problem: the text "config.<Code>"
	Args         map[string]any // the placeholders of that text; never a value of env
}

// Localize returns what is wrong, without the line and the path.
func (p Problem) Localize() (id string, args map[string]any) {
	return "config." + p.Code, p.Args
}

// Error is the line of the problem in English.
func (p Problem) Error() string { return p.Text(i18n.For("en")) }

// Text is the line that reports the problem: "line 12 — agents[0].name: …".
func (p Problem) Text(printer *i18n.Printer) string {
	message := printer.Error(p)
	if p.Path == "" {
		return printer.Text("config.AtLine", "Line", p.Line, "Message", message)
	}
	return printer.Text("config.AtKey", "Line", p.Line, "Path", p.Path, "Message", message)
}

// Valid reports whether a file with these problems can be used: none of them
// is an [Error].
func Valid(problems []Problem) bool {
	return !slices.ContainsFunc(problems, func(p Problem) bool { return p.Severity == Error })
}
