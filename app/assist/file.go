package assist

import "context"

// Kind is what a file is to the assistant.
type Kind string

// The kinds of files.
const (
	AgentFile     Kind = "AgentFile"     // the configuration of an agent: of mm, of docker agent…
	ComposeFile   Kind = "ComposeFile"   // see ReadCompose
	SandboxConfig Kind = "SandboxConfig" // sbx's environment file; see ReadSandbox
	Configuration Kind = "Configuration" // a configuration file of Sidekicks: to be opened, not added
	Unknown       Kind = "Unknown"       // a folder, a picture…
)

// Identify says what the file at path is, by its name and what it holds. The
// error is localizable: the file cannot be read.
func Identify(path string) (Kind, error) { return Unknown, nil }

// Compose is a Compose file as "docker compose -f FILE config" understands it.
type Compose struct {
	Path     string // absolute
	Project  string // name of the project
	Services []Service
	// Unresolved names the variables that need a value before the names are
	// known, in the order of the file. They are asked for, and ReadCompose
	// called again with them; Services are empty until then.
	Unresolved []Variable
	// Warnings are localizable: a file for env_file that is missing…
	Warnings []error

	given map[string]string
}

// Variable is a variable of a Compose file without a value.
type Variable struct {
	Name string
	Hint string // what the file says after ":?", if anything
}

// Service is a service of a Compose file.
type Service struct {
	Name      string
	Container string   // name of its (first) container
	Image     string   // "" when it is built
	Profiles  []string // that it needs
	Folder    string   // a folder of this computer at the same path in the container, "" for none
}

// ReadCompose reads a Compose file, with values for variables that neither
// the environment nor the .env file beside it has. The error is localizable.
func ReadCompose(ctx context.Context, path string, values map[string]string) (*Compose, error) {
	return &Compose{}, nil
}

// SandboxFile is an environment file of sbx.
type SandboxFile struct {
	Path string // absolute
	Name string // of the sandbox
	// Warnings are localizable: .sbxenv.yaml is a name that sbx has given up.
	Warnings []error
}

// sandboxFileName is the environment file that sbx looks for.
const sandboxFileName = "sbxenv.yaml"

// ReadSandbox reads an environment file of sbx. The error is localizable.
func ReadSandbox(path string) (*SandboxFile, error) { return &SandboxFile{}, nil }
