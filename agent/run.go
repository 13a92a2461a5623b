package agent

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/runtime"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// run is one life of an agent's process, from its start to the end of its
// afterStop command.
type run struct {
	agent     *Agent
	spec      Spec // as it was when the process started
	place     runtime.Place
	guard     *runtime.Guard
	finding   sync.WaitGroup // the guard looks for the process inside
	proc      *process.Process
	conn      *acp.Conn
	init      acp.InitializeResponse
	files     files
	questions questions
	rooms     rooms

	stderr  sync.WaitGroup
	stop    chan error    // why it must stop; the first reason counts
	leaving chan struct{} // closed when the end begins: nothing new for it
	ended   chan struct{} // closed when the process is gone and afterStop has run

	mu      sync.Mutex
	err     error // why the process ended; set before gone is closed
	gone    chan struct{}
	prompts int // turns in progress
}

// start starts the process and agrees on the protocol. When it fails, the
// process is gone and the agent's status says why.
func (a *Agent) start(ctx context.Context) (*run, error) {
	a.set(Starting, nil)
	r, err := a.launch(ctx)
	if err != nil {
		a.remark(err.Error())
		a.set(endState(err), err)
		return nil, err
	}
	go r.supervise()
	if err := r.initialize(ctx); err != nil {
		r.end(err)
		<-r.ended
		return nil, err
	}
	r.ready(nil)
	return r, nil
}

// ready says so in the status, with the ways to sign in when one is wanted;
// but not of a process that is ending, which has the last word.
func (r *run) ready(signIn error) {
	a := r.agent
	a.mu.Lock()
	if a.run != r || r.isLeaving() {
		a.mu.Unlock()
		return
	}
	a.status.Info, a.status.AuthMethods = r.init.AgentInfo, nil
	if signIn != nil {
		a.status.AuthMethods = r.init.AuthMethods
	}
	a.setLocked(Ready, signIn)
	a.mu.Unlock()
	a.obs.Changed(r.spec.Name)
}

// launch finds the program and starts it.
func (a *Agent) launch(ctx context.Context) (*run, error) {
	spec := a.Spec()
	mask := newMask(spec.Env)
	a.mu.Lock()
	a.mask = mask
	a.mu.Unlock()
	program, path, err := a.resolve(ctx, spec.Command, spec)
	a.mu.Lock()
	a.status.Command, a.status.PathSource = commandLine(program, spec.Args), path.Source
	if err != nil {
		a.status.Command = commandLine(spec.Command, spec.Args)
	}
	a.mu.Unlock()
	place := a.place(spec)
	guard, prepareErr := a.enter(ctx, place)
	switch {
	case ctx.Err() != nil:
		a.leave(guard)
		return nil, context.Cause(ctx)
	case prepareErr != nil:
		return nil, problem(spec.Name, NotStarted, prepareErr)
	case err != nil:
		a.leave(guard)
		return nil, problem(spec.Name, NotStarted, err)
	}
	proc, err := process.Start(process.Command{
		Path: program, Args: spec.Args, Dir: spec.Workspace, Env: a.environ(path, spec),
	})
	if err != nil {
		a.leave(guard)
		return nil, problem(spec.Name, NotStarted, err)
	}
	a.remark("started " + commandLine(program, spec.Args))
	r := &run{
		agent: a, spec: spec, place: place, guard: guard, proc: proc, files: filesOf(spec, place),
		questions: questions{open: map[string]*question{}},
		rooms:     newRooms(),
		stop:      make(chan error, 1), leaving: make(chan struct{}),
		ended: make(chan struct{}), gone: make(chan struct{}),
	}
	r.finding.Go(func() {
		if err := guard.Find(context.Background(), proc.Exited()); err != nil {
			a.remark(err.Error())
		}
	})
	r.stderr.Go(func() {
		lines := process.NewLineWriter(func(line string) { a.trace.add(Stderr, line, mask) })
		_, _ = io.Copy(lines, proc.Stderr)
		_ = lines.Close()
	})
	r.conn = acp.NewConn(proc.Stdout, proc.Stdin, client{r},
		acp.Tap(func(sent bool, line []byte) { a.trace.tap(sent, line, mask) }))
	a.mu.Lock()
	a.run = r
	a.mu.Unlock()
	return r, nil
}

func (r *run) initialize(ctx context.Context) error {
	limit := r.agent.times.Initialize
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := r.conn.Call(ctx, acp.MethodInitialize, acp.InitializeRequest{
		ProtocolVersion:    acp.ProtocolVersion,
		ClientCapabilities: acp.Advertised(),
		ClientInfo:         acp.Implementation{Name: "sidekicks", Title: "Sidekicks", Version: Version},
	}, &r.init)
	switch {
	case err == nil && r.init.ProtocolVersion != acp.ProtocolVersion:
		return problem(r.spec.Name, BadVersion, nil, "Version", r.init.ProtocolVersion)
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return problem(r.spec.Name, NoAnswer, nil, "Seconds", seconds(limit))
	case ctx.Err() != nil:
		return context.Cause(ctx)
	default:
		return r.explain(NotACP, err)
	}
}

// Version of Sidekicks, as agents are told. Set once at the start of the program.
var Version = "dev"

// explain says what a failed call means: that the process ended, how, and
// not just that the connection was closed; or what the agent answered.
func (r *run) explain(code string, err error) error {
	var closed *acp.ClosedError
	if !errors.As(err, &closed) {
		if acp.AuthRequired(err) {
			return problem(r.spec.Name, SignIn, err)
		}
		return problem(r.spec.Name, code, err)
	}
	<-r.gone
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// end asks for the end of the process; the first reason counts.
func (r *run) end(reason error) {
	select {
	case r.stop <- reason:
	default:
	}
}

// supervise waits for the end of the process, wanted or not, and cleans up
// after it: descendants, connection, afterStop, status.
func (r *run) supervise() {
	defer close(r.ended)
	a := r.agent
	var reason error
	wanted := false
	select {
	case reason = <-r.stop:
		wanted = true
	case <-r.proc.Exited():
	case <-r.conn.Done(): // closed its output: it cannot say anything any more
	}
	close(r.leaving)
	if wanted {
		a.remark(reason.Error())
		a.set(Stopping, reason)
	} else {
		r.drain()
	}
	r.endProcess()
	r.stderr.Wait()
	r.conn.Close()
	exit := r.proc.State()
	a.remark("ended: " + exit.String())
	if !wanted {
		reason = problem(r.spec.Name, Exited, nil, "Exit", exit.String())
		select {
		case asked := <-r.stop: // at the same moment
			reason = asked
		default:
		}
	}
	r.mu.Lock()
	r.err = reason
	r.mu.Unlock()
	close(r.gone)
	if len(r.spec.AfterStop) > 0 {
		a.set(Stopping, reason)
		r.afterStop()
	}
	a.mu.Lock()
	a.run = nil
	a.mu.Unlock()
	a.set(endState(reason), reason)
}

// endProcess ends the process with all that it started, where it runs too.
func (r *run) endProcess() {
	marking, cancel := context.WithTimeout(context.Background(), r.agent.times.Mark)
	r.guard.Mark(marking)
	cancel()
	err := r.proc.End(context.Background())
	r.finding.Wait()
	r.agent.notice(err)
	r.agent.leave(r.guard)
}

// isLeaving tells whether the end of the process has begun.
func (r *run) isLeaving() bool {
	select {
	case <-r.leaving:
		return true
	default:
		return false
	}
}

// drain lets the connection read what a process that ended by itself still
// said; a descendant that holds the pipe must not make that last.
func (r *run) drain() {
	select {
	case <-r.conn.Done():
	case <-time.After(r.agent.times.Drain):
	}
}

// endState is stopped for an end that was meant, error for any other.
func endState(reason error) State {
	var p *Problem
	if errors.As(reason, &p) {
		switch p.Code {
		case Idle, MadeRoom, StoppedByHand, Closed, Removed, OverLimit:
			return Stopped
		}
	}
	return Failed
}

// afterStop runs the command of the file, in workspace with env, for 30 s at
// most; what it prints goes to the agent's log (specification, "An agent").
func (r *run) afterStop() {
	a := r.agent
	ctx, cancel := context.WithTimeout(context.Background(), a.times.AfterStop)
	defer cancel()
	program, path, err := a.resolve(ctx, r.spec.AfterStop[0], r.spec)
	if err == nil {
		err = process.Run(ctx, process.Command{
			Path: program, Args: r.spec.AfterStop[1:], Dir: r.spec.Workspace, Env: a.environ(path, r.spec),
		}, func(line string) { a.note(Stderr, "afterStop: "+line) })
	}
	if err != nil {
		a.remark(problem(r.spec.Name, AfterStopError, err).Error())
	}
}

// working tells whether a turn is in progress.
func (r *run) working() bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.prompts > 0
}

func (r *run) countPrompt(n int) {
	r.mu.Lock()
	r.prompts += n
	r.mu.Unlock()
	r.agent.obs.Changed(r.spec.Name)
}

// cwd is the folder that the agent's sessions work in, as the agent sees it.
func (r *run) cwd() string { return r.place.Folder() }
