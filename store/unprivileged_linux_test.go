package store

import (
	"errors"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// runUnprivileged becomes a process of the role for which the modes of files count
// even when it is root's.
func runUnprivileged(role, path string) error {
	runtime.LockOSThread() // the capabilities are the thread's, which then is the process
	for _, capability := range []uintptr{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH} {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0)
		if err != nil && !(errors.Is(err, unix.EPERM) && os.Geteuid() != 0) {
			return err
		}
	}
	if err := errors.Join(os.Setenv(roleVariable, role), os.Setenv(pathVariable, path)); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return syscall.Exec(self, os.Args, os.Environ())
}
