package app

import (
	"context"
	"io"
	"sync"

	"git.rickub.com/bots-garden/sidekicks/runtime"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
	"git.rickub.com/bots-garden/sidekicks/runtime/pty"
)

// Shell is the person's shell where an agent runs, on a terminal. Reading ends
// with [io.EOF] once the shell has; Wait says how, and Close must be called in
// any case: it ends what the shell started.
type Shell interface {
	io.ReadWriteCloser
	Resize(cols, rows int) error
	Wait() process.ExitState
}

// OpenShell opens the person's shell in the folder of an agent, where it runs:
// a container or a sandbox is made ready first. It waits for programs and is
// not for the window's goroutine. The error is localizable.
func (a *App) OpenShell(agent string, cols, rows int) (Shell, error) {
	place := a.Place(agent)
	if place == nil {
		return nil, phrase("app.AgentRemoved", "Agent", agent)
	}
	if err := place.Prepare(a.ctx); err != nil {
		return nil, err
	}
	command := place.Shell()
	t, err := pty.Start(command, cols, rows)
	if err != nil {
		return nil, err
	}
	s := &shell{Terminal: t}
	s.end = sync.OnceValue(func() error {
		err := t.Close()
		s.tidy(place, command)
		a.shells.remove(s)
		return err
	})
	if !a.shells.add(s) {
		_ = s.Close()
		return nil, errQuit
	}
	return s, nil
}

type shell struct {
	*pty.Terminal
	end func() error
}

// Close implements [Shell].
func (s *shell) Close() error { return s.end() }

// tidy ends what the shell left running in its place. That may be gone
// together with the shell, so that there is nothing to tell when it fails.
func (s *shell) tidy(place runtime.Place, command process.Command) {
	_ = place.Tidy(context.Background(), command) // it has a deadline of its own
}

// shells are those that are open. Its zero value is ready for use.
type shells struct {
	mu     sync.Mutex
	open   map[*shell]bool
	closed bool
}

// add reports false when the program is quitting.
func (s *shells) add(one *shell) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	if s.open == nil {
		s.open = map[*shell]bool{}
	}
	s.open[one] = true
	return true
}

func (s *shells) remove(one *shell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, one)
}

// close ends all shells, side by side, and lets no other one open.
func (s *shells) close() {
	s.mu.Lock()
	s.closed = true
	var ending sync.WaitGroup
	for one := range s.open {
		ending.Go(func() { _ = one.Close() })
	}
	s.mu.Unlock()
	ending.Wait()
}
