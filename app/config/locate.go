package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Source says why a file is the configuration. Section "Location" of the
// specification.
type Source int

// The sources, the first that applies wins.
const (
	FromFlag        Source = iota + 1 // --config
	FromEnvironment                   // SIDEKICKS_CONFIG
	FromPreferences                   // the last file opened from the application
	FromDefault                       // the default location
)

// Location is the configuration file to read.
type Location struct {
	Path   string // absolute; the file need not exist
	Source Source
	// Gone is the last file opened when it no longer exists, so that the
	// default file stands in for it.
	Gone string
	// Damaged says why the last file opened is not known, when the preferences
	// cannot be understood. It is a [*PreferencesError], or nil.
	Damaged error
}

// Locate finds the configuration file: flag is the value of --config, "" for
// none, and env is [os.Getenv]. A relative path starts from the current
// folder, and "~" is the home folder. The error, a [*LocateError], is that
// there is no home folder to start from.
func Locate(flag string, env func(string) string) (Location, error) {
	for _, given := range []struct {
		path   string
		source Source
	}{{flag, FromFlag}, {env("SIDEKICKS_CONFIG"), FromEnvironment}} {
		if given.path == "" {
			continue
		}
		path, err := fromCurrent(given.path)
		if err != nil {
			return Location{}, &LocateError{err}
		}
		return Location{Path: path, Source: given.source}, nil
	}
	folder, err := Folder()
	if err != nil {
		return Location{}, err
	}
	location := Location{Path: filepath.Join(folder, "config.yaml"), Source: FromDefault}
	preferences, err := ReadPreferences(filepath.Join(folder, PreferencesName))
	location.Damaged = err
	switch last := preferences.LastFile; {
	case last == "":
	case exists(last):
		location.Path, location.Source = last, FromPreferences
	default:
		location.Gone = last
	}
	return location, nil
}

// Folder returns the folder of the default configuration file and of the
// preferences: <user config dir>/sidekicks.
func Folder() (string, error) {
	base, err := os.UserConfigDir()
	if err != nil {
		return "", &LocateError{err}
	}
	return filepath.Join(base, "sidekicks"), nil
}

// fromCurrent makes a path that a person gave absolute.
func fromCurrent(path string) (string, error) {
	current, err := os.Getwd()
	if err != nil && !filepath.IsAbs(path) {
		return "", err
	}
	return resolve(current, path)
}

// exists reports whether there is a file, even one that cannot be read: that
// is for the loader to say.
func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// LocateError says that there is no place to look for a configuration file.
type LocateError struct{ Err error }

func (e *LocateError) Error() string { return fmt.Sprintf("locate the configuration: %v", e.Err) }

func (e *LocateError) Unwrap() error { return e.Err }

// Localize implements the errors of package i18n.
func (e *LocateError) Localize() (string, map[string]any) {
	return "config.NoFolder", nil
}
