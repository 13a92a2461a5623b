//go:build linux

package box

import (
	"encoding/json"
	"net"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/e2e/fakellm"
	"git.rickub.com/bots-garden/sidekicks/runtime/enginetest"
)

// realImage builds agentbox's image with the real Claude Code, by agentbox
// itself, and returns its name. It stays for the next time.
func realImage(t *testing.T) string {
	t.Helper()
	node(t)
	once.Do(func() {
		p := newPerson(t, nodeImage, claudeBox)
		cmd := p.command(t, "shell", "--port", p.port)
		cmd.Stdin = strings.NewReader("claude --version")
		finish(t, cmd, 0, []string{claudeVersion})
		p.run(t, 0, nil, "down")
	})
	if t.Failed() || exec.Command("docker", "image", "inspect", claudeBox).Run() != nil {
		t.Fatal("agentbox did not build its image")
	}
	return claudeBox
}

var once sync.Once

// call writes a message that makes the fake model call a tool. Within another
// call it has to be hidden from the model that reads the outer one.
func call(t *testing.T, name string, args map[string]string) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"name": name, "args": args})
	if err != nil {
		t.Fatal(err)
	}
	hidden := strings.NewReplacer("SCENARIO", `\u0053CENARIO`, "ENDTOOL", `\u0045NDTOOL`).Replace(string(text))
	return "SCENARIO:tool TOOL:" + hidden + "ENDTOOL"
}

// TestTeam has the real Claude Code make a team: the lead asks for a teammate,
// which opens as a pane and writes to the lead.
func TestTeam(t *testing.T) {
	realImage(t)
	model := &fakellm.Server{}
	server := httptest.NewUnstartedServer(model)
	subnet, err := netip.ParsePrefix(enginetest.Docker(t, "network", "inspect", "bridge", "--format", "{{(index .IPAM.Config 0).Subnet}}"))
	if err != nil {
		t.Fatal(err)
	}
	gateway := subnet.Masked().Addr().Next() // this computer, as the box sees it
	listener, err := net.Listen("tcp", netip.AddrPortFrom(gateway, 0).String())
	if err != nil {
		t.Fatal(err)
	}
	server.Listener.Close()
	server.Listener = listener
	server.Start()
	defer server.Close()

	p := newPerson(t, nodeImage, claudeBox)
	key := "sk-ant-" + strings.Repeat("0", 20)
	p.env = append(p.env, "ANTHROPIC_BASE_URL="+server.URL, "ANTHROPIC_API_KEY="+key)
	settings := filepath.Join(p.home, ".claude", "settings.json")
	if err := os.Mkdir(filepath.Dir(settings), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, settings, `{"env": {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}}`)
	write(t, filepath.Join(p.home, ".claude.json"), `{"hasCompletedOnboarding": true, "theme": "dark", "bypassPermissionsModeAccepted": true,
		"customApiKeyResponses": {"approved": ["`+key[len(key)-20:]+`"], "rejected": []},
		"projects": {"/workspace": {"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}}}`)
	for _, name := range []string{filepath.Dir(settings), settings, filepath.Join(p.home, ".claude.json")} {
		p.own(t, name)
	}

	term := p.open(t, 160, 45, "up", "--yolo", "--port", p.port)
	p.attached(t, term, "160x45")
	screen := func() string { return p.tmux("capture-pane", "-p", "-t", "agentbox:main.0") }
	defer func() {
		if t.Failed() {
			t.Logf("the lead's screen:\n%s\nits panes:\n%s", screen(), p.tmux("list-panes", "-s", "-F", "#{pane_id} #{pane_current_command} #{pane_title}"))
		}
	}()
	eventually(t, "the prompt of the lead", func() bool { return strings.Contains(screen(), "bypass permissions on") })
	report := call(t, "SendMessage", map[string]string{"to": "team-lead", "summary": "the report", "message": "There are 3 files."})
	term.write(t, call(t, "Agent", map[string]string{"name": "scout", "description": "count files", "subagent_type": "general-purpose",
		"prompt": "You are scout. " + report}))
	eventually(t, "the message in the lead's input", func() bool { return strings.Contains(screen(), "ENDTOOL") })
	term.write(t, "\r")

	eventually(t, "a pane for the teammate", func() bool { return p.tmux("display-message", "-p", "-t", "agentbox:main", "#{window_panes}") == "2" })
	eventually(t, "the teammate in the team's file", func() bool {
		return strings.Contains(p.in("sh", "-c", "cat ~/.claude/teams/*/config.json"), `"backendType": "tmux"`)
	})
	eventually(t, "the teammate's report at the lead", func() bool {
		for _, request := range model.Requests() {
			if strings.Contains(request.Text, "There are 3 files.") && strings.Contains(request.Text, "<teammate-message") {
				return true
			}
		}
		return false
	})
	eventually(t, "the adapter through which Sidekicks talks to a Claude in the box", func() bool {
		return strings.Contains(p.in("sh", "-c", `echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}' |
			timeout 60 claude-agent-acp`), `"protocolVersion":1`)
	})
	term.write(t, "\x02d")
	term.end(t, 0)

	p.run(t, 0, []string{"is removed"}, "down")
	if left, _ := filepath.Glob(filepath.Join(p.home, ".claude/teams/*")); len(left) != 0 {
		t.Errorf("the team is still there: %q: %s", left, file(left[0], "config.json"))
	}
}
