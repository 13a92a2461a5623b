package agent

import (
	"context"
	"slices"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

// specs are how the agents of a pool are started, by their names.
func specs(p *Pool, names ...string) (list []Spec) {
	for _, n := range names {
		list = append(list, p.Agent(n).Spec())
	}
	return list
}

// untilEnded waits until an agent holds no place any more.
func untilEnded(t *testing.T, p *Pool, name string) {
	t.Helper()
	for ended := false; !ended; {
		p.mu.Lock()
		changed := p.changed
		ended = !p.members[name].running
		p.mu.Unlock()
		if ended {
			return
		}
		select {
		case <-changed:
		case <-time.After(patience):
			t.Fatal(name, " does not end")
		}
	}
}

// A new entry is for the next start: what runs goes on, and says that it is
// not what the entry says any more.
func TestChangedWhileItRuns(t *testing.T) {
	p, _ := newTestPool(t, map[string]fakeagent.Script{"a": {}, "b": {}}, Limits{Running: 2})
	lease := acquire(t, p, "a")
	process := lease.run.proc
	changed := specs(p, "a", "b")
	for i := range changed {
		changed[i].Args = append(slices.Clone(changed[i].Args), "--more")
	}
	p.SetSpecs(changed, "fr")
	if !p.Agent("a").Status().Outdated {
		t.Error("the agent that runs does not say that its entry changed")
	}
	if p.Agent("b").Status().Outdated {
		t.Error("one that does not run has nothing to apply")
	}
	if lease.run.proc != process || lease.run.isLeaving() {
		t.Error("it was ended")
	}
	p.SetSpecs(specs(p, "a", "b"), "fr")
	lease.Release()
	if err := p.Stop(context.Background(), "a"); err != nil {
		t.Fatal(err)
	}
	again := acquire(t, p, "a")
	defer again.Release()
	if got := again.run.spec.Args; got[len(got)-1] != "--more" {
		t.Errorf("started again with %q", got)
	}
	if s := p.Agent("a").Status(); s.Outdated {
		t.Error("still said to be another one")
	}
}

// An agent that is taken out of the file finishes what it does, and nobody
// gets it any more. Put back, it is the same again.
func TestRemovedWhileItWorks(t *testing.T) {
	p, _ := newTestPool(t, map[string]fakeagent.Script{"a": {}, "b": {}}, Limits{Running: 2})
	entries := specs(p, "a", "b")
	lease := acquire(t, p, "a")
	s, _, err := lease.Open(t.Context(), "1", "")
	if err != nil {
		t.Fatal(err)
	}
	p.SetSpecs(entries[1:], "")
	if _, err := s.Prompt(t.Context(), []acp.ContentBlock{acp.Text("to the end")}); err != nil {
		t.Errorf("what it was doing: %v", err)
	}
	if _, err := p.Acquire(t.Context(), "a", nil); code(err) != UnknownAgent {
		t.Errorf("it is still given out: %v", err)
	}
	lease.Release()
	untilEnded(t, p, "a")
	if status := p.Agent("a").Status(); code(status.Reason) != Removed || status.State != Stopped {
		t.Errorf("it is %s, %v", status.State, status.Reason)
	}
	if len(p.Agent("a").Log()) == 0 {
		t.Error("its log is gone")
	}
	p.SetSpecs(entries, "")
	acquire(t, p, "a").Release()
}

// The limits are in force at once: whoever waits comes in, and whoever is too
// much ends, but not in the middle of its work.
func TestOtherLimits(t *testing.T) {
	p, _ := newTestPool(t, map[string]fakeagent.Script{"a": {}, "b": {}, "c": {}}, Limits{Running: 1})
	a := acquire(t, p, "a")
	waiting := acquiring(t, p, "b")
	p.SetLimits(Limits{Running: 3})
	b := received(t, waiting)
	acquire(t, p, "c").Release()
	p.SetLimits(Limits{Running: 2})
	untilEnded(t, p, "c")
	if reason := p.Agent("c").Status().Reason; code(reason) != OverLimit {
		t.Errorf("the one that nobody uses ended: %v", reason)
	}
	p.SetLimits(Limits{Running: 1})
	if got := p.Running(); len(got) != 2 {
		t.Errorf("of two at work there are %v left", got)
	}
	a.Release()
	untilEnded(t, p, "a")
	p.SetLimits(Limits{Running: 1, Idle: time.Millisecond})
	b.Release()
	untilEnded(t, p, "b")
	if reason := p.Agent("b").Status().Reason; code(reason) != Idle {
		t.Errorf("with a limit of a millisecond: %v", reason)
	}
	p.SetLimits(Limits{Running: 1, Idle: time.Hour})
	acquire(t, p, "b").Release()
	p.SetLimits(Limits{Running: 1, Idle: time.Millisecond})
	untilEnded(t, p, "b")
}
