package guide_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/guide"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// client is the other side of the guide: it keeps what the guide tells, has
// files in memory, and answers every permission with the option chosen.
type client struct {
	t      *testing.T
	conn   *acp.Conn
	folder string
	served chan error // what Serve returned

	mu      sync.Mutex
	chosen  acp.PermissionKind // "" cancels
	onAsk   func()
	onChunk func()
	updates []acp.Update
	asked   []acp.PermissionRequest
	files   map[string]string
	refuse  *acp.Error // of the files
}

// connect starts the guide and opens a session with it.
func connect(t *testing.T, language string) (c *client, session string) {
	t.Helper()
	c = &client{t: t, folder: t.TempDir(), served: make(chan error, 1), files: map[string]string{}}
	in, toGuide := io.Pipe()
	fromGuide, out := io.Pipe()
	go func() { c.served <- guide.Serve(context.Background(), in, out, language) }()
	c.conn = acp.NewConn(fromGuide, toGuide, c)
	var hello acp.InitializeResponse
	c.call(acp.MethodInitialize, acp.InitializeRequest{ProtocolVersion: acp.ProtocolVersion, ClientCapabilities: acp.Advertised()}, &hello)
	if hello.ProtocolVersion != 1 || !bool(hello.AgentCapabilities.Session.Resume) || bool(hello.AgentCapabilities.LoadSession) {
		t.Errorf("initialize = %+v", hello)
	}
	var opened acp.NewSessionResponse
	c.call(acp.MethodNewSession, acp.NewSessionRequest{Cwd: c.folder}, &opened)
	if opened.SessionID == "" {
		t.Fatal("the session has no id")
	}
	t.Cleanup(func() {
		c.conn.CloseWrite()
		if err := <-c.served; err != nil {
			t.Errorf("Serve = %v", err)
		}
		<-c.conn.Done()
	})
	return c, opened.SessionID
}

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	if err := c.conn.Call(context.Background(), method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// say prompts the guide and returns how the turn ended and what it said.
func (c *client) say(session string, blocks ...string) (acp.StopReason, string) {
	c.t.Helper()
	c.mu.Lock()
	c.updates = nil
	c.mu.Unlock()
	p := acp.PromptRequest{SessionID: session}
	for _, text := range blocks {
		p.Prompt = append(p.Prompt, acp.Text(text))
	}
	var end acp.PromptResponse
	c.call(acp.MethodPrompt, p, &end)
	return end.StopReason, c.text(acp.KindMessageChunk)
}

func (c *client) text(kind acp.Kind) (text string) {
	for _, u := range c.told(kind) {
		text += u.Chunk.Content.Text
	}
	return text
}

func (c *client) told(kind acp.Kind) (updates []acp.Update) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, u := range c.updates {
		if u.Kind == kind {
			updates = append(updates, u)
		}
	}
	return updates
}

func (c *client) Notify(method string, params json.RawMessage) {
	u, err := acp.DecodeUpdate(params)
	if err != nil || method != acp.MethodUpdate {
		c.t.Errorf("%s: %v", method, err)
		return
	}
	c.mu.Lock()
	c.updates = append(c.updates, u)
	onChunk := c.onChunk
	c.mu.Unlock()
	if u.Kind == acp.KindMessageChunk && onChunk != nil {
		onChunk()
	}
}

func (c *client) Noise(kind acp.Noise, line string) { c.t.Errorf("noise: %v %s", kind, line) }

func (c *client) Request(ctx context.Context, method string, params json.RawMessage) (any, *acp.Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch method {
	case acp.MethodRequestPermission:
		var p acp.PermissionRequest
		if err := json.Unmarshal(params, &p); err != nil {
			c.t.Error(err)
		}
		c.asked = append(c.asked, p)
		if c.onAsk != nil {
			c.onAsk()
			<-ctx.Done()
		}
		for _, o := range p.Options {
			if o.Kind == c.chosen {
				return acp.Selected(o.ID), nil
			}
		}
		return acp.Cancelled(), nil
	case acp.MethodReadTextFile:
		var p acp.ReadTextFileRequest
		if err := json.Unmarshal(params, &p); err != nil {
			c.t.Error(err)
		}
		if c.refuse != nil {
			return nil, c.refuse
		}
		text, ok := c.files[p.Path]
		if !ok {
			return nil, &acp.Error{Code: acp.CodeNotFound, Message: "not found"}
		}
		return acp.ReadTextFileResponse{Content: text}, nil
	case acp.MethodWriteTextFile:
		var p acp.WriteTextFileRequest
		if err := json.Unmarshal(params, &p); err != nil {
			c.t.Error(err)
		}
		c.files[p.Path] = p.Content
		return struct{}{}, nil
	}
	return nil, acp.MethodNotFound(method)
}

func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		language string
		blocks   []string
		want     string // in the answer
	}{
		{"en", []string{"@guide how do I add an agent?"}, "`claude-agent-acp`"},
		{"fr", []string{"@guide comment ajouter un agent ?"}, "Enregistrez"},
		{"en", []string{"Alice said: how do I add an agent?", "@guide, where is my configuration?"}, "`SIDEKICKS_CONFIG`"},
		{"en", []string{"@guide"}, "Hello!"},
		{"en", []string{""}, "Hello!"},
		{"en", []string{"Write a poem"}, "**without a model**"},
		{"fr", []string{"Écris un poème"}, "**sans modèle**"},
		{"en", []string{"/hello"}, "**no model**"},
		{"en", []string{"/guide:agents please"}, "name: alice"},
		{"fr", []string{"@guide /markdown"}, "| où il tourne |"},
		{"en", []string{"/nonsense"}, "`/guide:demo`"},
		{"fr", []string{"/guide:nonsense"}, "Voici celles que j'ai"},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, session := connect(t, test.language)
			stop, text := c.say(session, test.blocks...)
			if stop != acp.StopEndTurn || !strings.Contains(text, test.want) {
				t.Errorf("%s %q: %s, %q", test.language, test.blocks, stop, text)
			}
			if chunks := len(c.told(acp.KindMessageChunk)); chunks < 20 {
				t.Errorf("%s %q: streamed in %d chunks", test.language, test.blocks, chunks)
			}
		})
	}
}

func TestNoText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, session := connect(t, "en")
		c.call(acp.MethodPrompt, acp.PromptRequest{SessionID: session, Prompt: []acp.ContentBlock{acp.ResourceLink("a", "file:///a")}}, nil)
		if got := c.text(acp.KindMessageChunk); !strings.Contains(got, "I only read text") {
			t.Errorf("said %q", got)
		}
	})
}

func TestCommandsAreAnnounced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, session := connect(t, "fr")
		c.call(acp.MethodResumeSession, acp.LoadSessionRequest{SessionID: "of-yesterday", Cwd: c.folder}, nil)
		announced := c.told(acp.KindCommands)
		if len(announced) != 2 || announced[0].SessionID != session || announced[1].SessionID != "of-yesterday" {
			t.Fatalf("announced %+v", announced)
		}
		for _, command := range announced[0].Commands {
			if strings.HasPrefix(command.Description, "guide.") || command.Description == "" {
				t.Errorf("/%s is described as %q", command.Name, command.Description)
			}
			c.mu.Lock()
			c.asked, c.chosen = nil, acp.RejectOnce
			c.mu.Unlock()
			if _, text := c.say("of-yesterday", "/"+command.Name); strings.Contains(text, command.Description) {
				t.Errorf("/%s is not known: %q", command.Name, text)
			}
		}
	})
}

func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, session := connect(t, "en")
		c.onChunk = sync.OnceFunc(func() {
			if err := c.conn.Notify(acp.MethodCancel, acp.SessionRequest{SessionID: session}); err != nil {
				t.Error(err)
			}
		})
		stop, text := c.say(session, "/stream")
		if stop != acp.StopCancelled || len(text) > 20 {
			t.Errorf("stopped as %q after %q", stop, text)
		}
		if stop, _ := c.say(session, "thanks"); stop != acp.StopEndTurn {
			t.Errorf("the turn after that ended as %q", stop)
		}
	})
}

func TestOneTurnAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, session := connect(t, "en")
		second := make(chan error, 1)
		c.onChunk = sync.OnceFunc(func() {
			go func() {
				second <- c.conn.Call(context.Background(), acp.MethodPrompt, acp.PromptRequest{SessionID: session}, nil)
			}()
		})
		if stop, text := c.say(session, "thanks"); stop != acp.StopEndTurn || !strings.Contains(text, "welcome") {
			t.Errorf("%q, %q", stop, text)
		}
		if err := <-second; !errors.As(err, new(*acp.Error)) {
			t.Errorf("a second prompt: %v", err)
		}
		err := c.conn.Call(context.Background(), acp.MethodPrompt, acp.PromptRequest{SessionID: "unknown"}, nil)
		if e := new(acp.Error); !errors.As(err, &e) || e.Code != acp.CodeNotFound {
			t.Errorf("an unknown session: %v", err)
		}
	})
}

func TestDemo(t *testing.T) {
	const before = "mine\n"
	for _, test := range []struct {
		name    string
		chosen  acp.PermissionKind
		file    string // before; "" for none
		written bool
		asked   int // questions in two demonstrations
		says    string
		status  acp.ToolStatus
	}{
		{"allowed", acp.AllowOnce, "", true, 2, "so I wrote", acp.ToolCompleted},
		{"allowed, file there", acp.AllowOnce, before, true, 2, "so I wrote", acp.ToolCompleted},
		{"always", acp.AllowAlways, "", true, 1, "so I wrote", acp.ToolCompleted},
		{"rejected", acp.RejectOnce, "", false, 2, "**I wrote nothing**", acp.ToolFailed},
		{"never", acp.RejectAlways, before, false, 1, "**I wrote nothing**", acp.ToolFailed},
		{"not answered", "", before, false, 2, "**I wrote nothing**", acp.ToolFailed},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, session := connect(t, "en")
				path := filepath.Join(c.folder, "sidekicks-demo.txt")
				c.chosen = test.chosen
				if test.file != "" {
					c.files[path] = test.file
				}
				for range 2 {
					if stop, text := c.say(session, "/demo"); stop != acp.StopEndTurn || !strings.Contains(text, test.says) {
						t.Errorf("%s, %q", stop, text)
					}
				}
				if len(c.asked) != test.asked {
					t.Errorf("asked %d times", len(c.asked))
				}
				text, written := c.files[path], c.files[path] != test.file
				if written != test.written || !strings.HasPrefix(text, test.file) || len(c.files) > 1 {
					t.Errorf("files: %q", c.files)
				}
				checkPlay(t, c, test.status)
			})
		})
	}
}

// checkPlay checks what a demonstration has shown: the plan that advances, the
// thought, the tool calls.
func checkPlay(t *testing.T, c *client, status acp.ToolStatus) {
	t.Helper()
	plans := c.told(acp.KindPlan)
	if len(plans) != 4 || plans[0].Plan[0].Status != "in_progress" || plans[3].Plan[2].Status != "completed" {
		t.Errorf("plans: %+v", plans)
	}
	if c.text(acp.KindThoughtChunk) == "" {
		t.Error("no thought")
	}
	tools := map[string]*acp.ToolCall{}
	for _, u := range append(c.told(acp.KindToolCall), c.told(acp.KindToolUpdate)...) {
		if tools[u.ToolCall.ID] == nil {
			tools[u.ToolCall.ID] = &acp.ToolCall{}
		}
		tools[u.ToolCall.ID].Apply(*u.ToolCall, false)
	}
	for _, tool := range tools {
		switch tool.Kind {
		case "read":
			if tool.Status != acp.ToolCompleted || len(tool.Content) != 1 || tool.Content[0].Content.Text == "" {
				t.Errorf("read: %+v", tool)
			}
		case "edit":
			if tool.Status != status || len(tool.Content) != 1 || tool.Content[0].NewText == "" {
				t.Errorf("edit: %+v", tool)
			}
		}
	}
	if len(tools) != 2 {
		t.Errorf("%d tool calls", len(tools))
	}
}

func TestDemoStopsAtAFileItCannotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, session := connect(t, "en")
		c.chosen, c.refuse = acp.AllowOnce, &acp.Error{Code: acp.CodeInvalidParams, Message: "not a text file"}
		stop, text := c.say(session, "/demo")
		if stop != acp.StopEndTurn || !strings.Contains(text, "not a text file") || len(c.asked)+len(c.files) > 0 {
			t.Errorf("%s, asked %d, files %q: %q", stop, len(c.asked), c.files, text)
		}
	})
}

func TestStopDuringTheQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, session := connect(t, "en")
		c.chosen = acp.AllowOnce // comes too late
		c.onAsk = func() {
			if err := c.conn.Notify(acp.MethodCancel, acp.SessionRequest{SessionID: session}); err != nil {
				t.Error(err)
			}
		}
		if stop, _ := c.say(session, "/demo"); stop != acp.StopCancelled || len(c.files) > 0 {
			t.Errorf("%s, files %q", stop, c.files)
		}
	})
}

func TestServeEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	in, toGuide := io.Pipe()
	fromGuide, out := io.Pipe()
	served := make(chan error)
	go func() { served <- guide.Serve(ctx, in, out, "en") }()
	because := errors.New("enough")
	cancel(because)
	if err := <-served; err != because {
		t.Errorf("Serve = %v", err)
	}
	toGuide.Close()
	if _, err := io.ReadAll(fromGuide); err != nil {
		t.Error(err)
	}
}
