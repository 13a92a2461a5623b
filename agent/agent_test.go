package agent

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

func TestMain(m *testing.M) {
	fakeagent.Main()
	goleak.VerifyTestMain(m)
}

// patience bounds every wait; a test that needs it has failed.
const patience = time.Minute

// recorder is an Observer that keeps what it is told.
type recorder struct {
	mu    sync.Mutex
	text  map[string]string // by room
	asked chan Question
	news  chan struct{}
}

func newRecorder() *recorder {
	return &recorder{text: map[string]string{}, asked: make(chan Question, 10), news: make(chan struct{}, 1)}
}

func (r *recorder) Changed(string) {
	select {
	case r.news <- struct{}{}:
	default:
	}
}

func (r *recorder) Updated(_, room string, u acp.Update) {
	if u.Kind == acp.KindMessageChunk {
		r.mu.Lock()
		r.text[room] += u.Chunk.Content.Text
		r.mu.Unlock()
	}
}

func (r *recorder) Asked(q Question)         { r.asked <- q }
func (r *recorder) Settled(Question, string) {}

func (r *recorder) said(room string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text[room]
}

// until waits for a change after which ok is true.
func (r *recorder) until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	late := time.After(patience)
	for !ok() {
		select {
		case <-r.news:
		case <-late:
			t.Fatal("waited in vain for ", what)
		}
	}
}

// newTestPool makes a pool of fake agents with the given scripts.
func newTestPool(t *testing.T, scripts map[string]fakeagent.Script, limits Limits) (*Pool, *recorder) {
	t.Helper()
	var specs []Spec
	for name, script := range scripts {
		path, args, env := fakeagent.Command(script)
		vars := map[string]string{"GORACE": "atexit_sleep_ms=0"}
		for _, v := range env {
			k, v, _ := strings.Cut(v, "=")
			vars[k] = v
		}
		specs = append(specs, Spec{Name: name, Command: path, Args: args, Env: vars, Workspace: t.TempDir()})
	}
	env := Environment{
		Path: func(context.Context) (process.Path, error) { return process.ParsePath(os.Getenv("PATH"), ""), nil },
		Base: os.Environ(),
	}
	times := DefaultTimes()
	times.Cancel = 2 * time.Second
	rec := newRecorder()
	p := NewPool(specs, limits, env, times, rec)
	t.Cleanup(p.Close)
	return p, rec
}

func acquire(t *testing.T, p *Pool, name string) *Lease {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	lease, err := p.Acquire(ctx, name, nil)
	if err != nil {
		t.Fatalf("acquire %s: %v", name, err)
	}
	return lease
}

func code(err error) string {
	var p *Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

// One process serves several rooms, each with its own session.
func TestRoomsOfOneAgent(t *testing.T) {
	p, rec := newTestPool(t, map[string]fakeagent.Script{"a": {}}, Limits{Running: 1})
	lease := acquire(t, p, "a")
	defer lease.Release()
	var rooms sync.WaitGroup
	for _, room := range []string{"1", "2"} {
		rooms.Go(func() {
			s, how, err := lease.Open(t.Context(), room, "")
			if err != nil || how != Anew {
				t.Error(how, err)
				return
			}
			if _, err := s.Prompt(t.Context(), []acp.ContentBlock{acp.Text("hello " + room)}); err != nil {
				t.Error(err)
			}
		})
	}
	rooms.Wait()
	for _, room := range []string{"1", "2"} {
		if got := rec.said(room); got != "echo: hello "+room {
			t.Errorf("room %s: %q", room, got)
		}
	}
}

// A second prompt during a turn is refused here, since agents answer it in
// ways that nobody can rely on.
func TestOnePromptAtATime(t *testing.T) {
	p, rec := newTestPool(t, map[string]fakeagent.Script{"a": {}}, Limits{Running: 1})
	lease := acquire(t, p, "a")
	defer lease.Release()
	s, _, err := lease.Open(t.Context(), "1", "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := s.Prompt(ctx, []acp.ContentBlock{acp.Text("!ask t1")})
		ended <- err
	}()
	<-rec.asked
	if _, err := s.Prompt(t.Context(), []acp.ContentBlock{acp.Text("hello")}); !errors.Is(err, errBusy) {
		t.Errorf("second prompt: %v", err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// The least recently used idle agent makes room.
func TestLeastRecentlyUsed(t *testing.T) {
	scripts := map[string]fakeagent.Script{"a": {}, "b": {}, "c": {}}
	p, rec := newTestPool(t, scripts, Limits{Running: 2})
	acquire(t, p, "a").Release()
	acquire(t, p, "b").Release()
	acquire(t, p, "a").Release()
	acquire(t, p, "c").Release()
	rec.until(t, "b to end", func() bool { return p.Agent("b").Status().State == Stopped })
	if got := p.Running(); strings.Join(got, " ") != "a c" {
		t.Errorf("running: %v", got)
	}
	if got := code(p.Agent("b").Status().Reason); got != MadeRoom {
		t.Errorf("reason %q", got)
	}
}

// Those who wait for a place are served in the order in which they came, and
// one that gives up lets the next one in.
func TestTheLineForAPlace(t *testing.T) {
	scripts := map[string]fakeagent.Script{"a": {}, "b": {}, "c": {}}
	p, _ := newTestPool(t, scripts, Limits{Running: 1})
	busy := acquire(t, p, "a")
	places := make(chan string, 10)
	wait := func(ctx context.Context, name string) chan error {
		got := make(chan error, 1)
		go func() {
			lease, err := p.Acquire(ctx, name, func(place int) { places <- name + string(rune('0'+place)) })
			if err == nil {
				lease.Release()
			}
			got <- err
		}()
		return got
	}
	impatient, leave := context.WithCancel(t.Context())
	b := wait(impatient, "b")
	if got := <-places; got != "b1" {
		t.Errorf("place %s", got)
	}
	c := wait(t.Context(), "c")
	if got := <-places; got != "c2" {
		t.Errorf("place %s", got)
	}
	leave()
	if err := <-b; !errors.Is(err, context.Canceled) {
		t.Errorf("who gave up: %v", err)
	}
	if got := <-places; got != "c1" {
		t.Errorf("place %s", got)
	}
	busy.Release()
	if err := <-c; err != nil {
		t.Error(err)
	}
}

// An agent in use is not stopped for being idle; one that nobody uses is.
func TestIdle(t *testing.T) {
	p, rec := newTestPool(t, map[string]fakeagent.Script{"a": {}}, Limits{Running: 1, Idle: 50 * time.Millisecond})
	lease := acquire(t, p, "a")
	s, _, err := lease.Open(t.Context(), "1", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Prompt(t.Context(), []acp.ContentBlock{acp.Text("!sleep 300ms; text done")}); err != nil {
		t.Error(err)
	}
	lease.Release()
	rec.until(t, "the end", func() bool { return p.Agent("a").Status().State == Stopped })
	if got := code(p.Agent("a").Status().Reason); got != Idle {
		t.Errorf("reason %q", got)
	}
}

// An agent that hangs while it starts can be stopped, and the pool closed.
func TestStopWhileStarting(t *testing.T) {
	scripts := map[string]fakeagent.Script{"a": {On: map[string][]string{"initialize": {"hang"}}}, "b": {}}
	p, rec := newTestPool(t, scripts, Limits{Running: 1})
	failed := make(chan error, 1)
	go func() {
		_, err := p.Acquire(context.Background(), "a", nil)
		failed <- err
	}()
	rec.until(t, "the start", func() bool { return p.Agent("a").Status().State == Starting })
	if err := p.Stop(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	if got := code(<-failed); got != StoppedByHand {
		t.Errorf("reason %q", got)
	}
	acquire(t, p, "b").Release()
}

// A failed start leaves its place to others.
func TestAFailedStartHoldsNoPlace(t *testing.T) {
	p, _ := newTestPool(t, map[string]fakeagent.Script{"a": {Start: []string{"exit 3"}}, "b": {}}, Limits{Running: 1})
	for range 2 {
		if _, err := p.Acquire(t.Context(), "a", nil); code(err) != Exited {
			t.Errorf("start: %v", err)
		}
	}
	acquire(t, p, "b").Release()
	if _, err := p.Acquire(t.Context(), "nobody", nil); code(err) != UnknownAgent {
		t.Errorf("unknown: %v", err)
	}
	p.Close()
	if _, err := p.Acquire(t.Context(), "b", nil); code(err) != Closed {
		t.Errorf("closed: %v", err)
	}
}

func TestLines(t *testing.T) {
	const text = "one\ntwo\nthree"
	for _, c := range []struct {
		line, limit int
		want        string
	}{
		{0, 0, text}, {1, 0, text}, {2, 0, "two\nthree"}, {3, 1, "three"}, {4, 1, ""},
		{0, 2, "one\ntwo\n"}, {2, 1, "two\n"}, {2, 9, "two\nthree"}, {-1, 1, "one\n"},
	} {
		if got := lines(text, c.line, c.limit); got != c.want {
			t.Errorf("lines(%d, %d) = %q, want %q", c.line, c.limit, got, c.want)
		}
	}
}

func TestCommandLine(t *testing.T) {
	if got := commandLine("/bin/x", []string{"a b", "", "it's", "plain"}); got != `/bin/x 'a b' '' 'it'\''s' plain` {
		t.Error(got)
	}
}
