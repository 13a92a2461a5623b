package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// lock locks a file for all programs of a user, by means of another one: an
// open file cannot be replaced, so it is closed. The error is errBusy while
// another program holds the lock.
func lock(file *os.File) (unlock func(), err error) {
	file.Close()
	sum := sha256.Sum256([]byte(file.Name()))
	name := filepath.Join(os.TempDir(), "sidekicks-"+hex.EncodeToString(sum[:8])+".lock")
	own, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = windows.LockFileEx(windows.Handle(own.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, new(windows.Overlapped))
	if err != nil {
		own.Close()
		if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
			err = errBusy
		}
		return nil, err
	}
	return func() { own.Close() }, nil
}

// keepOwner has nothing to do: a new file belongs to who may write in the
// folder.
func keepOwner(string, fs.FileInfo) error { return nil }
