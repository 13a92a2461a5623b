//go:build unix

package agent

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
	"git.rickub.com/bots-garden/sidekicks/runtime"
	"git.rickub.com/bots-garden/sidekicks/runtime/enginetest"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// boxed is the entry of a fake agent in a container, whose folder on this
// computer is workspace, and /work in there.
func boxed(t *testing.T, name, box, workspace string, script fakeagent.Script) Spec {
	t.Helper()
	text, err := json.Marshal(script)
	if err != nil {
		t.Fatal(err)
	}
	return Spec{
		Name: name, Command: "docker", Args: []string{"exec", "-i", "-e", fakeagent.Env, box, "/agent", "-acp"},
		Env: map[string]string{fakeagent.Env: string(text)}, Workspace: workspace,
		Runtime: runtime.Spec{Kind: runtime.Container, Name: box, WorkspacePath: "/work"},
	}
}

func poolOf(t *testing.T, specs ...Spec) (*Pool, *recorder) {
	t.Helper()
	env := Environment{
		Path: func(context.Context) (process.Path, error) { return process.ParsePath(os.Getenv("PATH"), ""), nil },
		Base: os.Environ(), Turns: &runtime.Turns{},
	}
	rec := newRecorder()
	p := NewPool(specs, Limits{Running: len(specs)}, env, DefaultTimes(), rec)
	t.Cleanup(p.Close)
	return p, rec
}

// An agent in a container works in its folder as it sees it, reaches its files
// through the container, and leaves nothing in there when it is stopped.
func TestInContainer(t *testing.T) {
	workspace := t.TempDir()
	box := enginetest.Run(t, enginetest.Busybox(t), "-v", enginetest.Agent(t)+":/agent:ro", "-v", workspace+":/work")
	if err := os.WriteFile(filepath.Join(workspace, "a.txt"), []byte("of the container"), 0o600); err != nil {
		t.Fatal(err)
	}
	spec := boxed(t, "alice", box, workspace, fakeagent.Script{Start: []string{"ignore eof", "ignore term"}})
	spec.AfterStop = []string{"sh", "-c", "echo done >after"}
	p, rec := poolOf(t, spec)
	lease := acquire(t, p, "alice")
	session, _, err := lease.Open(t.Context(), "room", "")
	if err != nil {
		t.Fatal(err)
	}
	prompt := "!text $cwd; read /work/a.txt; write /work/new/er/b.txt hello; read /etc/passwd; spawn"
	if _, err := session.Prompt(t.Context(), []acp.ContentBlock{acp.Text(prompt)}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "its child says that it is there", func() bool { return strings.Contains(rec.said("room"), "spawned") })
	said := rec.said("room")
	for _, want := range []string{"/work", "of the container", "wrote", "outside"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q was not said: %s", want, said)
		}
	}
	if got, err := os.ReadFile(filepath.Join(workspace, "new", "er", "b.txt")); err != nil || string(got) != "hello" {
		t.Errorf("written: %q, %v", got, err)
	}
	if u, ok := p.Agent("alice").Usage(t.Context()); !ok || u.Memory == 0 {
		t.Errorf("usage: %+v, %v", u, ok)
	}
	if !strings.Contains(enginetest.Docker(t, "exec", box, "ps"), "/agent") {
		t.Error("the agent is not in the container")
	}
	lease.Release()
	if err := p.Stop(t.Context(), "alice"); err != nil {
		t.Fatal(err)
	}
	if left := enginetest.Docker(t, "exec", box, "ps"); strings.Contains(left, "agent") || strings.Contains(left, "sidekicks") {
		t.Errorf("left in the container:\n%s", left)
	}
	if _, err := os.Stat(filepath.Join(workspace, "after")); err != nil {
		t.Errorf("afterStop: %v", err)
	}
	if left := p.Agent("alice").Status().Leftovers; len(left) > 0 {
		t.Error(left)
	}
}

// A failing `create` puts the agent in error with the reason, and its log has
// what was printed.
func TestCreateFails(t *testing.T) {
	enginetest.Need(t)
	spec := boxed(t, "alice", enginetest.Name(), t.TempDir(), fakeagent.Script{})
	spec.Runtime.Lifecycle = runtime.Lifecycle{Folder: spec.Workspace, Create: []string{"sh", "-c", "echo no image; exit 3"}}
	p, _ := poolOf(t, spec)
	_, err := p.Acquire(t.Context(), "alice", nil)
	var failure *runtime.Error
	if !errors.As(err, &failure) || failure.Code != runtime.Failed || code(err) != NotStarted {
		t.Errorf("%v", err)
	}
	if s := p.Agent("alice").Status(); s.State != Failed || s.Reason == nil || !strings.Contains(strings.Join(s.Stderr, "\n"), "sandbox: no image") {
		t.Errorf("%+v", s)
	}
}

// A docker that never returns holds up neither other agents nor the end.
func TestSilentDocker(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "docker"), []byte("#!/bin/sh\n: >\"$0.asked\"\nsleep 600\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	spec := boxed(t, "alice", "box", t.TempDir(), fakeagent.Script{})
	spec.Env["PATH"] = folder + ":" + os.Getenv("PATH")
	path, args, env := fakeagent.Command(fakeagent.Script{})
	bob := Spec{Name: "bob", Command: path, Args: args, Env: map[string]string{}, Workspace: t.TempDir()}
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		bob.Env[name] = value
	}
	p, _ := poolOf(t, spec, bob)
	failed := make(chan error, 1)
	go func() {
		_, err := p.Acquire(context.Background(), "alice", nil)
		failed <- err
	}()
	eventually(t, "docker is asked", func() bool { _, err := os.Stat(filepath.Join(folder, "docker.asked")); return err == nil })
	acquire(t, p, "bob").Release()
	p.Close()
	if err := <-failed; code(err) != Closed {
		t.Error(err)
	}
}

// eventually waits for what no event tells of.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for late := time.After(patience); !ok(); {
		select {
		case <-late:
			t.Fatal("waited in vain: ", what)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
