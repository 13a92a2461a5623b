//go:build unix

package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent"
	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
	"git.rickub.com/bots-garden/sidekicks/runtime"
	"git.rickub.com/bots-garden/sidekicks/runtime/enginetest"
)

// places are three agents: on this computer, in a container and in a sandbox,
// both of which their lifecycle creates. Each folder holds the fake agent.
type places struct {
	*world
	box, sandbox string
}

func newPlaces(t *testing.T, script fakeagent.Script) *places {
	t.Helper()
	image, program := enginetest.Busybox(t), enginetest.Agent(t)
	sbx := enginetest.Sbx(t, image)
	p := &places{world: &world{t: t, folder: t.TempDir()}, box: enginetest.Name(), sandbox: enginetest.Name()}
	enginetest.RemoveLater(t, p.box)
	enginetest.RemoveLater(t, p.sandbox)
	data, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"here", "boxed", "sandboxed"} {
		dir := p.workspace(name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "agent"), data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	environment := filepath.Join(p.workspace("sandboxed"), "sbxenv.yaml")
	if err := os.WriteFile(environment, []byte("name: "+p.sandbox+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, env := fakeagent.Command(script)
	_, text, _ := strings.Cut(env[0], "=")
	common := func(name string, more map[string]any) map[string]any {
		entry := map[string]any{
			"env":       map[string]string{fakeagent.Env: text, "PATH": sbx + ":" + os.Getenv("PATH"), "SIDEKICKS_SBX_IMAGE": image},
			"workspace": p.workspace(name), "afterStop": []string{"touch", "after"}, "command": "./agent", "args": []string{},
		}
		for k, v := range more {
			entry[k] = v
		}
		return entry
	}
	p.configure(cast{"here": {}, "boxed": {}, "sandboxed": {}}, []string{"here", "boxed", "sandboxed"}, settings{
		limits: map[string]any{"maxRunningAgents": 3},
		agents: map[string]map[string]any{
			"here": common("here", map[string]any{"command": filepath.Join(p.workspace("here"), "agent")}),
			"boxed": common("boxed", map[string]any{
				"command": "docker", "args": []string{"exec", "-i", "-e", fakeagent.Env, p.box, "/work/agent"},
				"runtime": map[string]any{
					"type": "container", "container": p.box, "workspacePath": "/work",
					"lifecycle": map[string]any{
						"create": []string{"docker", "run", "-d", "--init", "--name", p.box, "-v", p.workspace("boxed") + ":/work", image, "sleep", "86400"},
						"stop":   []string{"docker", "stop", "--time", "1", p.box},
						"remove": []string{"docker", "rm", "--force", p.box},
					},
				},
			}),
			"sandboxed": common("sandboxed", map[string]any{
				"command": "sbx", "args": []string{"exec", "-i", "-e", fakeagent.Env, p.sandbox, filepath.Join(p.workspace("sandboxed"), "agent")},
				"runtime": map[string]any{
					"type": "sbx", "sandbox": p.sandbox,
					"lifecycle": map[string]any{
						"create": []string{"sbx", "env", "create", "--force"},
						"stop":   []string{"sbx", "stop", p.sandbox},
						"remove": []string{"sbx", "env", "rm", "--force"},
					},
				},
			}),
		},
	})
	times := agent.DefaultTimes()
	p.open(settings{times: &times})
	return p
}

func (p *places) workspace(name string) string { return filepath.Join(p.folder, name) }

// inside lists what runs in a container or a sandbox, but its own first
// processes.
func (p *places) inside(name string) []string {
	p.t.Helper()
	var list []string
	for line := range strings.Lines(enginetest.Docker(p.t, "exec", name, "sh", "-c", `for path in /proc/[0-9]*; do tr '\0' ' ' <$path/cmdline 2>/dev/null; echo; done`)) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.Contains(line, "sleep 86400") && !strings.Contains(line, "for path in") && !strings.HasPrefix(line, "tr ") {
			list = append(list, line)
		}
	}
	return list
}

func (p *places) exists(name string) bool {
	p.t.Helper()
	return enginetest.Docker(p.t, "ps", "--all", "--quiet", "--filter", "name=^"+name+"$") != ""
}

// Three agents side by side, each in its own kind of place, which is created
// for it, answer with the folder they are in. Closing leaves nothing of theirs
// anywhere, and each afterStop has run.
func TestThreePlaces(t *testing.T) {
	p := newPlaces(t, fakeagent.Script{Start: []string{"ignore term"}})
	for name, folder := range map[string]string{"here": p.workspace("here"), "boxed": "/work", "sandboxed": p.workspace("sandboxed")} {
		got := p.answer(p.say(fmt.Sprintf("@%s !text in $cwd; text of; read $cwd/sbxenv.yaml", name)))
		if !strings.Contains(got, "in "+folder+"of") {
			t.Errorf("%s said %q", name, got)
		}
		if name == "sandboxed" && !strings.Contains(got, p.sandbox) {
			t.Errorf("it read %q", got)
		}
	}
	files := p.Place("boxed").Files()
	if entries, err := files.List(t.Context(), "."); err != nil || !slices.ContainsFunc(entries, func(e runtime.Entry) bool { return e.Name == "agent" }) {
		t.Errorf("files: %+v, %v", entries, err)
	}
	for _, name := range []string{"here", "boxed", "sandboxed"} {
		p.eventually("what "+name+" takes is known", func() bool {
			u, known := p.AgentUsage(name)
			return known && u.Memory > 1<<20
		})
	}
	if used, installed := p.Memory(); used < 3<<20 || installed < used {
		t.Errorf("%d of %d", used, installed)
	}
	if p.inside(p.box) == nil || p.inside(p.sandbox) == nil {
		t.Error("nothing runs inside")
	}
	p.close()
	for _, name := range []string{p.box, p.sandbox} {
		if left := p.inside(name); left != nil {
			t.Errorf("left in %s: %q", name, left)
		}
	}
	for _, name := range []string{"here", "boxed", "sandboxed"} {
		if _, err := os.Stat(filepath.Join(p.workspace(name), "after")); err != nil {
			t.Errorf("afterStop of %s: %v", name, err)
		}
	}
}

// The buttons stop and remove what the lifecycle created, the agent first; the
// next message creates it again.
func TestStopAndRemovePlace(t *testing.T) {
	p := newPlaces(t, fakeagent.Script{})
	for name, box := range map[string]string{"boxed": p.box, "sandboxed": p.sandbox} {
		at := fmt.Sprintf("@%s !text here", name)
		p.say(at)
		managed := func(m Managing, do func(string)) {
			t.Helper()
			do(name)
			if one, _ := p.Agent(name); one.Managing != m {
				t.Errorf("%s: it is said to be %q", name, one.Managing)
			}
			p.until("it is done", func() bool { one, _ := p.Agent(name); return one.Managing == "" })
			if one, _ := p.Agent(name); one.State != AgentStopped {
				t.Errorf("%s is %s", name, one.State)
			}
		}
		managed(StoppingPlace, p.StopPlace)
		if got := enginetest.Docker(t, "container", "inspect", "--format", "{{.State.Status}}", box); got != "exited" {
			t.Errorf("%s is %s", box, got)
		}
		if got := p.answer(p.say(at)); got != "here" {
			t.Errorf("after a stop: %q", got)
		}
		managed(RemovingPlace, p.RemovePlace)
		if p.exists(box) {
			t.Errorf("%s is still there", box)
		}
		if got := p.answer(p.say(at)); got != "here" {
			t.Errorf("after a removal: %q", got)
		}
	}
	p.noTroubles()
}

// eventually waits for what no event tells of.
func (w *world) eventually(what string, ok func() bool) {
	w.t.Helper()
	for late := time.After(patience); !ok(); {
		select {
		case <-late:
			w.t.Fatal("waited in vain: ", what)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
