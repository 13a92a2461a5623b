package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// PreferencesName is the name of the preferences file in [Folder].
const PreferencesName = "preferences.json"

// maxRecent is how many recent files are remembered.
const maxRecent = 10

// Preferences is what the application remembers between two runs and that no
// configuration file says.
type Preferences struct {
	LastFile    string   // absolute path of the configuration opened last
	RecentFiles []string // those opened lately, the latest first

	others map[string]json.RawMessage // what a newer version keeps in the file
}

// The names in the file.
const (
	lastFile    = "lastFile"
	recentFiles = "recentFiles"
)

// ReadPreferences reads the file at path. One that does not exist holds
// nothing. The error, a [*PreferencesError], says why a file that exists was
// not understood; the Preferences are then empty and may be used all the same.
func ReadPreferences(path string) (Preferences, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Preferences{}, nil
	}
	var preferences Preferences
	if err == nil {
		preferences, err = parsePreferences(data)
	}
	if err != nil {
		return Preferences{}, &PreferencesError{Path: path, Err: err}
	}
	return preferences, nil
}

func parsePreferences(data []byte) (Preferences, error) {
	var p Preferences
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\uFEFF")), &p.others); err != nil {
		return p, err
	}
	if p.others == nil {
		return p, errors.New("null is no object")
	}
	for name, into := range map[string]any{lastFile: &p.LastFile, recentFiles: &p.RecentFiles} {
		if value, ok := p.others[name]; ok {
			if err := json.Unmarshal(value, into); err != nil {
				return p, err
			}
			delete(p.others, name)
		}
	}
	if len(p.others) == 0 {
		p.others = nil
	}
	return p, nil
}

// Write replaces the file at path, whole or not at all. The error is a
// [*WriteError].
func (p Preferences) Write(path string) error {
	content := make(map[string]any, len(p.others)+2)
	for name, value := range p.others {
		content[name] = value
	}
	if p.LastFile != "" {
		content[lastFile] = p.LastFile
	}
	if len(p.RecentFiles) > 0 {
		content[recentFiles] = p.RecentFiles
	}
	data, err := json.MarshalIndent(content, "", "  ")
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

// PreferencesError says that the preferences are there and cannot be
// understood.
type PreferencesError struct {
	Path string
	Kept string // where they were kept, "" when they are still at Path
	Err  error
}

func (e *PreferencesError) Error() string {
	return fmt.Sprintf("read preferences %s: %v", e.Path, e.Err)
}

func (e *PreferencesError) Unwrap() error { return e.Err }

// Localize implements the errors of package i18n.
func (e *PreferencesError) Localize() (string, map[string]any) {
	if e.Kept != "" {
		return "config.PreferencesKept", map[string]any{"Path": e.Path, "Kept": e.Kept}
	}
	return "config.PreferencesDamaged", map[string]any{"Path": e.Path}
}

// setAside gives a file a name that tells when it was found damaged.
func setAside(path string) (kept string, err error) {
	extension := filepath.Ext(path)
	base := path[:len(path)-len(extension)] + "-damaged-" + time.Now().Format("20060102-150405")
	kept = base + extension
	for i := 2; exists(kept); i++ {
		kept = fmt.Sprintf("%s-%d%s", base, i, extension)
	}
	return kept, os.Rename(path, kept)
}
