package pty

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"github.com/charmbracelet/x/conpty"
	"golang.org/x/sys/windows"
)

// device is a pseudo console.
type device struct {
	console *conpty.ConPty

	mu     sync.RWMutex // held while the console is used, against its being closed
	closed bool
}

func open(cols, rows int) (*device, error) {
	c, err := conpty.New(cols, rows, 0)
	if err != nil {
		return nil, fmt.Errorf("open a terminal: %w", err)
	}
	return &device{console: c}, nil
}

// start starts a command in the console. It is suspended, as its family has
// those that are about to be adopted.
func (d *device) start(cmd *exec.Cmd) error {
	pid, handle, err := d.console.Spawn(cmd.Path, cmd.Args, &syscall.ProcAttr{
		Dir: cmd.Dir, Env: cmd.Env, Sys: &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED},
	})
	if err != nil {
		return err
	}
	defer windows.CloseHandle(windows.Handle(handle))
	cmd.Process, err = os.FindProcess(pid)
	return err
}

func (d *device) read(p []byte) (int, error) { return d.console.Read(p) }

func (d *device) write(p []byte) (int, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.closed {
		return 0, os.ErrClosed
	}
	return d.console.Write(p)
}

func (d *device) resize(cols, rows int) error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.closed {
		return nil
	}
	return d.console.Resize(cols, rows)
}

// finish closes the console, which stays open without its command: whoever
// reads gets what is left, then the end.
func (d *device) finish() { d.close() }

// hangUp leaves the console open: it is closed behind the command.
func (d *device) hangUp() {}

func (d *device) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	_ = d.console.Close()
}
