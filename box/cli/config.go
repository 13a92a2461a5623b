package cli

import (
	"cmp"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/box/types"
)

// host is what a configuration depends on besides flags and environment.
type host struct {
	system, dir string // as runtime.GOOS; the current folder
	uid, gid    int    // -1 on Windows
}

// ResolveConfig makes the configuration of a box from environment variables
// and flags, by their names without dashes: a flag wins over the environment,
// which wins over the default. An empty variable is as if it were not there.
// The error is a [*types.Error].
func ResolveConfig(env, flags map[string]string) (types.Config, error) {
	dir, err := os.Getwd()
	if err != nil {
		return types.Config{}, &types.Error{Problem: fmt.Sprintf("the current folder cannot be found: %v", err),
			Fix: "change to a folder that exists", Err: err}
	}
	return host{runtime.GOOS, dir, os.Getuid(), os.Getgid()}.resolve(env, flags)
}

func (h host) resolve(env, flags map[string]string) (types.Config, error) {
	cfg := types.Config{
		Image:     types.DefaultImage,
		Container: types.DefaultContainer,
		Session:   types.DefaultSession,
		Port:      types.DefaultPort,
		Memory:    types.DefaultMemory,
		CPUs:      types.DefaultCPUs,

		Yolo:          flags["yolo"] == "true",
		NoCache:       flags["no-cache"] == "true",
		BaseImage:     env["BASE_IMAGE"],
		ClaudeVersion: env["CLAUDE_CODE_VERSION"],
		CABundle:      cmp.Or(env["AGENTBOX_CA_BUNDLE"], env["NODE_EXTRA_CA_CERTS"]),
		Given:         map[string]bool{},
	}
	for name := range flags {
		cfg.Given[name] = true
	}
	for _, s := range []struct {
		flag, variable string
		set            func(source, value string) error
	}{
		{"workspace", "WORKSPACE", h.setWorkspace(&cfg.Workspace)},
		{"memory", "MEM", setMemory(&cfg.Memory)},
		{"cpus", "CPUS", setCPUs(&cfg.CPUs)},
		{"network", "DOCKER_NETWORK", setText(&cfg.BuildNetwork, wordPattern, "a network mode of docker build such as host")},
		{"port", "", setPort(&cfg.Port)},
		{"gpus", "", setText(&cfg.GPUs, gpusPattern, "what docker run takes, such as all")},
		{"", "AGENTBOX_CONTAINER", setText(&cfg.Container, namePattern, "a name of letters, digits, and _ . - after the first")},
		{"", "AGENTBOX_IMAGE", setText(&cfg.Image, wordPattern, "the name of an image")},
	} {
		if value, given := flags[s.flag]; given {
			if err := s.set("--"+s.flag, value); err != nil {
				return cfg, err
			}
		} else if value := env[s.variable]; value != "" {
			if err := s.set(s.variable, value); err != nil {
				return cfg, err
			}
			cfg.Given[s.flag] = true
		}
	}
	if cfg.Workspace == "" {
		if err := h.setWorkspace(&cfg.Workspace)("the current folder", h.dir); err != nil {
			return cfg, err
		}
	}
	h.setUser(&cfg, env)
	for _, name := range passed {
		if env[name] != "" {
			cfg.Pass = append(cfg.Pass, name)
		}
	}
	return cfg, h.setPlaces(&cfg, env)
}

// passed are the variables that reach Claude Code in the box: how it logs in,
// and how it gets out.
var passed = []string{
	"CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
}

var (
	memoryPattern = regexp.MustCompile(`^(?i)(\d+)([bkmgt]?)b?$`)
	wordPattern   = regexp.MustCompile(`^[^\s-]\S*$`)
	gpusPattern   = regexp.MustCompile(`^[^\s-].*$`)
	namePattern   = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_.-]*$`)
)

// setText returns what stores a value that has the form of pattern.
func setText(target *string, pattern *regexp.Regexp, form string) func(source, value string) error {
	return func(source, value string) error {
		if !pattern.MatchString(value) {
			return types.Misused("give it "+form, "%s is %q", source, value)
		}
		*target = value
		return nil
	}
}

func setMemory(target *string) func(source, value string) error {
	const least = 6 << 20 // of Docker
	return func(source, value string) error {
		if m := memoryPattern.FindStringSubmatch(value); m != nil {
			number, err := strconv.ParseFloat(m[1], 64)
			unit := strings.Index("bkmgt", strings.ToLower(m[2]))
			if m[2] == "" {
				unit = 0
			}
			if err == nil && number*math.Pow(1024, float64(unit)) >= least {
				*target = value
				return nil
			}
		}
		return types.Misused("give it a size such as 4g or 512m, 6m at least", "%s is %q", source, value)
	}
}

func setCPUs(target *string) func(source, value string) error {
	return func(source, value string) error {
		number, err := strconv.ParseFloat(value, 64)
		if err != nil || !(number >= 0.01) || math.IsInf(number, 0) || strings.ContainsAny(value, "xXeEpP_+") {
			return types.Misused("give it a number of processors such as 4 or 1.5", "%s is %q", source, value)
		}
		*target = value
		return nil
	}
}

func setPort(target *int) func(source, value string) error {
	return func(source, value string) error {
		port, err := strconv.Atoi(value)
		if err != nil || port < 1 || port > 65535 {
			return types.Misused("give it a number from 1 to 65535", "%s is %q", source, value)
		}
		*target = port
		return nil
	}
}

func (h host) setWorkspace(target *string) func(source, value string) error {
	return func(source, value string) error {
		const fix = "give --workspace (or WORKSPACE) a folder that exists"
		if value == "" {
			return types.Misused(fix, "%s is empty", source)
		}
		if !filepath.IsAbs(value) {
			value = filepath.Join(h.dir, value)
		}
		workspace, err := filepath.EvalSymlinks(value)
		if err != nil {
			return types.Misused(fix, "%s cannot be used: %v", source, err)
		}
		if info, err := os.Stat(workspace); err != nil || !info.IsDir() {
			return types.Misused(fix, "%s is not a folder: %s", source, workspace)
		}
		*target = workspace
		return nil
	}
}

// setUser gives the user of the box the ids of the person, to whom the mounted
// files belong. It cannot be root: for root it is who called sudo, else the
// owner of the workspace, else the first user of most systems.
func (h host) setUser(cfg *types.Config, env map[string]string) {
	cfg.UID, cfg.GID = h.uid, h.gid
	if cfg.UID > 0 {
		return
	}
	cfg.UID, cfg.GID = 1000, 1000
	if h.uid < 0 {
		return
	}
	uid, gid := owner(cfg.Workspace)
	if n, err := strconv.Atoi(env["SUDO_UID"]); err == nil {
		uid = n
		gid, _ = strconv.Atoi(env["SUDO_GID"])
	}
	if uid > 0 {
		cfg.UID, cfg.GID = uid, gid
	}
}

// setPlaces finds the files of the person, and where agentbox keeps its own.
func (h host) setPlaces(cfg *types.Config, env map[string]string) error {
	home := env["HOME"]
	if h.system == "windows" {
		home = env["USERPROFILE"]
	}
	if !filepath.IsAbs(home) {
		return types.Misused("set HOME (on Windows USERPROFILE) to your home folder", "your home folder is not known")
	}
	cfg.ClaudeDir = filepath.Join(home, ".claude")
	cfg.ClaudeJSON = filepath.Join(home, ".claude.json")
	cfg.GitConfig = existing(filepath.Join(home, ".gitconfig"), false)
	gh := filepath.Join(home, ".config", "gh")
	if h.system == "windows" {
		gh = filepath.Join(env["AppData"], "GitHub CLI")
	}
	cfg.GHConfigDir = existing(gh, true)

	// Engines in a virtual machine of macOS see the home, not the folder of
	// temporary files.
	parent := os.TempDir()
	if h.system == "darwin" {
		parent = filepath.Join(home, "Library", "Caches")
	}
	cfg.Dir = filepath.Join(parent, "agentbox-"+strconv.Itoa(max(h.uid, 0)))
	cfg.BuildContext = filepath.Join(cfg.Dir, "assets")
	cfg.Dockerfile = filepath.Join(cfg.BuildContext, "Dockerfile")
	cfg.ObserverAsset = filepath.Join(cfg.BuildContext, "observer.mjs")
	cfg.EntryScript = filepath.Join(cfg.Dir, "entry.sh")
	if cfg.Container != types.DefaultContainer {
		cfg.EntryScript = filepath.Join(cfg.Dir, "entry-"+cfg.Container+".sh")
	}
	return nil
}

// existing returns name where it is a folder, or a file, and "" where not.
func existing(name string, folder bool) string {
	info, err := os.Stat(name)
	if err != nil || folder != info.IsDir() || !folder && info.Mode()&fs.ModeType != 0 {
		return ""
	}
	return name
}
