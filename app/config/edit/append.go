package edit

// Append adds an entry at the end of "agents". Before is After without one
// inserted run of bytes; only when the list is "[]" do its brackets go too.
// The error, an [*Error], says why the text cannot be extended.
func Append(text []byte, agent Agent) (Change, error) {
	return Change{}, &Error{Code: Unsupported}
}
