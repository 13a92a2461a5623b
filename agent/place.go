package agent

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"git.rickub.com/bots-garden/sidekicks/runtime"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// Place is where the agent runs, with its files.
func (a *Agent) Place() runtime.Place { return a.place(a.Spec()) }

func (a *Agent) place(spec Spec) runtime.Place {
	where := spec.Runtime
	where.Workspace = filepath.Clean(spec.Workspace)
	where.Command = append([]string{spec.Command}, spec.Args...)
	return runtime.New(where, runtime.Host{
		Environ: func(ctx context.Context) []string {
			_, path, _ := a.resolve(ctx, spec.Command, spec)
			return a.environ(path, spec)
		},
		Log:   func(line string) { a.note(Stderr, line) },
		Turns: a.env.Turns,
	})
}

// enter makes the place ready for the agent and sets a guard there. Without
// one the agent can work all the same.
func (a *Agent) enter(ctx context.Context, place runtime.Place) (*runtime.Guard, error) {
	if err := place.Prepare(ctx); err != nil {
		return nil, err
	}
	guard, err := place.Guard(ctx)
	if err != nil && ctx.Err() == nil {
		a.remark("what the agent starts inside may outlive it: " + err.Error())
	}
	return guard, nil
}

// leave ends what a guard watches over.
func (a *Agent) leave(guard *runtime.Guard) { a.notice(guard.End(context.Background())) }

// notice keeps what could not be ended.
func (a *Agent) notice(err error) {
	if err == nil {
		return
	}
	a.remark(err.Error())
	var left runtime.Leftover
	if errors.As(err, &left) {
		a.mu.Lock()
		a.left = append(a.left, left)
		a.mu.Unlock()
		a.obs.Changed(a.Name())
	}
}

// KillLeftovers tries again to end what earlier processes of the agent left.
func (a *Agent) KillLeftovers(ctx context.Context) {
	a.mu.Lock()
	all := slices.Clone(a.left)
	a.mu.Unlock()
	for _, left := range all {
		err := left.Kill(ctx)
		a.mu.Lock()
		a.left = slices.DeleteFunc(a.left, func(l runtime.Leftover) bool { return l == left })
		a.mu.Unlock()
		a.notice(err)
	}
	a.obs.Changed(a.Name())
}

// Usage is what the agent's processes take now, those in a container too.
// False: it does not run, or that cannot be told.
func (a *Agent) Usage(ctx context.Context) (process.Usage, bool) {
	r := a.current()
	if r == nil {
		return process.Usage{}, false
	}
	inside, err := r.guard.Usage(ctx)
	u := r.proc.Usage()
	u.Memory += inside.Memory
	u.Time += inside.Time
	return u, err == nil
}
