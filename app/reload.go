package app

import (
	"os"
	"slices"

	"git.rickub.com/bots-garden/sidekicks/agent"
	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/app/config/watch"
	"git.rickub.com/bots-garden/sidekicks/app/i18n"
	"git.rickub.com/bots-garden/sidekicks/runtime"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// load reads the configuration file for the first time.
func (a *App) load(o Options) {
	a.file.Data, a.file.Err = config.Read(o.Config)
	cfg, problems := a.parse(o.Config, a.file.Data)
	if a.file.Err != nil {
		problems = nil
	}
	if a.file.Err != nil || !config.Valid(problems) { // only what says the errors counts
		cfg = &config.Config{Path: cfg.Path, Folder: cfg.Folder, UI: cfg.UI}
	}
	a.config.Store(cfg)
	a.problems = problems
	a.printer.Store(i18n.For(cfg.UI.Language))
	times := agent.DefaultTimes()
	if o.Times != nil {
		times = *o.Times
	}
	env := agent.Environment{Path: process.LoginPath, Base: os.Environ(), Language: cfg.UI.Language, Debug: o.Debug, Turns: &runtime.Turns{}}
	a.pool = agent.NewPool(specs(cfg), limits(cfg), env, times, observer{a})
}

// specs say how the agents of a file are started.
func specs(c *config.Config) []agent.Spec {
	var list []agent.Spec
	for _, one := range c.Agents {
		list = append(list, spec(one))
	}
	return list
}

func spec(c config.Agent) agent.Spec {
	return agent.Spec{
		Name: c.Name, Command: c.Command, Args: c.Args, Env: c.Env,
		AfterStop: c.AfterStop, Workspace: c.Workspace, Runtime: place(c),
	}
}

func limits(c *config.Config) agent.Limits {
	return agent.Limits{Running: max(1, c.Limits.MaxRunningAgents), Idle: c.Limits.StopIdleAgentsAfter}
}

// parse reads data as the configuration file.
func (a *App) parse(file string, data []byte) (*config.Config, []config.Problem) {
	return config.Parse(data, file, a.lookUp())
}

// lookUp looks for programs once it is known where: the login shell may take
// seconds to say its PATH, and the window is not to wait for that.
func (a *App) lookUp() config.Option {
	path := a.path.Load()
	return config.WithLookPath(func(program string, env map[string]string) error {
		if path == nil {
			return nil
		}
		dirs := *path
		if own, ok := env["PATH"]; ok {
			dirs = process.ParsePath(own, "env")
		}
		_, err := dirs.Look(program)
		return err
	})
}

// lookForPrograms adds the warnings about programs that are not found
// (specification, rule 4).
func (a *App) lookForPrograms() {
	path, err := process.LoginPath(a.ctx)
	if a.ctx.Err() != nil {
		return
	}
	a.noticeTrouble(err)
	a.reading.Lock()
	defer a.reading.Unlock()
	a.path.Store(&path)
	a.mu.Lock()
	file := a.file
	a.mu.Unlock()
	if file.Err != nil {
		return // said already
	}
	_, problems := a.parse(a.Config().Path, file.Data)
	a.mu.Lock()
	a.problems = problems
	a.mu.Unlock()
	a.publish(Event{Kind: ConfigChanged})
}

// followFile takes up every change of the configuration file.
func (a *App) followFile() {
	a.mu.Lock()
	known := a.file
	a.mu.Unlock()
	watch.File(a.ctx, a.Config().Path, known, a.readFile, a.reload)
}

func (a *App) readFile() watch.Content {
	data, err := config.Read(a.Config().Path)
	return watch.Content{Data: data, Err: err}
}

// reread takes up the file at once: Sidekicks itself wrote it.
func (a *App) reread() { a.reload(a.readFile()) }

// reload takes up a new content of the configuration file. While there are
// errors in it, the last good one stays in force.
func (a *App) reload(file watch.Content) {
	a.reading.Lock()
	defer a.reading.Unlock()
	var next *config.Config
	var problems []config.Problem
	if file.Err == nil {
		next, problems = a.parse(a.Config().Path, file.Data)
	}
	a.mu.Lock()
	a.file, a.problems = file, problems
	a.mu.Unlock()
	if next != nil && config.Valid(problems) {
		a.adopt(next)
	}
	a.publish(Event{Kind: ConfigChanged})
}

// adopt puts a configuration in force, as narrowly as possible: agents that
// run go on as they were started, nothing is taken out of channels, and an
// agent that is not in the file any more finishes what it does.
func (a *App) adopt(next *config.Config) {
	before := a.Config()
	for _, c := range before.Agents {
		if !a.pool.Agent(c.Name).Status().Outdated {
			a.mu.Lock()
			a.started[c.Name] = c
			a.mu.Unlock()
		}
	}
	printer := i18n.For(next.UI.Language)
	a.pool.SetLimits(limits(next))
	a.pool.SetSpecs(specs(next), printer.Language())
	a.config.Store(next)
	a.printer.Store(printer)
	for _, c := range next.Agents {
		if !slices.ContainsFunc(before.Agents, func(b config.Agent) bool { return b.Name == c.Name }) {
			a.loadCommands(c.Name)
		}
	}
	a.declare(a.disk)
	a.publish(Event{Kind: AgentsChanged}, Event{Kind: ChannelsChanged})
}

// Problems are those of the configuration file as it is now, in its order.
// When one of them is an error, the file is not in force.
func (a *App) Problems() []config.Problem {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.problems)
}

// Unreadable is why the configuration file cannot be read now, nil when it
// can; localizable.
func (a *App) Unreadable() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.file.Err
}
