package fakeagent_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

// A banner, noise, escape sequences: the conversation is not disturbed.
func TestNoise(t *testing.T) {
	c := start(t, fakeagent.Script{
		Start: []string{"raw Welcome!", "raw \x1b[31m", `raw {"level":"info"}`, "log to stderr", "err 1048576"},
		On:    map[string][]string{acp.MethodNewSession: {"raw [1]", "commands early"}},
	})
	c.open()
	equal(t, "before the session", c.said(), []string{"available_commands_update"})
	equal(t, "noise", c.noise, []string{"text: Welcome!", `object: {"level":"info"}`, "text: [1]"})
	c.CloseWrite()
	<-c.Done()
	if err := c.cmd.Wait(); err != nil {
		t.Error(err)
	}
	if n := c.stderr.Len(); n < 1_000_000 || !strings.HasPrefix(c.stderr.String(), "to stderr\n") {
		t.Errorf("%d bytes of stderr", n)
	}
}

// Long lines and floods arrive whole, in order, before the answer.
func TestFlood(t *testing.T) {
	c := start(t, fakeagent.Script{})
	c.open()
	equal(t, "end", <-c.prompt("!line 12582912"), "end_turn")
	equal(t, "length", len(c.said()[0]), 12<<20)
	equal(t, "end", <-c.prompt("!repeat 10000 text $i"), "end_turn")
	said := c.said()
	equal(t, "updates", len(said), 10_000)
	for i, text := range said {
		if text != fmt.Sprint(i) {
			t.Fatalf("update %d says %s", i, text)
		}
	}
}

// Updates come after the answer too.
func TestLate(t *testing.T) {
	c := start(t, fakeagent.Script{})
	c.open()
	equal(t, "end", <-c.prompt("!late text after; late tool t completed; text before"), "end_turn")
	equal(t, "said", c.until(3), []string{"before", "after", "t completed"})
}

func TestDeath(t *testing.T) {
	c := start(t, fakeagent.Script{})
	c.open()
	equal(t, "end", <-c.prompt("!text last words; log why; exit 3"), "connection closed: EOF")
	equal(t, "said", c.said(), []string{"last words"})
	<-c.Done()
	var exit *exec.ExitError
	if err := c.cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Error(err)
	}
	equal(t, "stderr", c.stderr.String(), "why\n")
}

func TestSilence(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	c := start(t, fakeagent.Script{On: map[string][]string{acp.MethodInitialize: {"hang"}}})
	if err := c.Call(ctx, acp.MethodInitialize, nil, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// An agent that does not read holds nobody up, and leaves nothing behind.
func TestDeafness(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	c := start(t, fakeagent.Script{Start: []string{"hang"}})
	if err := c.Call(ctx, "m", strings.Repeat("x", 1<<20), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	c.Close()
	<-c.Done()
}

func TestEndOfInput(t *testing.T) {
	c := start(t, fakeagent.Script{Start: []string{"ignore eof"}})
	c.open()
	ended := c.prompt("!text a; sleep 50ms; text b")
	c.until(1)
	c.CloseWrite()
	equal(t, "it goes on", c.until(1), []string{"b"})
	equal(t, "end", <-ended, "end_turn")

	c = start(t, fakeagent.Script{})
	c.open()
	ended = c.prompt("!text a; sleep 10m")
	c.until(1)
	c.CloseWrite()
	equal(t, "it ends", <-ended, "connection closed: EOF")
}

func TestMute(t *testing.T) {
	c := start(t, fakeagent.Script{})
	c.open()
	equal(t, "end", <-c.prompt("!mute"), "connection closed: EOF")
}

func TestSpawn(t *testing.T) {
	c := start(t, fakeagent.Script{})
	c.open()
	equal(t, "end", <-c.prompt("!spawn"), "end_turn")
	var pid int
	if _, err := fmt.Sscanf(c.until(1)[0], "spawned %d", &pid); err != nil {
		t.Fatal(err)
	}
	child, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	c.CloseWrite()
	if _, err := c.cmd.Process.Wait(); err != nil {
		t.Error(err)
	}
	select {
	case <-c.Done():
		t.Error("the stream ended though the child has it")
	default:
	}
	if err := child.Kill(); err != nil {
		t.Error(err)
	}
	<-c.Done()
}
