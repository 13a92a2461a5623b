// Package assist helps a person add an agent to the configuration file: it
// knows the programs that speak ACP and the files that describe an agent, a
// container or a sandbox, turns the fields of the assistant into an entry,
// shows the lines, tries the agent and writes them. It draws nothing. Section
// "What the assistant writes" of the specification.
package assist

import "git.rickub.com/bots-garden/sidekicks/app/config/edit"

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
// that are missing, or a quote that is not closed. [Plan] finds more.
func (f Form) Entry() (edit.Agent, error) { return edit.Agent{}, nil }

// WithAgentFile fills in the agent's folder, the arguments that the program
// takes the file by, and what can be guessed of an empty name. file is
// absolute, or "" to forget it.
func (f Form) WithAgentFile(file string) Form { return f }

// WithProgram fills in a program and its arguments, those for the agent's
// configuration file when there is one.
func (f Form) WithProgram(c Candidate) Form { return f }

// WithService fills in the container and the lifecycle of a service of a
// Compose file, with the variables that were given to [ReadCompose].
func (f Form) WithService(c *Compose, s Service) Form { return f }

// WithSandbox fills in the sandbox and the lifecycle of an sbx environment
// file.
func (f Form) WithSandbox(s *SandboxFile) Form { return f }

// SuggestName makes a name used with @ of any text, "" when nothing of it can
// be kept. It is none of those taken.
func SuggestName(text string, taken []string) string { return "" }
