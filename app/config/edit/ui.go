package edit

// SetUI gives a key of "ui", "theme" or "language", another value, and adds
// what is missing. The error is an [*Error].
func SetUI(text []byte, key, value string) (Change, error) {
	return Change{}, &Error{Code: Unsupported}
}
