package config

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

// reason is why the system refuses a file, in a text of the catalogue: what
// the system itself says is in one language and made for programmers.
type reason struct {
	id     string
	number uintptr // the system's own, for a reason without a text
	err    error
}

// reasons are looked through in turn, as some are kinds of others.
var reasons = []struct {
	err error
	id  string
}{
	{syscall.EROFS, "config.ReadOnlyDisk"},
	{fs.ErrPermission, "config.NotPermitted"},
	{syscall.ENOSPC, "config.DiskFull"},
	{syscall.ENOTDIR, "config.FileInPath"},
	{syscall.EISDIR, "config.IsFolder"},
	{syscall.ENAMETOOLONG, "config.NameTooLong"},
	{syscall.ELOOP, "config.LinksInCircle"},
	{syscall.EINVAL, "config.NoSuchName"},
	{syscall.EIO, "config.DiskError"},
	{fs.ErrNotExist, "config.NotThere"},
}

// reasonOf finds the reason in an error of the packages os and syscall. An
// error with a text of its own is that.
func reasonOf(err error) error {
	if known, ok := errors.AsType[i18n.Localizable](err); ok {
		return known
	}
	for _, known := range reasons {
		if errors.Is(err, known.err) {
			return reason{id: known.id, err: err}
		}
	}
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return reason{"config.ErrorNumber", uintptr(number), err}
	}
	return reason{id: "config.NoReason", err: err}
}

func (r reason) Error() string { return fmt.Sprint(r.err) }

func (r reason) Unwrap() error { return r.err }

// Localize implements the errors of package i18n.
func (r reason) Localize() (string, map[string]any) {
	return r.id, map[string]any{"Number": r.number}
}
