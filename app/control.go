package app

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/agent"
	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

// Agents lists the agents of the file in its order, then those that are no
// longer in it but still are members of a channel.
func (a *App) Agents() []Agent {
	var list []Agent
	for _, c := range a.Config().Agents {
		one, _ := a.Agent(c.Name)
		list = append(list, one)
	}
	a.mu.Lock()
	var removed []string
	for _, c := range a.channels {
		for _, m := range c.Members {
			if !slices.Contains(a.present(), m) {
				removed = appendNew(removed, m)
			}
		}
	}
	a.mu.Unlock()
	for _, name := range removed {
		list = append(list, Agent{Name: name, Title: name, State: AgentStopped, Removed: true})
	}
	return list
}

// Agent gives one agent of the file.
func (a *App) Agent(name string) (Agent, bool) {
	for _, c := range a.Config().Agents {
		if c.Name != name {
			continue
		}
		s := a.pool.Agent(name).Status()
		if s.Reason != nil {
			s.Reason = a.because(s.Reason)
		}
		a.mu.Lock()
		commands, managing := a.commands[name], a.managing[name]
		entry := c
		if s.Outdated {
			entry = a.started[name]
		}
		a.mu.Unlock()
		return Agent{
			Name: name, Title: c.Title, Icon: c.Icon, Description: c.Description, Workspace: entry.Workspace,
			Entry: entry, Outdated: s.Outdated,
			State: AgentState(s.State), Reason: s.Reason, Since: s.Since, Stderr: s.Stderr,
			Command: s.Command, PathSource: s.PathSource, Version: version(s.Info),
			Managing: managing, Leftovers: a.sentences(s.Leftovers), AuthMethods: s.AuthMethods, Commands: commands,
		}, true
	}
	return Agent{Name: name, Title: name, State: AgentStopped, Removed: true}, false
}

func version(i acp.Implementation) string {
	name := i.Title
	if name == "" {
		name = i.Name
	}
	return strings.TrimSpace(name + " " + i.Version)
}

// title is how an agent is called in a sentence.
func (a *App) title(name string) string {
	for _, c := range a.Config().Agents {
		if c.Name == name {
			return c.Title
		}
	}
	return name
}

// AgentLog gives the last lines of an agent's stderr and what Sidekicks has to
// say about its process, oldest first.
func (a *App) AgentLog(name string) []string {
	if g := a.pool.Agent(name); g != nil {
		return g.Log()
	}
	return nil
}

// loadCommands brings back the slash commands that an agent announced last:
// some announce them only during a turn, and they must be there before.
func (a *App) loadCommands(name string) {
	data, err := a.store.Commands(a.disk, name)
	var commands []acp.Command
	if err != nil || json.Unmarshal(data, &commands) != nil {
		return // none yet
	}
	a.mu.Lock()
	a.commands[name] = commands
	a.mu.Unlock()
}

func (a *App) keepCommands(name string, commands []acp.Command) {
	a.mu.Lock()
	a.commands[name] = commands
	a.mu.Unlock()
	a.publish(Event{Kind: AgentsChanged, Agent: name})
	a.tasks.do(func() { a.noticeTrouble(a.store.SaveCommands(a.disk, name, mustJSON(commands))) })
}

// spawn runs f in the background, unless the program is quitting.
func (a *App) spawn(f func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closing {
		a.background.Go(f)
	}
}

// StartAgent starts an agent without giving it anything to do. What goes
// wrong is its state.
func (a *App) StartAgent(name string) {
	a.spawn(func() { _ = a.pool.Start(a.ctx, name) })
}

// StopAgent ends an agent with its turns.
func (a *App) StopAgent(name string) {
	a.spawn(func() { _ = a.pool.Stop(a.ctx, name) })
}

// RestartAgent ends an agent and starts it again.
func (a *App) RestartAgent(name string) {
	a.spawn(func() {
		if a.pool.Stop(a.ctx, name) == nil {
			_ = a.pool.Start(a.ctx, name)
		}
	})
}

// Authenticate signs in to an agent by one of its methods, because the person
// asked for it, and delivers again what waits for that.
func (a *App) Authenticate(name, method string) {
	a.spawn(func() {
		lease, err := a.pool.Acquire(a.ctx, name, nil)
		if err == nil {
			err = lease.Authenticate(a.ctx, method)
			lease.Release()
		}
		if err != nil {
			a.noticeTrouble(err)
			return
		}
		a.mu.Lock()
		a.signedIn[name] = true
		waiting := a.waiting[name]
		delete(a.waiting, name)
		a.mu.Unlock()
		for _, id := range waiting {
			a.Retry(id)
		}
	})
}

// startAfresh ends an agent that wants a sign-in right after one: some read
// their credentials only when they start. It does so once a sign-in.
func (a *App) startAfresh(ctx context.Context, name string) bool {
	a.mu.Lock()
	fresh := a.signedIn[name]
	delete(a.signedIn, name)
	a.mu.Unlock()
	return fresh && a.pool.Stop(ctx, name) == nil
}

// Controls lists what may be chosen for an agent in a channel: modes, models,
// options. It is empty until the agent has a session there.
func (a *App) Controls(channel ChannelID, name string) []Control {
	a.mu.Lock()
	r := a.rooms[roomKey{channel, name}]
	var s *agent.Session
	if r != nil {
		s = r.session
	}
	a.mu.Unlock()
	if s == nil {
		return nil
	}
	var list []Control
	for _, c := range s.Controls() {
		one := Control{Kind: ControlKind(c.Kind), ID: c.ID, Name: c.Name, Current: c.Current}
		for _, v := range c.Choices {
			one.Values = append(one.Values, ControlValue{ID: v.Value, Name: v.Name, Description: v.Description, Group: v.Group})
		}
		list = append(list, one)
	}
	return list
}

// SetControl chooses a value of a control.
func (a *App) SetControl(channel ChannelID, name string, c Control, value string) {
	a.spawn(func() {
		a.mu.Lock()
		r := a.rooms[roomKey{channel, name}]
		var s *agent.Session
		if r != nil {
			s = r.session
		}
		a.mu.Unlock()
		if s == nil {
			return
		}
		control := agent.Control{Kind: agent.ControlKind(c.Kind), ID: c.ID, Switch: len(c.Values) == 0}
		a.noticeTrouble(s.Set(a.ctx, control, value))
		a.publish(Event{Kind: AgentsChanged, Agent: name})
	})
}

// Sessions lists the channels in which an agent has a session now, in the
// order of the channels.
func (a *App) Sessions(name string) []ChannelID {
	a.mu.Lock()
	defer a.mu.Unlock()
	var list []ChannelID
	for _, c := range a.channels {
		if r := a.rooms[roomKey{c.ID, name}]; r != nil && r.session != nil {
			list = append(list, c.ID)
		}
	}
	return list
}
