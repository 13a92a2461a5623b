package fakeagent

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
)

type object = map[string]any

// An agent is the process.
type agent struct {
	script    Script
	ignoreEOF atomic.Bool
	deaf      atomic.Bool

	out sync.Mutex // one line at a time

	mu       sync.Mutex
	authed   bool
	sessions map[string]*session
	tools    map[string]bool // announced
	pending  map[string]chan message
	running  map[string]context.CancelFunc // requests, by id
	nextID   int
}

// A session is what is kept of one. Its exported members go to Script.State.
type session struct {
	Cwd     string
	History []chunk
	Mode    string
	Model   string

	cancels map[*turn]context.CancelFunc
}

// A chunk is a message that session/load replays.
type chunk struct{ Kind, Text string }

type message struct {
	ID     json.RawMessage `json:"id"`
	Method *string         `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *rpcError       `json:"error"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func newAgent(script Script) *agent {
	a := &agent{
		script:   script,
		sessions: map[string]*session{},
		tools:    map[string]bool{},
		pending:  map[string]chan message{},
		running:  map[string]context.CancelFunc{},
	}
	if data, err := os.ReadFile(script.State); err == nil {
		if err := json.Unmarshal(data, &a.sessions); err != nil {
			a.fail(err)
		}
	}
	return a
}

func (a *agent) run() {
	(&turn{agent: a, ctx: context.Background()}).run(a.script.Start)
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if a.deaf.Load() {
			select {}
		}
		if err != nil && a.ignoreEOF.Load() {
			select {}
		}
		if err != nil {
			os.Exit(0)
		}
		a.record(line)
		a.receive(line)
	}
}

func (a *agent) fail(err error) {
	fmt.Fprintln(os.Stderr, "fake agent:", err)
	os.Exit(98)
}

func (a *agent) record(line []byte) {
	if a.script.Record == "" {
		return
	}
	f, err := os.OpenFile(a.script.Record, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(line)
		f.Close()
	}
	if err != nil {
		a.fail(err)
	}
}

func (a *agent) receive(line []byte) {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		a.send(object{"id": nil, "error": rpcError{-32700, "Parse error"}})
		return
	}
	switch {
	case m.Method == nil:
		a.mu.Lock()
		waiting := a.pending[string(m.ID)]
		delete(a.pending, string(m.ID))
		a.mu.Unlock()
		if waiting != nil {
			waiting <- m
		}
	case len(m.ID) == 0:
		a.notified(*m.Method, m.Params)
	default:
		ctx, cancel := context.WithCancel(context.Background())
		a.mu.Lock()
		a.running[string(m.ID)] = cancel
		a.mu.Unlock()
		go func() {
			defer cancel()
			a.serve(ctx, m)
		}()
	}
}

func (a *agent) notified(method string, params json.RawMessage) {
	var p struct {
		SessionID string
		RequestID json.RawMessage
	}
	_ = json.Unmarshal(params, &p)
	a.mu.Lock()
	defer a.mu.Unlock()
	switch method {
	case "session/cancel":
		if s := a.sessions[p.SessionID]; s != nil {
			for _, cancel := range s.cancels {
				cancel()
			}
		}
	case "$/cancel_request":
		if cancel := a.running[string(p.RequestID)]; cancel != nil {
			cancel()
		}
	}
}

// call sends a request to the client and waits for its answer.
func (a *agent) call(method string, params any) message {
	answered := make(chan message, 1)
	a.mu.Lock()
	id := strconv.Itoa(a.nextID)
	if a.script.StringIDs {
		id = strconv.Quote("req-" + id)
	}
	a.nextID++
	a.pending[id] = answered
	a.mu.Unlock()
	a.send(object{"id": json.RawMessage(id), "method": method, "params": params})
	return <-answered
}

func (a *agent) update(sid string, update any) {
	a.send(object{"method": "session/update", "params": object{"sessionId": sid, "update": update}})
}

func (a *agent) send(m object) {
	m["jsonrpc"] = "2.0"
	line, err := json.Marshal(m)
	if err != nil {
		a.fail(err)
	}
	a.write(append(line, '\n'))
}

func (a *agent) write(b []byte) {
	a.out.Lock()
	defer a.out.Unlock()
	_, _ = os.Stdout.Write(b) // the client may be gone: stdin tells
}

// save writes the sessions for the next process. It is called with mu held.
func (a *agent) save() {
	if a.script.State == "" {
		return
	}
	data, err := json.Marshal(a.sessions)
	if err == nil {
		err = os.WriteFile(a.script.State, data, 0o600)
	}
	if err != nil {
		a.fail(err)
	}
}
