package protect

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// always is one thing that is protected whatever `protect` says.
type always struct {
	kind Kind
	name string // in the agent's folder; skills/** is a pattern
}

// always returns what is always protected in the agent's folder. Only the
// configuration lifts these: by naming another file, or none.
func (a Agent) always() []always {
	list := []always{{Instructions, "AGENTS.md"}, {Skills, "skills/**"}}
	for _, file := range a.agentFiles() {
		list = a.inFolder(list, AgentFile, a.Folder, file)
	}
	if len(a.Lifecycle) == 0 {
		return list
	}
	folder := a.LifecycleFolder
	if folder == "" {
		folder = a.Folder
	}
	switch a.Runtime {
	case "container":
		list = a.inFolder(list, Dockerfile, folder, "Dockerfile")
		for _, file := range named(a.Lifecycle, composeFiles, composeDefaults) {
			list = a.inFolder(list, ComposeFile, folder, file)
		}
	case "sbx":
		for _, file := range named(a.Lifecycle, sandboxFiles, sandboxDefaults) {
			list = a.inFolder(list, SandboxFile, folder, file)
		}
	}
	return list
}

// inFolder adds a file, written relative to a folder, when it is in the
// agent's.
func (a Agent) inFolder(list []always, kind Kind, folder, file string) []always {
	if !filepath.IsAbs(file) {
		file = filepath.Join(folder, filepath.FromSlash(slashed(file)))
	}
	name, ok := within(a.Folder, file)
	if !ok || name == "." {
		return list
	}
	return append(list, always{kind, name})
}

// agentFiles gives the agent's configuration files: what follows --config,
// -config or "serve acp" in its arguments. A path that the agent sees
// elsewhere than this computer does is given as on this computer.
func (a Agent) agentFiles() []string {
	files := values(a.Args, "--config", "-config")
	for i := range a.Args {
		if i > 0 && a.Args[i-1] == "serve" && a.Args[i] == "acp" {
			if file := slices.IndexFunc(a.Args[i+1:], notFlag); file >= 0 {
				files = append(files, a.Args[i+1+file])
			}
		}
	}
	for i, file := range files {
		there, ok := strings.CutPrefix(file, strings.TrimSuffix(a.WorkspacePath, "/")+"/")
		if ok && a.WorkspacePath != "" {
			files[i] = path.Clean(there)
		}
	}
	return files
}

// values gives the values of flags: of "--file x" and of "--file=x".
func values(args []string, flags ...string) (list []string) {
	for i, arg := range args {
		flag, value, inOne := strings.Cut(arg, "=")
		switch {
		case !slices.Contains(flags, flag):
		case inOne:
			list = append(list, value)
		case i+1 < len(args):
			list = append(list, args[i+1])
		}
	}
	return slices.DeleteFunc(list, func(value string) bool { return value == "" })
}

func notFlag(arg string) bool { return arg != "" && !strings.HasPrefix(arg, "-") }

// named gives the files that commands name. A command that could name one and
// does not takes the usual ones; so do commands of which none could.
func named(commands [][]string, files func([]string) ([]string, bool), usual []string) (list []string) {
	some := false
	for _, command := range commands {
		own, could := files(command)
		some = some || could
		if could && len(own) == 0 {
			own = usual
		}
		list = append(list, own...)
	}
	if !some {
		return usual
	}
	return list
}

var composeDefaults = []string{
	"compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml",
	"compose.override.yaml", "compose.override.yml", "docker-compose.override.yaml", "docker-compose.override.yml",
}

// composeFiles gives the Compose files that a command names, and whether it
// is one of Compose. After the subcommand, -f means something else.
func composeFiles(command []string) (files []string, compose bool) {
	at := slices.IndexFunc(command, func(word string) bool {
		program := strings.TrimSuffix(filepath.Base(word), ".exe")
		return program == "compose" || strings.HasSuffix(program, "-compose")
	})
	if at < 0 {
		return nil, false
	}
	options := command[at+1:]
	for i := 0; i < len(options) && strings.HasPrefix(options[i], "-"); i++ {
		flag, value, inOne := strings.Cut(options[i], "=")
		if !inOne && takesValue(flag) && i+1 < len(options) {
			i++
			value = options[i]
		}
		switch {
		case flag == "-f" || flag == "--file":
			files = append(files, value)
		case strings.HasPrefix(flag, "-f"): // -fdev.yaml
			files = append(files, options[i][2:])
		}
	}
	return files, true
}

// takesValue reports whether a flag that stands before Compose's subcommand
// is followed by its value.
func takesValue(flag string) bool {
	return slices.Contains([]string{
		"-f", "--file", "-p", "--project-name", "--profile", "--env-file",
		"--project-directory", "--workdir", "--ansi", "--progress", "--parallel",
	}, flag)
}

// sbx took .sbxenv.yaml before it took sbxenv.yaml.
var sandboxDefaults = []string{"sbxenv.yaml", ".sbxenv.yaml"}

// sandboxFiles gives the environment files that a command names, and whether
// it is one that takes some: sbx env SUBCOMMAND [FILE].
func sandboxFiles(command []string) (files []string, env bool) {
	at := slices.Index(command, "env")
	if at < 0 || at+1 >= len(command) {
		return nil, at >= 0
	}
	for _, word := range command[at+2:] {
		if ext := path.Ext(word); notFlag(word) && (ext == ".yaml" || ext == ".yml") {
			files = append(files, word)
		}
	}
	return files, true
}
