package agent

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

// holdAfterStop makes the agent's afterStop last until release is called.
func holdAfterStop(t *testing.T, p *Pool, name string) (release func()) {
	t.Helper()
	gate := filepath.Join(t.TempDir(), "gate")
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	release = func() { _ = os.Remove(gate) }
	t.Cleanup(release) // before the pool is closed
	a := p.Agent(name)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spec.AfterStop = []string{"sh", "-c", `while [ -e "$0" ]; do sleep 0.02; done`, gate}
	return release
}

// untilGone waits until the agent's process is gone and afterStop runs.
func untilGone(t *testing.T, lease *Lease) {
	t.Helper()
	select {
	case <-lease.run.gone:
	case <-time.After(patience):
		t.Fatal("the process does not end")
	}
}

// acquiring asks for an agent in the background, once it waits in line.
func acquiring(t *testing.T, p *Pool, name string) <-chan *Lease {
	t.Helper()
	got := make(chan *Lease, 1)
	waits := make(chan struct{}, 100)
	go func() {
		lease, err := p.Acquire(context.Background(), name, func(int) { waits <- struct{}{} })
		if err != nil {
			t.Error(err)
		}
		got <- lease
		waits <- struct{}{}
	}()
	select {
	case <-waits:
	case <-time.After(patience):
		t.Fatal(name, " neither waits nor runs")
	}
	return got
}

func received(t *testing.T, got <-chan *Lease) *Lease {
	t.Helper()
	select {
	case lease := <-got:
		if lease == nil {
			t.FailNow()
		}
		return lease
	case <-time.After(patience):
		t.Fatal("waited in vain for a lease")
		return nil
	}
}

// An agent that ended by itself is not handed out again: who asks for it gets
// its next life.
func TestNoLeaseOfADeadRun(t *testing.T) {
	p, _ := newTestPool(t, map[string]fakeagent.Script{"a": {}}, Limits{Running: 1})
	release := holdAfterStop(t, p, "a")
	dead := acquire(t, p, "a")
	s, _, err := dead.Open(t.Context(), "1", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Prompt(t.Context(), []acp.ContentBlock{acp.Text("!exit 3")}); code(err) != Exited {
		t.Fatal(err)
	}
	got := acquiring(t, p, "a")
	release()
	alive := received(t, got)
	if alive.run == dead.run {
		t.Error("a lease of the dead run")
	}
	dead.Release()
	if _, _, err := alive.Open(t.Context(), "1", ""); err != nil {
		t.Error(err)
	}
	alive.Release()
}

// Who waits for an agent whose afterStop hangs does not hold up the others.
func TestTheLineDoesNotWaitForAfterStop(t *testing.T) {
	p, _ := newTestPool(t, map[string]fakeagent.Script{"a": {}, "b": {}}, Limits{Running: 2})
	release := holdAfterStop(t, p, "a")
	lease := acquire(t, p, "a")
	go func() { _ = p.Stop(context.Background(), "a") }()
	untilGone(t, lease)
	lease.Release()
	again := acquiring(t, p, "a")
	acquire(t, p, "b").Release()
	select {
	case <-again:
		t.Error("started again before the end of afterStop")
	default:
	}
	release()
	received(t, again).Release()
}

// An agent whose afterStop hangs makes no room: the next idle one does.
func TestRoomIsMadeBesideAfterStop(t *testing.T) {
	p, rec := newTestPool(t, map[string]fakeagent.Script{"a": {}, "b": {}, "c": {}}, Limits{Running: 2})
	p.times.Leave = 50 * time.Millisecond
	holdAfterStop(t, p, "a")
	lease := acquire(t, p, "a")
	acquire(t, p, "b").Release()
	go func() { _ = p.Stop(context.Background(), "a") }()
	untilGone(t, lease)
	lease.Release()
	acquire(t, p, "c").Release()
	rec.until(t, "b to end", func() bool { return p.Agent("b").Status().State == Stopped })
	if got := code(p.Agent("b").Status().Reason); got != MadeRoom {
		t.Errorf("reason %q", got)
	}
}

// Stop waits for the end of the life that it ended, not of the next one, for
// which somebody waits.
func TestStopWhileOthersWait(t *testing.T) {
	for range 5 { // who looks first is chance
		p, _ := newTestPool(t, map[string]fakeagent.Script{"a": {}}, Limits{Running: 1})
		release := holdAfterStop(t, p, "a")
		lease := acquire(t, p, "a")
		stopped := make(chan error, 1)
		go func() { stopped <- p.Stop(context.Background(), "a") }()
		untilGone(t, lease)
		lease.Release()
		again := acquiring(t, p, "a")
		release()
		next := received(t, again)
		select {
		case err := <-stopped:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(patience):
			t.Error("Stop waits for the end of the next life")
		}
		next.Release()
	}
}
