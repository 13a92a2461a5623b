//go:build unix

package pty

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
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
	if runtime.GOOS == "linux" {
		if err := d.unblock(); err != nil {
			d.close()
			return nil, err
		}
	}
	if err := d.resize(cols, rows); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// unblock gives the master to Go's poller, from which the library takes it:
// without that, nothing but the command ends a read or a write that waits, and
// Linux may forget to tell a write.
func (d *device) unblock() error {
	fd, err := unix.FcntlInt(d.master.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		return fmt.Errorf("open a terminal: %w", err)
	}
	_ = d.master.Close()
	d.master = os.NewFile(uintptr(fd), d.master.Name())
	return nil
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
	conn, err := d.master.SyscallConn()
	if err != nil {
		return fmt.Errorf("resize a terminal: %w", err)
	}
	closed := conn.Control(func(fd uintptr) {
		err = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(rows), Col: uint16(cols)})
	})
	if closed == nil && err != nil {
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
