package edit

// Code is the kind of an [Error].
type Code string

// Why a text cannot be edited.
const (
	Unsupported Code = "Unsupported" // written in a way that cannot be extended safely
)

// Error says why a text was not edited: the text "edit.<Code>" of the
// catalogue.
type Error struct {
	Code Code
	Line int // where, from 1
}

func (e *Error) Error() string { return "edit configuration: " + string(e.Code) }

// Localize implements the errors of package i18n.
func (e *Error) Localize() (string, map[string]any) {
	return "edit." + string(e.Code), map[string]any{"Line": e.Line}
}
