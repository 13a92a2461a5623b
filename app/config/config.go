// Package config reads the configuration file: it finds it, checks it, says
// what is wrong with it and where, and turns it into typed values with every
// default and path rule applied. The specification is
// docs/en/reference/config-file.md. The package starts no agent and draws
// nothing.
package config

import "time"

// Config is a configuration file as it is meant: defaults filled in, paths
// absolute. Section "Keys" of the specification.
type Config struct {
	Path     string // absolute path of the file
	Folder   string // absolute path of its folder, which relative paths start from
	UI       UI
	Limits   Limits
	Agents   []Agent   // in file order
	Channels []Channel // in file order
}

// UI holds the preferences of the interface.
type UI struct {
	Theme    string // "system", "light" or "dark"
	Language string // "en" or "fr"
}

// Limits bounds what the agents take of the computer.
type Limits struct {
	MaxRunningAgents    int           // agents running at the same time, at least 1
	StopIdleAgentsAfter time.Duration // how long an unused agent keeps running; 0 is for ever
}

// Agent is one entry of "agents". Section "An agent".
type Agent struct {
	Name        string // as in @name
	Title       string // shown name; Name when the file gives none
	Icon        string // an emoji or a text, "" for none
	Description string

	Command string            // a bare name to look up in PATH, or an absolute path
	Args    []string          // as written
	Env     map[string]string // added to the environment; the values are secrets
	// AfterStop is the command run each time the process ends: the program,
	// as Command, then its arguments. It is empty when there is none.
	AfterStop []string
	Workspace string   // absolute path of the agent's folder
	Protect   []string // patterns of protected files, as written

	Runtime Runtime
	Line    int // line of the entry in the file, from 1
}

// Where an agent runs: the values of [Runtime].Type.
const (
	Local     = "local"
	Container = "container"
	Sbx       = "sbx"
)

// Runtime says where an agent runs. Section "runtime".
type Runtime struct {
	Type          string // Local, Container or Sbx
	Container     string // name of the container, for Container
	Sandbox       string // name of the sandbox, for Sbx
	WorkspacePath string // absolute path of the workspace where the agent runs
	Lifecycle     Lifecycle
}

// Lifecycle holds the commands that manage a container or a sandbox: each is
// a program, as [Agent].Command, then its arguments, and is empty when there
// is none. Section "runtime.lifecycle".
type Lifecycle struct {
	Folder string // absolute path of the folder the commands run in
	Create []string
	Stop   []string
	Remove []string
}

// Channel is one entry of "channels". Section "A channel".
type Channel struct {
	Name        string
	Description string
	Agents      []string // names of agents
	Line        int      // line of the entry in the file, from 1
}
