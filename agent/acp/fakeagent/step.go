package fakeagent

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A turn is the handling of one request.
type turn struct {
	*agent
	ctx    context.Context // ends when the request, or the session's turn, is cancelled
	id     json.RawMessage
	sid    string
	prompt string
	i      int // of repeat

	stop    string
	ended   bool
	failure *rpcError
	result  json.RawMessage
	late    []string
}

// run does the steps until one ends the turn.
func (t *turn) run(steps []string) *rpcError {
	for _, step := range steps {
		if t.step(strings.TrimSpace(step)); t.ended {
			break
		}
	}
	t.ended = false // for the late steps
	return t.failure
}

func (t *turn) step(step string) {
	word, arg, _ := strings.Cut(step, " ")
	// These take a step, whose variables are replaced when it is done.
	switch word {
	case "repeat":
		count, step, _ := strings.Cut(arg, " ")
		for t.i = 0; t.i < t.number(count) && !t.ended; t.i++ {
			t.step(step)
		}
		return
	case "after":
		duration, step, _ := strings.Cut(arg, " ")
		if t.sleep(duration); !t.ended {
			t.step(step)
		}
		return
	case "late":
		t.late = append(t.late, arg)
		return
	}
	arg = os.Expand(arg, t.variable)
	first, rest, _ := strings.Cut(arg, " ")
	switch word {
	case "text":
		t.say("agent_message_chunk", arg)
	case "thought":
		t.say("agent_thought_chunk", arg)
	case "user":
		t.say("user_message_chunk", arg)
	case "echo":
		t.say("agent_message_chunk", "echo: "+t.prompt)
	case "line":
		t.say("agent_message_chunk", strings.Repeat("x", t.number(arg)))
	case "update":
		t.update(t.sid, json.RawMessage(arg))
	case "tool":
		t.tool(first, rest)
	case "commands":
		t.commands(strings.Fields(arg))
	case "ask":
		t.ask(first, strings.Fields(rest))
	case "read":
		t.read(strings.Fields(arg))
	case "write":
		t.tell("wrote", t.call("fs/write_text_file", object{"sessionId": t.sid, "path": first, "content": rest}))
	case "call":
		m := t.call(first, json.RawMessage(rest))
		t.tell(string(m.Result), m)
	case "notify":
		t.send(object{"method": first, "params": json.RawMessage(rest)})
	case "raw":
		t.agent.write([]byte(arg + "\n"))
	case "bytes":
		t.agent.write([]byte(strings.Repeat("x", t.number(arg))))
	case "log":
		fmt.Fprintln(os.Stderr, arg)
	case "err":
		_, _ = os.Stderr.WriteString(strings.Repeat(strings.Repeat("x", 79)+"\n", t.number(arg)/80))
	case "sleep":
		t.sleep(arg)
	case "wait":
		<-t.ctx.Done()
		t.stop = "cancelled"
	case "hang":
		select {}
	case "stop":
		t.stop = arg
	case "result":
		t.result, t.ended = json.RawMessage(arg), true
	case "error":
		t.end(t.number(first), rest)
	case "exit":
		os.Exit(t.number(arg))
	case "ignore":
		t.ignore(arg)
	case "deaf":
		t.deaf.Store(true)
	case "mute":
		os.Stdout.Close()
	case "spawn":
		t.spawn()
	default:
		t.end(-32602, "fake agent: no such step: "+word)
	}
}

func (t *turn) end(code int, text string) {
	t.failure, t.ended = &rpcError{code, text}, true
}

func (t *turn) number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		t.end(-32602, "fake agent: not a number: "+text)
	}
	return n
}

func (t *turn) variable(name string) string {
	switch name {
	case "sid":
		return t.sid
	case "id":
		return string(t.id)
	case "pid":
		return strconv.Itoa(os.Getpid())
	case "prompt":
		return t.prompt
	case "i":
		return strconv.Itoa(t.i)
	case "cwd":
		t.mu.Lock()
		defer t.mu.Unlock()
		if s := t.sessions[t.sid]; s != nil {
			return s.Cwd
		}
	}
	if value, ok := os.LookupEnv(name); ok {
		return value
	}
	return "$" + name
}

// say sends a chunk and keeps it for session/load.
func (t *turn) say(kind, text string) {
	t.mu.Lock()
	if s := t.sessions[t.sid]; s != nil && t.script.Load {
		s.History = append(s.History, chunk{kind, text})
	}
	t.mu.Unlock()
	t.update(t.sid, object{"sessionUpdate": kind, "content": object{"type": "text", "text": text}})
}

// tell says the outcome of a call: text, or its error.
func (t *turn) tell(text string, m message) {
	if m.Error != nil {
		text = fmt.Sprintf("error %d: %s", m.Error.Code, m.Error.Message)
	}
	t.say("agent_message_chunk", text)
}

func (t *turn) tool(id, rest string) {
	status, title, _ := strings.Cut(rest, " ")
	update := object{"sessionUpdate": "tool_call_update", "toolCallId": id, "status": status}
	t.mu.Lock()
	if !t.tools[id] {
		update["sessionUpdate"], update["title"] = "tool_call", id
	}
	t.tools[id] = true
	t.mu.Unlock()
	if title != "" {
		update["title"] = title
	}
	t.update(t.sid, update)
}

func (t *turn) commands(names []string) {
	list := []object{}
	for _, name := range names {
		list = append(list, object{"name": name, "description": "Do " + name})
	}
	t.update(t.sid, object{"sessionUpdate": "available_commands_update", "availableCommands": list})
}

func (t *turn) ask(tool string, options []string) {
	if len(options) == 0 {
		options = []string{"allow=allow_once", "always=allow_always", "reject=reject_once"}
	}
	list := []object{}
	for _, o := range options {
		id, kind, _ := strings.Cut(o, "=")
		list = append(list, object{"optionId": id, "name": id, "kind": kind})
	}
	m := t.call("session/request_permission", object{
		"sessionId": t.sid,
		"toolCall":  object{"toolCallId": tool, "title": "Use " + tool, "kind": "execute", "status": "pending"},
		"options":   list,
	})
	var r struct {
		Outcome struct{ Outcome, OptionID string }
	}
	_ = json.Unmarshal(m.Result, &r)
	chosen := "nothing"
	if r.Outcome.Outcome == "selected" {
		chosen = r.Outcome.OptionID
	}
	t.tell("chose "+chosen, m)
}

// read takes a path, and perhaps a line and a number of lines.
func (t *turn) read(args []string) {
	params := object{"sessionId": t.sid}
	for i, name := range []string{"path", "line", "limit"} {
		switch {
		case i >= len(args):
		case i == 0:
			params[name] = args[i]
		default:
			params[name] = t.number(args[i])
		}
	}
	m := t.call("fs/read_text_file", params)
	var r struct{ Content string }
	_ = json.Unmarshal(m.Result, &r)
	t.tell(r.Content, m)
}

func (t *turn) sleep(duration string) {
	d, err := time.ParseDuration(duration)
	if err != nil {
		t.end(-32602, "fake agent: "+err.Error())
		return
	}
	select {
	case <-t.ctx.Done():
		t.stop, t.ended = "cancelled", true
	case <-time.After(d):
	}
}

func (t *turn) ignore(what string) {
	switch what {
	case "eof":
		t.ignoreEOF.Store(true)
	case "term":
		signal.Ignore(syscall.SIGTERM)
	default:
		t.end(-32602, "fake agent: can't ignore "+what)
	}
}

// spawn starts a child that says itself that it is there, so that it is known
// to be deaf to signals by then.
func (t *turn) spawn() {
	hello := object{"jsonrpc": "2.0", "method": "session/update", "params": object{
		"sessionId": t.sid,
		"update":    object{"sessionUpdate": "agent_message_chunk", "content": object{"type": "text", "text": "spawned $pid"}},
	}}
	line, err := json.Marshal(hello)
	if err != nil {
		t.agent.fail(err)
	}
	path, args, env := Command(Script{Start: []string{"ignore term", "raw " + string(line), "hang"}})
	child := exec.Command(path, args...)
	child.Env = append(os.Environ(), env...)
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	if err := child.Start(); err != nil {
		t.end(-32603, err.Error())
	}
}
