package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSettings opens another configuration in the same window, and changes its
// theme, which is written into its file and nowhere else.
func TestSettings(t *testing.T) {
	home := t.TempDir()
	first, second := filepath.Join(home, "first.yaml"), filepath.Join(home, "second.yaml")
	const text = "version: 1\nui: {theme: light} # mine\nagents:\n  - name: %\n    command: sidekicks\n    args: [guide]\n"
	for path, name := range map[string]string{first: "alice", second: "zoe"} {
		if err := os.WriteFile(path, []byte(strings.Replace(text, "%", name, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w := openWindow(t, home, "--config", first)
	w.focus()
	w.see("agent/alice")
	w.click("settings")
	w.click("settings/open")
	w.see("finder")
	w.click("found/second.yaml")
	w.see("agent/zoe")
	w.click("settings")
	w.click("settings/theme/dark")
	w.color(true)
	w.quit()

	got, err := os.ReadFile(second)
	if want := strings.Replace(strings.Replace(text, "%", "zoe", 1), "light", "dark", 1); err != nil || string(got) != want {
		t.Errorf("the file is %q, want %q, %v", got, want, err)
	}
	var remembered struct {
		LastFile    string
		RecentFiles []string
	}
	data, err := os.ReadFile(filepath.Join(home, ".config", "sidekicks", "preferences.json"))
	if err == nil {
		err = json.Unmarshal(data, &remembered)
	}
	if err != nil || remembered.LastFile != second || !slices.Equal(remembered.RecentFiles, []string{second, first}) {
		t.Errorf("remembered: %+v, %v", remembered, err)
	}
}
