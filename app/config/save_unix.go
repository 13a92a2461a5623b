//go:build unix

package config

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// lock locks a file. The error is errBusy while another program holds the
// lock. A disk without locks has none to hold.
func lock(file *os.File) (unlock func(), err error) {
	err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, errBusy
	}
	return func() { _ = unix.Flock(int(file.Fd()), unix.LOCK_UN) }, nil
}

// keepOwner gives a new file the owner and the group of the one it replaces.
func keepOwner(path string, old fs.FileInfo) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	is, want := info.Sys().(*syscall.Stat_t), old.Sys().(*syscall.Stat_t)
	if is.Uid == want.Uid && is.Gid == want.Gid {
		return nil
	}
	if os.Chown(path, int(want.Uid), int(want.Gid)) != nil {
		return errOwner
	}
	return nil
}
