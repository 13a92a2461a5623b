package config

import (
	_ "embed"
	"errors"
	"io/fs"
	"os"
)

// The default file has a comment for each key of the specification, in the
// language of the person who will read it.
var (
	//go:embed default.en.yaml
	defaultEnglish []byte
	//go:embed default.fr.yaml
	defaultFrench []byte
)

// EnsureDefault writes the default configuration file at path when there is
// nothing there, with comments in a language, "en" or "fr", that is also the
// one of its interface. It never changes what exists. The error is a
// [*WriteError].
func EnsureDefault(path string, language string) error {
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	content := defaultEnglish
	if language == "fr" {
		content = defaultFrench
	}
	if err := createFile(path, content); err != nil && !errors.Is(err, fs.ErrExist) {
		return &WriteError{Path: path, Err: err}
	}
	return nil
}
