package fakeagent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

func TestMain(m *testing.M) {
	fakeagent.Main()
	goleak.VerifyTestMain(m)
}

// A client is a Handler that keeps what it hears, and the process it hears.
type client struct {
	*acp.Conn
	t      *testing.T
	cmd    *exec.Cmd
	stderr bytes.Buffer
	sid    string
	asked  chan acp.PermissionRequest
	choose chan acp.PermissionResponse

	mu      sync.Mutex
	changed sync.Cond
	updates []acp.Update
	noise   []string
	files   map[string]string
}

// start runs an agent. Its end is that of the test.
func start(t *testing.T, script fakeagent.Script) *client {
	c := &client{
		t:      t,
		asked:  make(chan acp.PermissionRequest, 1),
		choose: make(chan acp.PermissionResponse, 1),
		files:  map[string]string{"/w/a.txt": "one\ntwo\n"},
	}
	c.changed.L = &c.mu
	path, args, env := fakeagent.Command(script)
	c.cmd = exec.Command(path, args...)
	c.cmd.Env = append(os.Environ(), env...)
	c.cmd.Stderr = &c.stderr
	in, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.Conn = acp.NewConn(out, in, c)
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill() // it may have ended itself
		<-c.Done()
		_ = c.cmd.Wait()
	})
	return c
}

func (c *client) Notify(method string, params json.RawMessage) {
	u, err := acp.DecodeUpdate(params)
	if method != acp.MethodUpdate || err != nil {
		c.t.Errorf("%s: %v", method, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.updates = append(c.updates, u)
	c.changed.Broadcast()
}

func (c *client) Request(ctx context.Context, method string, params json.RawMessage) (any, *acp.Error) {
	if method == acp.MethodRequestPermission {
		var p acp.PermissionRequest
		_ = acp.Decode(params, &p)
		c.asked <- p
		return <-c.choose, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch method {
	case acp.MethodElicit:
		return acp.Accept(map[string]any{"n": 1}), nil
	case acp.MethodReadTextFile:
		var p acp.ReadTextFileRequest
		_ = acp.Decode(params, &p)
		text, ok := c.files[p.Path]
		if !ok {
			return nil, &acp.Error{Code: acp.CodeNotFound, Message: "Resource not found: " + p.Path}
		}
		return acp.ReadTextFileResponse{Content: fmt.Sprint(text, p.Line, p.Limit)}, nil
	case acp.MethodWriteTextFile:
		var p acp.WriteTextFileRequest
		_ = acp.Decode(params, &p)
		c.files[p.Path] = p.Content
		return struct{}{}, nil
	}
	return nil, acp.MethodNotFound(method)
}

func (c *client) Noise(kind acp.Noise, line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.noise = append(c.noise, kind.String()+": "+line)
	c.changed.Broadcast()
}

// until waits for n updates and returns their text, that of tool calls being
// their status.
func (c *client) until(n int) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.updates) < n {
		c.changed.Wait()
	}
	var said []string
	for _, u := range c.updates {
		switch {
		case u.Chunk != nil:
			said = append(said, u.Chunk.Content.Text)
		case u.ToolCall != nil:
			said = append(said, u.ToolCall.ID+" "+string(*u.ToolCall.Status))
		default:
			said = append(said, string(u.Kind))
		}
	}
	c.updates = nil
	return said
}

// said returns what was said so far.
func (c *client) said() []string { return c.until(0) }

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	if err := c.Call(c.t.Context(), method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// open makes a session, whose folder is /w.
func (c *client) open() {
	c.t.Helper()
	c.call(acp.MethodInitialize, acp.InitializeRequest{ProtocolVersion: 1}, nil)
	var r acp.NewSessionResponse
	c.call(acp.MethodNewSession, acp.NewSessionRequest{Cwd: "/w"}, &r)
	c.sid = r.SessionID
}

// prompt starts a turn and returns how it ends.
func (c *client) prompt(text string) chan string {
	ended := make(chan string, 1)
	go func() {
		var r acp.PromptResponse
		if err := c.Call(c.t.Context(), acp.MethodPrompt, acp.PromptRequest{SessionID: c.sid, Prompt: acp.List[acp.ContentBlock]{acp.Text(text)}}, &r); err != nil {
			ended <- err.Error()
			return
		}
		ended <- string(r.StopReason)
	}()
	return ended
}

func (c *client) cancel() {
	if err := c.Conn.Notify(acp.MethodCancel, acp.SessionRequest{SessionID: c.sid}); err != nil {
		c.t.Error(err)
	}
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprintf("%q", got), fmt.Sprintf("%q", want); g != w {
		t.Errorf("%s:\n got %s\nwant %s", what, g, w)
	}
}

func TestSteps(t *testing.T) {
	t.Setenv("FAKE_AGENT_TEST", "value")
	c := start(t, fakeagent.Script{Named: map[string][]string{"twice": {"text 1", "text 2"}}})
	c.open()
	for _, test := range []struct {
		prompt, ends string
		said         []string
	}{
		{"hello", "end_turn", []string{"echo: hello"}},
		{"wow ! really", "end_turn", []string{"echo: wow ! really"}},
		{"!text a b; thought c ;user d", "end_turn", []string{"a b", "c", "d"}},
		{"before !text no\n@you !text yes\nafter", "end_turn", []string{"yes"}},
		{"!twice", "end_turn", []string{"1", "2"}},
		{"!repeat 3 text n$i", "end_turn", []string{"n0", "n1", "n2"}},
		{"!text $cwd $FAKE_AGENT_TEST $nothing", "end_turn", []string{"/w value $nothing"}},
		{`!update {"sessionUpdate":"agent_message_chunk","content":"raw"}`, "end_turn", []string{"raw"}},
		{"!tool t pending; tool t completed done", "end_turn", []string{"t pending", "t completed"}},
		{"!commands review plan", "end_turn", []string{"available_commands_update"}},
		{"!read /w/a.txt; read $cwd/a.txt 2 10; read /b", "end_turn",
			[]string{"one\ntwo\n0 0", "one\ntwo\n2 10", "error -32002: Resource not found: /b"}},
		{"!write /w/new hi there; read /w/new", "end_turn", []string{"wrote", "hi there0 0"}},
		{`!call elicitation/create {"mode":"form","message":"?"}`, "end_turn", []string{`{"action":"accept","content":{"n":1}}`}},
		{"!call craft/unknown {}", "end_turn", []string{"error -32601: Method not found: craft/unknown"}},
		{"!stop refusal", "refusal", nil},
		{`!result {"stopReason":"max_tokens"}; text never`, "max_tokens", nil},
		{"!text a; error -32603 broken; text never", "broken (code -32603)", []string{"a"}},
		{"!dance", "fake agent: no such step: dance (code -32602)", nil},
		{"!repeat x text", "fake agent: not a number: x (code -32602)", nil},
	} {
		equal(t, test.prompt, <-c.prompt(test.prompt), test.ends)
		equal(t, test.prompt, c.said(), test.said)
	}
}

func TestPermission(t *testing.T) {
	for _, ids := range []bool{false, true} {
		c := start(t, fakeagent.Script{StringIDs: ids})
		c.open()
		ended := c.prompt("!tool t in_progress; ask t yes=allow_once Yes=allow_once no=dance")
		p := <-c.asked
		equal(t, "told before", c.said(), []string{"t in_progress"})
		equal(t, "options", fmt.Sprint(p.Options), "[{yes yes allow_once} {Yes Yes allow_once} {no no dance}]")
		c.choose <- acp.Selected("Yes")
		equal(t, "end", <-ended, "end_turn")
		equal(t, "said", c.said(), []string{"chose Yes"})

		// Nothing but an answer ends the question.
		ended = c.prompt("!ask t; wait")
		<-c.asked
		c.cancel()
		c.choose <- acp.Cancelled()
		equal(t, "end", <-ended, "cancelled")
		equal(t, "said", c.said(), []string{"chose nothing"})
	}
}

func TestCancel(t *testing.T) {
	c := start(t, fakeagent.Script{})
	c.open()
	for _, test := range []struct {
		prompt string
		after  []string
	}{
		{"!text a; wait", nil},
		{"!text a; wait; text b; tool t failed", []string{"b", "t failed"}},
		{"!text a; sleep 10m; text never", nil},
	} {
		ended := c.prompt(test.prompt)
		equal(t, "before", c.until(1), []string{"a"})
		c.cancel()
		equal(t, test.prompt, <-ended, "cancelled")
		equal(t, test.prompt, c.said(), test.after)
	}
	ended := c.prompt("!text a; hang")
	c.until(1)
	c.cancel()
	equal(t, "others go on", <-c.prompt("x"), "end_turn")
	select {
	case how := <-ended:
		t.Error("a turn that hangs ended:", how)
	default:
	}
}

func TestAuthentication(t *testing.T) {
	c := start(t, fakeagent.Script{Auth: true})
	var r acp.InitializeResponse
	c.call(acp.MethodInitialize, acp.InitializeRequest{ProtocolVersion: 1}, &r)
	if err := c.Call(t.Context(), acp.MethodNewSession, acp.NewSessionRequest{Cwd: "/w"}, nil); !acp.AuthRequired(err) {
		t.Error(err)
	}
	c.call(acp.MethodAuthenticate, acp.AuthenticateRequest{MethodID: r.AuthMethods[0].ID}, nil)
	c.open()
}

// A session outlives its process in the file of the script.
func TestReopen(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	script := fakeagent.Script{Load: true, Resume: true, List: true, Close: true, State: state}
	c := start(t, script)
	c.open()
	equal(t, "end", <-c.prompt("!text answer"), "end_turn")
	sid := c.sid

	c = start(t, script)
	c.open()
	var list acp.ListSessionsResponse
	c.call(acp.MethodListSessions, acp.ListSessionsRequest{}, &list)
	if !slices.ContainsFunc(list.Sessions, func(s acp.SessionInfo) bool { return s.SessionID == sid }) {
		t.Error(list)
	}
	c.call(acp.MethodResumeSession, acp.LoadSessionRequest{SessionID: sid, Cwd: "/w"}, nil)
	equal(t, "resumed", c.said(), []string(nil))
	c.call(acp.MethodLoadSession, acp.LoadSessionRequest{SessionID: sid, Cwd: "/w"}, nil)
	equal(t, "loaded", c.said(), []string{"!text answer", "answer"})
	c.call(acp.MethodCloseSession, acp.SessionRequest{SessionID: sid}, nil)
	var e *acp.Error
	if err := c.Call(t.Context(), acp.MethodLoadSession, acp.LoadSessionRequest{SessionID: sid, Cwd: "/w"}, nil); !errors.As(err, &e) || e.Code != acp.CodeNotFound {
		t.Error(err)
	}

	c = start(t, fakeagent.Script{State: state})
	if err := c.Call(t.Context(), acp.MethodLoadSession, acp.LoadSessionRequest{SessionID: c.sid, Cwd: "/w"}, nil); !errors.As(err, &e) || e.Code != acp.CodeMethodNotFound {
		t.Error(err)
	}
}

func TestChoices(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record")
	c := start(t, fakeagent.Script{
		Modes: []string{"ask", "auto"}, Models: []string{"small", "big"}, Record: record, Load: true,
		Options: json.RawMessage(`[{"id":"m","name":"M","type":"select","currentValue":"a","options":[{"value":"a","name":"A"},{"value":"b","name":"B"}]},{"id":"f","name":"F","type":"boolean","currentValue":false}]`),
	})
	c.open()
	c.call(acp.MethodSetMode, acp.SetModeRequest{SessionID: c.sid, ModeID: "auto"}, nil)
	c.call(acp.MethodSetModel, acp.SetModelRequest{SessionID: c.sid, ModelID: "big"}, nil)
	var set acp.SetConfigOptionResponse
	c.call(acp.MethodSetConfigOption, acp.ConfigOption{ID: "m"}.Choose(c.sid, "b"), &set)
	c.call(acp.MethodSetConfigOption, acp.ConfigOption{ID: "f"}.Switch(c.sid, true), &set)
	equal(t, "options", fmt.Sprintf("%s %t", set.ConfigOptions[0].Value, set.ConfigOptions[1].On), "b true")
	var state acp.SessionState
	c.call(acp.MethodLoadSession, acp.LoadSessionRequest{SessionID: c.sid, Cwd: "/w"}, &state)
	equal(t, "state", fmt.Sprintf("%s %s %t", state.Modes.Current, state.Models.Current, state.ConfigOptions[1].On), "auto big true")
	received, err := os.ReadFile(record)
	if err != nil || bytes.Count(received, []byte("\n")) != 7 {
		t.Errorf("%v\n%s", err, received)
	}
}
