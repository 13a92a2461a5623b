package runtime

import (
	"cmp"
	"context"
	"path"
	"strings"
	"sync"

	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// Kind is the type of a place (specification, `runtime.type`).
type Kind string

const (
	Local     Kind = "local"     // this computer; the zero Kind means it too
	Container Kind = "container" // a Docker container
	Sbx       Kind = "sbx"       // a Docker sandbox
)

// Spec says where an agent runs: the part of its entry in the configuration
// file that this package needs (specification, `runtime`).
type Spec struct {
	Kind          Kind
	Name          string   // of the container or the sandbox
	Workspace     string   // absolute path of the agent's folder on this computer
	WorkspacePath string   // absolute path of it where the agent runs; empty: Workspace
	Command       []string // the agent's command line: it may say as which user it enters
	Lifecycle     Lifecycle
}

// Lifecycle holds the commands that manage a container or a sandbox: each a
// program and its arguments, empty when there is none (specification,
// `runtime.lifecycle`).
type Lifecycle struct {
	Folder               string // absolute path of the folder they run in
	Create, Stop, Remove []string
}

// Host is what a place uses of the program.
type Host struct {
	// Environ is the environment of all commands, with the agent's env; it may
	// take a moment the first time.
	Environ func(context.Context) []string
	// Log takes a line for the agent's log; it may be nil.
	Log func(line string)
	// Turns is shared by all places of the program.
	Turns *Turns
}

// Turns lets agents that share a container or a sandbox start one after the
// other, so that each knows what is its own in there.
type Turns struct {
	mu   sync.Mutex
	held map[string]chan struct{} // closed when the next may have its turn
}

// take waits for the turn in a place; it must be given back.
func (t *Turns) take(ctx context.Context, place string) (giveBack func(), err error) {
	for {
		t.mu.Lock()
		held := t.held[place]
		if held == nil {
			break
		}
		t.mu.Unlock()
		select {
		case <-held:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	defer t.mu.Unlock()
	if t.held == nil {
		t.held = map[string]chan struct{}{}
	}
	mine := make(chan struct{})
	t.held[place] = mine
	return sync.OnceFunc(func() {
		t.mu.Lock()
		delete(t.held, place)
		t.mu.Unlock()
		close(mine)
	}), nil
}

// New gives the place that a spec describes.
func New(spec Spec, host Host) Place {
	spec.WorkspacePath = cmp.Or(spec.WorkspacePath, spec.Workspace)
	if host.Log == nil {
		host.Log = func(string) {}
	}
	if host.Turns == nil {
		host.Turns = &Turns{}
	}
	switch spec.Kind {
	case Container:
		return newBox(spec, host, docker{})
	case Sbx:
		return newBox(spec, host, sbx{})
	}
	return here{spec: spec, host: host}
}

// Within gives the name in [Files] of an absolute path as the agent writes
// it, folder being [Place.Folder]; false when it lies outside.
func Within(folder, file string) (string, bool) {
	if strings.Contains(folder, `\`) || len(folder) > 1 && folder[1] == ':' { // Windows
		folder, file = strings.ReplaceAll(folder, `\`, "/"), strings.ReplaceAll(file, `\`, "/")
	}
	folder, file = path.Clean(folder), path.Clean(file)
	if file == folder {
		return ".", true
	}
	if folder != "/" {
		folder += "/"
	}
	return strings.CutPrefix(file, folder)
}

// here is this computer.
type here struct {
	spec Spec
	host Host
}

// Prepare has nothing to do: the agent's program says what is missing.
func (h here) Prepare(context.Context) error { return nil }

func (h here) Folder() string { return h.spec.Workspace }

func (h here) Files() Files { return NewLocalFiles(h.spec.Workspace) }

func (h here) Shell() process.Command {
	env := h.host.Environ(context.Background())
	return process.Command{Path: process.UserShell(), Dir: h.spec.Workspace, Env: env}
}

// Tidy has nothing to do: who ends the shell ends what it started.
func (h here) Tidy(context.Context, process.Command) error { return nil }

// Guard needs none.
func (h here) Guard(context.Context) (*Guard, error) { return nil, nil }

func (h here) Stop(context.Context) error { return nil }

func (h here) Remove(context.Context) error { return nil }
