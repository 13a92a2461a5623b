package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// longTalk fills #general so that it has n messages.
func longTalk(f *fake, n int) {
	at := time.Now()
	for i := len(f.messages); i < n; i++ {
		text := strings.Repeat(fmt.Sprintf("message %d. ", i+1), 1+i%40)
		f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: at, EndedAt: at, Parts: say(text)})
	}
}

// seen is how far below the upper edge of the conversation a message is.
func seen(t *testing.T, w *window, id app.MessageID) float32 {
	t.Helper()
	o := w.conversation.list.Row(key(id))
	if o == nil {
		t.Fatalf("message %d is not shown", id)
	}
	return absolute(o).Y - absolute(w.conversation.list).Y
}

func told(w *window) []app.MessageID {
	var all []app.MessageID
	for _, m := range w.conversation.messages {
		all = append(all, m.ID)
	}
	return all
}

func TestFindFarBack(t *testing.T) {
	f := newFake()
	longTalk(f, 10_000)
	w := openTest(t, f)
	c := w.conversation
	for _, id := range []app.MessageID{5000, 3, 9990, 5100, 10_000} {
		c.find(id)
		if y, high := seen(t, w, id), c.list.Size().Height; y < 0 || y > high-20 {
			t.Errorf("message %d is at %v of %v", id, y, high)
		}
		if e := c.rows[c.list.Row(key(id))]; !e.glow.Visible() {
			t.Errorf("message %d is not marked", id)
		}
		if n := len(c.messages); n > most {
			t.Errorf("%d messages are kept", n)
		}
	}
	w.now = func() time.Time { return time.Now().Add(foundFor + time.Second) }
	w.tick()
	if e := c.rows[c.list.Row(key(10_000))]; e.glow.Visible() {
		t.Error("a message that was found stays marked")
	}
}

// What is read is a stretch without gaps, whichever way one scrolls.
func TestScrollBothWays(t *testing.T) {
	f := newFake()
	longTalk(f, 3000)
	w := openTest(t, f)
	c := w.conversation
	c.find(1500)
	check := func() {
		t.Helper()
		all := told(w)
		for i, id := range all {
			if id != all[0]+app.MessageID(i) {
				t.Fatalf("message %d comes after %d", id, all[i-1])
			}
		}
		if len(all) > most {
			t.Fatalf("%d messages are kept", len(all))
		}
	}
	for range 2000 {
		c.list.ScrollBy(600)
		check()
	}
	if !c.atEnd() {
		t.Fatalf("scrolling down ends at %v", told(w)[len(told(w))-1])
	}
	for range 2000 {
		c.list.ScrollBy(-600)
		check()
	}
	if first, _ := c.list.InView(); told(w)[first] != 1 || !c.whole {
		t.Errorf("scrolling up ends at %d", told(w)[first])
	}
	if c.latest {
		t.Error("all the messages are kept")
	}
	c.goOn()
	if !c.atEnd() || seen(t, w, 3000) < 0 {
		t.Error("the end is not shown")
	}
}

func TestNewsWhileFarAway(t *testing.T) {
	f := newFake()
	longTalk(f, 1000)
	w := openTest(t, f)
	c := w.conversation
	c.find(200)
	y := seen(t, w, 200)
	at := time.Now()
	w.apply([]app.Event{f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: at, Parts: say("still going")})})
	if !c.busy() {
		t.Error("an agent that works out of sight is not seen working")
	}
	w.apply([]app.Event{f.change(1001, func(m *app.Message) { m.EndedAt = at })})
	if c.busy() {
		t.Error("it is seen working after its end")
	}
	if got := seen(t, w, 200); got != y {
		t.Errorf("the message that was being read went from %v to %v", y, got)
	}
	if !c.pill.Visible() || c.pill.name != "1 new message ↓" {
		t.Errorf("the pill says %q, visible: %v", c.pill.name, c.pill.Visible())
	}
	if asked(f, "read 1 1001") {
		t.Error("it is taken as read")
	}
	test.Tap(c.pill)
	if !c.atEnd() || !asked(f, "read 1 1001") || c.pill.Visible() {
		t.Errorf("pressing the pill: at the end: %v, %q", c.atEnd(), f.called())
	}
	if m, ok := c.own(); !ok && m.ID != 0 {
		t.Errorf("the person's last message is %d", m.ID)
	}
}

func TestOpensAtWhatIsNew(t *testing.T) {
	for _, unread := range []int{1, 30, 500} {
		t.Run(fmt.Sprint(unread), func(t *testing.T) {
			f := newFake()
			longTalk(f, 1000)
			f.channels[0].Unread, f.channels[0].ReadUpTo = unread, app.MessageID(1000-unread)
			w := openTest(t, f)
			w.show(2)
			f.calls = nil
			w.show(1)
			c := w.conversation
			first := app.MessageID(1000 - unread + 1)
			if y := seen(t, w, first); y < 0 || y > c.list.Size().Height {
				t.Errorf("the first new message is at %v", y)
			}
			shows(t, c.list.Row(key(first)), "New")
			if read := asked(f, "read 1 1000"); read != (unread == 1) {
				t.Errorf("read: %v with %d unread", read, unread)
			}
			if c.pill.Visible() != (unread > 1) {
				t.Errorf("the pill is visible: %v", c.pill.Visible())
			}
			c.goOn()
			if !c.atEnd() || !asked(f, "read 1 1000") {
				t.Errorf("at the end: %v, %q", c.atEnd(), f.called())
			}

		})
	}
}

// A message is read when the window is in front, not before.
func TestReadOnlyInFront(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	c := w.conversation
	w.setFront(false)
	at := time.Now()
	for range 30 {
		w.apply([]app.Event{f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: at, EndedAt: at, Parts: say(strings.Repeat("new ", 200))})})
	}
	if asked(f, "read 1 32") || asked(f, "read 1 3") {
		t.Fatalf("read behind another window: %q", f.called())
	}
	if c.news != 3 || !c.list.AtEnd() || !c.back.Visible() {
		t.Errorf("the line is before %d, at the end: %v, a way back: %v", c.news, c.list.AtEnd(), c.back.Visible())
	}
	w.setFront(true)
	if !asked(f, "read 1 32") {
		t.Error("not read in front")
	}
}

func TestKeepsItsPlace(t *testing.T) {
	f := newFake()
	longTalk(f, 1000)
	w := openTest(t, f)
	w.conversation.find(300)
	y := seen(t, w, 300)
	w.show(2)
	w.show(1)
	if got := seen(t, w, 300); got != y {
		t.Errorf("the message went from %v to %v", y, got)
	}
	w.apply([]app.Event{{Kind: app.Everything}})
	if got := seen(t, w, 300); got != y {
		t.Errorf("after everything changed, from %v to %v", y, got)
	}
	w.conversation.goToEnd()
	w.show(2)
	w.show(1)
	if !w.conversation.atEnd() {
		t.Error("a channel that was left at its end opens elsewhere")
	}
}

func TestDays(t *testing.T) {
	f := newFake()
	f.messages = nil
	now := time.Date(2026, 12, 2, 15, 0, 0, 0, time.Local)
	for _, at := range []time.Time{now.AddDate(-1, 0, 0), now.AddDate(0, 0, -3), now.AddDate(0, 0, -1), now.AddDate(0, 0, -1), now} {
		f.add(app.Message{Channel: 1, Kind: app.FromPerson, CreatedAt: at, EndedAt: at, Parts: say("hello")})
	}
	w := openTest(t, f)
	w.now = func() time.Time { return now }
	w.conversation.list.Reload()
	for _, want := range []struct {
		language string
		days     []string
	}{
		{"en", []string{"Tuesday, 2 December 2025", "Sunday, 29 November", "Yesterday", "", "Today"}},
		{"fr", []string{"Mardi 2 décembre 2025", "Dimanche 29 novembre", "Hier", "", "Aujourd’hui"}},
	} {
		f.config.UI.Language = want.language
		w.apply([]app.Event{{Kind: app.ConfigChanged}})
		for i, day := range want.days {
			e := w.conversation.rows[w.conversation.list.Row(key(app.MessageID(i+1)))]
			if got := e.day.text.text; got != day || e.day.object.Visible() != (day != "") {
				t.Errorf("%s: above message %d: %q, want %q", want.language, i+1, got, day)
			}
		}
	}
	now = now.AddDate(0, 0, 1)
	w.tick()
	if got := w.conversation.rows[w.conversation.list.Row(key(5))].day.text.text; got != "Hier" {
		t.Errorf("after midnight: %q", got)
	}
}

func TestRemovedElsewhere(t *testing.T) {
	w := openTest(t, newFake())
	w.apply([]app.Event{{Kind: app.MessageRemoved, Message: 1}}) // by another window, which does not say where
	if got := told(w); !slices.Equal(got, []app.MessageID{2}) {
		t.Errorf("messages %v", got)
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := benchWindow(b, n)
			for b.Loop() {
				w.show(2)
				w.show(1)
			}
		})
	}
}

func BenchmarkJump(b *testing.B) {
	w := benchWindow(b, 10_000)
	at := 0
	for b.Loop() {
		at = (at + 3701) % 10_000
		w.conversation.find(app.MessageID(at + 1))
	}
}

func BenchmarkScrollStep(b *testing.B) {
	w := benchWindow(b, 10_000)
	step := float32(-60)
	for i := 0; b.Loop(); i++ {
		if i%500 == 499 {
			step = -step
		}
		w.conversation.list.ScrollBy(step)
	}
}

func BenchmarkResizeStep(b *testing.B) {
	w := benchWindow(b, 10_000)
	for i := 0; b.Loop(); i++ {
		w.fyne.Resize(fyne.NewSize(1360-float32(i%300), 860))
	}
}

func benchWindow(b *testing.B, n int) *window {
	b.Helper()
	f := newFake()
	longTalk(f, n)
	a := test.NewTempApp(b)
	win := test.NewTempWindow(b, nil)
	win.Resize(fyne.NewSize(1360, 860))
	w := newWindow(f, a, win, nil, nil, "")
	win.Resize(fyne.NewSize(1360, 860))
	w.relayout()
	return w
}
