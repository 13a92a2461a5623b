// Package types holds what the packages of agentbox share: the configuration
// of a box, the fixed names inside it, and the error that says what to do. It
// does nothing itself.
package types

import "time"

// Config says what box to make. Package box/cli resolves it from flags,
// environment and defaults.
type Config struct {
	Image     string // name and tag
	Container string
	Session   string // of tmux, in the box

	Port         int    // of the Observer, on the host's loopback and in the box
	Memory       string // as docker takes it: 4g
	CPUs         string // as docker takes it: 4, 1.5
	GPUs         string // as docker takes it: all; "" for none
	BuildNetwork string // network mode of the build; "" for Docker's default
	Yolo         bool   // the lead runs with --dangerously-skip-permissions
	NoCache      bool   // build the image anew

	Workspace   string // folder of the host, without symlinks in it
	ClaudeDir   string // ~/.claude
	ClaudeJSON  string // ~/.claude.json
	GitConfig   string // ~/.gitconfig; "" where there is none
	GHConfigDir string // ~/.config/gh; "" where there is none

	Dir           string // folder of this user, mode 0700, that holds the next four
	Dockerfile    string
	BuildContext  string
	ObserverAsset string
	EntryScript   string

	BaseImage     string // build argument; "" for that of the Dockerfile
	ClaudeVersion string // build argument; "" for that of the Dockerfile
	CABundle      string // file of certificates that the box trusts too; "" for none

	UID, GID int      // of the user agent in the box
	Pass     []string // environment variables of the host, by name, that the box gets

	// Given are the settings that were asked for, by flag or environment,
	// under the names of the flags. The others are defaults.
	Given map[string]bool
}

// Defaults of [Config], section 3 of the contract. The rest depends on the host.
const (
	DefaultImage     = "agentbox:latest"
	DefaultContainer = "agentbox"
	DefaultSession   = "agentbox"
	DefaultPort      = 4317
	DefaultMemory    = "4g"
	DefaultCPUs      = "4"
)

// Where things are in the box, section 5 of the contract.
const (
	User          = "agent"
	Home          = "/home/agent"
	WorkspacePath = "/workspace"
	ClaudeDirPath = Home + "/.claude"
	ClaudeJSON    = Home + "/.claude.json"
	EntryPath     = "/agentbox/entry.sh"
	ObserverPath  = "/agentbox/observer.mjs"
	GitConfigPath = Home + "/.gitconfig"
	GHConfigPath  = Home + "/.config/gh"

	// SessionsPath is where each Claude Code notes that it runs, by process
	// id: those of the box mean nothing to the host, and the other way round.
	SessionsPath = ClaudeDirPath + "/sessions"
	// TranscriptsPath is where Claude Code keeps what it knows of the project
	// in WorkspacePath.
	TranscriptsPath = ClaudeDirPath + "/projects/-workspace"
)

// Volume is a named volume that outlives boxes.
type Volume struct{ Name, Path string }

// CacheVolumes keep downloads of tools.
var CacheVolumes = []Volume{
	{"agentbox-npm-cache", Home + "/.npm"},
	{"agentbox-cargo-registry", Home + "/.cargo/registry"},
	{"agentbox-pip-cache", Home + "/.cache/pip"},
}

// Labels of the image and of the container. Those of the container repeat the
// settings that cannot change while it exists.
const (
	LabelYolo      = "agentbox.yolo"
	LabelWorkspace = "agentbox.workspace"
	LabelPort      = "agentbox.port"
	LabelMemory    = "agentbox.memory"
	LabelCPUs      = "agentbox.cpus"
	LabelGPUs      = "agentbox.gpus"
	LabelUID       = "agentbox.uid"
	LabelGID       = "agentbox.gid"
	LabelRecipe    = "agentbox.recipe" // what the image was built from
	LabelBase      = "agentbox.base"
	LabelClaude    = "agentbox.claude-version"
)

// Deadlines of what docker is asked to do.
const (
	AskTime   = 15 * time.Second // a question to the engine
	StartTime = 2 * time.Minute  // to make a container, up to the tmux session
	EndTime   = 10 * time.Second // for the agents to end by themselves
	BuildTime = time.Hour
)
