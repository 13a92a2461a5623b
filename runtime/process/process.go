// Package process starts child processes and ends them together with
// everything they started, on Linux, macOS and Windows.
//
// [Start] is for a child that is talked to over its standard streams, [Run] for
// a short command whose output is read. [LoginPath] and [Environ] give a child
// the environment that its user has in a terminal.
//
// A child leads its own session (Unix) or job (Windows). When it ends, or is
// ended, its descendants are ended too, those that left the session included.
// When this program is itself killed, a warden process (Unix) or the job
// (Windows) does the same in its place.
//
// The package knows nothing of agents, protocols, containers or terminals.
package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

const (
	// defaultGrace is how long each step of ending a child waits.
	defaultGrace = 3 * time.Second
	// killWait is how long a killed process may take to disappear.
	killWait = 2 * time.Second
	// pollInterval separates two looks at what is left of a family: no system
	// tells when a process that is not one's own child has ended.
	pollInterval = 30 * time.Millisecond
)

// Process is a started child. Its methods may be called at any time from any
// goroutine. A child that ends by itself is tidied up without [Process.End].
type Process struct {
	Stdin  io.WriteCloser // the child's input; closed by End
	Stdout io.ReadCloser  // the child's output; closes itself at its end
	Stderr io.ReadCloser  // the child's errors; closes itself at its end

	command Command
	cmd     *exec.Cmd
	family  *family
	looking sync.Mutex // held while the family is looked at
	pipes   [3]*os.File

	ending   func()        // closes asked
	asked    chan struct{} // End was called
	hurry    func()        // closes hurried
	hurried  chan struct{} // a caller of End has no time left
	exited   chan struct{}
	gone     chan struct{} // child and descendants have ended
	state    ExitState     // set before exited is closed
	leftover error         // set before gone is closed
}

// Start starts c with a pipe for each of its three standard streams. The caller
// reads Stdout and Stderr to their end: a child whose pipe is full stops.
// The error is a [*StartError] when the command cannot be run.
func Start(c Command) (*Process, error) {
	var child, own [3]*os.File
	defer func() { closeAll(child) }()
	for i := range child {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(own)
			return nil, fmt.Errorf("start %s: %w", c.Path, err)
		}
		child[i], own[i] = w, r
		if i == 0 {
			child[i], own[i] = r, w
		}
	}
	p, err := start(c, child, own)
	if err != nil {
		closeAll(own)
	}
	return p, err
}

// StartWith starts c by means of spawn: that gives the command, which is ready
// but for its three streams, those it is to have, and starts it. It is for
// terminals. The process has no streams of its own then.
func StartWith(c Command, spawn func(*exec.Cmd) error) (*Process, error) {
	return begin(c, [3]*os.File{}, spawn)
}

// start starts c on the files of child; own are the other ends, nil where there
// is none. It closes neither.
func start(c Command, child, own [3]*os.File) (*Process, error) {
	return begin(c, own, func(cmd *exec.Cmd) error {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = child[0], child[1], child[2]
		return cmd.Start()
	})
}

func begin(c Command, own [3]*os.File, spawn func(*exec.Cmd) error) (*Process, error) {
	program, err := c.Resolve()
	if err != nil {
		return nil, err
	}
	family, err := newFamily(c.Daemons)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	cmd := &exec.Cmd{
		Path: program,
		Args: append([]string{c.Path}, c.Args...),
		Dir:  c.Dir,
		Env:  append(c.environ(), family.environ()...),

		SysProcAttr: family.attributes(),
	}
	if err := spawn(cmd); err != nil {
		family.release()
		return nil, c.startError(program, err)
	}
	if err := family.adopt(cmd.Process); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		family.release()
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	p := &Process{
		Stdin:   own[0],
		Stdout:  output{own[1]},
		Stderr:  output{own[2]},
		command: c,
		cmd:     cmd,
		family:  family,
		pipes:   own,
		asked:   make(chan struct{}),
		hurried: make(chan struct{}),
		exited:  make(chan struct{}),
		gone:    make(chan struct{}),
	}
	p.ending = sync.OnceFunc(func() { close(p.asked) })
	p.hurry = sync.OnceFunc(func() { close(p.hurried) })
	go p.reap()
	go p.supervise()
	return p, nil
}

// PID returns the process id of the child.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Exited is closed when the child itself has ended. Its descendants may take a
// moment more: End waits for them.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// State tells how the child ended, or that it still runs.
func (p *Process) State() ExitState {
	select {
	case <-p.exited:
		return p.state
	default:
		return ExitState{Running: true, Code: -1}
	}
}

// End ends the child and all its descendants and returns when none is left: its
// input is closed, then they are asked to terminate, then they are killed, with
// [Command.Grace] between the steps and no waiting where nothing is left to
// wait for. When ctx is done first, the steps that remain are taken at once.
// Afterwards Stdout and Stderr give what is still in them, then [io.EOF].
//
// The error is a [*LeftoverError] when a killed process refuses to disappear.
func (p *Process) End(ctx context.Context) error {
	p.ending()
	select {
	case <-p.gone:
	case <-ctx.Done():
		p.hurry()
		<-p.gone
	}
	return p.leftover
}

// Usage returns what the child and its descendants take now.
func (p *Process) Usage() Usage {
	return measure(p.living())
}

// living looks at what lives of the family.
func (p *Process) living() []member {
	p.looking.Lock()
	defer p.looking.Unlock()
	return p.family.living()
}

// reap waits for the child.
func (p *Process) reap() {
	_ = p.cmd.Wait() // the state says it all
	p.state = exitState(p.cmd.ProcessState)
	close(p.exited)
}

// supervise waits for the child's end, natural or asked for, and sees to it that
// nothing of it stays.
func (p *Process) supervise() {
	defer close(p.gone)
	defer p.family.release()
	select {
	case <-p.exited:
	case <-p.asked:
		p.living() // noted while parents still lead to their children
		if p.pipes[0] != nil {
			_ = p.pipes[0].Close()
			p.await(p.exited)
		}
	}
	_ = p.pipes[0].Close()
	p.leftover = p.sweep()
	for _, f := range p.pipes[1:] {
		// What is in the pipe can still be read; but nobody waits for a writer
		// that escaped. Windows has no such deadline, and no escaping either.
		_ = f.SetReadDeadline(time.Now())
	}
}

// Usage is what processes take of a computer.
type Usage struct {
	Memory int64         // resident, in bytes
	Time   time.Duration // of the processor, since they started
}

// await waits for done, at most for the grace time.
func (p *Process) await(done <-chan struct{}) {
	timer := time.NewTimer(p.command.grace())
	defer timer.Stop()
	select {
	case <-done:
	case <-p.hurried:
	case <-timer.C:
	}
}

// sweep ends what lives of the family.
func (p *Process) sweep() error {
	living := p.living()
	if len(living) > 0 && !p.isHurried() && p.family.terminate(living) {
		living = p.poll(p.command.grace(), p.hurried, func([]member) {})
	}
	if len(living) > 0 {
		p.family.kill(living)
		living = p.poll(killWait, nil, p.family.kill)
	}
	if len(living) > 0 {
		return &LeftoverError{Program: p.command.Path, PIDs: pids(living), members: living}
	}
	<-p.exited
	return nil
}

// poll looks at what lives until nothing does, the limit is over or stop is
// closed. It gives what it sees to each and returns what is left.
func (p *Process) poll(limit time.Duration, stop <-chan struct{}, each func([]member)) []member {
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		living := p.living()
		if len(living) == 0 {
			return nil
		}
		each(living)
		select {
		case <-tick.C:
		case <-stop:
			return living
		case <-deadline.C:
			return living
		}
	}
}

func (p *Process) isHurried() bool {
	select {
	case <-p.hurried:
		return true
	default:
		return false
	}
}

// output is our end of a child's output.
type output struct{ file *os.File }

// Read reads until the last writer has gone or, once the family has ended, until
// the pipe is empty. The file is closed at its end.
func (o output) Read(p []byte) (int, error) {
	n, err := o.file.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		n, err = readNow(o.file, p)
	}
	if err != nil && n == 0 {
		_ = o.file.Close()
	}
	if errors.Is(err, os.ErrClosed) {
		err = io.EOF
	}
	return n, err
}

// Close closes our end: the child gets an error when it writes more.
func (o output) Close() error { return o.file.Close() }

func closeAll(files [3]*os.File) {
	for _, f := range files {
		_ = f.Close() // one that is nil says so, harmlessly
	}
}
