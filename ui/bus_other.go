//go:build !linux && !freebsd && !openbsd && !netbsd

package ui

import (
	"os/exec"
	"runtime"
)

// The system itself shows notifications and tray icons.
func canNotify() error { return nil }
func canTray() error   { return nil }
func canFollow() bool  { return true }

// reveal marks a file in the file manager. The error: there is none to be
// asked.
func reveal(path string) error {
	if runtime.GOOS == "windows" {
		_ = exec.Command("explorer", "/select,"+path).Run() // its exit code says nothing
		return nil
	}
	return exec.Command("open", "-R", path).Run()
}
