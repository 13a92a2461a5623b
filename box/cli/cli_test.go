//go:build unix

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/box/docker/dockertest"
)

// place is where agentbox is run in a test.
type place struct {
	home, work string
	uid, gid   string // of the user of the box
}

// newPlace makes a home and a workspace, and nothing of the environment of
// this computer reaches agentbox.
func newPlace(t *testing.T) place {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := place{filepath.Join(dir, "home"), filepath.Join(dir, "work"), strconv.Itoa(os.Getuid()), strconv.Itoa(os.Getgid())}
	for _, folder := range []string{p.home, p.work, filepath.Join(dir, "tmp")} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"WORKSPACE", "MEM", "CPUS", "DOCKER_NETWORK", "BASE_IMAGE", "CLAUDE_CODE_VERSION",
		"AGENTBOX_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "AGENTBOX_CONTAINER", "AGENTBOX_IMAGE", "CLAUDE_CODE_OAUTH_TOKEN",
		"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", p.home)
	t.Setenv("TMPDIR", filepath.Join(dir, "tmp"))
	if os.Getuid() == 0 { // the tests may run as root, and the box may not
		p.uid, p.gid = "501", "501"
		t.Setenv("SUDO_UID", p.uid)
		t.Setenv("SUDO_GID", p.uid)
	}
	p.own(t, p.work)
	t.Chdir(p.work)
	return p
}

// own gives a file to the user of the box.
func (p place) own(t *testing.T, name string) {
	t.Helper()
	uid, _ := strconv.Atoi(p.uid)
	gid, _ := strconv.Atoi(p.gid)
	if err := os.Chown(name, uid, gid); err != nil {
		t.Fatal(err)
	}
}

// result is what a run of agentbox gave.
type result struct {
	code     int
	out, err string
}

func agentbox(t *testing.T, args ...string) result {
	t.Helper()
	var out, err bytes.Buffer
	p := &program{out: &out, err: &err}
	code := p.run(t.Context(), args)
	return result{code, out.String(), err.String()}
}

func (r result) want(t *testing.T, code int, texts ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d", r.code, code)
	}
	for _, text := range texts {
		if !strings.Contains(r.out+r.err, text) {
			t.Errorf("no %q", text)
		}
	}
	if t.Failed() {
		t.Logf("%s%s", r.out, r.err)
	}
}

const rootHelp = `agentbox runs a team of Claude Code agents in one disposable Docker container,
the box: tmux with the lead in the window "main", where teammates open as panes,
and the Observer, a web page that shows what the team does, in another. The
current folder is /workspace in the box, and your ~/.claude is there too.

Ctrl-b d leaves the box running; agentbox comes back to it. In tmux, Claude
Code's own Ctrl-b is typed twice.

Usage:
  agentbox [COMMAND] [FLAGS]

Commands:
  up        build the image if it is missing, start the box, attach to it (the default)
  shell     open bash in the box, which is started without agents if it does not run
  rebuild   build the image anew with nothing of the old one, then do as up does
  doctor    check the engine, the image, the folders, the port and the settings
  down      end the agents, then remove the box; caches and image stay

Flags:
      --cpus NUMBER       NUMBER of processors of the box; 4, or what the engine has (CPUS)
      --gpus WHICH        WHICH GPUs the box gets, such as all (Linux, NVIDIA); none
  -h, --help              show this help
      --memory LIMIT      memory LIMIT of the box; 4g (MEM)
      --network MODE      network MODE of the build, such as host; Docker's own (DOCKER_NETWORK)
      --no-cache          build the image anew with nothing of the old one (up, rebuild)
      --port PORT         PORT of the Observer on this computer; 4317
      --workspace FOLDER  FOLDER to work on; the current one when left out (WORKSPACE)
      --yolo              let the agents do everything without asking: mind that they may
                          write ~/.claude, whose hooks run on this computer

Environment, besides what the flags name in brackets:
  BASE_IMAGE              image to build on; node:22-bookworm-slim
  CLAUDE_CODE_VERSION     version of Claude Code to build in; the latest
  AGENTBOX_CA_BUNDLE      certificates of a proxy, in PEM format; those of NODE_EXTRA_CA_CERTS
  AGENTBOX_CONTAINER      name of the box, to have several; agentbox
  AGENTBOX_IMAGE          name of the image; agentbox:latest
  CLAUDE_CODE_OAUTH_TOKEN, ANTHROPIC_* and *_PROXY are passed on to the box.
`

// Help is given whatever else is in the arguments, without Docker and a home.
func TestHelp(t *testing.T) {
	t.Setenv("PATH", "")
	t.Setenv("HOME", "")
	for _, args := range []string{"--help", "-h", "-h --bogus", "--bogus -h", "nonsense --help", "--port x -h", "help", "help nonsense"} {
		if got := agentbox(t, strings.Fields(args)...); got.code != 0 || got.out != rootHelp || got.err != "" {
			t.Errorf("%s: %+v", args, got)
		}
	}
	for _, command := range []string{"up", "shell", "rebuild", "doctor", "down"} {
		for _, args := range []string{command + " --help", command + " -h --bogus", "-h " + command, "help " + command, "--port 99999 " + command + " x -h"} {
			got := agentbox(t, strings.Fields(args)...)
			if got.code != 0 || got.err != "" || !strings.Contains(got.out, "\n  agentbox "+command+" [FLAGS]\n") || !strings.Contains(got.out, "--workspace FOLDER") {
				t.Errorf("%s: %+v", args, got)
			}
		}
	}
	agentbox(t, "doctor", "-h").want(t, 0, "--json")
}

func TestWrongUsage(t *testing.T) {
	newPlace(t)
	fake := dockertest.New(t)
	for args, want := range map[string]string{
		"dwon":               "there is no command \"dwon\"\n  fix: did you mean down?\n",
		"frobnicate":         "there is no command \"frobnicate\"\n  fix: see 'agentbox --help'\n",
		"up down":            "agentbox up takes no argument, and was given \"down\"\n  fix: see 'agentbox up --help'\n",
		"shell -- ls":        "agentbox shell takes no argument, and was given \"ls\"\n  fix: see 'agentbox shell --help'\n",
		"--yol":              "there is no flag --yol\n  fix: did you mean --yolo?\n",
		"up --frobnicate":    "there is no flag --frobnicate\n  fix: see 'agentbox up --help'\n",
		"up -x":              "there is no flag -x\n  fix: see 'agentbox up --help'\n",
		"up --json":          "there is no flag --json\n  fix: see 'agentbox up --help'\n",
		"up --port":          "the flag --port needs a value\n  fix: see 'agentbox up --help'\n",
		"--port 0":           "--port is \"0\"\n  fix: give it a number from 1 to 65535\n",
		"down --cpus=":       "--cpus is \"\"\n  fix: give it a number of processors such as 4 or 1.5\n",
		"rebuild --memory 1": "--memory is \"1\"\n  fix: give it a size such as 4g or 512m, 6m at least\n",
	} {
		if got := agentbox(t, strings.Fields(args)...); got.code != 2 || got.err != "agentbox: "+want || got.out != "" {
			t.Errorf("%s: %+v, want %q", args, got, want)
		}
	}
	agentbox(t, "up", "--yolo=maybe").want(t, 2, "maybe")
	if calls := fake.Calls(); len(calls) != 0 {
		t.Errorf("docker was asked: %q", calls)
	}
}

// Answers of docker.
var (
	info    = dockertest.Rule{Args: "info", Out: `{"version":"28.1","os":"Debian","cpus":2,"memory":8589934592,"security":[]}`}
	noImage = dockertest.Rule{Args: "image inspect", Out: "Error: No such image: agentbox:latest", Code: 1}
	noBox   = dockertest.Rule{Args: "container inspect", Out: "Error: No such container: agentbox", Code: 1}
)

func once(r dockertest.Rule) dockertest.Rule {
	r.Times = 1
	return r
}

// image is an image that is as it has to be.
func (p place) image(t *testing.T) dockertest.Rule {
	t.Helper()
	return dockertest.Rule{Args: "image inspect", Out: `{"id":"sha256:new","size":1,"labels":` + toJSON(t, map[string]string{
		"agentbox.uid": p.uid, "agentbox.gid": p.gid, "agentbox.recipe": recipe(t)}) + `}`}
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// recipe is what agentbox gives an image as its label.
func recipe(t *testing.T) string {
	t.Helper()
	if known != "" {
		return known
	}
	fake := dockertest.New(t, info, noImage, noBox)
	agentbox(t, "up")
	for _, call := range fake.Calls() {
		for _, arg := range call {
			if label, found := strings.CutPrefix(arg, "agentbox.recipe="); found {
				known = label
				return label
			}
		}
	}
	t.Fatal("the image got no label of its recipe")
	return ""
}

var known string // the recipe, the same in every test

// box is a container that agentbox made.
func (p place) box(t *testing.T, status string, code int, labels ...string) dockertest.Rule {
	t.Helper()
	all := map[string]string{"agentbox.yolo": "false", "agentbox.workspace": p.work, "agentbox.port": "4317",
		"agentbox.memory": "4g", "agentbox.cpus": "2", "agentbox.gpus": ""}
	for i := 0; i+1 < len(labels); i += 2 {
		all[labels[i]] = labels[i+1]
	}
	return dockertest.Rule{Args: "container inspect", Out: toJSON(t, map[string]any{"id": "b1", "image": "sha256:new",
		"state": map[string]any{"Status": status, "ExitCode": code}, "labels": all})}
}

// asked is what docker was told, each by its first words.
func asked(fake *dockertest.Fake) []string {
	var words []string
	for _, call := range fake.Calls() {
		text := strings.Join(call[:min(2, len(call))], " ")
		switch call[0] {
		case "run", "build", "info", "ps", "rm":
			text = call[0]
		}
		words = append(words, text)
	}
	return words
}

func TestUpBuildsAndStarts(t *testing.T) {
	newPlace(t)
	fake := dockertest.New(t, info, noImage, once(noBox))
	agentbox(t).want(t, 0, "Building the image agentbox:latest: for the first time",
		"The box agentbox runs (agents ask before they act). Observer: http://localhost:4317", "This is no terminal")
	want := []string{"container inspect", "info", "image inspect", "build", "run", "exec --user", "container inspect", "exec agentbox"}
	if got := asked(fake); !slices.Equal(got, want) {
		t.Errorf("docker was asked %q, want %q", got, want)
	}
}

func TestUpStartsWithAnImage(t *testing.T) {
	p := newPlace(t)
	image := p.image(t)
	fake := dockertest.New(t, info, image, noBox)
	agentbox(t, "up", "--yolo", "--port", "4400").want(t, 0, "(yolo: agents act without asking). Observer: http://localhost:4400")
	if fake.Called("build") {
		t.Error("it was built again")
	}
}

func TestUpBuildsAgainForAnotherUser(t *testing.T) {
	p := newPlace(t)
	image := p.image(t)
	image.Out = strings.Replace(image.Out, `"agentbox.uid":"`+p.uid, `"agentbox.uid":"77`, 1)
	fake := dockertest.New(t, info, image, noBox)
	agentbox(t, "up").want(t, 0, "it was made for the user 77:"+p.gid)
	if !fake.Called("build") {
		t.Error("it was not built")
	}
}

func TestUpAgain(t *testing.T) {
	for name, test := range map[string]struct {
		labels []string
		args   []string
		want   []string
	}{
		"as it is":     {nil, nil, []string{"agents ask"}},
		"its own mode": {[]string{"agentbox.yolo", "true", "agentbox.port", "4400"}, nil, []string{"(yolo: agents act without asking). Observer: http://localhost:4400"}},
		"other flags": {nil, []string{"--yolo", "--memory", "8g", "--port", "4400", "--cpus", "1", "--gpus", "all"}, []string{
			"--yolo true does not apply to the box that runs, which has \"false\"", "--memory 8g does not", "--port 4400 does not",
			"--cpus 1 does not", "--gpus all does not", "Observer: http://localhost:4317", "agents ask"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			image := p.image(t)
			fake := dockertest.New(t, info, image, p.box(t, "running", 0, test.labels...))
			got := agentbox(t, append([]string{"up"}, test.args...)...)
			got.want(t, 0, test.want...)
			if len(test.args) == 0 && strings.Contains(got.err, "does not apply") {
				t.Errorf("a default is not what was asked for: %s", got.err)
			}
			if words := asked(fake); !slices.Equal(words, []string{"container inspect", "image inspect", "exec agentbox"}) {
				t.Errorf("docker was asked %q", words)
			}
		})
	}
}

func TestUpMakesTheSessionInABoxOfShell(t *testing.T) {
	p := newPlace(t)
	image := p.image(t)
	fake := dockertest.New(t, image, p.box(t, "running", 0), dockertest.Rule{Args: "exec agentbox", Code: 1, Times: 1})
	agentbox(t).want(t, 0, "runs")
	if got := fake.Calls(); len(got) != 5 || !slices.Contains(got[3], "bash /agentbox/entry.sh session") {
		t.Errorf("docker was asked %q", got)
	}
}

func TestStaleBoxes(t *testing.T) {
	for name, test := range map[string]struct {
		status string
		code   int
		oom    bool
		labels []string
		exit   int
		want   string
		asked  []string
	}{
		"exited":                     {status: "exited", code: 3, want: "Replacing the old box, which is not running (ended with exit code 3)", asked: []string{"rm", "run"}},
		"created":                    {status: "created", want: "Replacing the old box, which is not running (created)", asked: []string{"rm", "run"}},
		"dead":                       {status: "dead", want: "Replacing", asked: []string{"rm", "run"}},
		"exited, of another project": {status: "exited", labels: []string{"agentbox.workspace", "/x"}, want: "Replacing", asked: []string{"rm", "run"}},
		"paused":                     {status: "paused", want: "it goes on", asked: []string{"unpause b1"}},
		"at work elsewhere":          {status: "running", labels: []string{"agentbox.workspace", "/x"}, exit: 1, want: "at work on /x, not on "},
		"nobody's":                   {status: "running", labels: []string{"agentbox.workspace", ""}, exit: 1, want: "at work on"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			image := p.image(t)
			fake := dockertest.New(t, info, image, once(p.box(t, test.status, test.code, test.labels...)), p.box(t, "running", 0))
			agentbox(t).want(t, test.exit, test.want)
			for _, words := range test.asked {
				if !slices.Contains(asked(fake), words) {
					t.Errorf("docker was asked %q, want %q too", asked(fake), words)
				}
			}
			if test.exit != 0 && (fake.Called("rm") || fake.Called("run")) {
				t.Errorf("docker was asked %q", asked(fake))
			}
		})
	}
}

func TestABoxOfAnOlderImageIsSaidToBe(t *testing.T) {
	p := newPlace(t)
	image := p.image(t)
	box := p.box(t, "running", 0)
	box.Out = strings.Replace(box.Out, "sha256:new", "sha256:old", 1)
	dockertest.New(t, image, box)
	agentbox(t).want(t, 0, "The box runs an older image")
	dockertest.New(t, noImage, p.box(t, "running", 0))
	agentbox(t).want(t, 0, "The box runs an older image")
}

func TestACrashAtTheStartShowsTheLogs(t *testing.T) {
	p := newPlace(t)
	image := p.image(t)
	fake := dockertest.New(t, info, image, once(noBox), p.box(t, "exited", 127),
		dockertest.Rule{Args: "exec", Out: "Error response from daemon: Container b1 is not running", Code: 1},
		dockertest.Rule{Args: "logs", Out: "bash: tmux: command not found"})
	agentbox(t).want(t, 1, "the box has ended with exit code 127; docker logs:\n  bash: tmux: command not found", "agentbox rebuild")
	if fake.Called("rm") {
		t.Error("what crashed is to be looked at, and was removed")
	}
}

func TestUpStopsBeforeTheBuildWhereTheBoxWouldNotStart(t *testing.T) {
	newPlace(t)
	fake := dockertest.New(t, info, noImage, noBox)
	agentbox(t, "--cpus", "9").want(t, 2, "9 processors were asked for, and the engine has 2", "0.01 to 2")
	if err := os.Mkdir(filepath.Join(os.Getenv("HOME"), ".claude.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	agentbox(t).want(t, 1, ".claude.json is a folder", "rmdir")
	if fake.Called("build") {
		t.Error("it built all the same")
	}
}

func TestABuildThatFails(t *testing.T) {
	newPlace(t)
	fake := dockertest.New(t, info, noImage, noBox, dockertest.Rule{Args: "build", Out: "Step 3/9 : RUN npm\nself-signed certificate in certificate chain", Code: 1})
	agentbox(t).want(t, 1, "Step 3/9", "build the image agentbox:latest: ", "AGENTBOX_CA_BUNDLE")
	if fake.Called("run") {
		t.Error("it started a box of it")
	}
}

func TestShell(t *testing.T) {
	p := newPlace(t)
	image := p.image(t)
	fake := dockertest.New(t, info, image, once(noBox), p.box(t, "running", 0), dockertest.Rule{Args: "exec --interactive", Code: 42})
	agentbox(t, "shell").want(t, 42)
	calls := fake.Calls()
	if last := calls[len(calls)-1]; last[len(last)-1] != "bash" || slices.Contains(last, "--tty") {
		t.Errorf("the shell was started as %q", last)
	}
	if !slices.ContainsFunc(calls, func(c []string) bool { return c[0] == "run" && c[len(c)-1] == "idle" }) {
		t.Errorf("the box was not started, or not without agents: %q", asked(fake))
	}
	fake = dockertest.New(t, image, p.box(t, "running", 0))
	agentbox(t, "shell").want(t, 0)
	if fake.Called("run") {
		t.Error("a second box")
	}
}

func TestRebuild(t *testing.T) {
	for _, args := range [][]string{{"rebuild"}, {"up", "--no-cache"}} {
		p := newPlace(t)
		fake := dockertest.New(t, info, p.image(t), p.box(t, "running", 0))
		agentbox(t, args...).want(t, 0, "Ending the box that runs the old image.", "runs")
		want := []string{"container inspect", "info", "image inspect", "build", "stop -t", "rm", "image rm", "run"}
		if got := asked(fake); len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
			t.Errorf("%q: docker was asked %q, want %q", args, got, want)
		}
		for _, call := range fake.Calls() {
			if call[0] == "build" && !slices.Contains(call, "--no-cache") {
				t.Errorf("the build was %q", call)
			}
		}
	}
	p := newPlace(t)
	fake := dockertest.New(t, info, p.image(t), p.box(t, "running", 0), dockertest.Rule{Args: "build", Code: 1})
	agentbox(t, "rebuild").want(t, 1)
	if fake.Called("rm") {
		t.Error("the build failed, and the box was ended")
	}
}

func TestDown(t *testing.T) {
	p := newPlace(t)
	fake := dockertest.New(t, p.box(t, "running", 0, "agentbox.workspace", "/elsewhere"))
	agentbox(t, "down").want(t, 0, "removed")
	if got, want := asked(fake), []string{"container inspect", "stop -t", "rm"}; !slices.Equal(got, want) {
		t.Errorf("docker was asked %q, want %q", got, want)
	}
	for _, call := range fake.Calls() {
		if slices.Contains(call, "--volumes") || slices.Contains(call, "-v") {
			t.Errorf("the volumes are removed: %q", call)
		}
	}
	dockertest.New(t, noBox)
	agentbox(t, "down").want(t, 0, "There is no box agentbox.")
}

var noDaemon = dockertest.Rule{Out: "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?", Code: 1}

func TestNoDaemon(t *testing.T) {
	newPlace(t)
	dockertest.New(t, noDaemon)
	for _, command := range []string{"up", "shell", "rebuild", "down"} {
		agentbox(t, command).want(t, 1, "the Docker engine does not run", "fix: start ")
	}
}

func TestADaemonThatHangs(t *testing.T) {
	newPlace(t)
	dockertest.New(t, dockertest.Rule{Hang: true})
	for _, command := range []string{"up", "shell", "rebuild", "down", "doctor"} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		var out bytes.Buffer
		code := (&program{out: &out, err: &out}).run(ctx, []string{command})
		cancel()
		if code != 1 || !strings.Contains(out.String(), "docker did not answer in time") {
			t.Errorf("%s: %d, %s", command, code, &out)
		}
	}
}

func TestFolderOfSomebodyElse(t *testing.T) {
	p := newPlace(t)
	dockertest.New(t, info, noImage, noBox)
	agentbox(t).want(t, 0)
	all, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "agentbox-*"))
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	if info, err := os.Stat(all[0]); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.RemoveAll(all[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(p.work, all[0]); err != nil {
		t.Fatal(err)
	}
	agentbox(t).want(t, 1, "is not yours alone")
	if entries, _ := os.ReadDir(p.work); len(entries) != 0 {
		t.Errorf("it wrote through the link: %v", entries)
	}
}
