package app

import (
	"context"
	"os"

	"git.rickub.com/bots-garden/sidekicks/agent"
	"git.rickub.com/bots-garden/sidekicks/app/assist"
	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/app/config/edit"
	"git.rickub.com/bots-garden/sidekicks/runtime"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// Programs are those of this computer that speak ACP. It waits for the login
// shell.
func (a *App) Programs() []assist.Candidate {
	path, _ := process.LoginPath(a.ctx) // with an error, that of this process
	return assist.Found(path)
}

// PlanAgent shows what would be added to the configuration file, and writes
// nothing: see [assist.Prepare] for its errors.
func (a *App) PlanAgent(f assist.Form) (*assist.Plan, error) {
	return assist.Prepare(a.Config().Path, f, a.lookUp())
}

// TryAgent starts a planned agent as it is written, and ends it again: see
// [assist.Try] for its errors.
func (a *App) TryAgent(ctx context.Context, p *assist.Plan) (assist.Answer, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(a.ctx, cancel)()
	env := agent.Environment{Path: process.LoginPath, Base: os.Environ(), Language: a.Printer().Language(), Turns: &runtime.Turns{}}
	return assist.Try(ctx, spec(p.Agent), env, agent.DefaultTimes())
}

// AddAgent writes a planned agent into the configuration file and takes that
// up at once: see [config.Save] for its errors.
func (a *App) AddAgent(p *assist.Plan) error {
	if err := p.Write(); err != nil {
		return err
	}
	a.reread()
	return nil
}

// SetUI gives a key of "ui" in the configuration file, "theme" or "language",
// another value, and takes that up at once. The error is a
// [*config.ReadError], an [*edit.Error], or one of [config.Save].
func (a *App) SetUI(key, value string) error {
	path := a.Config().Path
	before, err := config.Read(path)
	if err != nil {
		return err
	}
	change, err := edit.SetUI(before, key, value)
	if err != nil {
		return err
	}
	if err := config.Save(path, change); err != nil {
		return err
	}
	a.reread()
	return nil
}
