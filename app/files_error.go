package app

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"syscall"

	"git.rickub.com/bots-garden/sidekicks/runtime"
)

// explain returns an error about an entry that a person can read. nil stays
// nil.
func explain(name string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	if _, ok := localizable(err); ok {
		return err
	}
	cause := err
	var inner *fs.PathError
	if errors.As(err, &inner) {
		cause = inner.Err
	}
	return &filesError{name: path.Base(name), err: err, cause: cause}
}

// filesError says what went wrong with an entry of an agent's folder.
type filesError struct {
	name       string
	err, cause error
}

func (e *filesError) Error() string { return e.err.Error() }
func (e *filesError) Unwrap() error { return e.err }

// Localize returns the text of the catalogue that says it.
func (e *filesError) Localize() (id string, args map[string]any) {
	args = map[string]any{"Name": e.name, "Cause": e.cause.Error()}
	for _, known := range []struct {
		err error
		id  string
	}{
		{runtime.ErrOutside, "files.Outside"},
		{runtime.ErrNotFile, "files.NotFile"},
		{fs.ErrNotExist, "files.Missing"},
		{fs.ErrExist, "files.Exists"},
		{fs.ErrPermission, "files.Denied"},
		{syscall.ENOSPC, "files.Full"},
	} {
		if errors.Is(e.err, known.err) {
			return known.id, args
		}
	}
	return "files.Failed", args
}

// ChangedError says that a file is not any more what it was when it was read.
type ChangedError struct{ Name string }

func (e *ChangedError) Error() string { return e.Name + " changed since it was read" }

// Localize returns the text of the catalogue that says it.
func (e *ChangedError) Localize() (id string, args map[string]any) {
	return "files.Changed", map[string]any{"Name": path.Base(e.Name)}
}
