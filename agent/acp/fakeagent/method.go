package fakeagent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// request holds the parameters of every method.
type request struct {
	SessionID, Cwd, ModeID, ModelID, ConfigID string
	Value                                     any
	Prompt                                    []struct{ Type, Text, URI string }
}

// serve runs the steps of a method, then gives its usual answer unless they
// gave one.
func (a *agent) serve(ctx context.Context, m message) {
	var req request
	_ = json.Unmarshal(m.Params, &req)
	t := &turn{agent: a, ctx: ctx, id: m.ID, sid: req.SessionID, stop: "end_turn"}
	steps := a.script.On[*m.Method]
	var failure *rpcError
	switch *m.Method {
	case "session/new":
		t.sid, failure = a.open(req.Cwd)
	case "session/load", "session/resume":
		failure = a.reopen(t.sid, *m.Method, req.Cwd)
	case "session/prompt":
		for _, block := range req.Prompt {
			t.prompt += block.Text + block.URI
		}
		var end func()
		if end, failure = a.begin(t); failure == nil {
			defer end()
			if steps == nil {
				steps = a.steps(t.prompt)
			}
		}
	}
	var result any
	if failure == nil {
		failure = t.run(steps)
	}
	if failure == nil && t.result == nil {
		result, failure = a.answer(*m.Method, t, req)
	} else {
		result = t.result
	}
	if failure != nil {
		a.send(object{"id": m.ID, "error": failure})
	} else {
		a.send(object{"id": m.ID, "result": result})
	}
	_ = t.run(t.late)
}

// answer is what the agent answers when the script says nothing else.
func (a *agent) answer(method string, t *turn, req request) (any, *rpcError) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.sessions[t.sid]
	if s == nil && strings.HasPrefix(method, "session/") && method != "session/list" {
		return nil, &rpcError{-32002, "Resource not found: " + t.sid}
	}
	switch method {
	case "initialize":
		return a.capabilities(), nil
	case "authenticate":
		a.authed = true
	case "session/new":
		return a.state(s, object{"sessionId": t.sid}), nil
	case "session/load", "session/resume":
		return a.state(s, object{}), nil
	case "session/list":
		list := []object{}
		for id, s := range a.sessions {
			list = append(list, object{"sessionId": id, "cwd": s.Cwd})
		}
		return object{"sessions": list}, nil
	case "session/close":
		delete(a.sessions, t.sid)
	case "session/prompt":
		return object{"stopReason": t.stop}, nil
	case "session/set_mode":
		s.Mode = req.ModeID
	case "session/set_model":
		s.Model = req.ModelID
	case "session/set_config_option":
		return object{"configOptions": a.choose(req.ConfigID, req.Value)}, nil
	default:
		return nil, &rpcError{-32601, "Method not found: " + method}
	}
	return object{}, nil
}

func (a *agent) capabilities() object {
	session := object{}
	for name, has := range map[string]bool{"list": a.script.List, "resume": a.script.Resume, "close": a.script.Close} {
		if has {
			session[name] = object{}
		}
	}
	auth := []object{}
	if a.script.Auth {
		auth = append(auth, object{"id": "token", "name": "Token"})
	}
	return object{
		"protocolVersion": 1,
		"agentInfo":       object{"name": "fake", "version": "1"},
		"authMethods":     auth,
		"agentCapabilities": object{
			"loadSession":         a.script.Load,
			"promptCapabilities":  object{"embeddedContext": true},
			"sessionCapabilities": session,
		},
	}
}

// open makes a session.
func (a *agent) open(cwd string) (string, *rpcError) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.script.Auth && !a.authed {
		return "", &rpcError{-32000, "Authentication required"}
	}
	sid := fmt.Sprintf("s%d-%d", os.Getpid(), len(a.sessions))
	a.sessions[sid] = &session{Cwd: cwd}
	a.save()
	return sid, nil
}

// reopen finds a session that was, and replays it for session/load.
func (a *agent) reopen(sid, method, cwd string) *rpcError {
	a.mu.Lock()
	defer a.mu.Unlock()
	if offered := map[string]bool{"session/load": a.script.Load, "session/resume": a.script.Resume}; !offered[method] {
		return &rpcError{-32601, "Method not found: " + method}
	}
	s := a.sessions[sid]
	if s == nil {
		return &rpcError{-32002, "Resource not found: " + sid}
	}
	s.Cwd = cwd
	if method == "session/load" {
		for _, c := range s.History {
			a.update(sid, object{"sessionUpdate": c.Kind, "content": object{"type": "text", "text": c.Text}})
		}
	}
	return nil
}

// begin registers a turn for session/cancel, until end.
func (a *agent) begin(t *turn) (end func(), failure *rpcError) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.sessions[t.sid]
	if s == nil {
		return nil, &rpcError{-32002, "Resource not found: " + t.sid}
	}
	var cancel context.CancelFunc
	t.ctx, cancel = context.WithCancel(t.ctx)
	if s.cancels == nil {
		s.cancels = map[*turn]context.CancelFunc{}
	}
	s.cancels[t] = cancel
	s.History = append(s.History, chunk{"user_message_chunk", t.prompt})
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(s.cancels, t)
		a.save()
	}, nil
}

// bang matches the steps that a prompt brings.
var bang = regexp.MustCompile(`(?s)^(?:.*\s)?!([a-z][^\n]*)`)

func (a *agent) steps(prompt string) []string {
	if m := bang.FindStringSubmatch(prompt); m != nil {
		own := strings.TrimSpace(m[1])
		if named, ok := a.script.Named[own]; ok {
			return named
		}
		return strings.Split(own, ";")
	}
	if a.script.Prompt == nil {
		return []string{"echo"}
	}
	return a.script.Prompt
}

// state adds to an answer what can be chosen in a session.
func (a *agent) state(s *session, answer object) object {
	if names := a.script.Modes; len(names) > 0 {
		list := []object{}
		for _, n := range names {
			list = append(list, object{"id": n, "name": n})
		}
		answer["modes"] = object{"currentModeId": cmp.Or(s.Mode, names[0]), "availableModes": list}
	}
	if names := a.script.Models; len(names) > 0 {
		list := []object{}
		for _, n := range names {
			list = append(list, object{"modelId": n, "name": n})
		}
		answer["models"] = object{"currentModelId": cmp.Or(s.Model, names[0]), "availableModels": list}
	}
	if a.script.Options != nil {
		answer["configOptions"] = a.script.Options
	}
	return answer
}

// choose sets an option, for all sessions.
func (a *agent) choose(id string, value any) any {
	var options []object
	_ = json.Unmarshal(a.script.Options, &options)
	if i := slices.IndexFunc(options, func(o object) bool { return o["id"] == id }); i >= 0 {
		options[i]["currentValue"] = value
	}
	a.script.Options, _ = json.Marshal(options)
	return options
}
