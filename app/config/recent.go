package config

import (
	"errors"
	"os"
	"path/filepath"
)

// Recent is a configuration file opened lately from the application.
type Recent struct {
	Path    string // absolute
	Missing bool   // whether it is not there any more
}

// Recents returns the files opened lately, the latest first. The error is a
// [*PreferencesError] or a [*LocateError].
func Recents() ([]Recent, error) {
	folder, err := Folder()
	if err != nil {
		return nil, err
	}
	preferences, err := ReadPreferences(filepath.Join(folder, PreferencesName))
	var recents []Recent
	for _, path := range preferences.RecentFiles {
		recents = append(recents, Recent{path, !exists(path)})
	}
	return recents, err
}

// Remember makes the file at path the last one opened, and the first of
// [Recents]. Preferences that cannot be understood are set aside and new ones
// begun, which the error, a [*PreferencesError] with Kept, says. With any
// other error nothing was changed.
func Remember(path string) error { return changePreferences(path, (*Preferences).Opened) }

// Forget takes the file at path off [Recents]. Its errors are those of
// [Remember].
func Forget(path string) error { return changePreferences(path, (*Preferences).Forget) }

// changePreferences reads the preferences, changes them and writes them, while
// other windows that do so wait.
func changePreferences(file string, change func(*Preferences, string)) error {
	file, err := fromCurrent(file)
	if err != nil {
		return &LocateError{err}
	}
	folder, err := Folder()
	if err != nil {
		return err
	}
	path := filepath.Join(folder, PreferencesName)
	unlock, err := lockFolder(folder)
	if err != nil {
		return &WriteError{Path: path, Err: err}
	}
	defer unlock()
	preferences, err := ReadPreferences(path)
	damaged, _ := errors.AsType[*PreferencesError](err)
	if damaged != nil {
		if damaged.Kept, err = setAside(path); err != nil {
			return &WriteError{Path: path, Err: err}
		}
	}
	change(&preferences, file)
	if err := preferences.Write(path); err != nil {
		return err
	}
	if damaged != nil {
		return damaged
	}
	return nil
}

// lockFolder keeps other windows from changing the preferences in a folder,
// which is made if need be. The lock is a file of its own: the preferences are
// replaced by each change.
func lockFolder(folder string) (unlock func(), err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(folder, "preferences.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	release, err := waitLock(file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() {
		release()
		file.Close()
	}, nil
}
