package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// WriteError says that a file of the application cannot be written.
type WriteError struct {
	Path string
	Err  error
}

func (e *WriteError) Error() string { return fmt.Sprintf("write %s: %v", e.Path, e.Err) }

func (e *WriteError) Unwrap() error { return e.Err }

// Localize implements the errors of package i18n.
func (e *WriteError) Localize() (string, map[string]any) {
	return "config.FileUnwritable", map[string]any{"Path": e.Path, "Reason": reasonOf(e.Err)}
}

// ReplaceFile gives the file at path a new content, whole or not at all. A
// symbolic link stays one: the file it leads to is replaced.
func ReplaceFile(path string, data []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	temporary, err := writeBeside(path, data)
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return syncFolder(filepath.Dir(path))
}

// createFile writes a new file, whole or not at all. The error is
// [fs.ErrExist] when there is something at path.
func createFile(path string, data []byte) error {
	temporary, err := writeBeside(path, data)
	if err != nil {
		return err
	}
	defer os.Remove(temporary)
	// A hard link, unlike a rename, never replaces what is there.
	err = os.Link(temporary, path)
	switch {
	case errors.Is(err, fs.ErrExist):
		return err
	case err != nil: // no hard links on this disk
		if err := writeNew(path, data); err != nil {
			return err
		}
	}
	return syncFolder(filepath.Dir(path))
}

// writeBeside writes data to the disk in a new file in the folder of path,
// made if need be, and returns its name.
func writeBeside(path string, data []byte) (string, error) {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	file, err := os.CreateTemp(folder, "."+filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return "", err
	}
	if err := fill(file, data); err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}

func writeNew(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := fill(file, data); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// fill writes data to the disk and closes file.
func fill(file *os.File, data []byte) error {
	_, err := file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// syncFolder makes a new name in a folder last. Some systems cannot sync a
// folder and need not.
func syncFolder(folder string) error {
	file, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer file.Close()
	if err := file.Sync(); errors.Is(err, syscall.EIO) {
		return err
	}
	return nil
}
