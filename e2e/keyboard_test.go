package e2e

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// TestByKeyboardAlone makes a channel, takes an agent into it, talks, answers a
// question, searches and goes about, and never touches the mouse.
func TestByKeyboardAlone(t *testing.T) {
	home := t.TempDir()
	w := openWindow(t, home)
	w.see("composer")
	w.focus()
	a, err := app.Open(context.Background(), app.Options{Config: filepath.Join(home, ".config/sidekicks/config.yaml"), History: history(t, home)})
	if err != nil {
		t.Fatal(err)
	}
	beside := &talk{App: a, t: t, events: a.Subscribe()}
	defer beside.close()
	plans := func() (c app.Channel) {
		for _, known := range a.Channels() {
			if known.Name == "plans" {
				c = known
			}
		}
		return c
	}
	answers := func() int {
		list, err := a.Messages(plans().ID, 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, m := range list {
			if m.Kind == app.FromAgent && !m.Live() {
				n++
			}
		}
		return n
	}

	w.press("ctrl+shift+n")
	w.see("dialog/field/1")
	w.write("plans")
	w.press("Return")
	beside.until("the new channel", func() bool { return plans().ID != 0 })
	w.write("@gui")
	w.see("pick/@guide")
	w.press("Return") // takes the guide in
	w.write("hello")
	w.press("Return")
	beside.until("the answer", func() bool { return answers() == 1 })

	w.write("/guide:demo")
	w.press("Return")
	w.press("Return")
	w.see("question/3")
	w.write("3")
	w.press("Return")
	beside.until("the end of the demonstration", func() bool { return answers() == 2 })

	w.press("ctrl+f")
	w.see("finder")
	w.write("hello")
	w.found("message/")
	w.press("Return")
	w.press("ctrl+k")
	w.see("finder")
	w.write("general")
	w.found("channel/")
	w.press("Return")
	w.write("hello again")
	w.press("Return")
	beside.until("an answer in the first channel", func() bool {
		list, err := a.Messages(a.Channels()[0].ID, 0, 10)
		return err == nil && len(list) > 1 && strings.Contains(list[0].Text(), "again") && !list[len(list)-1].Live()
	})
	w.quit()
}

// found waits until the list of what is found shows such a thing.
func (w *window) found(kind string) {
	w.t.Helper()
	is := func() bool {
		for id := range w.known {
			if strings.HasPrefix(id, "found/"+kind) {
				return true
			}
		}
		return false
	}
	if !is() {
		w.until("something found", func(string) bool { return is() })
	}
}

// press presses keys, write types a text.
func (w *window) press(keys ...string) {
	w.t.Helper()
	w.xdotool(append([]string{"key"}, keys...)...)
}

func (w *window) write(text string) {
	w.t.Helper()
	w.xdotool("type", "--delay", "15", text)
}
