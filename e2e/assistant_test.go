package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAssistant drops an agent's file on the window, adds the agent, and has
// the file edited behind the window's back.
func TestAssistant(t *testing.T) {
	const (
		head   = "version: 1 # ours\n\nagents:\n  - name: guide # without a model\n    command: sidekicks\n    args: [guide]\n"
		tail   = "\nchannels:\n  - name: général # everybody\n"
		before = head + tail
	)
	home := t.TempDir()
	file, agent := filepath.Join(home, "team.yaml"), filepath.Join(home, "élise", "agent.yaml")
	save := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Dir(agent), 0o700); err != nil {
		t.Fatal(err)
	}
	save(file, before)
	save(agent, "agents:\n  root:\n    model: local\n")
	w := openWindow(t, home, "--config", file)
	w.focus()
	middle := w.see("conversation")
	drop(t, w.id(), int(middle.X+middle.W/2), int(middle.Y+middle.H/2), agent)
	w.see("assistant/forget")
	w.click("assistant/Program")
	w.paste("mm")
	w.see("assistant/lines")
	w.click("dialog/confirm")
	w.see("agent/elise")

	added := head + "  - name: elise\n    command: mm\n    args: [--acp, --config, " + agent + "]\n    workspace: " + filepath.Dir(agent) + "\n" + tail
	if got, err := os.ReadFile(file); err != nil || string(got) != added {
		t.Errorf("the file is now\n%s\nwant\n%s%v", got, added, err)
	}

	save(file, added+"oops: 1\n")
	w.see("problems/open")
	w.see("agent/elise")
	save(file, added+"  - name: another\n")
	w.see("channel/another")
	if _, there := w.known["problems/open"]; there {
		w.until("the errors to go", func(string) bool { _, there := w.known["problems/open"]; return !there })
	}
	w.quit()
}
