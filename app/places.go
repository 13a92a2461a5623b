package app

import (
	"context"

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

// Managing is what is being done with an agent's container or sandbox.
type Managing string

const (
	StoppingPlace Managing = "stopping"
	RemovingPlace Managing = "removing"
)

// StopPlace stops an agent's container or sandbox by its `lifecycle.stop`, the
// agent first. What goes wrong is a trouble.
func (a *App) StopPlace(agent string) {
	a.manage(agent, StoppingPlace, runtime.Place.Stop)
}

// RemovePlace removes it by its `lifecycle.remove`.
func (a *App) RemovePlace(agent string) {
	a.manage(agent, RemovingPlace, runtime.Place.Remove)
}

func (a *App) manage(agent string, m Managing, do func(runtime.Place, context.Context) error) {
	a.mu.Lock()
	busy := a.managing[agent] != ""
	if !busy {
		a.managing[agent] = m
	}
	a.mu.Unlock()
	if busy {
		return
	}
	a.publish(Event{Kind: AgentsChanged, Agent: agent})
	a.spawn(func() {
		err := a.pool.Stop(a.ctx, agent)
		if place := a.Place(agent); err == nil && place != nil {
			err = do(place, a.ctx)
		}
		if a.ctx.Err() == nil {
			a.noticeTrouble(err)
		}
		a.mu.Lock()
		delete(a.managing, agent)
		a.mu.Unlock()
		a.publish(Event{Kind: AgentsChanged, Agent: agent})
	})
}

// KillLeftovers tries again to end what earlier processes of an agent left
// running.
func (a *App) KillLeftovers(agent string) {
	a.spawn(func() {
		if g := a.pool.Agent(agent); g != nil {
			g.KillLeftovers(a.ctx)
		}
	})
}

// sentences are what errors say to the person.
func (a *App) sentences(left []runtime.Leftover) []string {
	var list []string
	for _, l := range left {
		list = append(list, a.Printer().Error(l))
	}
	return list
}
