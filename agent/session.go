package agent

import (
	"context"
	"errors"
	"sync"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

// Session is an agent's ACP session in one room.
type Session struct {
	run  *run
	id   string
	room string

	mu        sync.Mutex
	prompting bool
	cancelled bool // the turn in progress was cancelled
	replaying bool // session/load is sending the history again
	state     acp.SessionState
}

// Continuity says what an opened session knows of the talk.
type Continuity string

const (
	Continued Continuity = "continued" // all that was said before
	Anew      Continuity = "new"       // nothing
	Lost      Continuity = "lost"      // nothing, although there was a session before
)

// ID is the session's id, to be kept for the next life of the process.
func (s *Session) ID() string { return s.id }

// Takes says what a prompt may hold besides text and links.
func (s *Session) Takes() acp.PromptCapabilities { return s.run.init.AgentCapabilities.Prompt }

// open opens the session of a room: the one already open, else the saved one
// by session/resume or session/load when the agent can, else a new one.
// Whatever goes wrong with a saved session leads to a new one.
func (r *run) open(ctx context.Context, room, saved string) (*Session, Continuity, error) {
	if s := r.rooms.of(room); s != nil {
		return s, Continued, nil
	}
	defer r.rooms.expect()()
	how := Anew
	if saved != "" {
		s, err := r.reopen(ctx, room, saved)
		if s != nil {
			return s, Continued, nil
		}
		if err != nil && !r.alive() || acp.AuthRequired(err) || ctx.Err() != nil {
			return nil, "", r.sessionError(err)
		}
		how = Lost
		if err != nil {
			r.agent.remark("session " + saved + " could not be continued: " + err.Error())
		}
	}
	var opened acp.NewSessionResponse
	err := r.callSession(ctx, acp.MethodNewSession, acp.NewSessionRequest{Cwd: r.cwd()}, &opened)
	if err == nil && opened.SessionID == "" {
		err = errors.New("the answer to session/new has no sessionId")
	}
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, "", problem(r.spec.Name, SessionTimeout, nil, "Seconds", seconds(r.agent.times.Session))
	}
	if err != nil {
		return nil, "", r.sessionError(err)
	}
	s := &Session{run: r, id: opened.SessionID, room: room, state: opened.SessionState}
	r.rooms.known(s, r.hand)
	return s, how, nil
}

// callSession gives each way to open a session its own time: one that hangs
// takes none from the next.
func (r *run) callSession(ctx context.Context, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(ctx, r.agent.times.Session)
	defer cancel()
	return r.conn.Call(ctx, method, params, result)
}

// reopen continues a saved session. It returns nil, nil when the agent has no
// way to do so.
func (r *run) reopen(ctx context.Context, room, saved string) (*Session, error) {
	caps := r.init.AgentCapabilities
	s := &Session{run: r, id: saved, room: room}
	method := acp.MethodResumeSession
	switch {
	case bool(caps.Session.Resume):
	case bool(caps.LoadSession):
		method, s.replaying = acp.MethodLoadSession, true
	default:
		return nil, nil
	}
	r.rooms.known(s, r.hand) // load replays before it answers
	var opened acp.SessionState
	err := r.callSession(ctx, method, acp.LoadSessionRequest{SessionID: saved, Cwd: r.cwd()}, &opened)
	if err != nil {
		r.rooms.forget(s)
		return nil, err
	}
	s.mu.Lock()
	s.replaying = false
	s.merge(opened)
	s.mu.Unlock()
	return s, nil
}

func (r *run) hand(room string, u acp.Update) { r.agent.obs.Updated(r.spec.Name, room, u) }

func (r *run) alive() bool {
	select {
	case <-r.gone:
		return false
	default:
		return true
	}
}

// sessionError explains why no session could be opened. An agent that wants
// a sign-in says so in its status, with its ways to do it.
func (r *run) sessionError(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	err = r.explain(NoSession, err)
	r.signIn(err)
	return err
}

// signIn puts the ways to sign in into the agent's status when err asks for it.
func (r *run) signIn(err error) {
	var p *Problem
	if !errors.As(err, &p) || p.Code != SignIn {
		return
	}
	r.ready(err)
}

// Prompt sends a message and waits for the end of the turn; what the agent
// says meanwhile goes to the Observer. When ctx ends the turn is cancelled:
// open questions too, and an agent that does not end its turn within
// Times.Cancel loses its process. Any outcome after that is "cancelled".
func (s *Session) Prompt(ctx context.Context, blocks []acp.ContentBlock) (acp.StopReason, error) {
	if err := s.begin(); err != nil {
		return "", err
	}
	r := s.run
	r.rooms.prompting(s.room)
	r.countPrompt(1)
	defer r.countPrompt(-1)
	defer s.finish()

	type outcome struct {
		response acp.PromptResponse
		err      error
	}
	answered := make(chan outcome, 1)
	waiting, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	go func() {
		var o outcome
		o.err = r.conn.Call(waiting, acp.MethodPrompt, acp.PromptRequest{SessionID: s.id, Prompt: blocks}, &o.response)
		answered <- o
	}()
	select {
	case o := <-answered:
		if o.err != nil {
			err := r.explain(Refused, o.err)
			r.signIn(err)
			return "", err
		}
		return o.response.StopReason, nil
	case <-ctx.Done():
	}
	limit := r.agent.times.Cancel
	giving := time.After(limit)
	again := time.NewTicker(limit / 10)
	defer again.Stop()
	for {
		s.cancel()
		select {
		case <-answered:
			return acp.StopCancelled, nil
		case <-again.C: // an agent may miss a cancel that overtakes its prompt
		case <-giving:
			r.end(problem(r.spec.Name, Unresponsive, nil, "Seconds", seconds(limit)))
			<-r.gone
			return acp.StopCancelled, nil
		}
	}
}

// errBusy tells of a second prompt during a turn: agents answer it in ways
// that nobody can rely on.
var errBusy = errors.New("a turn is in progress in this session")

func (s *Session) begin() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.prompting {
		return errBusy
	}
	s.prompting, s.cancelled = true, false
	return nil
}

func (s *Session) finish() {
	s.mu.Lock()
	s.prompting, s.cancelled = false, false
	s.mu.Unlock()
	s.run.questions.cancel(s.id) // an agent may end its turn without waiting
}

// cancel tells the agent and settles its open questions, which some agents
// wait for before they end the turn.
func (s *Session) cancel() {
	s.mu.Lock()
	s.cancelled = true
	s.mu.Unlock()
	_ = s.run.conn.Notify(acp.MethodCancel, acp.SessionRequest{SessionID: s.id})
	s.run.questions.cancel(s.id)
}

func (s *Session) cancelling() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cancelled
}

// take notes what an update says of the session itself and tells whether it
// goes to the room: not the replay of a loaded session, not the echo of what
// the person said.
func (s *Session) take(u acp.Update) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch u.Kind {
	case acp.KindMode:
		s.state.Modes.Current = u.ModeID
	case acp.KindConfigOptions:
		s.state.ConfigOptions = u.ConfigOptions
	case acp.KindCommands, acp.KindUsage, acp.KindSessionInfo, acp.KindNotice:
	case acp.KindUserChunk:
		return false
	default:
		return !s.replaying
	}
	return true
}
