package assist

import (
	"context"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent"
	"git.rickub.com/bots-garden/sidekicks/app/config"
)

// Answer is what an agent says when it is started.
type Answer struct {
	Name    string // as the agent calls itself; "" when it does not
	Version string
	Took    time.Duration // from its start to its answer
	SignIn  []string      // names of the ways to sign in, when it offers some
}

// TryError says why an agent does not answer.
type TryError struct {
	Err    error    // localizable
	Stderr []string // the last lines it printed
}

func (e *TryError) Error() string { return e.Err.Error() }

func (e *TryError) Unwrap() error { return e.Err }

// Try starts an agent as written, asks it to initialize and ends it. The
// error is a [*TryError], or that of ctx.
func Try(ctx context.Context, a config.Agent, env agent.Environment) (Answer, error) {
	return Answer{}, nil
}
