// Package pty runs a command on a pseudo terminal of this computer: a shell of
// the person, or docker and sbx with one inside. It knows nothing of what is
// shown: the bytes go both ways as they are.
package pty

import (
	"context"
	"io"
	"os/exec"
	"time"

	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// grace is how long each step of ending a command takes at most: what runs on
// a terminal that is closed has been told so by the system first.
const grace = time.Second

// Terminal is a command that runs on a pseudo terminal. Its methods may be
// called from any goroutine.
type Terminal struct {
	device  *device
	process *process.Process
	ended   chan struct{} // command and descendants are gone, and the device with them
}

// Start starts a command on a new terminal of that many columns and rows. The
// error is that of [process.Start].
func Start(c process.Command, cols, rows int) (*Terminal, error) {
	d, err := open(size(cols), size(rows))
	if err != nil {
		return nil, err
	}
	if c.Grace == 0 {
		c.Grace = grace
	}
	p, err := process.StartWith(c, func(cmd *exec.Cmd) error {
		cmd.Env = append(cmd.Env, "TERM=xterm-256color", "COLORTERM=truecolor")
		return d.start(cmd)
	})
	if err != nil {
		d.close()
		return nil, err
	}
	t := &Terminal{device: d, process: p, ended: make(chan struct{})}
	go t.follow()
	return t, nil
}

// size keeps within what a terminal can be told.
func size(n int) int { return min(max(1, n), 0x7fff) }

// follow closes the terminal behind its command: what the command left in the
// background is ended with it, and does not hold the terminal open.
func (t *Terminal) follow() {
	defer close(t.ended)
	<-t.process.Exited()
	_ = t.process.End(context.Background()) // what refuses to end is not waited for either
	t.device.finish()
}

// Read reads what the command prints. It is [io.EOF] once the command has
// ended and all was read.
func (t *Terminal) Read(p []byte) (int, error) {
	n, err := t.device.read(p)
	if n > 0 {
		return n, nil
	}
	if err != nil {
		return 0, io.EOF // there is one way for a terminal to end, told in many
	}
	return 0, nil
}

// Write types. It waits for a command that does not read.
func (t *Terminal) Write(p []byte) (int, error) { return t.device.write(p) }

// Resize tells the command how many columns and rows there are now.
func (t *Terminal) Resize(cols, rows int) error { return t.device.resize(size(cols), size(rows)) }

// Wait waits for the end of the command and says how it ended.
func (t *Terminal) Wait() process.ExitState {
	<-t.process.Exited()
	return t.process.State()
}

// Close ends the command with all its descendants and returns when none is
// left. The error is a [*process.LeftoverError] when one refuses to disappear.
func (t *Terminal) Close() error {
	t.device.hangUp()
	err := t.process.End(context.Background())
	<-t.ended
	t.device.close()
	return err
}
