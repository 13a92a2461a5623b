package assist

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"git.rickub.com/bots-garden/sidekicks/app/config"
)

// WithAgentFile fills in the agent's folder, the arguments that the program
// takes the file by, and a name if there is none. file is absolute, or "" to
// forget the one there was.
func (f Form) WithAgentFile(file string) Form {
	f.AgentFile = file
	if file == "" {
		return f
	}
	f.Workspace = filepath.Dir(file)
	if f.Name == "" {
		f.Name = SuggestName(agentNameOf(file), nil)
	}
	if arguments, known := fileArguments(f.Program, file); known {
		f.Arguments = arguments
	}
	return f
}

// WithProgram fills in a program and its arguments: those for the agent's
// configuration file when there is one and the program takes it, else those
// that are known, unless others were typed.
func (f Form) WithProgram(c Candidate) Form {
	typed := f.Arguments != "" && f.Arguments != f.proposal()
	f.Program = c.Program
	if _, takesFile := fileArguments(f.Program, f.AgentFile); !typed || takesFile && f.AgentFile != "" {
		f.Arguments = f.proposal()
	}
	return f
}

// proposal is what the arguments of the program are when nobody typed others.
func (f Form) proposal() string {
	if arguments, takesFile := fileArguments(f.Program, f.AgentFile); takesFile && f.AgentFile != "" {
		return arguments
	}
	c, _ := Known(f.Program)
	return c.Arguments
}

// fileArguments are the arguments by which a program takes an agent's
// configuration file. The specification has the table.
func fileArguments(program, file string) (arguments string, known bool) {
	words := []string{program}
	if !isPath(program) {
		words, _ = Split(program)
	}
	if len(words) == 0 {
		return "", false
	}
	words[0] = strings.TrimSuffix(filepath.Base(words[0]), ".exe")
	switch strings.Join(words, " ") {
	case "mm":
		return Join([]string{"--acp", "--config", file}), true
	case "docker-agent", "docker agent":
		return Join([]string{"serve", "acp", file}), true
	}
	return "", false
}

// agentNameOf is what an agent with that configuration file may be called:
// the name of the file, or of its folder when the file's says nothing.
func agentNameOf(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	switch strings.ToLower(name) {
	case "agent", "agents", "config", "mm", "docker-agent", "cagent":
		return filepath.Base(filepath.Dir(file))
	}
	return name
}

// WithService fills in the container and the lifecycle of a service of a
// Compose file, with the variables that were given to [ReadCompose].
func (f Form) WithService(c *Compose, s Service) Form {
	command := []string{"docker", "compose", "-f", filepath.Base(c.Path)}
	for _, profile := range s.Profiles {
		command = append(command, "--profile", profile)
	}
	with := func(words ...string) string { return Join(slices.Concat(command, words, []string{s.Name})) }
	f.Where, f.Container = config.Container, s.Container
	f.LifecycleFolder = filepath.Dir(c.Path)
	f.Create = with("up", "-d", "--wait")
	f.Stop = with("stop")
	f.Remove = with("rm", "--stop", "--force")
	f.Env = c.given
	if f.Name == "" {
		f.Name = SuggestName(s.Name, nil)
	}
	if f.Workspace == "" {
		f.Workspace = s.Folder
	}
	return f
}

// WithSandbox fills in the sandbox and the lifecycle of an sbx environment
// file.
func (f Form) WithSandbox(s *SandboxFile) Form {
	var file []string // named unless it is the one that sbx looks for
	if name := filepath.Base(s.Path); name != sandboxFileName {
		file = []string{name}
	}
	f.Where, f.Sandbox = config.Sbx, s.Name
	f.LifecycleFolder = filepath.Dir(s.Path)
	f.Create = Join(slices.Concat([]string{"sbx", "env", "create"}, file, []string{"--force"}))
	f.Stop = ""
	if s.Name != "" {
		f.Stop = Join([]string{"sbx", "stop", s.Name})
	}
	f.Remove = Join(slices.Concat([]string{"sbx", "env", "rm"}, file, []string{"--force"}))
	if f.Name == "" {
		f.Name = SuggestName(s.Name, nil)
	}
	if f.Workspace == "" {
		f.Workspace = f.LifecycleFolder
	}
	return f
}

// SuggestName makes a name used with @ of any text, "" when nothing of it can
// be kept. It is none of those taken.
func SuggestName(text string, taken []string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(text)) {
		switch {
		case r >= 'a' && r <= 'z', b.Len() > 0 && (r >= '0' && r <= '9' || r == '-' || r == '_'):
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r): // the accent of the letter before
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	const longest = 32
	name := strings.TrimRight(b.String()[:min(b.Len(), longest)], "-_")
	for n := 2; name != "" && slices.Contains(taken, name); n++ {
		suffix := fmt.Sprintf("-%d", n)
		base := strings.TrimRight(b.String(), "-_")
		name = base[:min(len(base), longest-len(suffix))] + suffix
	}
	return name
}
