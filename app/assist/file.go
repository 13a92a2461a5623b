package assist

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

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

// composeNames are the names that docker compose looks for, and their
// variants: compose.dev.yaml.
var composeNames = regexp.MustCompile(`^(docker-)?compose(\.[^.]+)*\.ya?ml$`)

// Identify says what the file at path is, by its name and what it holds. The
// error is localizable: the file cannot be read.
func Identify(path string) (Kind, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Unknown, unreadable(path, err)
	}
	if !info.Mode().IsRegular() {
		return Unknown, nil
	}
	content, err := readSmall(path)
	switch name := strings.ToLower(filepath.Base(path)); {
	case errors.Is(err, errBig):
		return Unknown, nil
	case err != nil:
		return Unknown, err
	case composeNames.MatchString(name):
		return ComposeFile, nil
	case name == sandboxFileName || name == oldSandboxFileName:
		return SandboxConfig, nil
	case !utf8.Valid(content) || bytes.ContainsRune(content, 0):
		return Unknown, nil
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yaml", ".yml":
		return identifyYAML(content), nil
	case ".json", ".toml", ".hcl", ".jsonc":
		return AgentFile, nil
	}
	return Unknown, nil
}

// identifyYAML says what a text is by its keys. One that is not valid may be
// the configuration of an agent all the same.
func identifyYAML(content []byte) Kind {
	var document yaml.Node
	if yaml.Unmarshal(content, &document) != nil || len(document.Content) == 0 || document.Content[0].Kind != yaml.MappingNode {
		return AgentFile
	}
	kinds := map[string]yaml.Kind{}
	for pairs := range slices.Chunk(document.Content[0].Content, 2) {
		kinds[pairs[0].Value] = pairs[1].Kind
	}
	switch {
	case kinds["services"] == yaml.MappingNode:
		return ComposeFile
	case kinds["schemaVersion"] != 0 && kinds["agents"] == 0 && (kinds["agent"] != 0 || kinds["workspace"] != 0):
		return SandboxConfig
	case kinds["version"] == yaml.ScalarNode && kinds["agents"] == yaml.SequenceNode:
		return Configuration
	}
	return AgentFile
}

// maxFile is the size in bytes above which a file describes nothing.
const maxFile = 4 << 20

var errBig = errors.New("too big")

// readSmall reads a file. The error is localizable.
func readSmall(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(content) > maxFile {
		err = errBig
	}
	if err != nil {
		return nil, unreadable(path, err)
	}
	return content, nil
}

// fileError says that a file cannot be read.
type fileError struct {
	path string
	err  error
}

func unreadable(path string, err error) error { return &fileError{path, err} }

func (e *fileError) Error() string { return "read " + e.path + ": " + e.err.Error() }
func (e *fileError) Unwrap() error { return e.err }

// Localize implements the errors of package i18n.
func (e *fileError) Localize() (string, map[string]any) {
	reason := e.err
	if inner := new(os.PathError); errors.As(e.err, &inner) {
		reason = inner.Err
	}
	return "assist.FileUnreadable", map[string]any{"Path": e.path, "Reason": reason}
}
