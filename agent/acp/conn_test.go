package acp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// A recorder is a Handler that writes down what it is told.
type recorder struct {
	notify  func(method string, params json.RawMessage) // also called, if set
	request func(ctx context.Context, method string, params json.RawMessage) (any, *Error)

	mu    sync.Mutex
	heard []string // methods, "noise" and its kind
	lines []string // of noise
}

func (r *recorder) Notify(method string, params json.RawMessage) {
	if r.notify != nil {
		r.notify(method, params)
	}
	r.add(method, "")
}

func (r *recorder) Request(ctx context.Context, method string, params json.RawMessage) (any, *Error) {
	r.add(method, "")
	if r.request != nil {
		return r.request(ctx, method, params)
	}
	return nil, MethodNotFound(method)
}

func (r *recorder) Noise(kind Noise, line string) { r.add("noise "+kind.String(), line) }

func (r *recorder) add(what, line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.heard = append(r.heard, what)
	if line != "" {
		r.lines = append(r.lines, line)
	}
}

func (r *recorder) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.heard)
}

// A peer is the other end of a Conn, by hand.
type peer struct {
	*Conn
	t    *testing.T
	out  *io.PipeWriter // to the Conn
	sent *bufio.Reader  // by the Conn
	in   *io.PipeReader
}

// small are limits that tests can reach.
var small = limits{line: 1 << 20, queued: 1 << 20, unsent: 1 << 20}

func connect(t *testing.T, h Handler, options ...Option) *peer {
	fromPeer, toConn := io.Pipe()
	fromConn, toPeer := io.Pipe()
	p := &peer{t: t, out: toConn, sent: bufio.NewReader(fromConn), in: fromConn}
	p.Conn = newConn(fromPeer, toPeer, h, small, options...)
	t.Cleanup(func() {
		toConn.Close()
		fromConn.Close()
		<-p.Done()
	})
	return p
}

// send writes lines to the Conn.
func (p *peer) send(lines ...string) {
	for _, line := range lines {
		if _, err := io.WriteString(p.out, line+"\n"); err != nil {
			p.t.Error(err)
		}
	}
}

// next returns the next line of the Conn.
func (p *peer) next() string {
	line, err := p.sent.ReadString('\n')
	if err != nil {
		p.t.Errorf("read %q: %v", line, err)
	}
	return strings.TrimSuffix(line, "\n")
}

// call starts a call and returns its id and how it ends.
func (p *peer) call(ctx context.Context) (id string, ended chan error) {
	ended = make(chan error, 1)
	go func() { ended <- p.Call(ctx, "test", nil, nil) }()
	var m struct{ ID json.RawMessage }
	if err := json.Unmarshal([]byte(p.next()), &m); err != nil {
		p.t.Error(err)
	}
	return string(m.ID), ended
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.Errorf("%s:\n got %s\nwant %s", what, g, w)
	}
}

func TestWhatIsSent(t *testing.T) {
	p := connect(t, &recorder{})
	ended := make(chan error, 1)
	var got struct{ A string }
	go func() { ended <- p.Call(t.Context(), "one", map[string]string{"a": "<é>\n"}, &got) }()
	equal(t, "call", p.next(), `{"jsonrpc":"2.0","id":1,"method":"one","params":{"a":"<é>\n"}}`)
	p.send(`{"jsonrpc":"2.0","id":1,"result":{"a":"b"}}`)
	equal(t, "error", <-ended, nil)
	equal(t, "result", got.A, "b")
	equal(t, "error", p.Notify("two", json.RawMessage("{\n}")), nil)
	equal(t, "notification", p.next(), `{"jsonrpc":"2.0","method":"two","params":{}}`)
}

func TestAnswersInAnyOrder(t *testing.T) {
	p := connect(t, &recorder{})
	var ids []string
	var calls []chan error
	for range 200 {
		id, ended := p.call(t.Context())
		ids, calls = append(ids, id), append(calls, ended)
	}
	for i := range ids {
		id := ids[len(ids)-1-i]
		p.send(`{"id":` + id + `,"error":{"code":` + id + `}}`)
	}
	for i, ended := range calls {
		var e *Error
		if err := <-ended; !errors.As(err, &e) || fmt.Sprint(e.Code) != ids[i] {
			t.Errorf("call %s ended with %v", ids[i], err)
		}
	}
}

func TestPeerThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := connect(t, &recorder{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := p.Call(ctx, "m", nil, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		big := strings.Repeat("x", small.unsent/4)
		var stuck *StuckError
		for i := 0; stuck == nil; i++ {
			if err := p.Notify("m", big); !errors.As(err, &stuck) && (err != nil || i > 4) {
				t.Fatalf("notification %d: %v", i, err)
			}
		}
		if err := p.Call(t.Context(), "m", big, nil); !errors.As(err, &stuck) {
			t.Error(err)
		}
		p.send(`{"id":1,"method":"m","params":"` + big + `"}`)
		synctest.Wait()
		equal(t, "answers lost", p.Noises(NoiseUnsent), 0) // small ones still fit
		for p.Notify("m", "xx") == nil {
		}
		p.send(`{"id":1,"method":"m"}`)
		synctest.Wait()
		equal(t, "answers lost", p.Noises(NoiseUnsent), 1)
		p.Close()
		<-p.Done()
	})
}

// failing is a pipe nobody reads any more, of a peer that still talks.
type failing struct{ closed chan struct{} }

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
func (f failing) Close() error            { close(f.closed); return nil }

func TestPeerThatClosedItsInput(t *testing.T) {
	r, w := io.Pipe()
	h, out := &recorder{}, failing{make(chan struct{})}
	c := NewConn(r, out, h)
	for range 2 {
		if err := c.Call(t.Context(), "m", nil, nil); !errors.As(err, new(*ClosedError)) || !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	}
	<-out.closed
	if _, err := io.WriteString(w, `{"method":"last words"}`+"\n"); err != nil {
		t.Error(err)
	}
	w.Close()
	<-c.Done()
	equal(t, "heard", h.all(), "[last words]")
}

func TestPeerEnds(t *testing.T) {
	r := &recorder{request: func(ctx context.Context, _ string, _ json.RawMessage) (any, *Error) {
		<-ctx.Done()
		return nil, nil
	}}
	p := connect(t, r)
	_, ended := p.call(t.Context())
	p.send(`{"id":1,"method":"m"}`, `{"method":"n"}`)
	if _, err := io.WriteString(p.out, `{"half`); err != nil {
		t.Error(err)
	}
	p.out.Close()
	if err := <-ended; !errors.As(err, new(*ClosedError)) || !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	<-p.Done()
	if err := p.Call(t.Context(), "m", nil, nil); !errors.As(err, new(*ClosedError)) {
		t.Error(err)
	}
	if err := p.Notify("m", nil); !errors.As(err, new(*ClosedError)) {
		t.Error(err)
	}
	if _, err := p.sent.ReadString('\n'); err != io.EOF {
		t.Error("the peer's input was not closed:", err)
	}
}

func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cancelled := make(chan struct{})
		r := &recorder{request: func(ctx context.Context, _ string, _ json.RawMessage) (any, *Error) {
			<-ctx.Done()
			close(cancelled)
			return nil, nil
		}}
		p := connect(t, r)
		_, ended := p.call(t.Context())
		p.send(`{"id":1,"method":"m"}`)
		synctest.Wait()
		p.Close()
		p.Close()
		<-p.Done()
		<-cancelled
		if err := <-ended; !errors.As(err, new(*ClosedError)) {
			t.Error(err)
		}
		if err := p.Call(t.Context(), "m", nil, nil); !errors.As(err, new(*ClosedError)) {
			t.Error(err)
		}
		// The peer can still say its last words, to nobody.
		p.send(slices.Repeat([]string{`{"method":"late"}`}, 1000)...)
		synctest.Wait()
		equal(t, "heard", r.all(), "[m]")
	})
}

func TestCloseWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{}
		p := connect(t, r)
		for range 3 {
			if err := p.Notify("m", nil); err != nil {
				t.Error(err)
			}
		}
		p.CloseWrite()
		if err := p.Notify("m", nil); !errors.As(err, new(*ClosedError)) {
			t.Error(err)
		}
		all, err := io.ReadAll(p.sent)
		equal(t, "end", err, nil)
		equal(t, "lines", strings.Count(string(all), "\n"), 3)
		p.send(`{"method":"still heard"}`)
		synctest.Wait()
		equal(t, "heard", r.all(), "[still heard]")
	})
}

func TestCancelOurRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := connect(t, &recorder{})
		why := errors.New("not needed any more")
		ctx, cancel := context.WithCancelCause(t.Context())
		id, ended := p.call(ctx)
		cancel(why)
		equal(t, "told", p.next(), `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":`+id+`}}`)
		equal(t, "error", <-ended, why)
		p.send(`{"id":` + id + `,"error":{"code":-32800,"message":"cancelled"}}`)
		synctest.Wait()
		equal(t, "a late answer is noise", p.Noises(NoiseUnmatched), 0)
		p.send(`{"id":` + id + `,"result":{}}`)
		synctest.Wait()
		equal(t, "a second answer is", p.Noises(NoiseUnmatched), 1)
		equal(t, "ended before", p.Call(ctx, "m", nil, nil), why)
	})
}

func TestCancelTheirRequest(t *testing.T) {
	p := connect(t, &recorder{request: func(ctx context.Context, _ string, _ json.RawMessage) (any, *Error) {
		<-ctx.Done()
		return nil, &Error{Code: CodeCancelled, Message: "cancelled"}
	}})
	p.send(`{"id":"a","method":"m"}`, `{"method":"$/cancel_request","params":{"requestId":"b"}}`,
		`{"method":"$/cancel_request","params":{"requestId":"a"}}`, `{"method":"$/cancel_request"}`)
	equal(t, "answer", p.next(), `{"jsonrpc":"2.0","id":"a","error":{"code":-32800,"message":"cancelled"}}`)
}

type panicking struct{ Handler }

func (panicking) Notify(string, json.RawMessage) { panic("notify") }
func (p panicking) Request(ctx context.Context, method string, params json.RawMessage) (any, *Error) {
	return []int(nil)[3], nil
}
func (p panicking) Noise(kind Noise, line string) {
	p.Handler.Noise(kind, line)
	panic("noise")
}

func TestPanicIsContained(t *testing.T) {
	r := &recorder{}
	p := connect(t, panicking{r})
	p.send("noise", `{"method":"n"}`, `{"id":1,"method":"r"}`)
	equal(t, "answer", p.next(), `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"the request could not be handled"}}`)
	equal(t, "heard", r.all(), "[noise text noise panic noise panic]")
	equal(t, "which", r.lines[1], "n: notify")
}

func TestResultThatIsNoJSON(t *testing.T) {
	p := connect(t, &recorder{request: func(context.Context, string, json.RawMessage) (any, *Error) {
		return make(chan int), nil
	}})
	p.send(`{"id":1,"method":"m"}`)
	equal(t, "answer", p.next(), `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"the result can't be written as JSON"}}`)
	if err := p.Call(t.Context(), "m", make(chan int), nil); !errors.As(err, new(*json.UnsupportedTypeError)) {
		t.Error(err)
	}
}

func TestTooManyRequests(t *testing.T) {
	release := make(chan struct{})
	p := connect(t, &recorder{request: func(context.Context, string, json.RawMessage) (any, *Error) {
		<-release
		return nil, nil
	}})
	for i := range maxServing + 1 {
		p.send(fmt.Sprintf(`{"id":%d,"method":"m"}`, i))
	}
	equal(t, "the last", p.next(), fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"too many requests at once"}}`, maxServing))
	close(release)
	for range maxServing {
		if line := p.next(); !strings.HasSuffix(line, `"result":null}`) {
			t.Error(line)
		}
	}
}

func TestTap(t *testing.T) {
	var mu sync.Mutex
	var sent, received []string
	p := connect(t, &recorder{}, Tap(func(out bool, line []byte) {
		mu.Lock()
		defer mu.Unlock()
		if out {
			sent = append(sent, string(line))
		} else {
			received = append(received, string(line))
		}
	}))
	id, ended := p.call(t.Context())
	answer := `{"id":` + id + `,"result":"` + strings.Repeat("x", edge/2) + `"}`
	p.send("banner", answer)
	<-ended
	p.out.Close()
	<-p.Done()
	mu.Lock()
	defer mu.Unlock()
	equal(t, "sent", strings.Join(sent, ""), `{"jsonrpc":"2.0","id":1,"method":"test"}`+"\n")
	if got := strings.Join(received, ""); got != "banner\n"+answer+"\n" {
		t.Errorf("received %.60q, %d bytes", got, len(got))
	}
}

// An agent is written with a Conn as a client is.
func TestBothSides(t *testing.T) {
	toAgent, fromClient := io.Pipe()
	toClient, fromAgent := io.Pipe()
	var agent *Conn
	ready := make(chan struct{})
	agentSide := &recorder{request: func(ctx context.Context, method string, params json.RawMessage) (any, *Error) {
		<-ready
		var p PromptRequest
		if method != MethodPrompt || Decode(params, &p) != nil {
			return nil, MethodNotFound(method)
		}
		var answer PermissionResponse
		err := agent.Call(ctx, MethodRequestPermission, PermissionRequest{
			SessionID: p.SessionID,
			ToolCall:  ToolCallPatch{ID: "t"},
			Options:   List[PermissionOption]{{"yes", "Yes", AllowOnce}},
		}, &answer)
		if err != nil {
			return nil, &Error{Code: CodeInternal, Message: err.Error()}
		}
		chunk := &Chunk{Content: Text(p.Prompt[0].Text + " " + answer.Outcome.OptionID)}
		if err := agent.Notify(MethodUpdate, Update{SessionID: p.SessionID, Kind: KindMessageChunk, Chunk: chunk}); err != nil {
			return nil, &Error{Code: CodeInternal, Message: err.Error()}
		}
		return PromptResponse{StopReason: StopEndTurn}, nil
	}}
	var said []string
	clientSide := &recorder{
		notify: func(_ string, params json.RawMessage) {
			u, err := DecodeUpdate(params)
			if err != nil {
				t.Error(err)
				return
			}
			said = append(said, u.Chunk.Content.Text)
		},
		request: func(_ context.Context, _ string, params json.RawMessage) (any, *Error) {
			var p PermissionRequest
			if err := Decode(params, &p); err != nil {
				t.Error(err)
			}
			return Selected(p.Options[0].ID), nil
		},
	}
	agent = NewConn(toAgent, fromAgent, agentSide)
	close(ready)
	client := NewConn(toClient, fromClient, clientSide)
	for range 20 {
		var r PromptResponse
		err := client.Call(t.Context(), MethodPrompt, PromptRequest{SessionID: "s", Prompt: List[ContentBlock]{Text("go")}}, &r)
		equal(t, "error", err, nil)
		equal(t, "stop", r.StopReason, StopEndTurn)
	}
	client.CloseWrite()
	<-agent.Done()
	<-client.Done()
	equal(t, "said", said, slices.Repeat([]string{"go yes"}, 20))
}
