// Package runtime is where an agent runs: this computer, a Docker container
// or an sbx sandbox (specification, "runtime"). A [Place] manages the
// container or the sandbox and gives its files and a shell. How the agent
// itself is started is the business of its command line, not of this package; but
// what it leaves running in there is: see [Guard].
package runtime

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"time"

	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// Place is where one agent runs. Its methods run programs that may take long
// or hang: each has a deadline of its own besides that of ctx. What goes wrong
// with Docker or sbx is an [*Error].
type Place interface {
	// Prepare makes the place ready for the agent: it creates what does not
	// exist when the configuration says how, and starts what is stopped.
	Prepare(ctx context.Context) error
	// Folder is the absolute path of the agent's folder as the agent sees it.
	Folder() string
	// Files gives that folder.
	Files() Files
	// Guard watches over what the agent's command line, started next, runs in
	// the place. It is nil where the end of the command ends everything.
	Guard(ctx context.Context) (*Guard, error)
	// Shell is the command that opens the person's shell in the folder, to be
	// run on a terminal of this computer. When that has ended, Tidy ends what
	// the shell left running.
	Shell() process.Command
	Tidy(ctx context.Context, shell process.Command) error
	// Stop and Remove run the commands of `runtime.lifecycle`; the agent has
	// been stopped.
	Stop(ctx context.Context) error
	Remove(ctx context.Context) error
}

// Files is an agent's folder. Names are slash-separated paths relative to it,
// "." is the folder itself. What leads out of it, by "..", an absolute name or
// a symlink, is refused with [ErrOutside]. Errors wrap those of io/fs where
// one fits: fs.ErrNotExist, fs.ErrExist, fs.ErrPermission.
type Files interface {
	// List gives what a folder holds, by name; it does not follow symlinks.
	List(ctx context.Context, dir string) ([]Entry, error)
	// Stat gives one entry, a symlink itself.
	Stat(ctx context.Context, name string) (Entry, error)
	// Open reads a file.
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	// Write replaces or makes a file with all that r gives, wholly or not at
	// all; an existing one keeps its mode.
	Write(ctx context.Context, name string, r io.Reader) error
	// Make makes a folder, whose parent exists.
	Make(ctx context.Context, dir string) error
	// Rename moves an entry; it never replaces another (fs.ErrExist).
	Rename(ctx context.Context, from, to string) error
	// Delete removes an entry and all it holds; on this computer it goes to
	// the system's trash where there is one.
	Delete(ctx context.Context, name string) error
}

// Entry is one thing in a folder.
type Entry struct {
	Name     string // its last element
	Size     int64  // in bytes
	Modified time.Time
	Mode     fs.FileMode
	Target   string // where a symlink leads, as written; "" when it is none
	Outside  bool   // the symlink leads out of the agent's folder, or nowhere
}

// ErrOutside is for a name that leads out of the agent's folder.
var ErrOutside = errors.New("outside of the agent's folder")
