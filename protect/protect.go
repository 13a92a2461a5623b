// Package protect says which files of an agent's folder the interface may
// neither change nor delete: those of the agent's `protect`, and those that are
// always protected (specification, "An agent"). It binds the window's Files
// tab, not the agent, and reads no file: names are compared, and whoever asks
// about a folder says what is in it.
package protect

import (
	"path"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Agent is what must be known of an agent to tell what of its folder is
// protected. All folders are absolute and on this computer, but WorkspacePath.
type Agent struct {
	Folder        string   // its `workspace`
	WorkspacePath string   // the same folder as the agent sees it; "" for Folder
	Patterns      []string // its `protect`
	Args          []string // its `args`, where its configuration file is looked for

	Runtime         string     // "local", "container" or "sbx"
	LifecycleFolder string     // `runtime.lifecycle.folder`; "" for Folder
	Lifecycle       [][]string // the commands of `runtime.lifecycle` that there are

	IgnoreCase bool // the folder's file system takes a.md and A.MD for the same
}

// Rules tells which files of one agent's folder are protected. The names that
// its methods take are relative to that folder and separated by slashes. It
// may be used by several goroutines at once.
type Rules struct {
	ignoreCase bool
	literals   map[string]Rule // by key; the first of those that say the same
	patterns   []pattern       // in order: what is always protected, then `protect`
}

// New returns the rules of an agent. Patterns that [Check] refuses are left
// out: they match nothing.
func New(agent Agent) *Rules {
	r := &Rules{ignoreCase: agent.IgnoreCase, literals: map[string]Rule{}}
	for _, always := range agent.always() {
		r.add(always.name, Rule{always.kind, always.name})
	}
	for _, written := range agent.Patterns {
		if name, err := normalise(agent.Folder, written); err == nil {
			r.add(name, Rule{Configured, written})
		}
	}
	return r
}

// add adds a normalised pattern.
func (r *Rules) add(name string, rule Rule) {
	key := r.key(name)
	if _, known := r.literals[key]; !known {
		r.literals[key] = rule
	}
	if strings.ContainsAny(key, "*?") {
		r.patterns = append(r.patterns, compile(key, rule))
	}
}

// Protects tells which rule protects an entry of the folder, if one does. A
// name is first looked for as it is, and in the folders it is in, then held
// against the patterns.
func (r *Rules) Protects(name string) (Rule, bool) {
	key := r.key(name)
	for at := key; ; at = path.Dir(at) {
		if rule, ok := r.literals[at]; ok {
			return rule, true
		}
		if at == "." || at == "/" {
			break
		}
	}
	for _, p := range r.patterns {
		if p.matches(key) {
			return p.rule, true
		}
	}
	return Rule{}, false
}

// Change returns nil when an entry may be written or made, else a [*Refusal].
func (r *Rules) Change(name string) error {
	if rule, ok := r.Protects(name); ok {
		return &Refusal{Name: name, Rule: rule}
	}
	return nil
}

// Inside gives the names of what is in a folder: those of its folders, and of
// all else. Symlinks are no folders.
type Inside func(folder string) (folders, others []string, err error)

// ChangeAll returns nil when an entry may be deleted or moved with all it
// holds, or put there with all it holds, else a [*Refusal], or the error of
// inside. Folders where nothing can be protected are not looked into.
func (r *Rules) ChangeAll(name string, folder bool, inside Inside) error {
	if err := r.Change(name); err != nil || !folder {
		return err
	}
	held, rule, err := r.holds(name, inside)
	if held == "" || err != nil {
		return err
	}
	return &Refusal{Name: name, Holds: held, Rule: rule}
}

// holds gives a protected entry of a folder, or "".
func (r *Rules) holds(name string, inside Inside) (held string, rule Rule, err error) {
	if !r.mayHold(r.key(name)) {
		return "", Rule{}, nil
	}
	folders, others, err := inside(name)
	if err != nil {
		return "", Rule{}, err
	}
	for _, entry := range append(folders, others...) {
		entry = path.Join(name, entry)
		if rule, ok := r.Protects(entry); ok {
			return entry, rule, nil
		}
	}
	for _, entry := range folders {
		held, rule, err := r.holds(path.Join(name, entry), inside)
		if held != "" || err != nil {
			return held, rule, err
		}
	}
	return "", Rule{}, nil
}

// mayHold reports whether a rule could match something inside a folder.
func (r *Rules) mayHold(key string) bool {
	for literal := range r.literals {
		if key == "." || strings.HasPrefix(literal, key+"/") {
			return true
		}
	}
	for _, p := range r.patterns {
		if p.leadsThrough(key) {
			return true
		}
	}
	return false
}

// key is a name as it is compared: without detours, é written in one way, and
// in one case when the file system ignores it.
func (r *Rules) key(name string) string {
	name = plain(path.Clean(slashed(name)))
	if ascii(name) {
		if r.ignoreCase {
			name = strings.ToLower(name)
		}
		return name
	}
	name = strings.ToValidUTF8(name, "\uFFFD") // which patterns compare by character
	if r.ignoreCase {
		name = cases.Fold().String(norm.NFD.String(name))
	}
	return norm.NFC.String(name)
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
