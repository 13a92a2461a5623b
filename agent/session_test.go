package agent

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

// shorten bounds what the agent's sessions may take to open.
func shorten(p *Pool, name string, limit time.Duration) { p.Agent(name).times.Session = limit }

// A saved session that hangs leads to a new one, which has its own time.
func TestASavedSessionThatHangs(t *testing.T) {
	for method, script := range map[string]fakeagent.Script{
		acp.MethodLoadSession: {Load: true}, acp.MethodResumeSession: {Resume: true},
	} {
		t.Run(method, func(t *testing.T) {
			script.State = filepath.Join(t.TempDir(), "state")
			if err := os.WriteFile(script.State, []byte(`{"saved":{}}`), 0o600); err != nil {
				t.Fatal(err)
			}
			script.On = map[string][]string{method: {"hang"}}
			p, _ := newTestPool(t, map[string]fakeagent.Script{"a": script}, Limits{Running: 1})
			shorten(p, "a", time.Second)
			lease := acquire(t, p, "a")
			defer lease.Release()
			s, how, err := lease.Open(t.Context(), "1", "saved")
			if err != nil || how != Lost || s.ID() == "saved" {
				t.Error(s, how, err)
			}
			if log := strings.Join(p.Agent("a").Log(), "\n"); !strings.Contains(log, context.DeadlineExceeded.Error()) {
				t.Errorf("it did not hang: %s", log)
			}
		})
	}
}

// An agent that opens no session says so in words, unless the person left.
func TestANewSessionThatHangs(t *testing.T) {
	script := fakeagent.Script{On: map[string][]string{acp.MethodNewSession: {"hang"}}}
	p, _ := newTestPool(t, map[string]fakeagent.Script{"a": script}, Limits{Running: 1})
	lease := acquire(t, p, "a")
	defer lease.Release()
	left, leave := context.WithCancel(t.Context())
	leave()
	if _, _, err := lease.Open(left, "1", ""); err != context.Canceled {
		t.Error(err)
	}
	shorten(p, "a", 100*time.Millisecond)
	if _, _, err := lease.Open(t.Context(), "1", ""); code(err) != SessionTimeout {
		t.Error(err)
	}
}
