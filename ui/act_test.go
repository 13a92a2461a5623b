package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
)

// inWindow fails for each visible control that is not wholly in the window.
func inWindow(t *testing.T, what string, o fyne.CanvasObject, size fyne.Size) {
	t.Helper()
	walk(o, func(o fyne.CanvasObject) {
		switch o.(type) {
		case *button, *field, *check:
		default:
			return
		}
		at := absolute(o)
		if at.X < 0 || at.X+o.Size().Width > size.Width+0.5 {
			t.Errorf("%s: %T %v goes from %v to %v of %v", what, o, texts(o), at.X, at.X+o.Size().Width, size.Width)
		}
	})
}

func walk(o fyne.CanvasObject, visit func(fyne.CanvasObject)) {
	if !o.Visible() {
		return
	}
	visit(o)
	switch o := o.(type) {
	case *fyne.Container:
		for _, c := range o.Objects {
			walk(c, visit)
		}
	case fyne.Widget:
		for _, c := range test.WidgetRenderer(o).Objects() {
			walk(c, visit)
		}
	}
}

// Names that nobody sane chooses leave the window as it is.
func TestBadNames(t *testing.T) {
	for name, bad := range map[string]string{
		"long":       strings.Repeat("title ", 834),
		"one word":   strings.Repeat("x", 5000),
		"rtl":        "\u202eevil\u202c שלום مرحبا \u2067abc\u2069",
		"zero width": "a\u200b\u200b\ufeff\u2060b\u00ad",
		"lines":      "one\ntwo\r\n\tthree\x00\x1b[31m",
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake()
			for i := range f.agents {
				f.agents[i].Title, f.agents[i].Description = bad, bad
			}
			for i := range 30 {
				n := fmt.Sprint("agent", i)
				f.agents = append(f.agents, app.Agent{Name: n, Title: bad, State: app.AgentReady})
				f.channels[0].Members = append(f.channels[0].Members, n)
			}
			f.channels[0].Name, f.channels[0].Description = bad, bad
			f.sessions = map[string][]app.ChannelID{"alice": {1}}
			f.controls = []app.Control{{Kind: app.ModeControl, Name: bad, Current: "a", Values: []app.ControlValue{{ID: "a", Name: bad, Description: bad, Group: bad}, {ID: "b", Name: "B"}}}}
			q := app.Question{ID: "q", Agent: "alice", Channel: 1, Title: bad, State: app.QuestionOpen, Options: []acp.PermissionOption{{ID: "1", Name: bad}, {ID: "2", Name: bad}}}
			f.questions = []app.Question{q}
			f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: time.Now(), Mode: bad, Usage: &acp.Usage{Used: 1, Size: 2},
				Parts: []app.Part{{Kind: app.QuestionPart, Question: &q}}})
			size := fyne.NewSize(900, 600)
			w := openTest(t, f)
			w.openAgent("alice")
			w.fyne.Resize(size)
			w.relayout()
			check := func(what string) {
				t.Helper()
				if got := w.fyne.Canvas().Content().MinSize(); got.Width > size.Width || got.Height > size.Height {
					t.Errorf("%s: the window wants %v", what, got)
				}
				inWindow(t, what, w.stage().object, size)
			}
			check("window")
			for what, open := range map[string]func(){
				"menu":    func() { test.Tap(w.head.menu) },
				"to":      func() { test.Tap(w.composer.whom) },
				"mode":    func() { w.chooseMode(w.head.menu, 1, "alice") },
				"members": func() { w.chooseMembers(1) },
				"delete":  func() { w.deleteChannel(f.channels[0]) },
				"hops":    func() { w.chooseHops(f.channels[0]) },
				"rename":  func() { w.renameChannel(f.channels[0]) },
				"create":  w.createChannel,
				"link":    func() { w.openLink("https://example.org/" + bad) },
			} {
				open()
				check(what)
				w.stage().menu.close()
				if w.leave != nil {
					w.leave()
				}
			}
		})
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"\u202eab\u202c":      "ab",
		"a\u200bb\ufeff":      "ab",
		"👩\u200d💻":            "👩\u200d💻",
		"one\ntwo\x1b[0m":     "one two[0m",
		"\u2067x\u2069\u200f": "x",
	} {
		if got := visible(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}
