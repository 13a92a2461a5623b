package ui

import (
	"errors"
	"slices"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/config"
)

func placeFake(kind string) *fake {
	f := newFake()
	entry := config.Agent{Name: "alice", Workspace: "/home/me/alice", Runtime: config.Runtime{
		Type: kind, WorkspacePath: "/work",
		Lifecycle: config.Lifecycle{Stop: []string{"docker", "stop", "box"}, Remove: []string{"docker", "rm", "box"}},
	}}
	if kind == config.Container {
		entry.Runtime.Container = "box"
	} else {
		entry.Runtime.Sandbox = "box"
	}
	f.agents[0].Entry = entry
	return f
}

// The panel says where the agent runs and what it takes, and stops and removes
// that place, which it asks about first.
func TestPlace(t *testing.T) {
	for kind, noun := range map[string]string{config.Container: "container", config.Sbx: "sandbox"} {
		t.Run(kind, func(t *testing.T) {
			f := placeFake(kind)
			w := openTest(t, f)
			w.openAgent("alice")
			shows(t, w.panel.object, noun+" box · /work", "412 MB · 3 %")
			w.tick()
			shows(t, w.sidebar.object, "2.4 GB of 32 GB")
			find(t, w.panel.object, "■ Stop the "+noun).Tapped(nil)
			if !asked(f, "stop place alice") {
				t.Error(f.called())
			}
			find(t, w.panel.object, "🗑 Remove the "+noun).Tapped(nil)
			shows(t, w.stage().object, "Remove the "+noun+" box?", "docker rm box")
			if asked(f, "remove place alice") {
				t.Error("it is removed without asking")
			}
			find(t, w.stage().object, "Remove").Tapped(nil)
			if !asked(f, "remove place alice") {
				t.Error(f.called())
			}
		})
	}
}

// The buttons are there as far as the file says what they do, and not while it
// is being done.
func TestPlaceButtons(t *testing.T) {
	f := placeFake(config.Container)
	f.config.UI.Language = "fr"
	w := openTest(t, f)
	w.openAgent("alice")
	find(t, w.panel.object, "■ Arrêter le conteneur")
	find(t, w.panel.object, "🗑 Supprimer le conteneur")
	f.agents[0].Managing = app.StoppingPlace
	w.panel.refresh()
	shows(t, w.panel.object, "Arrêt du conteneur…")
	f.agents[0].Managing = ""
	f.agents[0].Entry.Runtime.Lifecycle = config.Lifecycle{}
	w.panel.refresh()
	for _, text := range texts(w.panel.object) {
		if slices.Contains([]string{"■ Arrêter le conteneur", "Supprimer le conteneur", "Arrêt du conteneur…"}, text) {
			t.Errorf("%q is shown", text)
		}
	}
}

// What still runs is named, with the way to end it.
func TestLeftovers(t *testing.T) {
	f := placeFake(config.Container)
	f.agents[0].Leftovers = []string{f.Printer().Error(errors.New("mm, 42"))}
	w := openTest(t, f)
	w.openAgent("alice")
	shows(t, w.panel.object, "Still running", "mm, 42")
	find(t, w.panel.object, "Kill").Tapped(nil)
	if !asked(f, "kill alice") {
		t.Error(f.called())
	}
}
