package store

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile takes the lock of f, which ends with f, and reports false when somebody
// else has it. Where the file system has no locks everybody gets them.
func lockFile(f *os.File) bool {
	err := windows.LockFileEx(windows.Handle(f.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	return !errors.Is(err, windows.ERROR_LOCK_VIOLATION) && !errors.Is(err, windows.ERROR_IO_PENDING)
}
