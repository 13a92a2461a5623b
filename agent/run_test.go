package agent

import (
	"testing"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

// What a process answered just before its end does not make its agent ready
// again.
func TestTheEndHasTheLastWord(t *testing.T) {
	p, _ := newTestPool(t, map[string]fakeagent.Script{"a": {}}, Limits{Running: 1})
	lease := acquire(t, p, "a")
	defer lease.Release()
	s, _, err := lease.Open(t.Context(), "1", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Prompt(t.Context(), []acp.ContentBlock{acp.Text("!exit 3")}); code(err) != Exited {
		t.Fatal(err)
	}
	<-lease.run.ended
	lease.run.ready(nil)
	lease.run.signIn(problem("a", SignIn, nil))
	if got := p.Agent("a").Status(); got.State != Failed || code(got.Reason) != Exited || got.AuthMethods != nil {
		t.Errorf("%s: %v", got.State, got.Reason)
	}
}
