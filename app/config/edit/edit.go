// Package edit changes the text of a configuration file and leaves every byte
// alone that it does not have to change: comments, line ends, indentation and
// style stay as a person wrote them. It works on text in memory; reading,
// checking and writing files is the business of package config.
package edit

// Agent is an entry to add to "agents", as it is to be written. What is empty
// is left out.
type Agent struct {
	Name        string
	Title       string
	Icon        string
	Description string
	Command     string
	Args        []string
	Env         map[string]string
	Workspace   string
	Runtime     Runtime
}

// Runtime is the key "runtime" of an entry; it is left out without a Type.
type Runtime struct {
	Type      string // "container" or "sbx"
	Container string
	Sandbox   string
	Lifecycle Lifecycle
}

// Lifecycle is the key "runtime.lifecycle"; it is left out without a command.
type Lifecycle struct {
	Folder string
	Create []string
	Stop   []string
	Remove []string
}

// A Change is a text before and after an edit.
type Change struct {
	Before, After []byte
	// Lines is what was added, without line ends: whole lines of After, but
	// for a list or a mapping in flow style, where it may be a part of one.
	Lines []string
	Line  int // where in After they begin, from 1

	expect func(root map[string]any) // makes the change to what Before says
}
