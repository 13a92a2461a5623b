package store

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"github.com/mattn/go-sqlite3"
)

// What can go wrong. An error of this package that is one of these (errors.Is) is
// an *Error.
var (
	ErrNotFound   = errors.New("not in the history")
	ErrNameTaken  = errors.New("a channel has this name already")
	ErrBadName    = errors.New("a channel's name has 1 to 64 characters")
	ErrNotQueued  = errors.New("an agent has begun to answer the message")
	ErrUnwritable = errors.New("the history cannot be written")
	ErrDiskFull   = errors.New("the disk is full")
	ErrBusy       = errors.New("another program keeps the history locked")
	ErrDamaged    = errors.New("the history is damaged")
	ErrNewer      = errors.New("the history was written by a newer version")

	// These come as warnings of an Opening.
	ErrSetAside = errors.New("the history could not be read and was moved aside")
	ErrNoWAL    = errors.New("the history's folder cannot be shared by readers and a writer")
	ErrInMemory = errors.New("nothing that is said will be kept")
)

// texts are the keys of the catalogue for each Reason.
var texts = []struct {
	reason error
	id     string
}{
	{ErrNotFound, "store.NotFound"},
	{ErrNameTaken, "store.NameTaken"},
	{ErrBadName, "store.BadName"},
	{ErrNotQueued, "store.NotQueued"},
	{ErrUnwritable, "store.Unwritable"},
	{ErrDiskFull, "store.DiskFull"},
	{ErrBusy, "store.Busy"},
	{ErrDamaged, "store.Damaged"},
	{ErrNewer, "store.Newer"},
	{ErrSetAside, "store.SetAside"},
	{ErrNoWAL, "store.NoWAL"},
	{ErrInMemory, "store.InMemory"},
}

// textOf returns the text for a reason, or "" when err is not one itself.
func textOf(err error) string {
	for _, t := range texts {
		if t.reason == err {
			return t.id
		}
	}
	return ""
}

// An Error is a failure of the history that a person can be told.
type Error struct {
	Doing  string // what was being done
	Reason error  // one of the Err… of this package, or nil
	Name   string // the channel's name, or the file it is about
	Err    error  // the cause, or nil
}

func (e *Error) Error() string {
	parts := []string{e.Doing}
	if e.Reason != nil {
		parts = append(parts, e.Reason.Error())
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	return strings.Join(parts, ": ")
}

func (e *Error) Unwrap() []error {
	var errs []error
	for _, err := range []error{e.Reason, e.Err} {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// Localize returns the error's text in the catalogue and what fills it in.
func (e *Error) Localize() (id string, args map[string]any) {
	id = textOf(e.Reason)
	if id == "" {
		id = "store.Failed"
	}
	args = map[string]any{"Name": e.Name, "Detail": ""}
	if e.Err != nil {
		args["Detail"] = e.Err.Error()
	}
	return id, args
}

// fail wraps err, which stopped what was being done to the history, with its reason.
func (s *Store) fail(doing string, err error) error {
	if err == nil {
		return nil
	}
	if known, ok := err.(*Error); ok {
		known.Doing = doing
		return known
	}
	if textOf(err) != "" {
		return &Error{Doing: doing, Reason: err, Name: s.path}
	}
	return &Error{Doing: doing, Reason: reason(err), Name: s.path, Err: err}
}

// reason tells which of the Err… err amounts to, nil when it is none.
func reason(err error) error {
	for _, t := range texts {
		if errors.Is(err, t.reason) {
			return t.reason
		}
	}
	var db sqlite3.Error
	if errors.As(err, &db) {
		switch db.Code {
		case sqlite3.ErrFull:
			return ErrDiskFull
		case sqlite3.ErrReadonly, sqlite3.ErrPerm, sqlite3.ErrCantOpen, sqlite3.ErrIoErr, sqlite3.ErrAuth:
			return ErrUnwritable
		case sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrProtocol:
			return ErrBusy
		case sqlite3.ErrCorrupt, sqlite3.ErrNotADB:
			return ErrDamaged
		case sqlite3.ErrConstraint:
			if db.ExtendedCode == sqlite3.ErrConstraintForeignKey {
				return ErrNotFound
			}
		}
		return nil
	}
	var file *fs.PathError
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return ErrDiskFull
	case errors.As(err, &file):
		return ErrUnwritable
	}
	return nil
}
