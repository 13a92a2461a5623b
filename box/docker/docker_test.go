//go:build unix

package docker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/box/docker/dockertest"
	"git.rickub.com/bots-garden/sidekicks/box/types"
)

// testConfig is a configuration whose folders exist.
func testConfig(t *testing.T) types.Config {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cfg := types.Config{
		Image: "img:1", Container: "box1", Session: "s", Port: 4317, Memory: "4g", CPUs: "2",
		Workspace:     filepath.Join(dir, "work, no: 1 é"),
		ClaudeDir:     filepath.Join(dir, "home/.claude"),
		ClaudeJSON:    filepath.Join(dir, "home/.claude.json"),
		Dir:           filepath.Join(dir, "own"),
		BuildContext:  filepath.Join(dir, "own/assets"),
		Dockerfile:    filepath.Join(dir, "own/assets/Dockerfile"),
		ObserverAsset: filepath.Join(dir, "own/assets/observer.mjs"),
		EntryScript:   filepath.Join(dir, "own/entry.sh"),
		UID:           1234, GID: 20,
		Given: map[string]bool{},
	}
	if os.Getuid() != 0 {
		cfg.UID, cfg.GID = os.Getuid(), os.Getgid()
	}
	for _, folder := range []string{cfg.Workspace, filepath.Join(cfg.BuildContext, "box"), filepath.Dir(cfg.ClaudeDir)} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(cfg.Workspace, cfg.UID, cfg.GID); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{cfg.Dockerfile, cfg.ObserverAsset, cfg.EntryScript, filepath.Join(cfg.BuildContext, "box/tmux.conf")} {
		write(t, file, filepath.Base(file))
	}
	return cfg
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// normal replaces what differs from one test to the next.
func normal(cfg types.Config, args []string) string {
	text := strings.Join(args, "\n")
	text = strings.ReplaceAll(text, strings.ReplaceAll(Transcripts(cfg), cfg.ClaudeDir, "CLAUDE"), "TRANSCRIPTS")
	text = strings.ReplaceAll(text, filepath.Base(Transcripts(cfg)), "SLUG--agentbox")
	return strings.ReplaceAll(text, filepath.Dir(cfg.Workspace), "/d")
}

func golden(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}

func TestRunArgs(t *testing.T) {
	cfg := testConfig(t)
	cfg.UID, cfg.GID = 1234, 20
	cfg.GitConfig = filepath.Join(filepath.Dir(cfg.ClaudeDir), ".gitconfig")
	write(t, cfg.GitConfig, "")
	if err := Prepare(cfg); err != nil {
		t.Fatal(err)
	}
	args, err := runArgs(cfg, Engine{}, []string{"AGENTBOX_COLS=80", "ANTHROPIC_API_KEY"}, "up")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "docker run", normal(cfg, args), `run
--detach
--init
--name
box1
--publish
127.0.0.1:4317:4317
--memory
4g
--cpus
2
--label
agentbox.yolo=false
--label
agentbox.workspace=/d/work, no: 1 é
--label
agentbox.port=4317
--label
agentbox.memory=4g
--label
agentbox.cpus=2
--label
agentbox.gpus=
--mount
type=bind,"source=/d/work, no: 1 é",target=/workspace
--mount
type=bind,source=/d/home/.claude,target=/home/agent/.claude
--mount
type=bind,source=/d/home/.claude/projects/SLUG--agentbox,target=/home/agent/.claude/projects/-workspace
--mount
type=bind,source=/d/home/.claude.json,target=/home/agent/.claude.json
--mount
type=bind,source=/d/own/entry.sh,target=/agentbox/entry.sh,readonly
--mount
type=bind,source=/d/own/assets/observer.mjs,target=/agentbox/observer.mjs,readonly
--mount
type=bind,source=/d/home/.gitconfig,target=/home/agent/.gitconfig,readonly
--mount
type=volume,source=agentbox-npm-cache,target=/home/agent/.npm
--mount
type=volume,source=agentbox-cargo-registry,target=/home/agent/.cargo/registry
--mount
type=volume,source=agentbox-pip-cache,target=/home/agent/.cache/pip
--tmpfs
/home/agent/.claude/sessions:uid=1234,gid=20,mode=700
--env
AGENTBOX_COLS=80
--env
ANTHROPIC_API_KEY
img:1
bash
/agentbox/entry.sh
up`)
}

func TestRunArgsOfOtherEngines(t *testing.T) {
	cfg := testConfig(t)
	cfg.GPUs, cfg.Yolo = "all", true
	if err := Prepare(cfg); err != nil {
		t.Fatal(err)
	}
	args, err := runArgs(cfg, Engine{Podman: true, Rootless: true, SELinux: true}, nil, "idle")
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Join(args, " ")
	for _, want := range []string{"--gpus all", "agentbox.yolo=true", "--userns keep-id", "--security-opt label=disable",
		"--tmpfs /home/agent/.claude/sessions:mode=1777", "entry.sh idle"} {
		if !strings.Contains(line, want) {
			t.Errorf("no %q in %s", want, line)
		}
	}
}

func TestBuildArgs(t *testing.T) {
	cfg := testConfig(t)
	cfg.UID, cfg.GID = 501, 20
	args, err := buildArgs(cfg)
	if err != nil {
		t.Fatal(err)
	}
	recipe, _ := recipe(cfg)
	golden(t, "docker build", strings.ReplaceAll(normal(cfg, args), recipe, "RECIPE"), `build
--force-rm
--tag
img:1
--file
/d/own/assets/Dockerfile
--build-arg
AGENT_UID=501
--label
agentbox.uid=501
--build-arg
AGENT_GID=20
--label
agentbox.gid=20
--label
agentbox.base=
--label
agentbox.claude-version=
--label
agentbox.recipe=RECIPE
/d/own/assets`)

	cfg.BaseImage, cfg.ClaudeVersion, cfg.BuildNetwork, cfg.NoCache = "base:1", "2.1.0", "host", true
	args, err = buildArgs(cfg)
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Join(args, " ")
	for _, want := range []string{"--build-arg BASE_IMAGE=base:1", "--build-arg CLAUDE_CODE_VERSION=2.1.0", "--network host", "--no-cache"} {
		if !strings.Contains(line, want) {
			t.Errorf("no %q in %s", want, line)
		}
	}
}

func TestImageIsOutdated(t *testing.T) {
	cfg := testConfig(t)
	recipe, err := recipe(cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg.UID, cfg.GID = 1001, 1001
	labels := func(change ...string) *Image {
		i := &Image{Labels: map[string]string{types.LabelUID: "1001", types.LabelGID: "1001", types.LabelRecipe: recipe,
			types.LabelBase: "base:1", types.LabelClaude: ""}}
		if len(change) > 0 {
			i.Labels[change[0]] = change[1]
		}
		return i
	}
	for name, test := range map[string]struct {
		image *Image
		set   func(*types.Config)
		want  string
	}{
		"same":              {labels(), nil, ""},
		"other user":        {labels(types.LabelUID, "1000"), nil, "1000:1001"},
		"other recipe":      {labels(types.LabelRecipe, "x"), nil, "another version"},
		"no labels":         {&Image{}, nil, "made for the user"},
		"same base":         {labels(), func(c *types.Config) { c.BaseImage = "base:1" }, ""},
		"other base":        {labels(), func(c *types.Config) { c.BaseImage = "base:2" }, "BASE_IMAGE"},
		"version given now": {labels(), func(c *types.Config) { c.ClaudeVersion = "2" }, "CLAUDE_CODE_VERSION"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := cfg
			if test.set != nil {
				test.set(&cfg)
			}
			got, err := test.image.Outdated(cfg)
			if err != nil || !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
				t.Errorf("%q, %v, want %q in it", got, err, test.want)
			}
		})
	}
}

func TestWriteCA(t *testing.T) {
	cfg := testConfig(t)
	before, _ := recipe(cfg)
	cfg.CABundle = filepath.Join(cfg.Dir, "ca.pem")
	if err := WriteCA(cfg); err == nil || !strings.Contains(err.Error(), "AGENTBOX_CA_BUNDLE") {
		t.Errorf("missing bundle: %v", err)
	}
	write(t, cfg.CABundle, "pem")
	if err := WriteCA(cfg); err != nil {
		t.Fatal(err)
	}
	inContext := filepath.Join(cfg.BuildContext, "box/ca.crt")
	if got, err := os.ReadFile(inContext); string(got) != "pem" {
		t.Errorf("in the build: %q, %v", got, err)
	}
	if after, _ := recipe(cfg); after != before {
		t.Error("the certificates of the place are part of the recipe")
	}
	cfg.CABundle = ""
	for range 2 {
		if err := WriteCA(cfg); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(inContext); !os.IsNotExist(err) {
		t.Errorf("without a bundle: %v", err)
	}
}

func TestPrepare(t *testing.T) {
	t.Run("nothing there", func(t *testing.T) {
		cfg := testConfig(t)
		for range 2 {
			if err := Prepare(cfg); err != nil {
				t.Fatal(err)
			}
		}
		got, _ := os.ReadFile(cfg.ClaudeJSON)
		info, err := os.Stat(cfg.ClaudeJSON)
		if err != nil || string(got) != "{}\n" || info.Mode().Perm() != 0o600 {
			t.Errorf("claude.json: %q, %v, %v", got, info, err)
		}
		for _, dir := range []string{cfg.ClaudeDir, filepath.Join(cfg.ClaudeDir, "sessions"), Transcripts(cfg)} {
			if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("%s: %v, %v", dir, info, err)
			}
		}
		if err := Owned(cfg); err != nil {
			t.Error(err) // what root made for the user of the box is that user's
		}
	})
	t.Run("empty claude.json", func(t *testing.T) {
		cfg := testConfig(t)
		write(t, cfg.ClaudeJSON, "")
		if err := Prepare(cfg); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(cfg.ClaudeJSON); string(got) != "{}\n" {
			t.Errorf("%q", got)
		}
	})
	t.Run("claude.json with something in it", func(t *testing.T) {
		cfg := testConfig(t)
		write(t, cfg.ClaudeJSON, "x")
		if err := Prepare(cfg); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(cfg.ClaudeJSON); string(got) != "x" {
			t.Errorf("%q", got)
		}
	})
	t.Run("claude.json is a folder", func(t *testing.T) {
		cfg := testConfig(t)
		if err := os.Mkdir(cfg.ClaudeJSON, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := Prepare(cfg); err == nil || !strings.Contains(err.Error(), "rmdir "+cfg.ClaudeJSON) {
			t.Errorf("%v", err)
		}
	})
	t.Run("claude.json leads nowhere", func(t *testing.T) {
		cfg := testConfig(t)
		if err := os.Symlink("gone/gone", cfg.ClaudeJSON); err != nil {
			t.Fatal(err)
		}
		if err := Prepare(cfg); err == nil || !strings.Contains(err.Error(), "links to") {
			t.Errorf("%v", err)
		}
	})
	t.Run("claude is a file", func(t *testing.T) {
		cfg := testConfig(t)
		write(t, cfg.ClaudeDir, "")
		if err := Prepare(cfg); err == nil || !strings.Contains(err.Error(), "move it away") {
			t.Errorf("%v", err)
		}
	})
}

func TestSymlinksAreMountedByWhatTheyLeadTo(t *testing.T) {
	cfg := testConfig(t)
	real := filepath.Join(filepath.Dir(cfg.Workspace), "dotfiles.json")
	write(t, real, "{}")
	if err := os.Symlink(real, cfg.ClaudeJSON); err != nil {
		t.Fatal(err)
	}
	if err := Prepare(cfg); err != nil {
		t.Fatal(err)
	}
	all, err := mounts(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(all, func(m mount) bool { return m.source == real && m.target == types.ClaudeJSON }) {
		t.Errorf("%v", all)
	}
	if err := os.Remove(cfg.EntryScript); err != nil {
		t.Fatal(err)
	}
	if _, err := mounts(cfg); err == nil || !strings.Contains(err.Error(), cfg.EntryScript) {
		t.Errorf("missing source: %v", err)
	}
}

func TestMountIsARecordOfCSV(t *testing.T) {
	for want, m := range map[string]mount{
		"type=bind,source=/a b:c,target=/t":                  {source: "/a b:c", target: "/t"},
		`type=bind,"source=/a,b",target=/t,readonly`:         {source: "/a,b", target: "/t", readonly: true},
		`type=bind,"source=/say ""hi""",target=/t`:           {source: `/say "hi"`, target: "/t"},
		`type=bind,source=C:\Users\é,target=/t`:              {source: `C:\Users\é`, target: "/t"},
		"type=volume,source=agentbox-npm-cache,target=/c/.n": {volume: true, source: "agentbox-npm-cache", target: "/c/.n"},
	} {
		if got := m.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestTranscriptsOfLongPathsDiffer(t *testing.T) {
	long := "/" + strings.Repeat("long/", 60)
	a := Transcripts(types.Config{ClaudeDir: "/c", Workspace: long + "a"})
	b := Transcripts(types.Config{ClaudeDir: "/c", Workspace: long + "b"})
	if a == b || len(filepath.Base(a)) > 200 {
		t.Errorf("%s\n%s", a, b)
	}
	if got, want := Transcripts(types.Config{ClaudeDir: "/c", Workspace: "/A b_c.d-é/x@y"}), "/c/projects/-A-b-c-d---x-y--agentbox"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestWorktree(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repo, work := filepath.Join(dir, "repo"), filepath.Join(dir, "work")
	linked := filepath.Join(repo, ".git/worktrees/w")
	module := filepath.Join(repo, ".git/modules/m")
	for _, folder := range []string{work, linked, filepath.Join(repo, ".git/objects"), filepath.Join(module, "objects")} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(linked, "commondir"), "../..\n")
	for name, test := range map[string]struct {
		pointer string
		want    string // source target
		fail    string
	}{
		"no repository":     {"", "", ""},
		"worktree":          {"gitdir: " + linked + "\n", repo + "/.git " + repo + "/.git", ""},
		"relative worktree": {"gitdir: ../repo/.git/worktrees/w", repo + "/.git /repo/.git", ""},
		"submodule":         {"gitdir: ../repo/.git/modules/m", module + " /repo/.git/modules/m", ""},
		"something else":    {"hello", "", ""},
		"gone":              {"gitdir: /gone/.git/worktrees/w", "", "worktree repair"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(work, ".git")
			_ = os.Remove(file)
			if test.pointer != "" {
				write(t, file, test.pointer)
			}
			got := ""
			all, err := commonGit(work)
			for _, m := range all {
				got = m.source + " " + m.target
			}
			if got != test.want || (err == nil) != (test.fail == "") || err != nil && !strings.Contains(err.Error(), test.fail) {
				t.Errorf("%q, %v, want %q", got, err, test.want)
			}
		})
	}
}

func TestEngine(t *testing.T) {
	for name, test := range map[string]struct {
		rules []dockertest.Rule
		want  Engine
		fail  string
	}{
		"docker": {
			[]dockertest.Rule{{Args: "info", Out: "WARNING: No swap limit support\n" +
				`{"version":"28.1","os":"Debian","cpus":8,"memory":1024,"security":["name=apparmor","name=seccomp,profile=default"]}`}},
			Engine{Version: "28.1", OS: "Debian", CPUs: 8, Memory: 1024}, "",
		},
		"rootless, SELinux": {
			[]dockertest.Rule{{Args: "info", Out: `{"version":"28.1","os":"Fedora","cpus":2,"memory":1,"security":["name=rootless","name=selinux"]}`}},
			Engine{Version: "28.1", OS: "Fedora", CPUs: 2, Memory: 1, Rootless: true, SELinux: true}, "",
		},
		"podman": {
			[]dockertest.Rule{
				{Args: "info", Code: 125, Times: 1, Out: `Error: template: info:1:18: executing "info" at <.ServerVersion>: can't evaluate field ServerVersion in type *define.Info`},
				{Args: "info", Out: `{"version":"5.2","os":"linux","cpus":4,"memory":9,"rootless":true,"selinux":true}`},
			},
			Engine{Version: "5.2", OS: "linux", CPUs: 4, Memory: 9, Podman: true, Rootless: true, SELinux: true}, "",
		},
		"nobody, told with success": {
			[]dockertest.Rule{{Args: "info", Out: `{"version":"","os":"","cpus":0,"memory":0,"security":null}`}},
			Engine{}, "does not run",
		},
		"something else": {[]dockertest.Rule{{Args: "info", Out: "hello"}}, Engine{}, "does not understand"},
	} {
		t.Run(name, func(t *testing.T) {
			dockertest.New(t, test.rules...)
			got, err := New(t.Context()).Engine(t.Context())
			if got != test.want || (err == nil) != (test.fail == "") || err != nil && !strings.Contains(err.Error(), test.fail) {
				t.Errorf("%+v, %v, want %+v, %s", got, err, test.want, test.fail)
			}
		})
	}
}

func TestFit(t *testing.T) {
	cfg := types.Config{CPUs: "4", Given: map[string]bool{}}
	if got, err := (Engine{CPUs: 2}).Fit(cfg); err != nil || got.CPUs != "2" {
		t.Errorf("default: %s, %v", got.CPUs, err)
	}
	cfg.Given["cpus"] = true
	if _, err := (Engine{CPUs: 2}).Fit(cfg); err == nil || !strings.Contains(err.Error(), "0.01 to 2") {
		t.Errorf("asked for: %v", err)
	}
	if got, err := (Engine{CPUs: 8}).Fit(cfg); err != nil || got.CPUs != "4" {
		t.Errorf("enough: %s, %v", got.CPUs, err)
	}
	if _, err := (Engine{CPUs: 8, Rootless: true}).Fit(cfg); err == nil || !strings.Contains(err.Error(), "podman") {
		t.Errorf("rootless: %v", err)
	}
	if _, err := (Engine{CPUs: 8, Rootless: true, Podman: true}).Fit(cfg); err != nil {
		t.Errorf("rootless podman: %v", err)
	}
}

// What the engines say, and the cure that agentbox names.
func TestExplain(t *testing.T) {
	for said, want := range map[string]string{
		"Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?":                 "start ",
		"Cannot connect to Podman. Please verify your connection to the Linux system using `podman system connection list`": "start ",
		"error during connect: this error may indicate that the docker daemon is not running: open //./pipe/docker_engine":  "start ",
		"permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get":         "usermod -aG docker",
		`docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].`:                 "leave --gpus out",
		"Range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available.":                                           "--cpus",
		"Minimum memory limit allowed is 6MB.":                                                                                   "--memory",
		`invalid argument "abc" for "-m, --memory" flag: invalid size: 'abc'`:                                                    "--memory",
		`invalid mount config for type "bind": bind source path does not exist: /x`:                                              "share it",
		"docker: Error response from daemon: Mounts denied: The path /x is not shared from the host and is not known to Docker.": "share it",
		`Conflict. The container name "/agentbox" is already in use by container "1".`:                                           "run agentbox again",
		"npm error code SELF_SIGNED_CERT_IN_CHAIN\nnpm error self-signed certificate in certificate chain":                       "AGENTBOX_CA_BUNDLE",
		"npm error network request to https://registry.example.org failed, reason: getaddrinfo EAI_AGAIN registry.example.org":   "--network host",
		"E: You don't have enough free space\nwrite /x: no space left on device":                                                 "docker system df",
		`pull access denied for nope, repository does not exist or may require 'docker login'`:                                   "BASE_IMAGE",
		"something nobody has seen": "agentbox doctor",
	} {
		dockertest.New(t, dockertest.Rule{Out: said, Code: 125})
		err := New(t.Context()).run(t.Context(), types.AskTime, nil, "x")
		var known *types.Error
		if !errors.As(err, &known) || !strings.Contains(known.Fix, want) || !strings.Contains(known.Problem, strings.Split(said, "\n")[0]) {
			t.Errorf("%s: %v, want %q as the cure", said, err, want)
		}
	}
}

func TestEngineThatHangs(t *testing.T) {
	dockertest.New(t, dockertest.Rule{Hang: true})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := New(ctx).Engine(ctx)
	if err == nil || !strings.Contains(err.Error(), "did not answer in time") || !strings.Contains(err.Error(), "fix: ") {
		t.Errorf("%v", err)
	}
}

func TestNoDocker(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("SHELL", "/bin/false")
	_, err := (&Client{program: "docker"}).Program()
	if err == nil || !strings.Contains(err.Error(), "install Docker") {
		t.Errorf("%v", err)
	}
}

const inspected = `{"id":"1f","image":"sha256:a","state":{"Status":"running","ExitCode":0,"OOMKilled":false},"labels":{"agentbox.yolo":"true"}}`

func TestBox(t *testing.T) {
	for name, test := range map[string]struct {
		rule dockertest.Rule
		up   bool
		none bool
		fail string
	}{
		"running":         {rule: dockertest.Rule{Out: inspected}, up: true},
		"stopped":         {rule: dockertest.Rule{Out: strings.Replace(inspected, "running", "exited", 1)}},
		"none":            {rule: dockertest.Rule{Out: "Error: No such container: b", Code: 1}, none: true},
		"none for podman": {rule: dockertest.Rule{Out: `Error: no container with name or ID "b" found: no such container`, Code: 125}, none: true},
		"somebody else's": {rule: dockertest.Rule{Out: strings.Replace(inspected, "agentbox.yolo", "x", 1)}, fail: "AGENTBOX_CONTAINER"},
	} {
		t.Run(name, func(t *testing.T) {
			dockertest.New(t, test.rule)
			box, err := New(t.Context()).Box(t.Context(), "b")
			if test.fail != "" {
				if err == nil || !strings.Contains(err.Error(), test.fail) {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil || (box == nil) != test.none || box.Up() != test.up {
				t.Errorf("%+v, %v", box, err)
			}
		})
	}
}

func TestStateSaysWhy(t *testing.T) {
	for want, state := range map[string]State{
		"ended with exit code 3":                 {Status: "exited", ExitCode: 3},
		"ended for want of memory, see --memory": {Status: "exited", ExitCode: 137, OOMKilled: true},
		"created":                                {Status: "created"},
	} {
		if got := state.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestStartLeavesNothingOfABoxThatDidNotStart(t *testing.T) {
	cfg := testConfig(t)
	if err := Prepare(cfg); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		said    string
		fix     string
		removed bool
	}{
		"port of a container": {"1f\nBind for 127.0.0.1:4317 failed: port is already allocated.", "--port ", true},
		"port of a program":   {"Error starting userland proxy: listen tcp4 127.0.0.1:4317: bind: address already in use.", "--port ", true},
		"port of Desktop":     {"Ports are not available: exposing port TCP 127.0.0.1:4317 -> 0.0.0.0:0: listen tcp", "--port ", true},
		"gpu":                 {`could not select device driver "" with capabilities: [[gpu]].`, "--gpus", true},
		"name":                {`Conflict. The container name "/box1" is already in use by container "2f".`, "again", false},
	} {
		t.Run(name, func(t *testing.T) {
			fake := dockertest.New(t,
				dockertest.Rule{Args: "run", Out: test.said, Code: 125},
				dockertest.Rule{Args: "ps", Out: "otel"})
			err := New(t.Context()).Start(t.Context(), cfg, Engine{}, nil, "up")
			if err == nil || !strings.Contains(err.Error(), test.fix) {
				t.Errorf("%v, want %q", err, test.fix)
			}
			if strings.HasPrefix(name, "port") && !strings.Contains(err.Error(), "by the container otel") {
				t.Errorf("who has it? %v", err)
			}
			if got := fake.Called("rm", "--force", "box1"); got != test.removed {
				t.Errorf("removed: %v", got)
			}
		})
	}
}

func TestEnd(t *testing.T) {
	for name, test := range map[string]struct {
		status string
		want   []string // the first words of what docker is asked
	}{
		"running": {"running", []string{"stop -t", "rm --force"}},
		"paused":  {"paused", []string{"unpause b1", "stop -t", "rm --force"}},
		"exited":  {"exited", []string{"rm --force"}},
	} {
		t.Run(name, func(t *testing.T) {
			fake := dockertest.New(t)
			if err := New(t.Context()).End(t.Context(), &Box{ID: "b1", State: State{Status: test.status}}); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, call := range fake.Calls() {
				got = append(got, strings.Join(call[:2], " "))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
	if err := New(t.Context()).End(t.Context(), nil); err != nil {
		t.Errorf("no box: %v", err)
	}
}

func TestTerminalArgs(t *testing.T) {
	got := Terminal{TTY: true, Dir: "/w", Env: []string{"TERM=x"}, Command: []string{"bash"}}.args("b")
	want := []string{"exec", "--interactive", "--tty", "--detach-keys", detachKeys, "--workdir", "/w", "--env", "TERM=x", "b", "bash"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := (Terminal{Command: []string{"bash"}}).args("b"); !slices.Equal(got, []string{"exec", "--interactive", "b", "bash"}) {
		t.Errorf("without a terminal: %q", got)
	}
}
