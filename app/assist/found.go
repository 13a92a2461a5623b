package assist

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// A Candidate is a program of this computer that speaks ACP.
type Candidate struct {
	Program   string // as the field takes it: "gemini", "docker agent"
	Title     string // its own name: "Gemini CLI"
	Arguments string // that make it speak ACP
	File      string // the file that was found
	NeedsFile bool   // it is nothing without an agent's configuration file
}

// programs are those known to speak ACP, as their makers say. Those that run
// a model of this computer come first.
var programs = []Candidate{
	{Program: "mm", Title: "mm", Arguments: "--acp"},
	{Program: dockerAgent, Title: "Docker Agent", Arguments: "serve acp", NeedsFile: true},
	{Program: "docker-agent", Title: "Docker Agent", Arguments: "serve acp", NeedsFile: true},
	{Program: "gemini", Title: "Gemini CLI", Arguments: "--acp"},
	{Program: "opencode", Title: "OpenCode", Arguments: "acp"},
	{Program: "claude-agent-acp", Title: "Claude Agent"},
	{Program: "claude-code-acp", Title: "Claude Code"},
	{Program: "codex-acp", Title: "Codex"},
	{Program: "goose", Title: "goose", Arguments: "acp"},
	{Program: "copilot", Title: "GitHub Copilot", Arguments: "--acp"},
	{Program: "qwen", Title: "Qwen Code", Arguments: "--acp"},
	{Program: "cursor-agent", Title: "Cursor", Arguments: "acp"},
	{Program: "kimi", Title: "Kimi CLI", Arguments: "acp"},
	{Program: "vibe-acp", Title: "Mistral Vibe"},
	{Program: "auggie", Title: "Auggie", Arguments: "--acp"},
	{Program: "droid", Title: "Factory Droid", Arguments: "exec --output-format acp"},
	{Program: "kiro-cli", Title: "Kiro", Arguments: "acp"},
	{Program: "pi-acp", Title: "Pi"},
}

// dockerAgent is a plugin of docker, not a program.
const dockerAgent = "docker agent"

// Found looks for the programs that are known to speak ACP; it starts none.
func Found(path process.Path) []Candidate {
	var found []Candidate
	for _, c := range programs {
		name := c.Program
		if name == dockerAgent {
			name = "docker"
		}
		file, err := path.Look(name)
		if c.Program == dockerAgent && err == nil {
			file = dockerPlugin("docker-agent")
		}
		if err == nil && file != "" {
			c.File = file
			found = append(found, c)
		}
	}
	return found
}

// Known returns what is known of a program, found or not.
func Known(program string) (Candidate, bool) {
	i := slices.IndexFunc(programs, func(c Candidate) bool { return c.Program == program })
	if i < 0 {
		return Candidate{Program: program}, false
	}
	return programs[i], true
}

// dockerPlugin returns the file of a plugin of docker, "" when there is none
// in the folders where docker looks.
func dockerPlugin(name string) string {
	folders := []string{
		"/usr/local/lib/docker/cli-plugins", "/usr/local/libexec/docker/cli-plugins",
		"/usr/lib/docker/cli-plugins", "/usr/libexec/docker/cli-plugins",
		"/Applications/Docker.app/Contents/Resources/cli-plugins",
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
		folders = []string{
			filepath.Join(os.Getenv("ProgramData"), "Docker", "cli-plugins"),
			filepath.Join(os.Getenv("ProgramFiles"), "Docker", "cli-plugins"),
		}
	}
	own := os.Getenv("DOCKER_CONFIG")
	if home, err := os.UserHomeDir(); own == "" && err == nil {
		own = filepath.Join(home, ".docker")
	}
	for _, folder := range append([]string{filepath.Join(own, "cli-plugins")}, folders...) {
		file := filepath.Join(folder, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}
