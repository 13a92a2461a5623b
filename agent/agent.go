// Package agent runs agents: programs that speak ACP on stdio. One [Agent] is
// one process with its sessions, a [Pool] keeps them within the limits of the
// configuration file. The package knows rooms, not channels, and keeps no
// history: what an agent says goes to the [Observer].
package agent

import (
	"context"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/runtime"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// Spec says how an agent is started: the part of its entry in the
// configuration file that its process needs (specification, "An agent").
type Spec struct {
	Name      string
	Command   string // a bare name is looked up in PATH, anything else is a path
	Args      []string
	Env       map[string]string
	AfterStop []string
	Workspace string       // absolute; the process starts there
	Runtime   runtime.Spec // where the agent runs: its sessions' cwd is the workspace as seen from there
}

// State of an agent's process.
type State string

const (
	Stopped  State = "stopped"
	Starting State = "starting"
	Ready    State = "ready"
	Working  State = "working"
	Stopping State = "stopping"
	Failed   State = "error"
)

// Status is what there is to say about an agent's process.
type Status struct {
	State       State
	Since       time.Time
	Reason      error    // why it is stopped or failed; localizable; nil when never started
	Command     string   // the command line as resolved
	PathSource  string   // where the PATH comes from
	Stderr      []string // the last lines, when failed
	Info        acp.Implementation
	AuthMethods []acp.AuthMethod   // once a sign-in is needed
	Outdated    bool               // it runs, and would be started in another way now
	Leftovers   []runtime.Leftover // of earlier processes: what could not be ended
}

// Observer is told what agents do. The calls about one session come in the
// order in which the agent spoke, from its connection's goroutine: they must
// return quickly and must not call back into the package.
type Observer interface {
	// Changed tells that the status of an agent is another.
	Changed(agent string)
	// Updated passes on what an agent says in a room.
	Updated(agent, room string, u acp.Update)
	// Asked passes on a question; it stays open until Settled.
	Asked(q Question)
	// Settled tells how a question ended: the chosen option, or "" when it
	// was cancelled.
	Settled(q Question, chosen string)
}

// Environment is where agents find their programs and variables.
type Environment struct {
	// Path gives the PATH to look programs up in; it may take a moment the
	// first time.
	Path func(context.Context) (process.Path, error)
	// Base is the environment that children inherit.
	Base []string
	// Language goes to agents as SIDEKICKS_LANGUAGE.
	Language string
	// Debug gets the traffic with all agents too, if it is not nil, from
	// several goroutines at once.
	Debug io.Writer
	// Turns is shared by the places where agents run; it may be nil.
	Turns *runtime.Turns
}

// Times bound what an agent may take. Tests shorten them.
type Times struct {
	Initialize time.Duration // for `initialize`
	Session    time.Duration // for each of session/new, load and resume
	Call       time.Duration // for a change of mode or option
	Cancel     time.Duration // from session/cancel to the end of the turn; then the process is ended
	AfterStop  time.Duration // for the afterStop command
	Leave      time.Duration // for the end of an agent, before another one makes room too
	Mark       time.Duration // for a look at what an agent started in a container, before it is ended
	Drain      time.Duration // for reading what an ended process still had to say
}

// DefaultTimes are the times that the program uses. afterStop's is the
// specification's.
func DefaultTimes() Times {
	return Times{
		Initialize: 60 * time.Second,
		Session:    60 * time.Second,
		Call:       20 * time.Second,
		Cancel:     10 * time.Second,
		AfterStop:  30 * time.Second,
		Leave:      time.Second,
		Mark:       2 * time.Second,
		Drain:      time.Second,
	}
}

// stderrTail is how many lines of stderr an error shows.
const stderrTail = 20

// Agent is one agent of the configuration: at most one process at a time.
type Agent struct {
	env   Environment
	times Times
	obs   Observer
	trace *trace

	mu     sync.Mutex
	spec   Spec
	mask   *mask // of the values in the env of spec
	status Status
	run    *run // nil while no process runs
	left   []runtime.Leftover
}

func newAgent(spec Spec, env Environment, times Times, obs Observer) *Agent {
	return &Agent{
		env: env, times: times, obs: obs, trace: newTrace(spec.Name, env.Debug), spec: spec, mask: newMask(spec.Env),
		status: Status{State: Stopped, Since: time.Now()},
	}
}

// Name is the agent's name in the configuration.
func (a *Agent) Name() string { return a.Spec().Name }

// Spec is how the agent is started next time.
func (a *Agent) Spec() Spec {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.spec
}

// Status is a snapshot of the agent's status.
func (a *Agent) Status() Status {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.status
	if s.State == Ready && a.run.working() {
		s.State = Working
	}
	s.Leftovers = slices.Clone(a.left)
	s.Outdated = a.run != nil && !reflect.DeepEqual(a.run.spec, a.spec)
	return s
}

// change is how the agent is started next time; a process that runs goes on.
func (a *Agent) change(spec Spec, language string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spec, a.env.Language = spec, language
	if a.run == nil {
		a.mask = newMask(spec.Env)
	}
}

// Log holds the last lines of the agent's stderr and Sidekicks' own remarks.
func (a *Agent) Log() []string { return a.trace.lines(-1) }

// Trace holds the log with the latest messages in both directions, as far as
// it came after the entry of that number; 0 is all of it.
func (a *Agent) Trace(after int64) []Entry { return a.trace.after(after) }

// Answer settles an open question with one of its options, or cancels it when
// optionID is empty. It reports whether the question was open.
func (a *Agent) Answer(id, optionID string) bool {
	r := a.current()
	return r != nil && r.questions.answer(id, reply{option: optionID})
}

// AnswerForm settles an open form: accepted with its values, or declined.
func (a *Agent) AnswerForm(id string, values map[string]any, accept bool) bool {
	r := a.current()
	return r != nil && r.questions.answer(id, reply{values: values, accept: accept, form: true})
}

// remark adds what Sidekicks itself has to say to the agent's log.
func (a *Agent) remark(text string) { a.note(Remark, text) }

func (a *Agent) note(kind EntryKind, text string) {
	a.mu.Lock()
	m := a.mask
	a.mu.Unlock()
	for line := range strings.SplitSeq(text, "\n") {
		a.trace.add(kind, line, m)
	}
}

func (a *Agent) current() *run {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.run
}

func (a *Agent) set(state State, reason error) {
	a.mu.Lock()
	a.setLocked(state, reason)
	a.mu.Unlock()
	a.obs.Changed(a.Name())
}

func (a *Agent) setLocked(state State, reason error) {
	a.status.State, a.status.Reason, a.status.Since = state, reason, time.Now()
	a.status.Stderr = nil
	if state == Failed {
		a.status.Stderr = a.trace.lines(stderrTail)
	}
}

// environ is what the agent's children see.
func (a *Agent) environ(path process.Path, spec Spec) []string {
	a.mu.Lock()
	base, language := a.env.Base, a.env.Language
	a.mu.Unlock()
	if language != "" {
		base = append(base[:len(base):len(base)], "SIDEKICKS_LANGUAGE="+language)
	}
	return process.Environ(base, path, spec.Env)
}

// resolve finds a program of the agent's entry: a bare name in PATH (the one
// of the agent's env if it has one), anything else as the path it is.
func (a *Agent) resolve(ctx context.Context, program string, spec Spec) (string, process.Path, error) {
	path, err := a.env.Path(ctx)
	if err != nil { // still usable: the process's own PATH
		a.remark(err.Error())
	}
	if own, ok := spec.Env["PATH"]; ok {
		path = process.ParsePath(own, "env")
	}
	if filepath.Base(program) != program {
		return program, path, nil
	}
	found, err := path.Look(program)
	return found, path, err
}

// commandLine shows a command as a person would type it.
func commandLine(program string, args []string) string {
	words := make([]string, 0, len(args)+1)
	for _, w := range append([]string{program}, args...) {
		if w == "" || strings.ContainsAny(w, " \t\n\"'\\$`") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}
