// Package guide is the agent inside the program: it speaks ACP like any other,
// so that a newcomer has somebody to talk to and sees what agents do. It has
// no model and says so: it recognises questions about Sidekicks by their
// words, answers from texts written beforehand, and plays what an agent can
// do. It needs no network, and it writes nothing to the disk but the one file
// of its demonstration, when that is allowed.
package guide

import (
	"context"
	"encoding/json"
	"io"
	"sync"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

// Serve speaks to the client that writes to in and reads from out, in the
// given language ("en" or "fr", see [i18n.For]). It returns nil when in ends,
// and the cause when ctx does; running turns end with it. It closes out.
func Serve(ctx context.Context, in io.Reader, out io.WriteCloser, language string) error {
	g := &guide{texts: i18n.For(language), connected: make(chan struct{}), sessions: map[string]*session{}}
	g.conn = acp.NewConn(in, out, g)
	close(g.connected)
	select {
	case <-g.conn.Done():
		return nil
	case <-ctx.Done():
		g.conn.Close()
		return context.Cause(ctx)
	}
}

type guide struct {
	texts     *i18n.Printer
	connected chan struct{} // closed once conn is set
	conn      *acp.Conn

	mu       sync.Mutex
	sessions map[string]*session
}

// A session is one conversation. There is nothing to remember of it but the
// answers that were given for good.
type session struct {
	id     string
	cwd    string
	always acp.PermissionKind // AllowAlways or RejectAlways once chosen; the turn's

	mu     sync.Mutex
	cancel context.CancelFunc // of the turn; nil when there is none
}

// Notify stops a turn; there is nothing else the guide needs to be told.
func (g *guide) Notify(method string, params json.RawMessage) {
	var p acp.SessionRequest
	if method != acp.MethodCancel || acp.Decode(params, &p) != nil {
		return
	}
	if s := g.session(p.SessionID); s != nil {
		s.stop()
	}
}

// Noise is not told to anybody: what a client says to the guide matters only
// if the guide understands it.
func (g *guide) Noise(acp.Noise, string) {}

func (g *guide) Request(ctx context.Context, method string, params json.RawMessage) (any, *acp.Error) {
	<-g.connected
	switch method {
	case acp.MethodInitialize:
		return g.introduce(), nil
	case acp.MethodNewSession, acp.MethodResumeSession:
		return with(params, g.open)
	case acp.MethodPrompt:
		return with(params, func(p acp.PromptRequest) (any, *acp.Error) { return g.prompt(ctx, p) })
	}
	return nil, acp.MethodNotFound(method)
}

// with decodes the parameters of a request before it is handled.
func with[P any](params json.RawMessage, handle func(P) (any, *acp.Error)) (any, *acp.Error) {
	var p P
	if err := acp.Decode(params, &p); err != nil {
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: err.Error()}
	}
	return handle(p)
}

func (g *guide) introduce() acp.InitializeResponse {
	return acp.InitializeResponse{
		ProtocolVersion:   acp.ProtocolVersion,
		AgentCapabilities: acp.AgentCapabilities{Session: acp.SessionCapabilities{Resume: true}},
		AgentInfo:         acp.Implementation{Name: "sidekicks-guide", Title: "Guide", Version: "1"},
	}
}

// open starts a session, or resumes one: without a memory, any id will do.
func (g *guide) open(p acp.LoadSessionRequest) (any, *acp.Error) {
	s := &session{id: p.SessionID, cwd: p.Cwd}
	if s.id == "" {
		s.id = newID()
	}
	g.mu.Lock()
	g.sessions[s.id] = s
	g.mu.Unlock()
	g.update(acp.Update{SessionID: s.id, Kind: acp.KindCommands, Commands: g.commands()})
	return acp.NewSessionResponse{SessionID: s.id}, nil
}

func (g *guide) session(id string) *session {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.sessions[id]
}

func (g *guide) prompt(ctx context.Context, p acp.PromptRequest) (any, *acp.Error) {
	s := g.session(p.SessionID)
	if s == nil {
		return nil, &acp.Error{Code: acp.CodeNotFound, Message: "no such session: " + p.SessionID}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if !s.begin(cancel) {
		return nil, &acp.Error{Code: acp.CodeInvalidRequest, Message: "a turn is in progress in this session"}
	}
	defer s.end()
	t := &turn{guide: g, session: s}
	if t.answer(ctx, p.Prompt); ctx.Err() != nil {
		return acp.PromptResponse{StopReason: acp.StopCancelled}, nil
	}
	return acp.PromptResponse{StopReason: acp.StopEndTurn}, nil
}

// update tells the client. When that fails the connection is closed, and
// every turn is about to end.
func (g *guide) update(u acp.Update) { _ = g.conn.Notify(acp.MethodUpdate, u) }

func (s *session) begin(cancel context.CancelFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		return false
	}
	s.cancel = cancel
	return true
}

func (s *session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel = nil
}

func (s *session) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
	}
}
