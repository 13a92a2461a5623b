package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"git.rickub.com/bots-garden/sidekicks/app/config/edit"
)

// Save makes a change to the file at path, which was read as c.Before: whole
// or not at all. A symbolic link stays one, and the file keeps its mode and
// its owner. Nothing is written when the file would not be valid or would say
// something else (an [*InvalidError], an [*edit.Error]), when it does not hold
// c.Before any more (a [*ChangedError]), or when it cannot be written (a
// [*WriteError]).
func Save(path string, c edit.Change) error {
	anyProgram := WithLookPath(func(string, map[string]string) error { return nil }) // it would be a warning
	if _, problems := Parse(c.After, path, anyProgram); !Valid(problems) {
		return &InvalidError{Path: path, Problems: problems}
	}
	if err := c.Verify(); err != nil {
		return err
	}
	err := replace(path, c)
	if err == nil || errors.As(err, new(*ChangedError)) {
		return err
	}
	return &WriteError{Path: path, Err: err}
}

// replace gives the file at path its new content, unless it is not what it
// was before.
func replace(path string, c edit.Change) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	// As open as for writing in place: who may not do that may not do this.
	file, err := os.OpenFile(target, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	opened, err := file.Stat()
	if err != nil {
		return err
	}
	unlock, err := waitLock(file)
	if err != nil {
		return err
	}
	defer unlock()
	info, err := unchanged(path, target, c.Before)
	if err != nil {
		return err
	}
	if !os.SameFile(info, opened) { // the lock is on a file that was replaced
		return &ChangedError{path}
	}
	if info.Mode().Perm()&0o222 == 0 { // even for who may write everything
		return errReadOnly
	}
	temporary, err := writeBeside(target, c.After)
	if err != nil {
		return err
	}
	err = keepOwner(temporary, info)
	if err == nil {
		err = os.Chmod(temporary, info.Mode()&(fs.ModePerm|fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky))
	}
	if err == nil { // an editor may have saved it meanwhile
		_, err = unchanged(path, target, c.Before)
	}
	if err == nil {
		err = os.Rename(temporary, target)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return syncFolder(filepath.Dir(target))
}

// unchanged checks that a file still is at target, and holds before.
func unchanged(path, target string, before []byte) (fs.FileInfo, error) {
	again, err := filepath.EvalSymlinks(path)
	if err != nil || again != target {
		return nil, &ChangedError{path}
	}
	content, err := os.ReadFile(target)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(content, before) {
		return nil, &ChangedError{path}
	}
	return os.Stat(target)
}

// lockPatience is how long to wait for other windows that are writing, each of
// which takes a moment; more on a busy disk.
const lockPatience = 20 * time.Second

// waitLock keeps other windows from writing a file at the same time.
func waitLock(file *os.File) (unlock func(), err error) {
	for end := time.Now().Add(lockPatience); ; time.Sleep(10 * time.Millisecond) {
		unlock, err := lock(file)
		if !errors.Is(err, errBusy) || time.Now().After(end) {
			return unlock, err
		}
	}
}

// saveError is why a file is not written.
type saveError string

const (
	errBusy     saveError = "Busy"
	errReadOnly saveError = "ReadOnly"
	errOwner    saveError = "Owner"
)

func (e saveError) Error() string {
	return map[saveError]string{
		errBusy: "another program is writing it", errReadOnly: "it is read-only", errOwner: "it belongs to another user",
	}[e]
}

// Localize implements the errors of package i18n.
func (e saveError) Localize() (string, map[string]any) { return "edit." + string(e), nil }

// InvalidError says that a file is not valid, or would not be.
type InvalidError struct {
	Path     string
	Problems []Problem // errors and warnings, in file order
}

func (e *InvalidError) Error() string {
	return fmt.Sprintf("%s would not be valid: %v", e.Path, e.first())
}

// Localize implements the errors of package i18n. It tells the first error.
func (e *InvalidError) Localize() (string, map[string]any) {
	return "edit.Invalid", map[string]any{"Path": e.Path, "Problem": e.first()}
}

func (e *InvalidError) first() error {
	if i := slices.IndexFunc(e.Problems, func(p Problem) bool { return p.Severity == Error }); i >= 0 {
		return atLine{e.Problems[i]}
	}
	return nil
}

// atLine is a problem told with its line and its path.
type atLine struct{ Problem }

// Localize implements the errors of package i18n.
func (p atLine) Localize() (string, map[string]any) {
	args := map[string]any{"Line": p.Line, "Path": p.Path, "Message": p.Problem}
	if p.Path == "" {
		return "config.AtLine", args
	}
	return "config.AtKey", args
}

// ChangedError says that a file is not what it was when it was read.
type ChangedError struct{ Path string }

func (e *ChangedError) Error() string { return e.Path + " changed since it was read" }

// Localize implements the errors of package i18n.
func (e *ChangedError) Localize() (string, map[string]any) {
	return "edit.Changed", map[string]any{"Path": e.Path}
}
