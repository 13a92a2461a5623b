package ui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/config"
)

// checksIn are the checks and switches in an object.
func checksIn(o fyne.CanvasObject) (all []*check) {
	switch o := o.(type) {
	case *check:
		return []*check{o}
	case *fyne.Container:
		for _, child := range o.Objects {
			all = append(all, checksIn(child)...)
		}
	case fyne.Widget:
		for _, child := range test.WidgetRenderer(o).Objects() {
			all = append(all, checksIn(child)...)
		}
	}
	return all
}

// run does the errands of a window that no bridge serves.
func (w *window) run() {
	for {
		w.bridge.mu.Lock()
		waiting := len(w.bridge.queue)
		w.bridge.mu.Unlock()
		if waiting == 0 {
			return
		}
		job, _ := w.bridge.nextErrand()
		if show := job(); show != nil {
			show()
		}
	}
}

func TestSettings(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	w.openSettings()
	shows(t, w.stage().object, "Settings", "/home/me/agents/team.yaml", "Theme", "Language")
	find(t, w.stage().object, "Dark").press()
	w.run()
	find(t, w.stage().object, "Open in editor").press()
	w.run()
	for _, want := range []string{"set ui theme dark", "edit /home/me/agents/team.yaml:1"} {
		if !slices.Contains(f.called(), want) {
			t.Errorf("no %q in %q", want, f.called())
		}
	}

	// The other language: the settings are there again, in it.
	find(t, w.stage().object, "Français").press()
	w.run()
	f.config.UI.Language = "fr"
	w.apply([]app.Event{{Kind: app.ConfigChanged}})
	shows(t, w.stage().object, "Thème", "Langue")

	// What cannot be written is said, and shown as it was.
	f.refuse = errors.New("the file is not valid")
	find(t, w.stage().object, "Clair").press()
	find(t, w.stage().object, "English").press()
	w.run()
	shows(t, w.stage().object, "the file is not valid")
	if !find(t, w.stage().object, "Français").selected || w.again != nil {
		t.Error("the language is shown as another one")
	}
	w.leave()
	if len(w.stages) != 1 {
		t.Error("the settings are still open")
	}
}

// The files that were open lately are offered, those that are gone said to be.
func TestRecentFiles(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", os.Getenv("XDG_CONFIG_HOME"))
	there := filepath.Join(t.TempDir(), "there.yaml")
	if err := os.WriteFile(there, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/gone/missing.yaml", there} {
		if err := config.Remember(path); err != nil {
			t.Fatal(err)
		}
	}
	w := openTest(t, newFake())
	var asked []string
	w.files.open = func(path string) (backend, events, error) {
		asked = append(asked, path)
		return nil, nil, errors.New("cannot be opened")
	}
	w.openSettings()
	find(t, w.stage().object, "Recent…").press()
	w.run()
	menu := w.stage().menu
	if len(menu.items) != 2 || !strings.Contains(menu.items[1].detail, "missing") {
		t.Fatalf("offered %+v", menu.items)
	}
	menu.pick(1)
	w.run()
	shows(t, w.stage().object, "/gone/missing.yaml is not there any more. It has been taken off the list.")
	find(t, w.stage().object, "Recent…").press()
	w.run()
	if len(menu.items) != 1 {
		t.Fatalf("the missing one is still offered: %+v", menu.items)
	}
	menu.pick(0)
	w.run()
	if !slices.Equal(asked, []string{there}) {
		t.Errorf("opened %q", asked)
	}
	shows(t, w.alerts.object, "cannot be opened")
}

// Another configuration takes the place of the one that is shown.
func TestAnotherConfiguration(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	other := newFake()
	other.config.Path, other.config.UI.Language = "/home/me/other.yaml", "fr"
	other.channels, other.agents, other.messages = []app.Channel{{ID: 7, Name: "ailleurs"}}, nil, nil
	closed := make(chan backend, 1)
	w.files = files{close: func(b backend) { closed <- b }}
	w.openAgent("alice")
	// A bridge that hands nothing over: in the test driver that would be done
	// on another goroutine.
	w.bridge.do = func(func()) {}
	w.bridge.ctx, w.bridge.stop = context.WithCancel(t.Context())
	w.bridge.unfollow = func() {}
	defer w.bridge.close()
	w.showConfig(other, other.feed)
	if got := <-closed; got != backend(f) {
		t.Error("the first one is not closed")
	}
	shows(t, w.sidebar.object, "other.yaml", "# ailleurs", "Canaux")
	if w.channel != 7 || w.panel.object.Visible() || !strings.Contains(w.fyne.Title(), "other.yaml") {
		t.Errorf("shown: channel %d, %q", w.channel, w.fyne.Title())
	}
}
