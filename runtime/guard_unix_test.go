//go:build unix

package runtime

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/runtime/enginetest"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// guarded starts a command line in a container as an agent is started, and
// ends it as one is ended.
type guarded struct {
	t     *testing.T
	guard *Guard
	proc  *process.Process
	found chan error
}

func startGuarded(t *testing.T, place Place, command ...string) *guarded {
	t.Helper()
	guard, err := place.Guard(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := process.Start(process.Command{Path: command[0], Args: command[1:], Grace: 500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, p.Stderr) }()
	g := &guarded{t: t, guard: guard, proc: p, found: make(chan error, 1)}
	go func() { g.found <- guard.Find(context.Background(), p.Exited()) }()
	return g
}

func (g *guarded) end() {
	g.t.Helper()
	g.guard.Mark(g.t.Context())
	if err := g.proc.End(g.t.Context()); err != nil {
		g.t.Error(err)
	}
	if err := <-g.found; err != nil {
		g.t.Error(err)
	}
	if err := g.guard.End(g.t.Context()); err != nil {
		g.t.Error(err)
	}
}

// own waits until the agent's process is known.
func (g *guarded) own() {
	g.t.Helper()
	until(g.t, "the process inside is found", func() bool { return g.guard.owned() != "" })
}

func ps(t *testing.T, box string) string {
	t.Helper()
	return enginetest.Docker(t, "exec", box, "ps", "-o", "pid,args")
}

// An agent that heeds neither the end of its input nor a signal is ended in
// the container, with what it started; nothing else is.
func TestGuardEndsAll(t *testing.T) {
	const stubborn = "trap '' TERM HUP INT; setsid sleep 1001 & sleep 1002 & (sleep 1003 &); while :; do sleep 1004; done"
	scripts := map[string][]string{
		"as written":    {"sh", "-c", stubborn},
		"a script":      {"/usr/local/agent", "--acp"},                    // its interpreter is in the words
		"another name":  {"env", "-i", "sh", "-c", stubborn},              // becomes another program
		"at once alone": {"sh", "-c", "exec sleep 1004 # 1001 1002 1003"}, // ends by a signal
	}
	for name, argv := range scripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			box := enginetest.Run(t, enginetest.Busybox(t))
			enginetest.Docker(t, "exec", box, "sh", "-c", "mkdir -p /usr/local; printf '#!/bin/sh\n%s\n' \"$1\" >/usr/local/agent; chmod +x /usr/local/agent", "sh", stubborn)
			enginetest.Docker(t, "exec", "-d", box, "sleep", "2001") // somebody else's
			command := append([]string{"docker", "exec", "-i", box}, argv...)
			g := startGuarded(t, New(Spec{Kind: Container, Name: box, Command: command}, testHost(t)), command...)
			g.own()
			enginetest.Docker(t, "exec", "-d", box, "sleep", "2002") // later, and again somebody else's
			until(t, "the agent runs", func() bool { return strings.Contains(ps(t, box), "1004") })
			until(t, "its use can be told", func() bool {
				u, err := g.guard.Usage(t.Context())
				return err == nil && u.Memory > 0
			})
			g.end()
			left := ps(t, box)
			for _, gone := range []string{"1001", "1002", "1003", "1004", "sidekicks"} {
				if strings.Contains(left, gone) {
					t.Errorf("%s still runs:\n%s", gone, left)
				}
			}
			for _, stays := range []string{"2001", "2002"} {
				if !strings.Contains(left, stays) {
					t.Errorf("%s was ended:\n%s", stays, left)
				}
			}
		})
	}
}

// Two agents that share a container, with the same command line, each end
// alone.
func TestGuardKeepsAgentsApart(t *testing.T) {
	box := enginetest.Run(t, enginetest.Busybox(t))
	command := []string{"docker", "exec", "-i", box, "sh", "-c", "trap '' TERM; while :; do sleep 1; done"}
	host := testHost(t)
	host.Turns = &Turns{}
	var both [2]*guarded
	started := make(chan struct{})
	for i := range both {
		go func() {
			defer func() { started <- struct{}{} }()
			both[i] = startGuarded(t, New(Spec{Kind: Container, Name: box, Command: command}, host), command...)
			both[i].own()
		}()
	}
	<-started
	<-started
	if a, b := both[0].guard.owned(), both[1].guard.owned(); a == b {
		t.Fatalf("both have %s", a)
	}
	running := func() int { return strings.Count(ps(t, box), "TERM; while") }
	if n := running(); n != 2 {
		t.Errorf("%d run", n)
	}
	both[0].end()
	if n := running(); n != 1 {
		t.Errorf("%d run after the end of one", n)
	}
	both[1].end()
	if n := running(); n != 0 {
		t.Errorf("%d run after the end of both", n)
	}
}

// When the program is killed, the guard does its work all the same.
func TestGuardOutlivesProgram(t *testing.T) {
	box := enginetest.Run(t, enginetest.Busybox(t))
	command := []string{"docker", "exec", "-i", box, "sh", "-c", "trap '' TERM; while :; do sleep 1004; done"}
	g := startGuarded(t, New(Spec{Kind: Container, Name: box, Command: command}, testHost(t)), command...)
	g.own()
	// What the warden does to the program's children.
	for _, pid := range []int{g.guard.proc.PID(), g.proc.PID()} {
		if err := exec.Command("kill", "-KILL", strconv.Itoa(pid)).Run(); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "it is ended inside", func() bool { return !strings.Contains(ps(t, box), "1004") })
	g.end()
}

// What the container takes with it needs no ending.
func TestGuardOfGoneContainer(t *testing.T) {
	box := enginetest.Run(t, enginetest.Busybox(t))
	command := []string{"docker", "exec", "-i", box, "sleep", "1004"}
	g := startGuarded(t, New(Spec{Kind: Container, Name: box, Command: command}, testHost(t)), command...)
	g.own()
	enginetest.Docker(t, "rm", "--force", box)
	g.end()
}

// Without a docker that answers, what was started is said to run still, and
// can be ended later.
func TestGuardLeftover(t *testing.T) {
	box := enginetest.Run(t, enginetest.Busybox(t))
	folder := fakeDocker(t, `if [ -e "$0.broken" ]; then echo 'Cannot connect to the Docker daemon' >&2; exit 1; fi; exec `+realDocker(t)+` "$@"`)
	command := []string{"docker", "exec", "-i", box, "sh", "-c", "trap '' TERM; while :; do sleep 1004; done"}
	host := testHost(t)
	host.Environ = func(context.Context) []string { return before(folder) }
	g := startGuarded(t, New(Spec{Kind: Container, Name: box, Command: command}, host), command...)
	g.own()
	broken := filepath.Join(folder, "docker.broken")
	if err := os.WriteFile(broken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	g.guard.quit() // as if its docker had been killed
	g.guard.broken = errQuiet
	if err := g.proc.End(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-g.found
	err := g.guard.End(t.Context())
	var left *LeftoverError
	if !errors.As(err, &left) || len(left.Processes) == 0 {
		t.Fatal(err)
	}
	if err := os.Remove(broken); err != nil {
		t.Fatal(err)
	}
	if err := left.Kill(t.Context()); err != nil {
		t.Error(err)
	}
	if strings.Contains(ps(t, box), "1004") {
		t.Error("it runs still")
	}
}

// A shell of ours is ended with what it started in the background.
func TestTidy(t *testing.T) {
	for name, image := range images {
		t.Run(name, func(t *testing.T) {
			box := enginetest.Run(t, image(t))
			place := New(Spec{Kind: Container, Name: box, WorkspacePath: "/tmp"}, testHost(t))
			shell := place.Shell()
			i := slices.Index(shell.Args, "-it")
			shell.Args[i] = "-i" // there is no terminal here
			p, err := process.Start(shell)
			if err != nil {
				t.Fatal(err)
			}
			go func() { _, _ = io.Copy(io.Discard, p.Stderr) }()
			if _, err := io.WriteString(p.Stdin, "trap '' HUP TERM; sleep 1004 & pwd\n"); err != nil {
				t.Fatal(err)
			}
			where := make([]byte, 5)
			if _, err := io.ReadFull(p.Stdout, where); err != nil || string(where) != "/tmp\n" {
				t.Errorf("the shell is in %q, %v", where, err)
			}
			if err := p.End(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := place.Tidy(t.Context(), shell); err != nil {
				t.Fatal(err)
			}
			if left := enginetest.Docker(t, "exec", box, "sh", "-c", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '"); strings.Contains(left, "1004") {
				t.Error(left)
			}
		})
	}
}

func TestParseEntry(t *testing.T) {
	for line, want := range map[string]entry{
		"mm -acp":                            {},
		"docker agent serve acp x.yaml":      {},
		"docker exec -i box":                 {},
		"docker exec -i box mm -acp":         {argv: []string{"mm", "-acp"}},
		"/usr/bin/docker exec -i box mm":     {argv: []string{"mm"}},
		"sbx exec -i box mm":                 {argv: []string{"mm"}},
		"docker exec -i -u root box mm":      {user: []string{"-u", "root"}, argv: []string{"mm"}},
		"docker exec --user=1:2 box mm -u x": {user: []string{"-u", "1:2"}, argv: []string{"mm", "-u", "x"}},
		"docker exec -e A=b -w /x -i box mm": {argv: []string{"mm"}},
		"docker --context far exec box mm":   {options: []string{"--context", "far"}, argv: []string{"mm"}},
	} {
		got := parseEntry(strings.Fields(line))
		if !slices.Equal(got.options, want.options) || !slices.Equal(got.user, want.user) || !slices.Equal(got.argv, want.argv) {
			t.Errorf("%s: %+v", line, got)
		}
	}
}
