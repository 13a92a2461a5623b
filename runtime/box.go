package runtime

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// box is a container or a sandbox.
type box struct {
	spec   Spec
	host   Host
	engine engine
	entry  entry
	limits limits
}

// engine is what containers and sandboxes do each in their own way.
type engine interface {
	// program is its command line.
	program() string
	// look tells how a box is.
	look(ctx context.Context, b *box) (state, error)
	// wake starts a box that exists and does not run.
	wake(ctx context.Context, b *box, s state) error
	// code is the kind of a failure, by what was printed; "" when it is none
	// of the engine's own.
	code(output string) Code
}

// state is how a box is.
type state string

const (
	missing state = "missing"
	stopped state = "stopped"
	paused  state = "paused"
	running state = "running"
)

// limits are what commands may take.
type limits struct {
	look   time.Duration // for a question about the box
	wake   time.Duration // for starting it
	create time.Duration // for lifecycle.create, which may fetch an image
	end    time.Duration // for lifecycle.stop and lifecycle.remove
	quiet  time.Duration // a command inside that moves no byte for this long hangs
	remove time.Duration // for what is quiet while it works: deleting and moving
}

func newBox(spec Spec, host Host, e engine) *box {
	return &box{
		spec: spec, host: host, engine: e, entry: parseEntry(spec.Command),
		limits: limits{
			look: 15 * time.Second, wake: time.Minute, create: 15 * time.Minute, end: 2 * time.Minute,
			quiet: 15 * time.Second, remove: 2 * time.Minute,
		},
	}
}

// Prepare creates the box if it does not exist, and starts it.
func (b *box) Prepare(ctx context.Context) error {
	s, err := b.engine.look(ctx, b)
	if err == nil && s == missing {
		s, err = b.create(ctx)
	}
	if err != nil || s == running {
		return err
	}
	return b.engine.wake(ctx, b, s)
}

// create runs lifecycle.create and looks again.
func (b *box) create(ctx context.Context) (state, error) {
	command := b.spec.Lifecycle.Create
	if len(command) == 0 {
		return missing, b.failure(Missing, b.command())
	}
	if err := b.lifecycle(ctx, command, b.limits.create); err != nil {
		return missing, err
	}
	s, err := b.engine.look(ctx, b)
	if err == nil && s == missing {
		return missing, b.failure(NotCreated, b.lifecycleCommand(ctx, command))
	}
	return s, err
}

func (b *box) Folder() string { return b.spec.WorkspacePath }

func (b *box) Files() Files { return &boxFiles{b} }

func (b *box) Stop(ctx context.Context) error {
	return b.lifecycle(ctx, b.spec.Lifecycle.Stop, b.limits.end)
}

func (b *box) Remove(ctx context.Context) error {
	return b.lifecycle(ctx, b.spec.Lifecycle.Remove, b.limits.end)
}

// lifecycle runs a command of the configuration file, without input; what it
// prints goes to the agent's log.
func (b *box) lifecycle(ctx context.Context, words []string, limit time.Duration) error {
	if len(words) == 0 {
		return nil
	}
	c := b.lifecycleCommand(ctx, words)
	b.host.Log("sandbox: " + c.String())
	said := process.NewLog(tail)
	err := b.run(ctx, c, limit, func(line string) {
		said.Add(line)
		b.host.Log("sandbox: " + line)
	})
	var failure *Error
	if !errors.As(err, &failure) {
		return err
	}
	switch failure.Code {
	case Silent:
		failure.Code = TooLong
	case NotInstalled, NotAllowed, DaemonStopped:
	default:
		failure.Code = Failed
		if question.MatchString(strings.Join(said.Lines(-1), "\n")) {
			failure.Code = NeedsApproval
		}
	}
	return err
}

func (b *box) lifecycleCommand(ctx context.Context, words []string) process.Command {
	return process.Command{Path: words[0], Args: words[1:], Dir: b.spec.Lifecycle.Folder, Env: b.host.Environ(ctx)}
}

// tail bounds what an error repeats of an output, in bytes.
const tail = 2 << 10

// command is the engine's program with arguments, after the options that the
// agent's own command line gives it: they may name another Docker.
func (b *box) command(args ...string) process.Command {
	all := append(b.entry.options[:len(b.entry.options):len(b.entry.options)], args...)
	return process.Command{Path: b.engine.program(), Args: all}
}

// call runs a short command of the engine and returns what it prints.
func (b *box) call(ctx context.Context, limit time.Duration, args ...string) (string, error) {
	c := b.command(args...)
	c.Env = b.host.Environ(ctx)
	var lines []string
	err := b.run(ctx, c, limit, func(line string) { lines = append(lines, line) })
	return strings.Join(lines, "\n"), err
}

// run runs a command without input within a limit.
func (b *box) run(ctx context.Context, c process.Command, limit time.Duration, output func(string)) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := process.Run(limited, c, output)
	var unstarted *process.StartError
	if err == nil || ctx.Err() != nil || errors.As(err, &unstarted) && c.Path != b.engine.program() {
		return err
	}
	failure := b.explain(c, err)
	if errors.Is(err, context.DeadlineExceeded) {
		failure.Code, failure.Limit = Silent, limit
	}
	return failure
}

// inside is a command that runs in the box; flags are those of exec.
func (b *box) inside(flags []string, argv ...string) process.Command {
	args := append([]string{"exec"}, flags...)
	return b.command(append(append(args, b.spec.Name), argv...)...)
}

// script is a command that runs a shell script in the box, under a name. The
// script is in a variable: lists of processes stay readable.
func (b *box) script(flags []string, script, name string, args ...string) process.Command {
	flags = append(flags[:len(flags):len(flags)], "-e", "SIDEKICKS_SCRIPT="+script)
	return b.inside(flags, append([]string{"sh", "-c", `eval "$SIDEKICKS_SCRIPT"`, name}, args...)...)
}

// stream runs a command with its own input and output, in being nil for none.
// It ends the command when nothing moves for the quiet time. That in failed is
// for the caller to notice.
func (b *box) stream(ctx context.Context, c process.Command, quiet time.Duration, in io.Reader, out io.Writer) error {
	c.Env, c.Daemons = b.host.Environ(ctx), true
	p, err := process.Start(c)
	if err != nil {
		return b.explain(c, err)
	}
	watched, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(quiet, func() { cancel(errQuiet) })
	defer silence.Stop()
	moved := func() { silence.Reset(quiet) }
	held := func() { silence.Stop() } // while who takes the output takes its time
	ending := context.AfterFunc(watched, func() { _ = p.End(watched) })

	var side sync.WaitGroup
	said := process.NewLog(tail)
	side.Go(func() { _, _ = io.Copy(said, p.Stderr) })
	side.Go(func() {
		defer p.Stdin.Close()
		if in != nil {
			_, _ = io.Copy(noting{p.Stdin, func() {}, moved}, struct{ io.Reader }{in}) // piece by piece
		}
	})
	_, outErr := io.Copy(noting{out, held, moved}, p.Stdout)
	if outErr != nil {
		cancel(outErr)
	}
	<-p.Exited()
	unhurt := ending()
	_ = p.End(context.Background())
	side.Wait()

	failure := &process.RunError{Command: c.String(), State: p.State(), Output: said.Lines(-1)}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case outErr != nil:
		return outErr
	case !unhurt:
		e := b.explain(c, failure)
		e.Code, e.Limit = Silent, quiet
		return e
	case failure.State.Code != 0:
		e := b.explain(c, failure)
		if code := failure.State.Code; e.Code == Failed && (code == 126 || code == 127) {
			e.Code = NoShell
		}
		return e
	}
	return nil
}

var errQuiet = errors.New("nothing moves")

// noting is a writer that tells before and after it writes.
type noting struct {
	io.Writer
	before, after func()
}

func (n noting) Write(p []byte) (int, error) {
	n.before()
	defer n.after()
	return n.Writer.Write(p)
}

// explain turns the failure of a command into what a person needs to know.
func (b *box) explain(c process.Command, err error) *Error {
	e := b.failure(Failed, c)
	e.Err = err
	var unstarted *process.StartError
	var failed *process.RunError
	switch {
	case errors.As(err, &unstarted):
		e.Output = err.Error()
		if unstarted.Reason == process.NotFound && c.Path == b.engine.program() {
			e.Code = NotInstalled
		}
	case errors.As(err, &failed):
		e.Output = strings.Join(failed.Output, "\n")
		if code := b.engine.code(e.Output); code != "" && filepath.Base(c.Path) == b.engine.program() {
			e.Code = code
		}
	default:
		e.Output = err.Error()
	}
	return e
}

func (b *box) failure(code Code, c process.Command) *Error {
	return &Error{Code: code, Kind: b.spec.Kind, Name: b.spec.Name, Program: b.engine.program(), Command: c.String()}
}
