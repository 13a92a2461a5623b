package protect

import (
	"fmt"
	"io/fs"
)

// Kind says why something is protected.
type Kind string

// The kinds. All but the first are always protected: each is a text of the
// catalogue, "protect.<Kind>".
const (
	Configured   Kind = "Configured"   // by a pattern of `protect`
	Instructions Kind = "Instructions" // AGENTS.md
	Skills       Kind = "Skills"       // skills/**
	AgentFile    Kind = "AgentFile"    // the agent's configuration file
	ComposeFile  Kind = "ComposeFile"  // what the container is built from
	Dockerfile   Kind = "Dockerfile"
	SandboxFile  Kind = "SandboxFile" // what the sandbox is built from
)

// Rule is one reason for which something is protected. As an error it says
// so to a person, and how the protection is lifted when it can be.
type Rule struct {
	Kind    Kind
	Pattern string // as written in `protect`, or the name that is always protected
}

func (r Rule) Error() string {
	if r.Kind == Configured {
		return fmt.Sprintf("%q of protect", r.Pattern)
	}
	return r.Pattern + ", always protected"
}

// Localize returns the text of the catalogue that says the rule.
func (r Rule) Localize() (id string, args map[string]any) {
	return "protect." + string(r.Kind), map[string]any{"Pattern": r.Pattern}
}

// Refusal says that something may not be changed. It is an fs.ErrPermission.
type Refusal struct {
	Name  string
	Holds string // the protected entry in the folder Name; "" when Name itself is protected
	Rule  Rule
}

func (e *Refusal) Error() string {
	if e.Holds != "" {
		return fmt.Sprintf("%s holds %s, which is protected: %v", e.Name, e.Holds, e.Rule)
	}
	return fmt.Sprintf("%s is protected: %v", e.Name, e.Rule)
}

// Localize returns the text of the catalogue that says why.
func (e *Refusal) Localize() (id string, args map[string]any) {
	args = map[string]any{"Name": e.Name, "Holds": e.Holds, "Rule": error(e.Rule)}
	if e.Holds != "" {
		return "protect.Holds", args
	}
	return "protect.Refused", args
}

func (e *Refusal) Unwrap() error { return fs.ErrPermission }
