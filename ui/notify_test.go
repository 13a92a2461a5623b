package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// awayWindow is a window behind another one, and what it tells the desktop.
func awayWindow(t *testing.T, f *fake) (*window, *[]string) {
	t.Helper()
	w := openTest(t, f)
	var told []string
	w.notifier.send = func(title, text string) { told = append(told, title+": "+text) }
	w.setFront(false)
	return w, &told
}

// answered ends the delivery of a new message to Alice in #general.
func answered(f *fake, id app.DeliveryID, d app.Delivery) []app.Event {
	e := f.add(app.Message{Channel: 1, Kind: app.FromPerson, Parts: say("hello"), EndedAt: time.Now()})
	d.ID, d.Agent = id, "alice"
	if d.Since.IsZero() {
		d.Since = time.Now().Add(time.Second)
	}
	e = f.change(e.Message, func(m *app.Message) { m.Deliveries = []app.Delivery{d} })
	return []app.Event{e, e}
}

func TestNotifications(t *testing.T) {
	f := newFake()
	f.questions = []app.Question{{ID: "old", Agent: "garfield", Channel: 2, Title: "an old one", State: app.QuestionOpen}}
	w, told := awayWindow(t, f)
	expect := func(want ...string) {
		t.Helper()
		if !slices.Equal(*told, want) {
			t.Errorf("told %q, want %q", *told, want)
		}
		*told = nil
	}
	w.apply(answered(f, 1, app.Delivery{State: app.Working}))
	expect()
	done := answered(f, 1, app.Delivery{State: app.Answered, Answer: 2})
	w.apply(done)
	expect("Alice answered in #general: Hello!")
	w.apply(done) // told already
	w.apply(answered(f, 2, app.Delivery{State: app.Silent}))
	w.apply(answered(f, 3, app.Delivery{State: app.Cancelled}))
	w.apply(answered(f, 4, app.Delivery{State: app.Answered, Since: time.Now().Add(-time.Hour)})) // an old one
	expect()
	w.apply(answered(f, 5, app.Delivery{State: app.Failed, Reason: &app.Phrase{ID: "app.Interrupted"}}))
	if len(*told) != 1 || !strings.HasPrefix((*told)[0], "Alice did not answer in #general: ") || strings.Contains((*told)[0], "app.") {
		t.Errorf("of a failure: %q", *told)
	}
	*told = nil
	f.questions = append(f.questions, app.Question{ID: "new", Agent: "garfield", Channel: 2, Title: "Write notes.md", State: app.QuestionOpen})
	w.apply([]app.Event{{Kind: app.QuestionsChanged}})
	w.apply([]app.Event{{Kind: app.QuestionsChanged}})
	expect("Garfield needs you in #translations: Write notes.md")

	w.notifier.toggle(newsFinished)
	w.apply(answered(f, 6, app.Delivery{State: app.Answered}))
	expect()
	if again := newNotifier(w); !again.muted[newsFinished] || again.muted[newsFailed] {
		t.Errorf("remembered: %v", again.muted)
	}
	w.notifier.toggle(newsFinished)

	w.setFront(true)
	seen := answered(f, 7, app.Delivery{State: app.Answered, Since: time.Now()})
	w.apply(seen)
	w.setFront(false)
	w.apply(seen)
	expect()
	var many []app.Event
	for i := range app.DeliveryID(20) {
		many = append(many, answered(f, 100+i, app.Delivery{State: app.Answered})...)
	}
	w.apply(many)
	if len(*told) != mostNews {
		t.Errorf("%d notifications at once", len(*told))
	}
}

// The three kinds are switched in the settings.
func TestNotificationSwitches(t *testing.T) {
	w := openTest(t, newFake())
	find(t, w.sidebar.object, w.text("system.Settings")).press()
	switches := checksIn(w.stage().object)
	if len(switches) != len(allNews) {
		t.Fatalf("%d switches", len(switches))
	}
	for i, k := range allNews {
		switches[i].flip()
		if !w.notifier.muted[k] {
			t.Errorf("%s stays on", k)
		}
	}
	w.leave()
	w.openSettings()
	for _, one := range checksIn(w.stage().object) {
		if one.on {
			t.Errorf("%s is shown as on", one.name)
		}
	}
}

func TestBadgeInTitle(t *testing.T) {
	f := newFake()
	f.channels[1].Unread, f.channels[2].Questions = 2, 1
	w := openTest(t, f)
	if got := w.fyne.Title(); !strings.HasPrefix(got, "(3) #general — ") {
		t.Errorf("title %q", got)
	}
	f.channels[1].Unread, f.channels[2].Questions = 0, 0
	w.apply([]app.Event{{Kind: app.ChannelsChanged}})
	if got := w.fyne.Title(); !strings.HasPrefix(got, "#general — ") {
		t.Errorf("title %q", got)
	}
}

// Without anybody to show them, notifications are dropped, and that is said
// once; a desktop that hangs holds nothing up.
func TestCourier(t *testing.T) {
	c := newCourier()
	var reports int
	send := c.notifications(func(*fyne.Notification) { t.Error("sent all the same") },
		func() error { return errors.New("no bus") }, func(error) { reports++ })
	send("a", "b")
	send("a", "b")
	done := make(chan struct{})
	c.do(func() { close(done) })
	<-done
	if reports != 1 {
		t.Errorf("said %d times", reports)
	}

	sent, hangs := make(chan string, 100), make(chan struct{})
	send = c.notifications(func(n *fyne.Notification) { sent <- n.Title; <-hangs }, func() error { return nil }, nil)
	for range 50 {
		send("title", "text")
	}
	if got := <-sent; got != "title" {
		t.Errorf("sent %q", got)
	}
	close(hangs)
	c.close()
}

type readable struct{ path string }

func (readable) Error() string  { return "it crashed" }
func (r readable) File() string { return r.path }

// A trouble that has a file says so, and can be put away like any other.
func TestTroubleWithFile(t *testing.T) {
	f := newFake()
	f.troubles = []error{errors.New("plain"), readable{"/tmp/crash.txt"}}
	w := openTest(t, f)
	shows(t, w.alerts.object, "plain", "it crashed", w.text("ui.OpenFile"))
	find(t, w.alerts.object, w.text("ui.Dismiss")).press()
	find(t, w.alerts.object, w.text("ui.Dismiss")).press()
	if len(f.troubles) > 0 || w.alerts.object.Visible() {
		t.Errorf("left: %v", f.troubles)
	}
}
