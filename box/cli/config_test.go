package cli

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/box/types"
)

// testHost is a host whose folders exist.
func testHost(t *testing.T, system string) (host, map[string]string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"home", "work", "other"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	home := filepath.Join(dir, "home")
	return host{system: system, dir: filepath.Join(dir, "work"), uid: 501, gid: 20},
		map[string]string{"HOME": home, "USERPROFILE": home, "AppData": filepath.Join(home, "AppData")}
}

func TestDefaults(t *testing.T) {
	h, env := testHost(t, "linux")
	cfg, err := h.resolve(env, nil)
	if err != nil {
		t.Fatal(err)
	}
	home := env["HOME"]
	for name, pair := range map[string][2]any{
		"image":      {cfg.Image, "agentbox:latest"},
		"container":  {cfg.Container, "agentbox"},
		"session":    {cfg.Session, "agentbox"},
		"port":       {cfg.Port, 4317},
		"memory":     {cfg.Memory, "4g"},
		"cpus":       {cfg.CPUs, "4"},
		"network":    {cfg.BuildNetwork, ""},
		"gpus":       {cfg.GPUs, ""},
		"yolo":       {cfg.Yolo, false},
		"workspace":  {cfg.Workspace, h.dir},
		"claude":     {cfg.ClaudeDir, filepath.Join(home, ".claude")},
		"json":       {cfg.ClaudeJSON, filepath.Join(home, ".claude.json")},
		"gitconfig":  {cfg.GitConfig, ""},
		"gh":         {cfg.GHConfigDir, ""},
		"entry":      {cfg.EntryScript, filepath.Join(os.TempDir(), "agentbox-501", "entry.sh")},
		"dockerfile": {cfg.Dockerfile, filepath.Join(os.TempDir(), "agentbox-501", "assets", "Dockerfile")},
		"context":    {cfg.BuildContext, filepath.Join(os.TempDir(), "agentbox-501", "assets")},
		"observer":   {cfg.ObserverAsset, filepath.Join(os.TempDir(), "agentbox-501", "assets", "observer.mjs")},
		"uid":        {cfg.UID, 501},
		"gid":        {cfg.GID, 20},
		"pass":       {len(cfg.Pass), 0},
		"given":      {len(cfg.Given), 0},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %v, want %v", name, pair[0], pair[1])
		}
	}
}

// A flag wins over the environment, which wins over the default; an empty
// variable is none.
func TestPrecedence(t *testing.T) {
	h, base := testHost(t, "linux")
	other := filepath.Join(filepath.Dir(h.dir), "other")
	for name, test := range map[string]struct {
		env, flags map[string]string
		want       func(types.Config) string
		is         string
	}{
		"workspace flag":     {map[string]string{"WORKSPACE": h.dir}, map[string]string{"workspace": other}, func(c types.Config) string { return c.Workspace }, other},
		"workspace variable": {map[string]string{"WORKSPACE": other}, nil, func(c types.Config) string { return c.Workspace }, other},
		"workspace relative": {nil, map[string]string{"workspace": "../other"}, func(c types.Config) string { return c.Workspace }, other},
		"workspace empty":    {map[string]string{"WORKSPACE": ""}, nil, func(c types.Config) string { return c.Workspace }, h.dir},
		"memory flag":        {map[string]string{"MEM": "1g"}, map[string]string{"memory": "2g"}, func(c types.Config) string { return c.Memory }, "2g"},
		"memory variable":    {map[string]string{"MEM": "512M"}, nil, func(c types.Config) string { return c.Memory }, "512M"},
		"memory in bytes":    {map[string]string{"MEM": "6291456"}, nil, func(c types.Config) string { return c.Memory }, "6291456"},
		"memory empty":       {map[string]string{"MEM": ""}, nil, func(c types.Config) string { return c.Memory }, "4g"},
		"cpus flag":          {map[string]string{"CPUS": "1"}, map[string]string{"cpus": "1.5"}, func(c types.Config) string { return c.CPUs }, "1.5"},
		"cpus variable":      {map[string]string{"CPUS": "1"}, nil, func(c types.Config) string { return c.CPUs }, "1"},
		"network flag":       {map[string]string{"DOCKER_NETWORK": "a"}, map[string]string{"network": "host"}, func(c types.Config) string { return c.BuildNetwork }, "host"},
		"network variable":   {map[string]string{"DOCKER_NETWORK": "host"}, nil, func(c types.Config) string { return c.BuildNetwork }, "host"},
		"gpus":               {nil, map[string]string{"gpus": `"device=0,1"`}, func(c types.Config) string { return c.GPUs }, `"device=0,1"`},
		"container":          {map[string]string{"AGENTBOX_CONTAINER": "b2"}, nil, func(c types.Config) string { return c.Container + " " + filepath.Base(c.EntryScript) }, "b2 entry-b2.sh"},
		"image":              {map[string]string{"AGENTBOX_IMAGE": "b2:1"}, nil, func(c types.Config) string { return c.Image }, "b2:1"},
		"base":               {map[string]string{"BASE_IMAGE": "b"}, nil, func(c types.Config) string { return c.BaseImage }, "b"},
		"version":            {map[string]string{"CLAUDE_CODE_VERSION": "2.1.0"}, nil, func(c types.Config) string { return c.ClaudeVersion }, "2.1.0"},
		"certificates":       {map[string]string{"AGENTBOX_CA_BUNDLE": "a", "NODE_EXTRA_CA_CERTS": "b"}, nil, func(c types.Config) string { return c.CABundle }, "a"},
		"Node's":             {map[string]string{"NODE_EXTRA_CA_CERTS": "b"}, nil, func(c types.Config) string { return c.CABundle }, "b"},
		"yolo":               {nil, map[string]string{"yolo": "true"}, func(c types.Config) string { return map[bool]string{true: "on"}[c.Yolo] }, "on"},
		"no yolo":            {nil, map[string]string{"yolo": "false"}, func(c types.Config) string { return map[bool]string{true: "on"}[c.Yolo] }, ""},
		"passed on": {map[string]string{"CLAUDE_CODE_OAUTH_TOKEN": "secret", "https_proxy": "p", "ANTHROPIC_API_KEY": ""}, nil,
			func(c types.Config) string { return strings.Join(c.Pass, " ") }, "CLAUDE_CODE_OAUTH_TOKEN https_proxy"},
	} {
		t.Run(name, func(t *testing.T) {
			env := maps.Clone(base)
			maps.Copy(env, test.env)
			cfg, err := h.resolve(env, test.flags)
			if got := test.want(cfg); err != nil || got != test.is {
				t.Errorf("%q, %v, want %q", got, err, test.is)
			}
		})
	}
}

func TestWrongSettings(t *testing.T) {
	h, base := testHost(t, "linux")
	file := filepath.Join(h.dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	flag := func(name string, values ...string) (all []map[string]string) {
		for _, value := range values {
			all = append(all, map[string]string{name: value})
		}
		return all
	}
	for want, flags := range map[string][]map[string]string{
		"--port":      flag("port", "", "0", "65536", "-1", "http", "4317 ", "1e3"),
		"--memory":    flag("memory", "", "4", "4gg", "g", "-4g", "5m", "1.5g", "lots", "4 g"),
		"--cpus":      flag("cpus", "", "0", "-1", "all", "1,5", "NaN", "Inf", "1e2", "0.001", "0x2"),
		"--network":   flag("network", "", "a b", "--privileged"),
		"--gpus":      flag("gpus", "", "--privileged"),
		"--workspace": flag("workspace", "", "gone", file),
	} {
		for _, f := range flags {
			_, err := h.resolve(base, f)
			var known *types.Error
			if !errors.As(err, &known) || !known.Usage || known.Fix == "" || !strings.Contains(known.Problem, want) {
				t.Errorf("%v: %v", f, err)
			}
		}
	}
	for name, value := range map[string]string{
		"MEM": "4", "CPUS": "x", "WORKSPACE": "gone", "DOCKER_NETWORK": "-x", "AGENTBOX_CONTAINER": "../x", "AGENTBOX_IMAGE": "-x", "HOME": "",
	} {
		env := maps.Clone(base)
		env[name] = value
		_, err := h.resolve(env, nil)
		var known *types.Error
		if !errors.As(err, &known) || !known.Usage || !strings.Contains(err.Error(), name) {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
}

func TestUser(t *testing.T) {
	for name, test := range map[string]struct {
		host     host
		env      map[string]string
		uid, gid int
	}{
		"Linux":         {host{system: "linux", uid: 1001, gid: 100}, nil, 1001, 100},
		"Mac":           {host{system: "darwin", uid: 501, gid: 20}, nil, 501, 20},
		"Windows":       {host{system: "windows", uid: -1, gid: -1}, nil, 1000, 1000},
		"root":          {host{system: "linux"}, nil, 1000, 1000},
		"sudo":          {host{system: "linux"}, map[string]string{"SUDO_UID": "1003", "SUDO_GID": "1004"}, 1003, 1004},
		"sudo, by root": {host{system: "linux"}, map[string]string{"SUDO_UID": "0", "SUDO_GID": "0"}, 1000, 1000},
	} {
		cfg := types.Config{Workspace: "/"} // root's
		test.host.setUser(&cfg, test.env)
		if cfg.UID != test.uid || cfg.GID != test.gid {
			t.Errorf("%s: %d:%d, want %d:%d", name, cfg.UID, cfg.GID, test.uid, test.gid)
		}
	}
}

func TestPlaces(t *testing.T) {
	for system, test := range map[string]struct{ dir, gh string }{
		"linux":   {filepath.Join(os.TempDir(), "agentbox-501"), "home/.config/gh"},
		"darwin":  {"home/Library/Caches/agentbox-501", "home/.config/gh"}, // colima sees the home alone
		"windows": {filepath.Join(os.TempDir(), "agentbox-501"), "home/AppData/GitHub CLI"},
	} {
		t.Run(system, func(t *testing.T) {
			h, env := testHost(t, system)
			gh := filepath.Join(filepath.Dir(h.dir), test.gh)
			if err := os.MkdirAll(gh, 0o700); err != nil {
				t.Fatal(err)
			}
			gitconfig := filepath.Join(env["HOME"], ".gitconfig")
			if err := os.WriteFile(gitconfig, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			cfg, err := h.resolve(env, nil)
			if err != nil || cfg.GitConfig != gitconfig || cfg.GHConfigDir != gh || !strings.HasSuffix(cfg.Dir, test.dir) {
				t.Errorf("%+v, %v", cfg, err)
			}
		})
	}
}
