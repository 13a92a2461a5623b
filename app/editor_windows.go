package app

import (
	"os/exec"
	"syscall"
)

// alone keeps what ends this program, such as Ctrl+C in its terminal, from
// ending the one that is started.
func alone(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
