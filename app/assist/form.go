// Package assist helps a person add an agent to the configuration file: it
// knows the programs that speak ACP and the files that describe an agent, a
// container or a sandbox, turns the fields of the assistant into an entry,
// shows the lines, tries the agent and writes them. It draws nothing. Section
// "What the assistant writes" of the specification.
package assist

import (
	"path/filepath"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/app/config/edit"
)

// Form holds the fields of the assistant as they are typed.
type Form struct {
	Name        string // used with @
	Title       string // shown
	Icon        string
	Description string
	Workspace   string // the agent's folder

	Where     string // config.Local, config.Container or config.Sbx; "" is Local
	Program   string // such as "mm" or "docker agent"
	Arguments string // split by [Split]
	Container string // name, for config.Container
	Sandbox   string // name, for config.Sbx

	// The lifecycle of the container or the sandbox: the folder its commands
	// run in, and the commands, split like the arguments.
	LifecycleFolder string
	Create          string
	Stop            string
	Remove          string

	// AgentFile is the agent's configuration file, absolute, "" when none was
	// given. It is not written: [Form.WithAgentFile] and [Form.WithProgram]
	// put it into Workspace and Arguments.
	AgentFile string
	// Env is what the commands of the lifecycle need: the variables of a
	// Compose file that were asked for.
	Env map[string]string
}

// Field names a field of the Form.
type Field string

// The fields that may be wrong.
const (
	Name            Field = "Name"
	Title           Field = "Title"
	Icon            Field = "Icon"
	Description     Field = "Description"
	Workspace       Field = "Workspace"
	Program         Field = "Program"
	Arguments       Field = "Arguments"
	Container       Field = "Container"
	Sandbox         Field = "Sandbox"
	LifecycleFolder Field = "LifecycleFolder"
	Create          Field = "Create"
	Stop            Field = "Stop"
	Remove          Field = "Remove"
)

// FieldError says what is wrong with one field. It localizes to a sentence
// without the name of the field.
type FieldError struct {
	Field Field
	Err   error // localizable
}

func (e *FieldError) Error() string { return string(e.Field) + ": " + e.Err.Error() }

func (e *FieldError) Unwrap() error { return e.Err }

// FieldErrors are all fields that are wrong, in the order of the Form.
type FieldErrors []*FieldError

func (e FieldErrors) Error() string {
	text := ""
	for i, field := range e {
		if i > 0 {
			text += "\n"
		}
		text += field.Error()
	}
	return text
}

// Unwrap gives the errors of the fields.
func (e FieldErrors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, field := range e {
		errs[i] = field
	}
	return errs
}

// Entry is what the assistant writes for f. The error is FieldErrors: fields
// that are empty and must not be, or a quote that is not closed. [Prepare]
// finds more.
func (f Form) Entry() (edit.Agent, error) {
	var wrong FieldErrors
	report := func(field Field, err error) {
		if err != nil {
			wrong = append(wrong, &FieldError{Field: field, Err: err})
		}
	}
	need := func(field Field, text string) {
		if strings.TrimSpace(text) == "" {
			report(field, mistake("Missing"))
		}
	}
	split := func(field Field, line string) []string {
		words, err := Split(line)
		report(field, err)
		return words
	}
	entry := edit.Agent{
		Name: f.Name, Title: f.Title, Icon: f.Icon, Description: f.Description,
		Workspace: f.Workspace, Env: f.Env,
	}
	need(Name, f.Name)
	need(Program, f.Program)
	command := []string{f.Program}
	if !isPath(f.Program) {
		command = split(Program, f.Program)
	}
	command = append(command, split(Arguments, f.Arguments)...)
	switch f.Where {
	case config.Container:
		need(Container, f.Container)
		command = append([]string{"docker", "exec", "-i", f.Container}, command...)
		entry.Runtime = edit.Runtime{Type: config.Container, Container: f.Container}
	case config.Sbx:
		need(Sandbox, f.Sandbox)
		command = append([]string{"sbx", "exec", "-i", f.Sandbox}, command...)
		entry.Runtime = edit.Runtime{Type: config.Sbx, Sandbox: f.Sandbox}
	}
	if entry.Runtime.Type != "" {
		entry.Runtime.Lifecycle = edit.Lifecycle{
			Folder: f.LifecycleFolder,
			Create: split(Create, f.Create), Stop: split(Stop, f.Stop), Remove: split(Remove, f.Remove),
		}
	}
	if len(wrong) > 0 {
		return edit.Agent{}, wrong
	}
	entry.Command, entry.Args = command[0], command[1:]
	return entry, nil
}

// isPath reports whether a program is a path, which may hold spaces, rather
// than a program with its first arguments.
func isPath(program string) bool {
	return strings.HasPrefix(program, "/") || strings.HasPrefix(program, "~") || filepath.IsAbs(program)
}
