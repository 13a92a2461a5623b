package ui

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/assist"
)

const fileBefore = `version: 1 # ours
agents:
  - name: alice
    command: mm
`

// openAssisted is a window on a real file.
func openAssisted(t *testing.T) (*window, *fake, string) {
	t.Helper()
	f := newFake()
	folder := t.TempDir()
	f.config.Path = filepath.Join(folder, "team.yaml")
	give(t, f.config.Path, fileBefore)
	w := openTest(t, f)
	return w, f, folder
}

func give(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (a *assistant) types(id assist.Field, text string) {
	a.rows[id].field.SetText(text)
	a.w.run()
}

// What is typed is shown as it will be written, wrong fields say so, and
// nothing but the new lines is written.
func TestAssistant(t *testing.T) {
	w, f, _ := openAssisted(t)
	f.programs = []assist.Candidate{{Program: "gemini", Title: "Gemini CLI", Arguments: "--acp", File: "/usr/bin/gemini"}}
	find(t, w.sidebar.object, "Add an agent").press()
	w.run()
	a := w.assistant
	shows(t, w.stage().object, "Add an agent", "Name used with @", "gemini", "The exact lines appear here once there is a name and a program.")
	if !a.shown.confirm.disabled || a.rows[assist.Name].wrong.Visible() {
		t.Error("an empty form can be added, or is blamed")
	}
	a.types(assist.Name, "Alice Smith")
	a.types(assist.Program, "docker agent")
	if wrong := a.rows[assist.Name].wrong; !wrong.Visible() || !strings.Contains(wrong.text, "lower") {
		t.Errorf("of the name it is said %q", wrong.text)
	}
	a.types(assist.Name, "alice")
	if !a.rows[assist.Name].wrong.Visible() {
		t.Error("a name that is taken is taken")
	}
	a.types(assist.Name, "bob")
	a.types(assist.Arguments, "serve acp 'my agent.yaml'")
	shows(t, w.stage().object, "What will be added (lines 5–7)", "+   - name: bob", "+     command: docker", "+     args: [agent, serve, acp, my agent.yaml]")

	f.answer = assist.Answer{Name: "docker agent", Version: "1.32", Took: 200 * time.Millisecond}
	a.try.press()
	shows(t, w.stage().object, "Starting it…")
	w.run()
	shows(t, w.stage().object, "✓ Answers: docker agent 1.32, 0.2 s")
	f.refuse = &assist.TryError{Err: errors.New("it ended"), Stderr: []string{"no such model"}}
	a.try.press()
	w.run()
	shows(t, w.stage().object, "✕ It does not answer", "it ended", "no such model")

	a.shown.finish()
	w.run()
	if len(w.stages) != 1 || w.assistant != nil {
		t.Error("the assistant is still open")
	}
	data, err := os.ReadFile(f.config.Path)
	if want := fileBefore + "  - name: bob\n    command: docker\n    args: [agent, serve, acp, my agent.yaml]\n"; err != nil || string(data) != want {
		t.Errorf("the file is now %q, want %q", data, want)
	}
	if !slices.Contains(f.called(), "create @bob") {
		t.Errorf("the talk with the new agent is not opened: %q", f.called())
	}
}

// A program that was found is one press away, and brings its arguments.
func TestAssistantPrograms(t *testing.T) {
	w, f, _ := openAssisted(t)
	f.programs = []assist.Candidate{{Program: "gemini", Title: "Gemini CLI", Arguments: "--experimental-acp", File: "/usr/bin/gemini"}}
	w.addAgent()
	w.run()
	find(t, w.stage().object, "gemini").press()
	w.run()
	a := w.assistant
	if a.form.Name != "gemini" || a.form.Title != "Gemini CLI" || a.plan == nil {
		t.Errorf("filled in: %+v", a.form)
	}
	w.leave()
	if w.assistant != nil {
		t.Error("it is not closed")
	}
}

// Beside a first agent the programs that were found are offered.
func TestOfferMore(t *testing.T) {
	w, f, _ := openAssisted(t)
	f.agents, f.channels, f.messages = f.agents[:1], f.channels[1:2], nil
	f.channels[0].Members = []string{"alice"}
	f.programs = []assist.Candidate{{Program: "gemini", Title: "Gemini CLI", Arguments: "--acp", File: "/usr/bin/gemini"}}
	w.apply([]app.Event{{Kind: app.Everything}})
	w.lookForPrograms()
	w.run()
	shows(t, w.conversation.object, "gemini", "found on your PATH", "Something else, a container, a sandbox…")
	find(t, w.conversation.object, "Add").press()
	w.run()
	if a := w.assistant; a == nil || a.form.Program != "gemini" || a.form.Name != "gemini" || a.plan == nil {
		t.Error("the assistant is not filled in")
	}
}

// A file dropped on the window opens the assistant, filled in; on the
// composer it goes with the message.
func TestDroppedFiles(t *testing.T) {
	w, _, folder := openAssisted(t)
	away := fyne.NewPos(700, 300)
	agent := filepath.Join(folder, "élise", "agent.yaml")
	give(t, agent, "agents:\n  root:\n    model: local\n")
	w.dropped(away, []string{agent})
	w.run()
	a := w.assistant
	if a == nil {
		t.Fatal("the assistant is not open")
	}
	a.types(assist.Program, "mm")
	if want := "--acp --config " + assist.Join([]string{agent}); a.form.Arguments != want || a.form.Workspace != filepath.Dir(agent) {
		t.Errorf("filled in %q in %q, want %q", a.form.Arguments, a.form.Workspace, want)
	}

	// A Compose file, on the assistant that is open: its services, and what
	// its variables are.
	compose := filepath.Join(folder, "team", "docker-compose.yaml")
	give(t, compose, "name: ${TEAM:?how the team is called}\nservices:\n  scout: {image: busybox}\n  cook: {image: busybox, container_name: the-cook}\n")
	w.dropped(away, []string{compose})
	w.run()
	shows(t, w.stage().object, "TEAM", "how the team is called")
	a.asked[0].field.SetText("b")
	a.asked[0].field.SetText("band")
	var ends []func() // readings may end in any order
	for range 2 {
		job, _ := w.bridge.nextErrand()
		ends = append(ends, job())
	}
	ends[1]()
	ends[0]()
	if !a.shown.confirm.disabled {
		t.Error("what is not read yet can be added")
	}
	w.run()
	if a.compose == nil || len(a.compose.Services) != 2 {
		t.Fatalf("services: %+v", a.compose)
	}
	a.service = "scout"
	a.takeCompose(a.compose)
	w.run()
	if a.form.Where != "container" || a.form.Container != "band-scout-1" || !strings.Contains(a.form.Create, "up -d --wait scout") || a.plan == nil {
		t.Errorf("filled in %+v", a.form)
	}
	shows(t, w.stage().object, "Command that creates the container", "+       container: band-scout-1")
	w.leave()

	sandbox := filepath.Join(folder, "milo", "sbxenv.yaml")
	give(t, sandbox, "name: milo-sbx\n")
	w.dropped(away, []string{sandbox})
	w.run()
	if f := w.assistant.form; f.Where != "sbx" || f.Sandbox != "milo-sbx" || f.LifecycleFolder != filepath.Dir(sandbox) {
		t.Errorf("filled in %+v", f)
	}
	w.leave()

	// Another configuration is opened, if the person wants that.
	other := filepath.Join(folder, "other.yaml")
	give(t, other, fileBefore)
	w.dropped(away, []string{other})
	w.run()
	shows(t, w.stage().object, "Open other.yaml?")
	w.leave()

	picture := filepath.Join(folder, "notes.txt")
	give(t, picture, "hello")
	for _, at := range []fyne.Position{away, w.app.Driver().AbsolutePositionForObject(w.composer.object).AddXY(20, 20)} {
		w.composer.files.set(nil)
		w.dropped(at, []string{picture})
		w.run()
		if got := w.composer.files.paths(); !slices.Equal(got, []string{picture}) {
			t.Errorf("dropped at %v, the message has %q", at, got)
		}
	}
	w.composer.files.set(nil)
	w.dropped(w.app.Driver().AbsolutePositionForObject(w.composer.object).AddXY(20, 20), []string{agent})
	w.run()
	if got := w.composer.files.paths(); w.assistant != nil || !slices.Equal(got, []string{agent}) {
		t.Errorf("an agent's file on the composer: %q", got)
	}
}
