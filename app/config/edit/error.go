package edit

import "fmt"

// Code is the kind of an [Error].
type Code string

// Why a text cannot be edited.
const (
	Unsupported Code = "Unsupported" // what is at Line is written in a way that cannot be extended safely
	NoAgents    Code = "NoAgents"    // there is no list "agents" to add to
	NoLineEnd   Code = "NoLineEnd"   // the last text goes on to the end of the file, whose last line has no end
)

// sentences say each code in English, for logs.
var sentences = map[Code]string{
	Unsupported: "written in a way that cannot be extended safely",
	NoAgents:    `no list "agents"`,
	NoLineEnd:   "the last line has no line end",
}

// Error says why a text was not edited: the text "edit.<Code>" of the
// catalogue.
type Error struct {
	Code Code
	Line int // where, from 1
}

func (e *Error) Error() string {
	return fmt.Sprintf("edit configuration: line %d: %s", e.Line, sentences[e.Code])
}

// Localize implements the errors of package i18n.
func (e *Error) Localize() (string, map[string]any) {
	return "edit." + string(e.Code), map[string]any{"Line": e.Line}
}
