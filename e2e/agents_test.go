package e2e

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/e2e/fakellm"
)

// TestProtocol holds the protocol with published agents, with nothing else of Sidekicks in between.
func TestProtocol(t *testing.T) {
	defer goleak.VerifyNone(t)
	model := &fakellm.Server{}
	server := httptest.NewServer(model)
	defer server.Close()

	for _, agent := range RealAgents(t, server.URL) {
		t.Run(agent.Name, func(t *testing.T) {
			c := connect(t, agent)

			got := c.prompt("Who are you? SCENARIO:text")
			if got.stop != acp.StopEndTurn || got.text != fakellm.Reply {
				t.Fatalf("text: %+v, want %q", got, fakellm.Reply)
			}

			const story = "Tell me what I told you: SCENARIO:echo été 漢字"
			got = c.prompt(story)
			if got.stop != acp.StopEndTurn || !strings.Contains(got.text, story) {
				t.Fatalf("echo: %+v, want %q in it", got, story)
			}
			requests := model.Requests()
			if told := requests[len(requests)-1].Text; !strings.Contains(told, story) {
				t.Errorf("the model was told %q, want %q in it", told, story)
			}

			const command = "echo ran > out.txt && cat out.txt"
			got = c.prompt(agent.RunPrompt(command))
			if got.stop != acp.StopEndTurn || got.text != fakellm.Reply {
				t.Fatalf("tool: %+v, want %q", got, fakellm.Reply)
			}
			if got.questions != 1 || len(got.tools) != 1 {
				t.Fatalf("tool: %+v, want one question and one call", got)
			}
			for _, tool := range got.tools {
				if tool.Status != acp.ToolCompleted || !strings.Contains(tool.Title, command) {
					t.Errorf("tool: %+v, want it completed, and the command in its title", tool)
				}
			}
			if out, err := os.ReadFile(filepath.Join(c.workspace, "out.txt")); string(out) != "ran\n" {
				t.Errorf("tool: out.txt holds %q, %v", out, err)
			}

			got = c.promptAndCancel("SCENARIO:slow")
			if got.stop != acp.StopCancelled || strings.Contains(got.text, "word199") {
				t.Fatalf("cancelled: %+v", got)
			}
			got = c.prompt("SCENARIO:text")
			if got.stop != acp.StopEndTurn || got.text != fakellm.Reply {
				t.Fatalf("after the cancelled turn: %+v, want %q", got, fakellm.Reply)
			}
		})
	}
}
