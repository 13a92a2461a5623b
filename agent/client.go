package agent

import (
	"context"
	"encoding/json"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

// client is Sidekicks' side of the connection: what an agent may ask of it.
type client struct{ *run }

var _ acp.Handler = client{}

// Notify takes session updates; anything else is an extension and ignored.
func (c client) Notify(method string, params json.RawMessage) {
	if method != acp.MethodUpdate {
		return
	}
	u, err := acp.DecodeUpdate(params)
	if err != nil {
		c.agent.remark("unreadable update: " + err.Error())
		return
	}
	c.rooms.deliver(u, func(room string, u acp.Update) { c.agent.obs.Updated(c.spec.Name, room, u) })
}

// Request answers permissions, forms and files, and refuses the rest: an
// agent that waits for ever is the worst answer.
func (c client) Request(ctx context.Context, method string, params json.RawMessage) (any, *acp.Error) {
	switch method {
	case acp.MethodRequestPermission:
		return serve(params, func(p acp.PermissionRequest) (any, *acp.Error) { return c.permission(ctx, p), nil })
	case acp.MethodElicit:
		return serve(params, func(p acp.ElicitationRequest) (any, *acp.Error) { return c.elicitation(ctx, p) })
	case acp.MethodReadTextFile:
		return serve(params, func(p acp.ReadTextFileRequest) (any, *acp.Error) { return c.files.read(ctx, p) })
	case acp.MethodWriteTextFile:
		return serve(params, func(p acp.WriteTextFileRequest) (any, *acp.Error) { return struct{}{}, c.files.write(ctx, p) })
	}
	return nil, acp.MethodNotFound(method)
}

// serve decodes the parameters of a request before it is answered.
func serve[P any](params json.RawMessage, answer func(P) (any, *acp.Error)) (any, *acp.Error) {
	var p P
	if err := acp.Decode(params, &p); err != nil {
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: err.Error()}
	}
	return answer(p)
}

func (c client) permission(ctx context.Context, p acp.PermissionRequest) acp.PermissionResponse {
	s := c.rooms.asking(p.SessionID)
	if s == nil {
		return acp.Cancelled()
	}
	r := c.questions.ask(ctx, c.agent.obs, s.id, Question{
		Agent: c.spec.Name, Room: s.room, Tool: p.ToolCall, Options: p.Options,
	})
	if r.option == "" {
		return acp.Cancelled()
	}
	return acp.Selected(r.option)
}

func (c client) elicitation(ctx context.Context, e acp.ElicitationRequest) (any, *acp.Error) {
	if e.Mode != acp.ElicitForm {
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: "only forms are supported"}
	}
	s := c.rooms.asking(e.SessionID)
	if s == nil {
		return acp.Dismiss(), nil
	}
	r := c.questions.ask(ctx, c.agent.obs, s.id, Question{Agent: c.spec.Name, Room: s.room, Form: &e})
	switch {
	case !r.form:
		return acp.Dismiss(), nil
	case !r.accept:
		return acp.Decline(), nil
	}
	return acp.Accept(r.values), nil
}

// Noise keeps a trace of what was not understood.
func (c client) Noise(kind acp.Noise, line string) {
	c.agent.remark("skipped " + kind.String() + ": " + line)
}
