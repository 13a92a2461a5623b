package ui

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

func TestHasDisplay(t *testing.T) {
	for _, c := range []struct {
		system, name string
		want         bool
	}{
		{"linux", "", false}, {"linux", "DISPLAY", true}, {"linux", "WAYLAND_DISPLAY", true},
		{"freebsd", "", false}, {"windows", "", true}, {"darwin", "", true},
	} {
		env := func(name string) string { return map[string]string{c.name: ":0"}[name] }
		if got := hasDisplay(c.system, env); got != c.want {
			t.Errorf("%s with %q: %v", c.system, c.name, got)
		}
	}
	for _, language := range []string{"en", "fr"} {
		if text := i18n.For(language).Error(NoDisplayError{}); !strings.Contains(text, "WAYLAND_DISPLAY") || strings.Contains(text, "ui.") {
			t.Errorf("%s: %q", language, text)
		}
	}
}

func TestMarks(t *testing.T) {
	f := newFake()
	a := test.NewTempApp(t)
	win := test.NewTempWindow(t, nil)
	var out bytes.Buffer
	m := newMarks(&out, a.Driver(), win.Canvas())
	w := newWindow(f, a, win, m, nil, "")
	win.Resize(w.fyne.Canvas().Content().MinSize().AddWidthHeight(200, 200))
	w.relayout()
	m.look()
	m.look()
	m.look()
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 1 {
		t.Fatalf("%d lines are written for one layout: %q", len(lines), lines)
	}
	var known map[string]rectangle
	if err := json.Unmarshal([]byte(lines[0]), &known); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"channel/general", "agent/alice", "composer", "send", "new-channel", "channel-menu", "conversation"} {
		if r, ok := known[id]; !ok || r.W <= 0 || r.H <= 0 {
			t.Errorf("%s is at %+v", id, r)
		}
	}
	if _, ok := known["stop"]; ok {
		t.Error("a hidden button is said to be there")
	}
	if send, at := known["send"], absolute(w.composer.send); send.X != at.X || send.Y != at.Y {
		t.Errorf("send is at %+v, not %v", send, at)
	}
	w.openAgent("alice")
	m.look()
	m.look()
	if got := strings.Count(out.String(), "\n"); got != 2 {
		t.Errorf("%d lines after a change", got)
	}
}
