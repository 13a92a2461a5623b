//go:build unix

package process

import (
	"os/signal"
	"syscall"
)

func ignoreTerm() { signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT) }

func newSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
