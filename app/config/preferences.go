package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// PreferencesName is the name of the preferences file in [Folder].
const PreferencesName = "preferences.json"

// maxRecent is how many recent files are remembered.
const maxRecent = 10

// Preferences is what the application remembers between two runs and that no
// configuration file says.
type Preferences struct {
	LastFile    string   `json:"lastFile,omitempty"`    // absolute path of the configuration opened last
	RecentFiles []string `json:"recentFiles,omitempty"` // those opened lately, the latest first
}

// ReadPreferences reads the file at path. One that does not exist holds
// nothing. The error says why a file that exists was not understood; the
// Preferences are then empty and may be used all the same.
func ReadPreferences(path string) (Preferences, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Preferences{}, nil
	}
	if err != nil {
		return Preferences{}, fmt.Errorf("read preferences: %w", err)
	}
	var preferences Preferences
	if err := json.Unmarshal(data, &preferences); err != nil {
		return Preferences{}, fmt.Errorf("read preferences %s: %w", path, err)
	}
	return preferences, nil
}

// Write replaces the file at path, whole or not at all. The error is a
// [*WriteError].
func (p Preferences) Write(path string) error {
	data, err := json.MarshalIndent(p, "", "  ")
	if err == nil {
		err = ReplaceFile(path, append(data, '\n'))
	}
	if err != nil {
		return &WriteError{Path: path, Err: err}
	}
	return nil
}

// Opened remembers that the file at an absolute path was opened.
func (p *Preferences) Opened(path string) {
	p.LastFile = path
	recent := slices.DeleteFunc(slices.Clone(p.RecentFiles), func(other string) bool { return other == path })
	recent = slices.Insert(recent, 0, path)
	p.RecentFiles = recent[:min(len(recent), maxRecent)]
}

// Forget removes a file from those remembered.
func (p *Preferences) Forget(path string) {
	if p.LastFile == path {
		p.LastFile = ""
	}
	p.RecentFiles = slices.DeleteFunc(slices.Clone(p.RecentFiles), func(other string) bool { return other == path })
}
