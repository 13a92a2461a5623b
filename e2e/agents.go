// Package e2e tests Sidekicks from outside, against agents as people install them. What the tests share is here;
// the model that the agents believe they talk to is in fakellm.
package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// RealAgent says how to run a published agent, offline and with a home of its own: the part of its entry in the
// configuration file that starts it.
type RealAgent struct {
	Name    string
	Command string // absolute
	Args    []string
	Env     map[string]string

	// Forgetful agents fail to load a session now and then, by a race of their own.
	Forgetful bool

	shell func(command string) toolCall
}

// toolCall is what a fakellm.Server makes an agent call.
type toolCall struct {
	Name string            `json:"name"`
	Args map[string]string `json:"args"`
}

// RealAgents returns one agent for each of the two families that are pinned in agents/package.json, set up to
// ask the fakellm.Server at the URL model. Their homes last as long as t.
func RealAgents(t testing.TB, model string) []RealAgent {
	t.Helper()
	return []RealAgent{gemini(t, model), codex(t, model)}
}

func gemini(t testing.TB, model string) RealAgent {
	a := newRealAgent(t, "gemini", "gemini", "--acp")
	a.Forgetful = true // it may empty the session before it looks for it
	a.Env["GEMINI_API_KEY"] = "fake"
	a.Env["GEMINI_CLI_NO_RELAUNCH"] = "1" // one process instead of two
	a.Env["GOOGLE_GEMINI_BASE_URL"] = model
	a.write(t, ".gemini/settings.json", `{
		"general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
		"model": {"name": "gemini-2.5-flash"},
		"privacy": {"usageStatisticsEnabled": false},
		"security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},
		"telemetry": {"enabled": false}
	}`)
	a.shell = func(command string) toolCall {
		return toolCall{"run_shell_command", map[string]string{"command": command}}
	}
	return a
}

func codex(t testing.TB, model string) RealAgent {
	a := newRealAgent(t, "codex", "codex-acp")
	a.Env["CODEX_HOME"] = filepath.Join(a.Env["HOME"], ".codex")
	a.Env["OPENAI_API_KEY"] = "fake"
	a.write(t, ".codex/config.toml", fmt.Sprintf(`
model = "gpt-5.4" # one it knows, else each session begins with a warning
model_provider = "fake"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.fake]
name = "Fake"
base_url = "%s/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
request_max_retries = 0
stream_max_retries = 0
`, model))
	a.shell = func(command string) toolCall {
		return toolCall{"exec_command", map[string]string{
			"cmd":                 command,
			"sandbox_permissions": "require_escalated", // else it runs in a sandbox, and asks nobody
			"justification":       "a test",
		}}
	}
	return a
}

// newRealAgent finds program among the installed agents. Its environment holds a home, and a PATH that begins
// with the Node.js installed beside it, if any.
func newRealAgent(t testing.TB, name, program string, args ...string) RealAgent {
	t.Helper()
	modules, err := filepath.Abs("agents/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	command := filepath.Join(modules, ".bin", program)
	if _, err := os.Stat(command); err != nil {
		t.Fatalf("%s is not installed, 'make test' does it: %v", name, err)
	}
	path, _ := filepath.Glob(filepath.Join(modules, "node-linux-*", "bin"))
	path = append(path, os.Getenv("PATH"))
	return RealAgent{
		Name:    name,
		Command: command,
		Args:    args,
		Env: map[string]string{
			"HOME": t.TempDir(),
			"PATH": strings.Join(path, string(os.PathListSeparator)),
		},
	}
}

// write creates a file in the agent's home.
func (a RealAgent) write(t testing.TB, name, content string) {
	t.Helper()
	file := filepath.Join(a.Env["HOME"], name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// RunPrompt returns the text of a prompt that makes the agent ask for the permission to run a shell command, and
// then run it.
func (a RealAgent) RunPrompt(command string) string {
	call, err := json.Marshal(a.shell(command))
	if err != nil {
		panic(err) // it is all strings
	}
	return "SCENARIO:tool TOOL:" + string(call) + "ENDTOOL"
}
