package assist

import (
	"os"
	"path/filepath"

	"github.com/compose-spec/compose-go/v2/template"
	"gopkg.in/yaml.v3"
)

// The environment file that sbx looks for, and the one it looked for before.
const (
	sandboxFileName    = "sbxenv.yaml"
	oldSandboxFileName = ".sbxenv.yaml"
)

// SandboxFile is an environment file of sbx.
type SandboxFile struct {
	Path string // absolute
	Name string // of the sandbox; "" when the file does not say
	// Warnings are localizable: the file has a name that sbx has given up, or
	// does not say that of the sandbox.
	Warnings []error
}

// ReadSandbox reads an environment file of sbx. The error is localizable.
func ReadSandbox(path string) (*SandboxFile, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	content, err := readSmall(path)
	if err != nil {
		return nil, err
	}
	var file struct{ Name string }
	if err := yaml.Unmarshal(content, &file); err != nil {
		return nil, &phrase{"assist.SandboxUnreadable", map[string]any{"Path": path}}
	}
	quiet()
	s := &SandboxFile{Path: path}
	unset := missing{lookup: os.LookupEnv, found: map[string]Variable{}}
	if unset.walk(file.Name, true); len(unset.found) == 0 {
		s.Name, _ = template.Substitute(file.Name, os.LookupEnv)
	}
	if s.Name == "" {
		s.Warnings = append(s.Warnings, &phrase{"assist.NoSandboxName", map[string]any{"Path": path, "Written": file.Name}})
	}
	if filepath.Base(path) == oldSandboxFileName {
		s.Warnings = append(s.Warnings, &phrase{"assist.OldSandboxFile", map[string]any{"Old": oldSandboxFileName, "New": sandboxFileName}})
	}
	return s, nil
}
