package app

import (
	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/runtime"
)

// Place is where an agent of the file runs: its files and its terminal; nil
// when there is no such agent. Its methods wait for programs: they are not for
// the window's goroutine.
func (a *App) Place(agent string) runtime.Place {
	if g := a.pool.Agent(agent); g != nil {
		return g.Place()
	}
	return nil
}

// place is what the file says of where an agent runs.
func place(c config.Agent) runtime.Spec {
	r := c.Runtime
	name := r.Container
	if r.Type == config.Sbx {
		name = r.Sandbox
	}
	return runtime.Spec{
		Kind: runtime.Kind(r.Type), Name: name, WorkspacePath: r.WorkspacePath,
		Lifecycle: runtime.Lifecycle{
			Folder: r.Lifecycle.Folder,
			Create: r.Lifecycle.Create, Stop: r.Lifecycle.Stop, Remove: r.Lifecycle.Remove,
		},
	}
}
