package agent

import (
	"context"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

// strangers are questions of sessions that nobody opened: a sub-agent's, and
// a form that names none.
var strangers = map[string]string{
	"sub-agent": `call session/request_permission {"sessionId":"sub","toolCall":{"toolCallId":"t"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]}`,
	"form":      `call elicitation/create {"mode":"form","message":"Name?","requestedSchema":{"type":"object","properties":{"n":{"type":"string"}}}}`,
}

// Stop cancels the questions of strangers with those of the session where the
// agent works; some agents wait for that before they end their turn.
func TestStopCancelsQuestionsOfStrangers(t *testing.T) {
	for name, step := range strangers {
		t.Run(name, func(t *testing.T) {
			p, rec := newTestPool(t, map[string]fakeagent.Script{"a": {}}, Limits{Running: 1})
			lease := acquire(t, p, "a")
			defer lease.Release()
			s, _, err := lease.Open(t.Context(), "1", "")
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() {
				_, err := s.Prompt(ctx, []acp.ContentBlock{acp.Text("!" + step)})
				ended <- err
			}()
			q := <-rec.asked
			if q.Room != "1" {
				t.Errorf("asked in room %q", q.Room)
			}
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
			if !lease.run.alive() {
				t.Error("the agent could not end its turn and lost its process")
			}
			if p.Agent("a").Answer(q.ID, "") {
				t.Error("the question is still open")
			}
		})
	}
}

// A question that comes before there is a session has nobody to answer it.
func TestAQuestionBeforeAnySession(t *testing.T) {
	script := fakeagent.Script{On: map[string][]string{acp.MethodInitialize: {strangers["form"]}}}
	p, _ := newTestPool(t, map[string]fakeagent.Script{"a": script}, Limits{Running: 1})
	acquire(t, p, "a").Release()
}
