//go:build unix

package process

import (
	"os/exec"
	"slices"
	"testing"
	"time"
)

// What a child and its children take is told together, and grows.
func TestUsage(t *testing.T) {
	if Installed() < 1<<28 {
		t.Errorf("%d bytes are installed", Installed())
	}
	p := launch(t, Command{Path: "/bin/sh", Args: []string{"-c", "(while :; do :; done) & echo; wait"}})
	readLine(t, p.Stdout)
	for late := time.After(time.Minute); ; {
		if u := p.Usage(); u.Memory > 100<<10 && u.Time >= 20*time.Millisecond {
			break
		}
		select {
		case <-late:
			t.Fatalf("%+v", p.Usage())
		case <-time.After(10 * time.Millisecond):
		}
	}
	if err := p.End(t.Context()); err != nil {
		t.Error(err)
	}
	if u := p.Usage(); u.Memory != 0 {
		t.Errorf("after its end: %+v", u)
	}
}

// What is left of a family can be ended later, and nothing that has its
// number since.
func TestLeftoverKill(t *testing.T) {
	cmd := exec.Command("sleep", "100")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	table, err := processes()
	if err != nil {
		t.Fatal(err)
	}
	table = slices.DeleteFunc(table, func(m member) bool { return m.pid != cmd.Process.Pid })
	if len(table) != 1 {
		t.Fatalf("%+v", table)
	}
	other := table[0]
	other.start++
	if err := (&LeftoverError{members: []member{other}}).Kill(t.Context()); err != nil || !running(t, other.pid) {
		t.Errorf("a process with the same number: %v", err)
	}
	if err := (&LeftoverError{members: table}).Kill(t.Context()); err != nil {
		t.Error(err)
	}
	<-ended
}
