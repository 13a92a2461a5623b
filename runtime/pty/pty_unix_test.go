//go:build unix

package pty

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func sh(script string) process.Command {
	return process.Command{Path: "/bin/sh", Args: []string{"-c", script}}
}

// session is a terminal in a test, with what was read of it.
type session struct {
	*Terminal
	t    *testing.T
	seen bytes.Buffer
}

func start(t *testing.T, c process.Command, cols, rows int) *session {
	t.Helper()
	term, err := Start(c, cols, rows)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = term.Close() })
	return &session{Terminal: term, t: t}
}

// until reads up to something that the pattern matches, and gives its parts.
func (s *session) until(pattern string) []string {
	s.t.Helper()
	re := regexp.MustCompile(pattern)
	p := make([]byte, 4096)
	for {
		if m := re.FindSubmatchIndex(s.seen.Bytes()); m != nil {
			var parts []string
			for _, part := range re.FindSubmatch(s.seen.Bytes()) {
				parts = append(parts, string(part))
			}
			s.seen.Next(m[1])
			return parts
		}
		n, err := s.Read(p)
		s.seen.Write(p[:n])
		if err != nil {
			s.t.Fatalf("the terminal ended before %q: %q", pattern, s.seen.String())
		}
	}
}

func (s *session) rest() string {
	s.t.Helper()
	if _, err := io.Copy(&s.seen, s.Terminal); err != nil {
		s.t.Fatal(err)
	}
	return s.seen.String()
}

func (s *session) write(text string) {
	s.t.Helper()
	if _, err := s.Write([]byte(text)); err != nil {
		s.t.Fatal(err)
	}
}

// The size must be right from the first moment, and after each change at once.
func TestSize(t *testing.T) {
	s := start(t, sh(`stty size; while read line; do stty size; done`), 101, 33)
	s.until(`33 101`)
	for _, size := range [][2]int{{80, 24}, {200, 50}, {7, 3}} {
		if err := s.Resize(size[0], size[1]); err != nil {
			t.Fatal(err)
		}
		s.write("\n")
		s.until(fmt.Sprintf(`%d %d`, size[1], size[0]))
	}
	if err := s.Resize(0, -1); err != nil {
		t.Fatal(err)
	}
	s.write("\n")
	s.until(`1 1`)
}

func TestResizeIsTold(t *testing.T) {
	s := start(t, sh(`trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.05; done`), 80, 24)
	s.until("ready")
	if err := s.Resize(90, 20); err != nil {
		t.Fatal(err)
	}
	s.until("20 90")
}

func TestEnds(t *testing.T) {
	for script, want := range map[string]process.ExitState{
		"exit 0": {}, "echo bye; exit 3": {Code: 3}, "kill -9 $$": {Code: -1, Signal: "SIGKILL"},
	} {
		s := start(t, sh(script), 80, 24)
		if text := s.rest(); strings.Contains(script, "bye") && !strings.Contains(text, "bye") {
			t.Errorf("%s: read %q", script, text)
		}
		if got := s.Wait(); got != want {
			t.Errorf("%s: ended with %+v, want %+v", script, got, want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	c := sh(`echo "$TERM $COLORTERM $A"; tty; pwd`)
	c.Env, c.Dir = []string{"PATH=" + os.Getenv("PATH"), "TERM=dumb", "A=b"}, "/"
	text := start(t, c, 80, 24).rest()
	if !strings.Contains(text, "xterm-256color truecolor b") || !strings.Contains(text, "/dev/") || !strings.Contains(text, "\n/\r\n") {
		t.Errorf("printed %q", text)
	}
}

// What a shell leaves in the background neither holds its terminal open nor
// lives on.
func TestBackgroundJob(t *testing.T) {
	s := start(t, process.Command{Path: "/bin/sh", Args: []string{"-i"}}, 80, 24)
	s.write("sleep 1000 & echo pid=$!; exit 7\n")
	pid, _ := strconv.Atoi(s.until(`pid=(\d+)\r`)[1])
	s.rest()
	if got := s.Wait(); got.Code != 7 {
		t.Errorf("ended with %v", got)
	}
	gone(t, pid)
}

// Closing a terminal ends all that was started in it, whatever it did to stay.
func TestClose(t *testing.T) {
	for name, script := range map[string]string{
		"foreground":   `sh -c 'echo pid=$$; sleep 1000; :'`,
		"background":   `sleep 1000 & echo pid=$!; wait`,
		"deaf":         `trap '' HUP TERM INT; sh -c 'echo pid=$$; while :; do sleep 1000; done'`,
		"nohup":        `nohup sleep 1000 >/dev/null 2>&1 & echo pid=$!; wait`,
		"other group":  `set -m; sleep 1000 & echo pid=$!; wait`,
		"full of text": `sh -c 'echo pid=$$; exec yes'`,
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, sh(script), 80, 24)
			pid, _ := strconv.Atoi(s.until(`pid=(\d+)\r`)[1])
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			gone(t, pid)
			if _, err := s.Read(make([]byte, 10)); err != io.EOF {
				t.Errorf("reading a closed terminal: %v", err)
			}
			if err := s.Close(); err != nil {
				t.Errorf("closing again: %v", err)
			}
			if err := s.Resize(10, 10); err != nil {
				t.Errorf("resizing a closed terminal: %v", err)
			}
			if _, err := s.Write([]byte("x")); err == nil {
				t.Error("a closed terminal can be written")
			}
		})
	}
}

// A reader that waits learns of the end.
func TestCloseWhileReading(t *testing.T) {
	s := start(t, sh("sleep 1000"), 80, 24)
	ended := make(chan error)
	go func() {
		_, err := s.Read(make([]byte, 10))
		ended <- err
	}()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != io.EOF {
		t.Errorf("the reader got %v", err)
	}
}

// A writer that waits for a program which does not read learns of it too.
func TestCloseWhileWriting(t *testing.T) {
	s := start(t, sh("stty raw -echo; echo ready; sleep 1000"), 80, 24)
	s.until("ready")
	ended := make(chan error)
	go func() {
		_, err := s.Write(make([]byte, 1<<20))
		ended <- err
	}()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil {
		t.Error("all was written")
	}
}

func TestNoSuchProgram(t *testing.T) {
	_, err := Start(process.Command{Path: "/nowhere/shell"}, 80, 24)
	var failed *process.StartError
	if !errors.As(err, &failed) || failed.Reason != process.NotFound {
		t.Errorf("got %v", err)
	}
}

// gone waits for the end of a process: nothing tells of it when it is not a
// child of one's own.
func gone(t *testing.T, pid int) {
	t.Helper()
	if pid == 0 {
		t.Fatal("there is no process id")
	}
	deadline := time.Now().Add(2 * time.Minute)
	for tick := time.NewTicker(10 * time.Millisecond); ; <-tick.C {
		state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if unix.Kill(pid, 0) != nil || err == nil && strings.Contains(string(state), ") Z ") {
			return
		}
		if time.Now().After(deadline) {
			_ = unix.Kill(pid, unix.SIGKILL)
			t.Fatalf("process %d still runs", pid)
		}
	}
}
