package guide

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

// demoFile is the one file the guide may write, in the folder of its session.
const demoFile = "sidekicks-demo.txt"

// beat is how long the guide pretends to work, so that it can be watched.
const beat = 600 * time.Millisecond

// demonstrate plays an agent at work: a plan that advances, a thought, a read,
// and an edit that is only done when the person allows it.
func (t *turn) demonstrate(ctx context.Context) {
	path := filepath.Join(t.cwd, demoFile)
	t.say(ctx, t.texts.Text("guide.DemoIntro", "Path", path), briskly)
	t.plan(ctx, 0)
	t.stream(ctx, acp.KindThoughtChunk, t.texts.Text("guide.DemoThought"), briskly)

	old, err := t.read(ctx, path)
	if err != nil {
		t.say(ctx, t.texts.Text("guide.CannotRead", "Path", path, "Cause", err), briskly)
		return
	}
	t.plan(ctx, 1)
	outcome := t.edit(ctx, path, old)
	t.plan(ctx, 2)
	t.say(ctx, outcome, briskly)
	t.plan(ctx, 3)
}

// plan shows the plan with the first steps done, and the next one in progress.
func (t *turn) plan(ctx context.Context, done int) {
	if ctx.Err() != nil {
		return
	}
	steps := acp.List[acp.PlanEntry]{
		{Content: t.texts.Text("guide.PlanLook")},
		{Content: t.texts.Text("guide.PlanAsk")},
		{Content: t.texts.Text("guide.PlanTell")},
	}
	for i := range steps {
		steps[i].Priority = "medium"
		switch {
		case i < done:
			steps[i].Status = "completed"
		case i == done:
			steps[i].Status = "in_progress"
		default:
			steps[i].Status = "pending"
		}
	}
	t.update(acp.Update{SessionID: t.id, Kind: acp.KindPlan, Plan: steps})
}

// read reads a file through the client. The text is nil when there is none.
func (t *turn) read(ctx context.Context, path string) (*string, error) {
	tool := t.tool(ctx, acp.ToolCallPatch{
		Title:     new(t.texts.Text("guide.ReadFile", "Name", demoFile)),
		Kind:      new(acp.ToolKind("read")),
		Status:    new(acp.ToolInProgress),
		Locations: &acp.List[acp.Location]{{Path: path}},
	})
	pause(ctx, beat)
	var file acp.ReadTextFileResponse
	err := t.conn.Call(ctx, acp.MethodReadTextFile, acp.ReadTextFileRequest{SessionID: t.id, Path: path}, &file)
	shown, status := file.Content, acp.ToolCompleted
	text := &file.Content
	var answer *acp.Error
	switch {
	case errors.As(err, &answer) && answer.Code == acp.CodeNotFound:
		shown, text, err = t.texts.Text("guide.NoFileYet"), nil, nil
	case err != nil:
		shown, text, status = t.texts.Error(err), nil, acp.ToolFailed
	}
	t.tool(ctx, acp.ToolCallPatch{
		ID: tool, Status: &status,
		Content: &acp.List[acp.ToolContent]{{Type: acp.ToolContentBlock, Content: acp.Text(shown)}},
	})
	return text, err
}

// edit proposes to write the file, does what the person decides, and returns
// what to say about it. old is the file's text, nil when there is no file.
func (t *turn) edit(ctx context.Context, path string, old *string) string {
	text := t.texts.Text("guide.FileText")
	if old != nil {
		text = *old + t.texts.Text("guide.FileAgain")
	}
	tool := acp.ToolCallPatch{
		Title:     new(t.texts.Text("guide.WriteFile", "Name", demoFile)),
		Kind:      new(acp.ToolKind("edit")),
		Status:    new(acp.ToolPending),
		Content:   &acp.List[acp.ToolContent]{{Type: acp.ToolContentDiff, Path: path, OldText: old, NewText: text}},
		Locations: &acp.List[acp.Location]{{Path: path}},
	}
	tool.ID = t.tool(ctx, tool)
	end := func(status acp.ToolStatus) { t.tool(ctx, acp.ToolCallPatch{ID: tool.ID, Status: &status}) }

	allowed, remark := t.ask(ctx, tool)
	if !allowed {
		end(acp.ToolFailed)
		return remark
	}
	end(acp.ToolInProgress)
	err := t.conn.Call(ctx, acp.MethodWriteTextFile, acp.WriteTextFileRequest{SessionID: t.id, Path: path, Content: text}, nil)
	if err != nil {
		end(acp.ToolFailed)
		return t.texts.Text("guide.CannotWrite", "Path", path, "Cause", err)
	}
	end(acp.ToolCompleted)
	if remark != "" {
		remark += "\n\n"
	}
	return remark + t.texts.Text("guide.Written", "Path", path)
}

// ask asks whether the tool may be used, unless that was answered for good,
// and returns what there is to say about the answer. Only a choice that allows
// it is a yes.
func (t *turn) ask(ctx context.Context, tool acp.ToolCallPatch) (allowed bool, remark string) {
	switch t.always {
	case acp.AllowAlways:
		return true, t.texts.Text("guide.AlwaysAllowed")
	case acp.RejectAlways:
		return false, t.texts.Text("guide.AlwaysRejected")
	}
	var answer acp.PermissionResponse
	err := t.conn.Call(ctx, acp.MethodRequestPermission, acp.PermissionRequest{
		SessionID: t.id,
		ToolCall:  tool,
		Options: acp.List[acp.PermissionOption]{
			{ID: "write", Name: t.texts.Text("guide.AllowOnce"), Kind: acp.AllowOnce},
			{ID: "write-always", Name: t.texts.Text("guide.AllowAlways"), Kind: acp.AllowAlways},
			{ID: "leave", Name: t.texts.Text("guide.RejectOnce"), Kind: acp.RejectOnce},
			{ID: "leave-always", Name: t.texts.Text("guide.RejectAlways"), Kind: acp.RejectAlways},
		},
	}, &answer)
	if err != nil || answer.Outcome.Outcome != "selected" {
		return false, t.texts.Text("guide.NotAnswered")
	}
	switch answer.Outcome.OptionID {
	case "write":
		return true, ""
	case "write-always":
		t.always = acp.AllowAlways
		return true, ""
	case "leave-always":
		t.always = acp.RejectAlways
	}
	return false, t.texts.Text("guide.Rejected")
}

// tool announces a tool call, or tells of a change in one that has an id. It
// returns the id.
func (t *turn) tool(ctx context.Context, patch acp.ToolCallPatch) string {
	kind := acp.KindToolUpdate
	if patch.ID == "" {
		kind, patch.ID = acp.KindToolCall, newID()
	}
	if ctx.Err() == nil {
		t.update(acp.Update{SessionID: t.id, Kind: kind, ToolCall: &patch})
	}
	return patch.ID
}
