//go:build unix

package process

import (
	"crypto/rand"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// tokenName is the variable that a child and its descendants are known by.
const tokenName = "SIDEKICKS_PROCESS"

// wardenScript ends what is left when this program is killed. It is a shell
// script and not this program again: it costs 1 MB, and needs no command line.
//
//go:embed warden.sh
var wardenScript string

// watch is the warden of this program: there can be only one, as there is one
// program to be killed.
var watch warden

// warden is a process that outlives this program to end its children. It learns
// of this program's end from the end of a pipe, which no signal prevents.
type warden struct {
	mu       sync.Mutex
	pipe     *os.File // nil when it does not run
	token    string   // what the tokens of all children begin with
	children int      // counts those ever started
}

// newToken returns the token of a child that is about to start. It begins with
// the one that this program was itself started with, if any: whoever ends this
// program ends its children too.
func (w *warden) newToken() (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.token == "" {
		w.token = os.Getenv(tokenName) + rand.Text() + "."
	}
	if w.pipe == nil {
		if err := w.start(); err != nil {
			return "", fmt.Errorf("start the warden: %w", err)
		}
	}
	w.children++
	return fmt.Sprintf("%s%d.", w.token, w.children), nil
}

// add tells the warden of a group that has started.
func (w *warden) add(group int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	line := fmt.Sprintf("+ %d\n", group)
	if w.write(line) == nil {
		return nil
	}
	// Somebody killed it. The tokens tell the next one what this one knew.
	if err := w.start(); err != nil {
		return fmt.Errorf("start the warden again: %w", err)
	}
	return w.write(line)
}

// remove tells the warden of a group that has ended. When it cannot be told, it
// has ended itself, and add starts the next one.
func (w *warden) remove(group int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = w.write(fmt.Sprintf("- %d\n", group))
}

func (w *warden) write(line string) error {
	// A warden that somebody stopped must not stop this program.
	_ = w.pipe.SetWriteDeadline(time.Now().Add(time.Second))
	_, err := w.pipe.WriteString(line)
	return err
}

// start starts the script. Its environment has no token: this program's own
// parent must not end the warden before its work is done.
func (w *warden) start() error {
	r, pipe, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	cmd := exec.Command("/bin/sh", "-c", wardenScript, "sidekicks-warden")
	cmd.Stdin = r
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=/usr/bin:/bin:/usr/sbin:/sbin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		_ = pipe.Close()
		return err
	}
	_ = cmd.Process.Release()
	_ = w.pipe.Close()
	w.pipe = pipe
	return w.write(w.token + "\n")
}
