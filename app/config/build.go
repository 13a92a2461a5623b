package config

import (
	"fmt"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"git.rickub.com/bots-garden/sidekicks/protect"
	"git.rickub.com/bots-garden/sidekicks/schema/yamldoc"
)

// build fills the configuration from the document, and checks what the
// schema cannot. A value that the schema refuses may be anything here.
func (l *loader) build(root *yamldoc.Value) {
	l.ui(root.Get("ui"))
	l.limits(root.Get("limits"))
	names := l.agents(root.Get("agents"))
	l.channels(root.Get("channels"), names)
}

func (l *loader) ui(v *yamldoc.Value) {
	ui := &l.config.UI
	if theme := text(v.Get("theme")); theme != "" && !l.refused["ui.theme"] {
		ui.Theme = theme
	}
	if language := text(v.Get("language")); language != "" && !l.refused["ui.language"] {
		ui.Language = language
	}
}

func (l *loader) limits(v *yamldoc.Value) {
	limits := &l.config.Limits
	const mostPath, path = "limits.maxRunningAgents", "limits.stopIdleAgentsAfter"
	if most := v.Get("maxRunningAgents"); most != nil && !l.refused[mostPath] {
		if n, ok := integer(most.Data); ok {
			limits.MaxRunningAgents = n
		} else {
			l.refuse(place{path: mostPath, value: most}, "AtMost", map[string]any{"Value": most.Text, "Most": maxInteger})
		}
	}
	idle := v.Get("stopIdleAgentsAfter")
	if idle == nil || l.refused[path] {
		return
	}
	if idle.Kind != yamldoc.Text { // the number 0
		limits.StopIdleAgentsAfter = 0
		return
	}
	after, err := time.ParseDuration(idle.Text)
	if err != nil { // the schema lets through what is only too long
		l.refuse(place{path: path, value: idle}, "DurationTooLong", map[string]any{"Value": idle.Text})
		return
	}
	limits.StopIdleAgentsAfter = after
}

// agents reads the agents and returns the names of all, good or not.
func (l *loader) agents(v *yamldoc.Value) (names []string) {
	if v == nil {
		return nil
	}
	first := map[string]*yamldoc.Value{} // where each name is
	for i, item := range v.Items {
		path := fmt.Sprintf("agents[%d]", i)
		agent := l.agent(item, path)
		l.config.Agents = append(l.config.Agents, agent)
		if agent.Name == "" {
			continue
		}
		name := item.Get("name")
		if taken := first[agent.Name]; taken != nil {
			l.taken(place{path: path + ".name", value: name}, item, taken, "DuplicateAgent")
			continue
		}
		first[agent.Name] = name
		names = append(names, agent.Name)
	}
	return names
}

func (l *loader) agent(v *yamldoc.Value, path string) Agent {
	agent := Agent{
		Name:        text(v.Get("name")),
		Title:       text(v.Get("title")),
		Icon:        text(v.Get("icon")),
		Description: text(v.Get("description")),
		Args:        texts(v.Get("args")),
		Workspace:   l.config.Folder,
		Protect:     texts(v.Get("protect")),
		Line:        v.Line,
	}
	if agent.Title == "" {
		agent.Title = agent.Name
	}
	if env := v.Get("env"); env != nil && len(env.Entries) > 0 {
		agent.Env = make(map[string]string, len(env.Entries))
		for _, entry := range env.Entries {
			agent.Env[entry.Key] = text(entry.Value)
		}
	}
	if workspace := v.Get("workspace"); text(workspace) != "" {
		agent.Workspace = l.path(workspace, path+".workspace")
	}
	if command := v.Get("command"); text(command) != "" {
		agent.Command = l.program(command, path+".command")
		l.lookFor(agent.Command, agent.Env, place{path: path + ".command", value: command}, "CommandNotFound")
	}
	afterStop := v.Get("afterStop")
	agent.AfterStop = l.command(afterStop, path+".afterStop")
	if len(agent.AfterStop) > 0 {
		l.lookFor(agent.AfterStop[0], agent.Env, place{path: path + ".afterStop[0]", value: afterStop.Items[0]}, "AfterStopNotFound")
	}
	agent.Runtime = l.runtime(v.Get("runtime"), path+".runtime", agent.Workspace)
	l.protect(v.Get("protect"), path+".protect", agent)
	return agent
}

// protect warns of the patterns that can never match a file of the agent's
// folder, as it is here or where the agent runs.
func (l *loader) protect(v *yamldoc.Value, path string, agent Agent) {
	for i, pattern := range agent.Protect {
		err := protect.Check(agent.Workspace, pattern)
		if err != nil && protect.Check(agent.Runtime.WorkspacePath, pattern) != nil && v.Items[i].Kind == yamldoc.Text {
			l.warn(place{path: fmt.Sprintf("%s[%d]", path, i), value: v.Items[i]}, "ProtectsNothing", map[string]any{"Why": err})
		}
	}
}

func (l *loader) runtime(v *yamldoc.Value, path, workspace string) Runtime {
	lifecycle := v.Get("lifecycle")
	runtime := Runtime{
		Type:          text(v.Get("type")),
		Container:     text(v.Get("container")),
		Sandbox:       text(v.Get("sandbox")),
		WorkspacePath: text(v.Get("workspacePath")),
		Lifecycle: Lifecycle{
			Folder: workspace,
			Create: l.command(lifecycle.Get("create"), path+".lifecycle.create"),
			Stop:   l.command(lifecycle.Get("stop"), path+".lifecycle.stop"),
			Remove: l.command(lifecycle.Get("remove"), path+".lifecycle.remove"),
		},
	}
	if runtime.Type == "" {
		runtime.Type = Local
	}
	if runtime.WorkspacePath == "" {
		runtime.WorkspacePath = workspace
	}
	if folder := lifecycle.Get("folder"); text(folder) != "" {
		runtime.Lifecycle.Folder = l.path(folder, path+".lifecycle.folder")
	}
	return runtime
}

func (l *loader) channels(v *yamldoc.Value, agents []string) {
	if v == nil {
		return
	}
	known := make(map[string]bool, len(agents))
	for _, name := range agents {
		known[name] = true
	}
	first := map[string]*yamldoc.Value{} // where each name is
	for i, item := range v.Items {
		path := fmt.Sprintf("channels[%d]", i)
		name, members := item.Get("name"), item.Get("agents")
		channel := Channel{
			Name:        text(name),
			Description: text(item.Get("description")),
			Agents:      texts(members),
			Line:        item.Line,
		}
		l.config.Channels = append(l.config.Channels, channel)
		if channel.Name != "" {
			key := foldName(channel.Name)
			if taken := first[key]; taken != nil {
				l.taken(place{path: path + ".name", value: name}, item, taken, "DuplicateChannel")
			} else {
				first[key] = name
			}
		}
		l.members(members, path+".agents", agents, known)
	}
}

// taken reports a name that another entry has. When it is the same text of
// the file, reached through an alias, the entry is where to change it.
func (l *loader) taken(at place, item, first *yamldoc.Value, code string) {
	args := map[string]any{"Name": at.value.Text, "First": first.Line}
	if at.value.Line == first.Line && at.value.Column == first.Column {
		entry := *item
		if item.Alias != nil {
			entry.Line, entry.Column = item.Alias.Line, item.Alias.Column
		}
		at.value = &entry
	}
	l.refuse(at, code, args)
}

// maxKnown is how many names a message lists.
const maxKnown = 10

// members checks that the agents of a channel exist.
func (l *loader) members(v *yamldoc.Value, path string, agents []string, known map[string]bool) {
	if v == nil {
		return
	}
	listed := agents
	if len(agents) > maxKnown {
		listed = nil
	}
	for i, item := range v.Items {
		if item.Kind != yamldoc.Text || known[item.Text] {
			continue
		}
		l.refuse(place{path: fmt.Sprintf("%s[%d]", path, i), value: item}, "UnknownAgent",
			map[string]any{"Name": item.Text, "Suggestion": nearest(item.Text, agents), "Known": listed})
	}
}

// foldName is a channel's name as it is compared: a channel is created when
// none has its name, whatever the case, and é may be written in two ways.
func foldName(name string) string { return norm.NFC.String(cases.Fold().String(name)) }
