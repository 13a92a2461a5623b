package ui

import (
	"errors"
	"slices"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/config"
)

// The first error is one press away; the panel goes when the file is right.
func TestOpenAtTheError(t *testing.T) {
	f := newFake()
	f.problems = []config.Problem{
		{Line: 3, Severity: config.Warning, Code: "x"}, {Line: 12, Path: "agents[0].name", Code: "x"}, {Line: 14, Code: "y"},
	}
	w := openTest(t, f)
	shows(t, w.alerts.object, "team.yaml has 2 errors", "Checked again at each save")
	find(t, w.alerts.object, "Open at line 12").press()
	w.run()
	if !slices.Contains(f.called(), "edit /home/me/agents/team.yaml:12") {
		t.Errorf("asked for %q", f.called())
	}
	f.problems, f.unreadable = nil, errors.New("it is a folder now")
	w.apply([]app.Event{{Kind: app.ConfigChanged}})
	shows(t, w.alerts.object, "team.yaml cannot be read", "it is a folder now", "Show in folder")
	f.unreadable = nil
	w.apply([]app.Event{{Kind: app.ConfigChanged}})
	if w.alerts.object.Visible() {
		t.Errorf("still said: %q", texts(w.alerts.object))
	}
}

// What a paragraph begins with is bold, and the lines are no wider for that.
func TestLead(t *testing.T) {
	p := newParagraph("line 12 — agents[0].name: a text that takes more than one line of this width", muted())
	p.lead = "line 12"
	p.Resize(p.whole())
	wide := p.HeightFor(180)
	p.lead = ""
	p.lines = nil
	if plain := p.HeightFor(180); wide < plain {
		t.Errorf("%v high, %v without", wide, plain)
	}
}

// An agent that runs with another entry than the file's says so, where it is
// listed and in its panel, where a press applies it.
func TestOutdatedAgent(t *testing.T) {
	f := newFake()
	f.agents[0].Entry = config.Agent{Command: "mm", Args: []string{"--old"}}
	w := openTest(t, f)
	if w.sidebar.agentRows["alice"].stale.Visible() {
		t.Error("it is said of an agent that is as the file has it")
	}
	w.openAgent("alice")
	f.agents[0].Outdated = true
	w.apply([]app.Event{{Kind: app.AgentsChanged}})
	if !w.sidebar.agentRows["alice"].stale.Visible() || w.sidebar.agentRows["garfield"].stale.Visible() {
		t.Error("the list does not say which one")
	}
	shows(t, w.panel.object, "mm --old", w.text("reload.Outdated"))
	find(t, w.panel.object, "Restart to apply").press()
	if !slices.Contains(f.called(), "restart alice") {
		t.Errorf("asked for %q", f.called())
	}
}
