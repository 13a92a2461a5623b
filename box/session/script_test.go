//go:build unix

package session

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/box/types"
)

func config() types.Config {
	return types.Config{Session: "agentbox", Port: 4317, Workspace: "/home/bob/it's $HOME"}
}

func TestEntryScriptHoldsTheSettings(t *testing.T) {
	cfg := config()
	script := EntryScript(cfg)
	for _, want := range []string{"\nsession='agentbox'\n", "\nport=4317\n", "\nyolo=''\n",
		`project='it'\''s $HOME'`, "\nclaude=(claude --teammate-mode tmux)\n"} {
		if !strings.Contains(script, want) {
			t.Errorf("no %q in\n%s", want, script)
		}
	}
	cfg.Yolo = true
	script = EntryScript(cfg)
	for _, want := range []string{"\nyolo='1'\n", "claude=(claude --teammate-mode tmux --dangerously-skip-permissions)"} {
		if !strings.Contains(script, want) {
			t.Errorf("yolo: no %q", want)
		}
	}
}

// shellcheck reads every script as its shell would.
func TestScriptsAreSound(t *testing.T) {
	scripts := map[string]string{
		"entry":  EntryScript(config()),
		"attach": "#!/bin/sh\n" + Attach("s")[2],
		"shell":  "#!/bin/sh\n" + Shell(true)[2],
		"await":  "#!/bin/sh\n" + Await,
		"exists": "#!/bin/sh\n" + Exists,
		"detach": "#!/bin/sh\n" + Detach,
		"make":   "#!/bin/sh\n" + Make,
	}
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(file, []byte(script+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("shellcheck", "--exclude=SC2016", file).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// runEntry runs the entry script with a tmux that writes down what it is told.
func runEntry(t *testing.T, argument string, env ...string) (told string, err error) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"entry.sh": EntryScript(config()),
		"tmux": `#!/bin/sh
echo "$*" >>` + dir + `/told
case "$*" in has-session*) [ -e ` + dir + `/session ] ;; *new-session*) touch ` + dir + `/session ;; esac`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("bash", filepath.Join(dir, "entry.sh"), argument)
	cmd.Env = append(append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH")), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Logf("%s", out)
	}
	log, _ := os.ReadFile(filepath.Join(dir, "told"))
	return strings.ReplaceAll(string(log), dir, "DIR"), err
}

func TestEntryMakesTheSession(t *testing.T) {
	for name, test := range map[string]struct {
		env  []string
		want string
	}{
		"size of the terminal": {[]string{"AGENTBOX_COLS=120", "AGENTBOX_ROWS=40"}, "-x 120 -y 40"},
		"no terminal":          {nil, "-x 200 -y 50"},
		"a size of nothing":    {[]string{"AGENTBOX_COLS=0", "AGENTBOX_ROWS=40"}, "-x 200 -y 50"},
	} {
		t.Run(name, func(t *testing.T) {
			told, err := runEntry(t, EntrySession, test.env...)
			want := "has-session -t =agentbox\n" +
				"-u new-session -d -s agentbox -n main " + test.want +
				" -e CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS=1 -e CLAUDE_CODE_NO_FLICKER=0 bash DIR/entry.sh lead\n" +
				"new-window -d -t =agentbox: -n observer bash DIR/entry.sh observer\n"
			if err != nil || told != want {
				t.Errorf("%v\n%s\nwant\n%s", err, told, want)
			}
		})
	}
}

func TestEntryRefusesWhatItDoesNotKnow(t *testing.T) {
	told, err := runEntry(t, "dance")
	if err == nil || told != "" {
		t.Errorf("%q, %v", told, err)
	}
}

func TestTerminalEnv(t *testing.T) {
	t.Setenv("TERM", "xterm-ghostty")
	t.Setenv("COLORTERM", "")
	if got := strings.Join(TerminalEnv(), " "); got != "TERM=xterm-256color TERM=xterm-ghostty" {
		t.Error(got)
	}
}

func TestClientsAreToldApart(t *testing.T) {
	if one, other := NewClient(), NewClient(); one == other {
		t.Error("two terminals have the same id")
	}
}
