//go:build unix

package app

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

// prints reads a shell up to something that matches, and gives its first part.
func prints(t *testing.T, s Shell, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	var seen []byte
	p := make([]byte, 4096)
	for {
		if m := re.FindSubmatch(seen); m != nil {
			return string(m[1])
		}
		n, err := s.Read(p)
		seen = append(seen, p[:n]...)
		if err != nil {
			t.Fatalf("the shell ended before %q: %q", pattern, seen)
		}
	}
}

func write(t *testing.T, s Shell, text string) {
	t.Helper()
	if _, err := s.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
}

func TestOpenShell(t *testing.T) {
	folder := t.TempDir()
	w := newWorld(t, cast{"alice": fakeagent.Script{}}, []string{"alice"},
		settings{agents: map[string]map[string]any{"alice": {"workspace": folder}}})
	s, err := w.OpenShell("alice", 91, 17)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, "stty size; pwd\n")
	if got := prints(t, s, `(\d+ \d+)\r\n`+regexp.QuoteMeta(folder)+`\r\n`); got != "17 91" {
		t.Errorf("the size is %s", got)
	}
	write(t, s, "echo race=$GORACE; exit 7\n")
	if got := prints(t, s, `race=(\w+=\d)`); got != "atexit_sleep_ms=0" {
		t.Errorf("the agent's env gives %q", got)
	}
	if _, err := io.Copy(io.Discard, s); err != nil {
		t.Fatal(err)
	}
	if got := s.Wait(); got.Code != 7 {
		t.Errorf("it ended with %v", got)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// Quitting leaves nothing of a terminal behind, and opens no other one.
func TestQuitEndsShells(t *testing.T) {
	w := newWorld(t, cast{"alice": fakeagent.Script{}}, []string{"alice"}, settings{})
	s, err := w.OpenShell("alice", 80, 24)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, "nohup sleep 1000 >/dev/null 2>&1 & echo pid=$!\n")
	pid, _ := strconv.Atoi(prints(t, s, `pid=(\d+)\r`))
	a := w.App
	w.close()
	// One that has ended stays in the system's table until its parent looks.
	state, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if pid == 0 || unix.Kill(pid, 0) == nil && !strings.Contains(string(state), ") Z ") {
		t.Errorf("process %d lives on", pid)
	}
	if _, err := a.OpenShell("alice", 80, 24); err == nil {
		t.Error("a shell opened after the end")
	}
}

func TestOpenShellOfNobody(t *testing.T) {
	w := newWorld(t, cast{"alice": fakeagent.Script{}}, []string{"alice"}, settings{})
	if _, err := w.OpenShell("bob", 80, 24); err == nil {
		t.Error("an agent that is not there has a shell")
	}
}
