//go:build unix

package runtime

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/runtime/enginetest"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// diary keeps what a place tells the agent's log.
type diary struct {
	mu    sync.Mutex
	lines []string
}

func (d *diary) add(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, line)
}

func (d *diary) has(line string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Contains(d.lines, line)
}

func hostOf(d *diary, env []string) Host {
	return Host{Environ: func(context.Context) []string { return env }, Log: d.add}
}

func statusOf(t *testing.T, name string) string {
	t.Helper()
	return enginetest.Docker(t, "container", "inspect", "--format", "{{.State.Status}}", name)
}

// A container is created when there is none, started when it is stopped,
// unpaused when it is paused, and left alone when it runs.
func TestPrepareContainer(t *testing.T) {
	image, name, workspace := enginetest.Busybox(t), enginetest.Name(), t.TempDir()
	enginetest.RemoveLater(t, name)
	d := &diary{}
	place := New(Spec{Kind: Container, Name: name, Workspace: workspace, Lifecycle: Lifecycle{
		Folder: workspace,
		Create: []string{"sh", "-c", `echo creating in "$PWD" with "$COLOUR" >&2; docker run -d --init --name "$0" "$@" >/dev/null`, name, image, "sleep", "86400"},
		Stop:   []string{"docker", "stop", "--time", "1", name},
		Remove: []string{"docker", "rm", "--force", name},
	}}, hostOf(d, append(os.Environ(), "COLOUR=blue")))
	for _, step := range []struct {
		what   string
		before []string
		log    string
	}{
		{"no container", nil, "sandbox: creating in " + workspace + " with blue"},
		{"a running one", nil, ""},
		{"a stopped one", []string{"stop", "--time", "1", name}, "the container " + name + " is stopped: docker start " + name},
		{"a paused one", []string{"pause", name}, "the container " + name + " is paused: docker unpause " + name},
	} {
		if step.before != nil {
			enginetest.Docker(t, step.before...)
		}
		if err := place.Prepare(t.Context()); err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
		if got := statusOf(t, name); got != "running" {
			t.Errorf("%s is %s", step.what, got)
		}
		if step.log != "" && !d.has(step.log) {
			t.Errorf("%s: the log is %q", step.what, d.lines)
		}
		d.lines = nil
	}
	if err := place.Stop(t.Context()); err != nil || statusOf(t, name) != "exited" {
		t.Errorf("stop: %v, it is %s", err, statusOf(t, name))
	}
	if !d.has("sandbox: " + name) {
		t.Errorf("what docker printed is not in the log: %q", d.lines)
	}
	if err := place.Remove(t.Context()); err != nil {
		t.Error(err)
	}
	if got := enginetest.Docker(t, "ps", "-a", "-q", "--filter", "name=^"+name+"$"); got != "" {
		t.Error("it is not removed")
	}
}

// The commands that the assistant writes for a service of a compose file.
func TestPrepareCompose(t *testing.T) {
	enginetest.Compose(t)
	image, project, folder := enginetest.Busybox(t), enginetest.Name(), t.TempDir()
	file := "name: " + project + "\nservices:\n  scout:\n    image: " + image + "\n    init: true\n    command: [sleep, \"86400\"]\n  other:\n    image: " + image + "\n"
	if err := os.WriteFile(filepath.Join(folder, "compose.yaml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	name := project + "-scout-1"
	enginetest.RemoveLater(t, name)
	t.Cleanup(func() { enginetest.Docker(t, "compose", "-f", filepath.Join(folder, "compose.yaml"), "down") })
	d := &diary{}
	place := New(Spec{Kind: Container, Name: name, Workspace: folder, Lifecycle: Lifecycle{
		Folder: folder,
		Create: []string{"docker", "compose", "-f", "compose.yaml", "up", "-d", "--wait", "scout"},
		Stop:   []string{"docker", "compose", "-f", "compose.yaml", "stop", "--timeout", "1", "scout"},
		Remove: []string{"docker", "compose", "-f", "compose.yaml", "rm", "--stop", "--force", "scout"},
	}}, hostOf(d, os.Environ()))
	for _, step := range []struct {
		what string
		do   func(context.Context) error
		want string
	}{
		{"create", place.Prepare, "running"},
		{"stop", place.Stop, "exited"},
		{"start", place.Prepare, "running"},
	} {
		if err := step.do(t.Context()); err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
		if got := statusOf(t, name); got != step.want {
			t.Errorf("after %s it is %s", step.what, got)
		}
	}
	if err := place.Remove(t.Context()); err != nil {
		t.Error(err)
	}
	if s, err := (docker{}).look(t.Context(), place.(*box)); err != nil || s != missing {
		t.Errorf("after remove it is %s, %v", s, err)
	}
}

func TestPrepareSandbox(t *testing.T) {
	image, name, folder := enginetest.Busybox(t), enginetest.Name(), t.TempDir()
	path := enginetest.Sbx(t, image)
	enginetest.RemoveLater(t, name)
	if err := os.WriteFile(filepath.Join(folder, "sbxenv.yaml"), []byte("name: "+name+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := &diary{}
	spec := Spec{Kind: Sbx, Name: name, Workspace: folder, Lifecycle: Lifecycle{
		Folder: folder,
		Create: []string{"sbx", "env", "create"},
		Stop:   []string{"sbx", "stop", name},
		Remove: []string{"sbx", "env", "rm", "--force"},
	}}
	host := hostOf(d, before(path))
	var failure *Error
	if err := New(spec, host).Prepare(t.Context()); !errors.As(err, &failure) || failure.Code != NeedsApproval {
		t.Fatalf("a question: %v", err)
	}
	spec.Lifecycle.Create = append(spec.Lifecycle.Create, "--force")
	place := New(spec, host)
	if err := place.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !d.has("sandbox: Created sandbox " + name) {
		t.Errorf("the log is %q", d.lines)
	}
	if err := place.Files().Write(t.Context(), "x", strings.NewReader("from outside")); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(filepath.Join(folder, "x")); err != nil || string(got) != "from outside" {
		t.Errorf("%q, %v", got, err)
	}
	if err := place.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if err := place.Prepare(t.Context()); err != nil { // a stopped one needs nothing
		t.Error(err)
	}
	if got := read(t, place.Files(), "x"); got != "from outside" {
		t.Errorf("%q", got)
	}
	if err := place.Remove(t.Context()); err != nil {
		t.Error(err)
	}
	if s, err := (sbx{}).look(t.Context(), place.(*box)); err != nil || s != missing {
		t.Errorf("after remove it is %s, %v", s, err)
	}
}

// docker takes the beginning of an id for a name; the configuration does not.
func TestPrepareExactName(t *testing.T) {
	name := enginetest.Run(t, enginetest.Busybox(t))
	id := enginetest.Docker(t, "container", "inspect", "--format", "{{.Id}}", name)
	for _, other := range []string{id[:12], name[:len(name)-1], strings.ToUpper(name)} {
		err := New(Spec{Kind: Container, Name: other}, hostOf(&diary{}, os.Environ())).Prepare(t.Context())
		var failure *Error
		if !errors.As(err, &failure) || failure.Code != Missing {
			t.Errorf("%s: %v", other, err)
		}
	}
}

// Each thing that can be wrong with docker or sbx has its own sentence and fix.
func TestPrepareFailures(t *testing.T) {
	patient := limits{look: patience, wake: patience, create: patience, end: patience, quiet: patience, remove: patience}
	impatient, hasty := patient, patient // when something hangs
	impatient.look, hasty.create = time.Second, time.Second
	const none = `case $* in *inspect*) echo 'Error: No such container: box' >&2; exit 1;; ls*) exit 0;; esac; `
	for name, test := range map[string]struct {
		kind   Kind
		script string // of a docker or an sbx; "": there is none
		create []string
		code   Code
		text   string // in the message
	}{
		"no docker":      {Container, "", nil, NotInstalled, "install Docker"},
		"no sbx":         {Sbx, "", nil, NotInstalled, "install"},
		"daemon stopped": {Container, `echo 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?' >&2; exit 1`, nil, DaemonStopped, "systemctl start docker"},
		"not allowed":    {Container, `echo 'Got permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock' >&2; exit 1`, nil, NotAllowed, "usermod -aG docker"},
		"no container":   {Container, none, nil, Missing, "runtime.container"},
		"no sandbox":     {Sbx, none, nil, Missing, "runtime.sandbox"},
		"not created":    {Container, none, []string{"true"}, NotCreated, "true"},
		"create fails":   {Container, none, []string{"sh", "-c", "echo full disk; exit 3"}, Failed, "full disk"},
		"create asks":    {Sbx, none, []string{"sh", "-c", "printf 'Apply? [y/N] '; read x || exit 1"}, NeedsApproval, "add --force"},
		"create hangs":   {Container, none, []string{"sleep", "60"}, TooLong, "sleep 60"},
		"docker hangs":   {Container, "sleep 60", nil, Silent, "docker container inspect"},
		"sbx hangs":      {Sbx, "sleep 60", nil, Silent, "sbx daemon stop"},
		"ends at once":   {Container, `case $* in *inspect*) echo /box exited;; esac`, nil, Ended, "docker logs box"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var env []string
			program := map[Kind]string{Container: "docker", Sbx: "sbx"}[test.kind]
			if test.script == "" {
				env = []string{"PATH=" + t.TempDir()}
			} else {
				env = []string{"PATH=" + fakeProgram(t, program, test.script) + ":/usr/bin:/bin"}
			}
			place := New(Spec{Kind: test.kind, Name: "box", Workspace: t.TempDir(), Lifecycle: Lifecycle{Folder: t.TempDir(), Create: test.create}}, hostOf(&diary{}, env))
			switch place.(*box).limits = patient; test.code {
			case Silent:
				place.(*box).limits = impatient
			case TooLong:
				place.(*box).limits = hasty
			}
			err := place.Prepare(t.Context())
			var failure *Error
			if !errors.As(err, &failure) || failure.Code != test.code {
				t.Fatalf("%v", err)
			}
			if text := said(t, failure); !strings.Contains(text, test.text) {
				t.Errorf("%s", text)
			}
		})
	}
}

// A command of the file that cannot be started says so in its own words.
func TestPrepareWithoutProgram(t *testing.T) {
	spec := Spec{Kind: Sbx, Name: "box", Lifecycle: Lifecycle{Create: []string{"no-such-program"}}}
	err := New(spec, hostOf(&diary{}, before(fakeProgram(t, "sbx", "")))).Prepare(t.Context())
	var failure *process.StartError
	if !errors.As(err, &failure) || failure.Reason != process.NotFound {
		t.Error(err)
	}
}

// A docker that never returns holds nobody: whoever waits can stop waiting.
func TestPrepareCancelled(t *testing.T) {
	d := &diary{}
	env := before(fakeDocker(t, "echo started >>$0.log; sleep 600"))
	ctx, cancel := context.WithCancelCause(t.Context())
	folder := strings.TrimPrefix(strings.Split(env[len(env)-1], ":")[0], "PATH=")
	go func() {
		until(t, "docker is asked", func() bool { _, err := os.Stat(filepath.Join(folder, "docker.log")); return err == nil })
		cancel(errors.New("enough"))
	}()
	if err := New(Spec{Kind: Container, Name: "box"}, hostOf(d, env)).Prepare(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A question that hangs is asked again.
func TestAskAgain(t *testing.T) {
	enginetest.Need(t)
	name := enginetest.Run(t, enginetest.Busybox(t))
	env := before(fakeDocker(t, `if mkdir "$0.asked" 2>/dev/null; then sleep 600; fi; exec `+realDocker(t)+` "$@"`))
	place := New(Spec{Kind: Container, Name: name, WorkspacePath: "/etc"}, hostOf(&diary{}, env))
	place.(*box).limits.quiet = 15 * time.Second
	entries, err := place.Files().List(t.Context(), ".")
	if err != nil || !slices.Contains(names(entries), "passwd") {
		t.Errorf("%+v, %v", entries, err)
	}
}
