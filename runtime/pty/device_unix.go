//go:build unix

package pty

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/creack/pty"
)

// device is a pseudo terminal: our side of it.
type device struct {
	master *os.File
	tty    *os.File // the command's side, until it has started
}

func open(cols, rows int) (*device, error) {
	master, tty, err := pty.Open()
	if err != nil {
		return nil, fmt.Errorf("open a terminal: %w", err)
	}
	d := &device{master: master, tty: tty}
	if err := d.resize(cols, rows); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// start starts a command that leads a session, with the terminal as the one
// that controls it.
func (d *device) start(cmd *exec.Cmd) error {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = d.tty, d.tty, d.tty
	cmd.SysProcAttr.Setsid, cmd.SysProcAttr.Setctty, cmd.SysProcAttr.Ctty = true, true, 0
	err := cmd.Start()
	_ = d.tty.Close()
	return err
}

func (d *device) read(p []byte) (int, error)  { return d.master.Read(p) }
func (d *device) write(p []byte) (int, error) { return d.master.Write(p) }

func (d *device) resize(cols, rows int) error {
	err := pty.Setsize(d.master, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil && !errors.Is(err, syscall.EBADF) { // the answer of one that is closed
		return fmt.Errorf("resize a terminal: %w", err)
	}
	return nil
}

// drain is how long what a command printed last can still be read when
// something that escaped holds the terminal open.
const drain = 2 * time.Second

func (d *device) finish() { _ = d.master.SetDeadline(time.Now().Add(drain)) }

// hangUp closes our side: the system tells the command and those before it in
// the foreground.
func (d *device) hangUp() { _ = d.master.Close() }

func (d *device) close() {
	_ = d.tty.Close()
	_ = d.master.Close()
}
