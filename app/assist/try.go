package assist

import (
	"cmp"
	"context"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent"
	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

// Answer is what an agent says when it is started.
type Answer struct {
	Name    string // as the agent calls itself; "" when it does not
	Version string
	Took    time.Duration // to create its container or sandbox if need be, to start and to answer
}

// TryError says why an agent does not answer.
type TryError struct {
	Err    error    // localizable
	Stderr []string // the last lines of its log, what it printed among them
}

func (e *TryError) Error() string { return e.Err.Error() }

func (e *TryError) Unwrap() error { return e.Err }

// Try starts an agent as written, waits for its answer to "initialize" and
// ends it. The error is a [*TryError], or that of ctx.
func Try(ctx context.Context, spec agent.Spec, env agent.Environment, times agent.Times) (Answer, error) {
	pool := agent.NewPool([]agent.Spec{spec}, agent.Limits{Running: 1}, env, times, nobody{})
	defer pool.Close()
	start := time.Now()
	err := pool.Start(ctx, spec.Name)
	status := pool.Agent(spec.Name).Status()
	switch {
	case ctx.Err() != nil:
		return Answer{}, context.Cause(ctx)
	case err != nil:
		return Answer{}, &TryError{Err: err, Stderr: status.Stderr}
	}
	return Answer{
		Name:    cmp.Or(status.Info.Title, status.Info.Name),
		Version: status.Info.Version,
		Took:    time.Since(start),
	}, nil
}

// nobody follows what an agent does: it has no session.
type nobody struct{}

func (nobody) Changed(string)                      {}
func (nobody) Updated(string, string, acp.Update)  {}
func (nobody) Asked(agent.Question)                {}
func (nobody) Settled(q agent.Question, to string) {}
