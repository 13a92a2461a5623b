package e2e

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// client is the least that an agent can talk to: it has one session, and answers each question with the first
// option that allows once.
type client struct {
	t         *testing.T
	ctx       context.Context
	conn      *acp.Conn
	session   string
	workspace string

	mu     sync.Mutex
	turn   turn
	onText func() // called, once, when the agent says something
	notes  strings.Builder
}

// turn is what happened between a prompt and its response.
type turn struct {
	stop      acp.StopReason
	text      string
	tools     map[string]*acp.ToolCall
	questions int
}

// connect starts an agent and opens a session. The agent ends with the test.
func connect(t *testing.T, a RealAgent) *client {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	c := &client{t: t, ctx: ctx, workspace: t.TempDir()}
	c.begin(func() {})
	c.start(a)

	var agent acp.InitializeResponse
	c.call(acp.MethodInitialize, acp.InitializeRequest{
		ProtocolVersion:    acp.ProtocolVersion,
		ClientCapabilities: acp.Advertised(),
		ClientInfo:         acp.Implementation{Name: "sidekicks-e2e", Version: "0"},
	}, &agent)
	if agent.ProtocolVersion != acp.ProtocolVersion {
		t.Fatalf("%s speaks version %d of the protocol", a.Name, agent.ProtocolVersion)
	}
	var session acp.NewSessionResponse
	c.call(acp.MethodNewSession, acp.NewSessionRequest{Cwd: c.workspace, MCPServers: acp.List[acp.MCPServer]{}}, &session)
	c.session = session.SessionID
	return c
}

func (c *client) start(a RealAgent) {
	c.t.Helper()
	var env []string
	for name, value := range a.Env {
		env = append(env, name+"="+value)
	}
	child, err := process.Start(process.Command{Path: a.Command, Args: a.Args, Dir: c.workspace, Env: env})
	if err != nil {
		c.t.Fatal(err)
	}
	stderr := make(chan string)
	go func() {
		all, _ := io.ReadAll(child.Stderr) // what there is of it
		stderr <- string(all)
	}()
	c.conn = acp.NewConn(child.Stdout, child.Stdin, c)
	c.t.Cleanup(func() {
		if err := child.End(context.Background()); err != nil {
			c.t.Error(err)
		}
		<-c.conn.Done()
		if c.notes.Len() > 0 {
			c.t.Errorf("%s was not understood:\n%s", a.Name, &c.notes)
		}
		if errors := <-stderr; c.t.Failed() {
			c.t.Logf("%s wrote to stderr:\n%s", a.Name, errors)
		}
	})
}

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	if err := c.conn.Call(c.ctx, method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// prompt takes a turn.
func (c *client) prompt(text string) turn {
	c.t.Helper()
	return c.take(text, func() {})
}

// promptAndCancel takes a turn and cancels it as soon as the agent says something.
func (c *client) promptAndCancel(text string) turn {
	c.t.Helper()
	return c.take(text, func() {
		if err := c.conn.Notify(acp.MethodCancel, acp.SessionRequest{SessionID: c.session}); err != nil {
			c.t.Error(err)
		}
	})
}

func (c *client) take(text string, onText func()) turn {
	c.t.Helper()
	c.begin(onText)
	var response acp.PromptResponse
	c.call(acp.MethodPrompt, acp.PromptRequest{SessionID: c.session, Prompt: acp.List[acp.ContentBlock]{acp.Text(text)}}, &response)

	done := c.begin(func() {}) // a late update changes nothing of what is returned
	done.stop = response.StopReason
	return done
}

// begin clears the turn and returns what it was.
func (c *client) begin(onText func()) (before turn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before = c.turn
	c.turn = turn{tools: map[string]*acp.ToolCall{}}
	c.onText = sync.OnceFunc(onText)
	return before
}

func (c *client) Notify(method string, params json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	update, err := acp.DecodeUpdate(params)
	switch {
	case method != acp.MethodUpdate:
	case err != nil:
		c.note(method, err.Error(), string(params))
	case update.Kind == acp.KindMessageChunk:
		c.turn.text += update.Chunk.Content.Text
		c.onText()
	case update.ToolCall != nil:
		c.apply(*update.ToolCall, false)
	}
}

func (c *client) Request(_ context.Context, method string, params json.RawMessage) (any, *acp.Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var request acp.PermissionRequest
	if method != acp.MethodRequestPermission {
		c.note(method, "unknown", string(params))
		return nil, acp.MethodNotFound(method)
	}
	if err := acp.Decode(params, &request); err != nil {
		c.note(method, err.Error(), string(params))
		return acp.Cancelled(), nil
	}
	c.turn.questions++
	c.apply(request.ToolCall, true)
	for _, option := range request.Options {
		if option.Kind == acp.AllowOnce {
			return acp.Selected(option.ID), nil
		}
	}
	return acp.Cancelled(), nil
}

func (c *client) Noise(kind acp.Noise, line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note("noise", kind.String(), line)
}

func (c *client) apply(patch acp.ToolCallPatch, fromPermission bool) {
	if c.turn.tools[patch.ID] == nil {
		c.turn.tools[patch.ID] = &acp.ToolCall{}
	}
	c.turn.tools[patch.ID].Apply(patch, fromPermission)
}

// note keeps what an agent should not have sent, for the end of the test.
func (c *client) note(words ...string) {
	c.notes.WriteString(strings.Join(words, ": ") + "\n")
}
