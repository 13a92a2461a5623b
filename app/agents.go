package app

import (
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent"
	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app/config"
)

// AgentState is the state of an agent's process (design: stopped, starting,
// ready, working, stopping, error).
type AgentState string

const (
	AgentStopped  AgentState = "stopped"
	AgentStarting AgentState = "starting"
	AgentReady    AgentState = "ready"
	AgentWorking  AgentState = "working"
	AgentStopping AgentState = "stopping"
	AgentError    AgentState = "error"
)

// Agent is what is known of one agent of the configuration file.
type Agent struct {
	Name        string
	Title       string
	Icon        string // an emoji or a letter; empty: the first letter of Title
	Description string
	State       AgentState
	Reason      error    // why it is stopped or in error; localizable
	Stderr      []string // last lines of stderr when in error
	Command     string   // the command line as resolved
	PathSource  string   // where the PATH it was looked up in comes from
	Workspace   string
	Version     string       // name and version it gave in `initialize`
	Entry       config.Agent // in the file; of an Outdated agent, the one that it was started with
	Outdated    bool         // it runs, and its entry is another one now: a restart applies that
	Removed     bool         // no longer in the file; its messages stay
	Since       time.Time
	Managing    Managing         // what is being done with its container or sandbox
	Leftovers   []string         // what its earlier processes left running, each a sentence
	AuthMethods []acp.AuthMethod // set once it asked for a sign-in
	Commands    []acp.Command    // slash commands, kept across restarts
}

// Control is something of an agent's session that the person may choose: its
// mode, its model or another option.
type Control struct {
	Kind    ControlKind
	ID      string // configId; empty for a mode or a model of the older kind
	Name    string
	Current string
	Values  []ControlValue // empty for a switch, whose Current is "true" or "false"
}

// ControlKind says by which of ACP's three ways a control is set.
type ControlKind string

const (
	OptionControl ControlKind = "option"
	ModeControl   ControlKind = "mode"
	ModelControl  ControlKind = "model"
)

// ControlValue is one choice of a Control.
type ControlValue struct{ ID, Name, Description, Group string }

// LogEntry is one thing in an agent's log: a line of its stderr, a remark of
// Sidekicks, or a message in either direction.
type LogEntry = agent.Entry

// LogKind says what a LogEntry is.
type LogKind = agent.EntryKind

const (
	LogStderr   = agent.Stderr
	LogRemark   = agent.Remark
	LogSent     = agent.Sent
	LogReceived = agent.Received
)

// AgentTrace gives an agent's log with the traffic, as far as it came after
// the entry of that number; 0 is all that is kept. Nothing tells of new
// entries: they would be as many as messages.
func (a *App) AgentTrace(name string, after int64) []LogEntry {
	if g := a.pool.Agent(name); g != nil {
		return g.Trace(after)
	}
	return nil
}
