package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// MaxSize is the size in bytes above which a file is not a configuration. A
// thousand agents with every key take less than a twentieth of it.
const MaxSize = 16 << 20

// Read returns the content of the file at path. The error is a [*ReadError].
func Read(path string) ([]byte, error) {
	if err := Stat(path); err != nil {
		return nil, err
	}
	data, err := read(path)
	if err != nil {
		return nil, &ReadError{Path: path, Err: err}
	}
	return data, nil
}

// Stat looks whether there is a file at path, without opening it: a device
// could block whoever does, or never end. The error is a [*ReadError].
func Stat(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = missing(path, err)
	case err != nil:
	case info.IsDir():
		err = errFolder
	case !info.Mode().IsRegular():
		err = errDevice
	}
	if err != nil {
		return &ReadError{Path: path, Err: err}
	}
	return nil
}

// missing says more of a path where there is nothing.
func missing(path string, err error) error {
	if target, link := os.Readlink(path); link == nil {
		return &danglingError{target, err}
	}
	if !exists(filepath.Dir(path)) {
		return fmt.Errorf("%w: %w", errNoFolder, err)
	}
	return err
}

func read(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, MaxSize+1))
	if err == nil && len(data) > MaxSize {
		err = errTooBig
	}
	return data, err
}

var (
	errFolder   = errors.New("is a folder")
	errDevice   = errors.New("is not an ordinary file")
	errNoFolder = errors.New("its folder does not exist")
	errTooBig   = fmt.Errorf("is bigger than %d MiB", MaxSize>>20)
)

// danglingError says that a file is a link to one that is not there.
type danglingError struct {
	target string
	err    error
}

func (e *danglingError) Error() string { return "is a link to " + e.target + ", which is not there" }

func (e *danglingError) Unwrap() error { return e.err }

// ReadError says that a configuration file cannot be read at all.
type ReadError struct {
	Path string
	Err  error
}

func (e *ReadError) Error() string {
	return fmt.Sprintf("read configuration %s: %v", e.Path, e.Err)
}

func (e *ReadError) Unwrap() error { return e.Err }

// Localize implements the errors of package i18n.
func (e *ReadError) Localize() (string, map[string]any) {
	args := map[string]any{"Path": e.Path}
	if dangling, ok := errors.AsType[*danglingError](e.Err); ok {
		args["Target"] = dangling.target
		return "config.FileIsDangling", args
	}
	switch {
	case errors.Is(e.Err, errNoFolder):
		args["Folder"] = filepath.Dir(e.Path)
		return "config.FolderMissing", args
	case errors.Is(e.Err, fs.ErrNotExist):
		return "config.FileMissing", args
	case errors.Is(e.Err, fs.ErrPermission):
		return "config.FileDenied", args
	case errors.Is(e.Err, errFolder):
		return "config.FileIsFolder", args
	case errors.Is(e.Err, errDevice):
		return "config.FileIsDevice", args
	case errors.Is(e.Err, errTooBig):
		args["Size"] = MaxSize >> 20
		return "config.FileTooBig", args
	}
	args["Reason"] = reasonOf(e.Err)
	return "config.FileUnreadable", args
}
