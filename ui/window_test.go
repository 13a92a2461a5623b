package ui

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/config"
)

// openTest shows a window of the fake in the test driver.
func openTest(t testing.TB, f *fake) *window {
	t.Helper()
	a := test.NewTempApp(t)
	win := test.NewTempWindow(t, nil)
	win.Resize(fyne.NewSize(1360, 860))
	w := newWindow(f, a, win, nil, openRemembered(""), "")
	w.after = func(time.Duration, func()) func() { return func() {} } // in the test driver, later is another goroutine
	win.Resize(fyne.NewSize(1360, 860))
	w.relayout()
	return w
}

// texts are the visible texts of a part of the window, in the order of
// drawing.
func texts(o fyne.CanvasObject) []string {
	if !o.Visible() {
		return nil
	}
	switch o := o.(type) {
	case *label:
		return []string{o.text}
	case *paragraph:
		return []string{o.text}
	case *badge:
		return []string{o.text}
	case *button:
		return texts(o.body)
	case *chip:
		return texts(o.label)
	case *fyne.Container:
		var all []string
		for _, child := range o.Objects {
			all = append(all, texts(child)...)
		}
		return all
	case fyne.Widget:
		var all []string
		for _, child := range test.WidgetRenderer(o).Objects() {
			all = append(all, texts(child)...)
		}
		return all
	}
	return nil
}

func shows(t *testing.T, o fyne.CanvasObject, want ...string) {
	t.Helper()
	all := texts(o)
	for _, text := range want {
		if !slices.Contains(all, text) {
			t.Errorf("%q is not shown in %q", text, all)
		}
	}
}

// find is the visible button with that name.
func find(t *testing.T, o fyne.CanvasObject, name string) *button {
	t.Helper()
	if b := search(o, name); b != nil {
		return b
	}
	t.Fatalf("there is no button %q in %q", name, texts(o))
	return nil
}

func search(o fyne.CanvasObject, name string) *button {
	if !o.Visible() {
		return nil
	}
	var children []fyne.CanvasObject
	switch o := o.(type) {
	case *button:
		if o.name == name {
			return o
		}
		children = o.body.Objects
	case *fyne.Container:
		children = o.Objects
	case fyne.Widget:
		children = test.WidgetRenderer(o).Objects()
	}
	for _, child := range children {
		if b := search(child, name); b != nil {
			return b
		}
	}
	return nil
}

// absolute is where an object is in the window.
func absolute(o fyne.CanvasObject) fyne.Position {
	return fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
}

func asked(f *fake, call string) bool { return slices.Contains(f.called(), call) }

func TestSidebar(t *testing.T) {
	f := newFake()
	f.channels[1].Unread = 3
	f.channels[2].Questions = 1
	w := openTest(t, f)
	shows(t, w.sidebar.object, "team.yaml", "# general", "# translations", "3", "# empty", "?", "Agents · 2 of 4 running", "Alice", "Traducteur")
	if title := w.fyne.Title(); title != "(4) #general — team.yaml — Sidekicks" {
		t.Errorf("title %q", title)
	}
	test.Tap(find(t, w.sidebar.object, "translations"))
	if w.channel != 2 || w.fyne.Title() != "(4) #translations — team.yaml — Sidekicks" {
		t.Errorf("channel %d, title %q", w.channel, w.fyne.Title())
	}
	if slices.Contains(texts(w.sidebar.object), "3") {
		t.Error("the channel that is shown has a badge")
	}
	f.agents[2].State = app.AgentReady
	w.apply([]app.Event{{Kind: app.AgentsChanged, Agent: "scout"}})
	shows(t, w.sidebar.object, "Agents · 3 of 4 running")
}

func TestGeometry(t *testing.T) {
	for _, size := range []fyne.Size{fyne.NewSize(1360, 860), fyne.NewSize(900, 600)} {
		w := openTest(t, newFake())
		w.openAgent("scout")
		w.fyne.Resize(size)
		w.relayout()
		if got := w.fyne.Canvas().Content().MinSize(); got.Width > size.Width || got.Height > size.Height {
			t.Errorf("%v: the window wants %v", size, got)
		}
		for name, o := range map[string]fyne.CanvasObject{
			"sidebar": w.sidebar.object, "head": w.head.object, "conversation": w.conversation.object,
			"composer": w.composer.object, "panel": w.panel.object, "send": w.composer.send,
		} {
			at := absolute(o)
			if at.X < 0 || at.Y < 0 || at.X+o.Size().Width > size.Width+0.5 || at.Y+o.Size().Height > size.Height+0.5 {
				t.Errorf("%v: %s is at %v, %v large", size, name, at, o.Size())
			}
		}
		if got := w.sidebar.object.Size(); got.Width != sidebarWidth || got.Height != size.Height {
			t.Errorf("%v: the sidebar is %v", size, got)
		}
		if got := w.panel.object.Size().Width; got != panelWidth {
			t.Errorf("%v: the panel is %v wide", size, got)
		}
		if got := w.head.object.Size().Height; got != headHeight {
			t.Errorf("%v: the head is %v high", size, got)
		}
	}
}

func TestConversationFollows(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	row := func(id app.MessageID) fyne.CanvasObject {
		o := w.conversation.list.Row(key(id))
		if o == nil {
			t.Fatalf("message %d is not shown", id)
		}
		return o
	}
	shows(t, row(1), "You")
	shows(t, row(2), "Alice")
	e := f.add(app.Message{Channel: 1, Kind: app.FromPerson, CreatedAt: time.Now(), EndedAt: time.Now(), Parts: say("more"),
		Deliveries: []app.Delivery{{ID: 7, Agent: "garfield", State: app.Queued, Place: 2}}})
	w.apply([]app.Event{e})
	shows(t, row(3), "Garfield: 2nd in the queue")
	test.Tap(find(t, row(3), "Withdraw"))
	if !asked(f, "withdraw 7") {
		t.Errorf("not withdrawn: %q", f.called())
	}
	w.apply([]app.Event{f.change(3, func(m *app.Message) {
		m.Deliveries = []app.Delivery{{ID: 7, Agent: "garfield", State: app.Failed, Fix: app.FixRetry, Reason: &app.Phrase{ID: "It is broken"}}}
	})})
	shows(t, row(3), "Garfield: It is broken")
	test.Tap(find(t, row(3), "Retry"))
	if !asked(f, "retry 7") {
		t.Errorf("not tried again: %q", f.called())
	}
	if !asked(f, "read 1 3") {
		t.Errorf("not marked as read: %q", f.called())
	}
	w.apply([]app.Event{{Kind: app.MessageRemoved, Channel: 1, Message: 3}})
	if len(w.conversation.messages) != 2 {
		t.Errorf("%d messages after one was removed", len(w.conversation.messages))
	}
}

func TestReadingIsNotDisturbed(t *testing.T) {
	f := newFake()
	for i := range 200 {
		f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: time.Now(), EndedAt: time.Now(), Parts: say(strings.Repeat(fmt.Sprintf("message %d. ", i), 30))})
	}
	w := openTest(t, f)
	c := w.conversation
	if len(c.messages) != page || !c.list.AtEnd() {
		t.Fatalf("%d messages read, at the end: %v", len(c.messages), c.list.AtEnd())
	}
	c.list.ScrollBy(-1000)
	first, _ := c.list.InView()
	at := c.messages[first].ID
	y := absolute(c.list.Row(key(at)))
	w.apply([]app.Event{f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: time.Now(), Parts: say("new")})})
	w.apply([]app.Event{f.change(1, func(*app.Message) {})})
	if got := absolute(c.list.Row(key(at))); got != y {
		t.Errorf("the message that was being read went from %v to %v", y, got)
	}
	if !c.pill.Visible() || c.pill.name != "1 new message ↓" {
		t.Errorf("the pill says %q, visible: %v", c.pill.name, c.pill.Visible())
	}
	test.Tap(c.pill)
	if c.pill.Visible() || !c.list.AtEnd() {
		t.Error("pressing the pill does not go to the end")
	}
	for range 100 {
		c.list.ScrollBy(-3000)
	}
	if first, _ := c.list.InView(); !c.whole || c.messages[first].ID != 1 {
		t.Errorf("scrolling up ends at message %d", c.messages[first].ID)
	}
}

func TestQuestion(t *testing.T) {
	f := newFake()
	q := app.Question{ID: "q", Agent: "alice", Channel: 1, ToolID: "t", State: app.QuestionOpen, Options: []acp.PermissionOption{
		{ID: "no", Name: "Never", Kind: acp.RejectAlways}, {ID: "yes", Name: "Go on", Kind: acp.AllowOnce}, {ID: "odd", Name: "Perhaps", Kind: "perhaps"},
	}}
	f.questions = []app.Question{q}
	f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: time.Now(), Parts: []app.Part{
		{Seq: 1, Kind: app.ToolPart, Tool: &acp.ToolCall{ID: "t", Title: "go test", Kind: "execute", Status: acp.ToolPending}},
		{Seq: 2, Kind: app.QuestionPart, Question: &q},
	}})
	w := openTest(t, f)
	row := w.conversation.list.Row(key(3))
	shows(t, row, "Run", "go test", "needs you", "Never", "Go on", "Perhaps")
	for name, want := range map[string]kind{"Never": danger, "Go on": primary, "Perhaps": ordinary} {
		if got := find(t, row, name).kind; got != want {
			t.Errorf("%s looks like %d, want %d", name, got, want)
		}
	}
	test.Tap(find(t, row, "Perhaps"))
	if !asked(f, "answer q odd") {
		t.Errorf("answers: %q", f.called())
	}
	f.questions = nil
	q.State, q.Chosen = app.QuestionAnswered, "yes"
	w.apply([]app.Event{{Kind: app.QuestionsChanged}, f.change(3, func(m *app.Message) { m.Parts[1].Question = &q })})
	shows(t, row, "You chose: Go on")
	if search(row, "Never") != nil {
		t.Error("a settled question can still be answered")
	}
}

func TestForm(t *testing.T) {
	f := newFake()
	schema := `{"properties":{"name":{"type":"string","title":"Name"},"port":{"type":"integer"},"tls":{"type":"boolean"}},"required":["name"]}`
	q := app.Question{ID: "q", Agent: "alice", Channel: 1, State: app.QuestionOpen, Form: &acp.ElicitationRequest{Message: "Which one?", Schema: []byte(schema)}}
	f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: time.Now(), Parts: []app.Part{{Seq: 1, Kind: app.FormPart, Question: &q}}})
	w := openTest(t, f)
	row := w.conversation.list.Row(key(3))
	form := w.conversation.rows[row].views[1].(*formView)
	send := find(t, row, "Send")
	test.Tap(send)
	shows(t, row, "Which one?", "This is needed.")
	fields := map[string]*field{}
	for _, in := range form.inputs {
		fields[in.field.Name] = in.frame
	}
	test.Type(fields["name"], "db")
	test.Type(fields["port"], "many")
	test.Tap(send)
	shows(t, row, "A whole number is needed here.")
	fields["port"].SetText("5432")
	test.Tap(send)
	if want := "form q map[name:db port:5432 tls:false] true"; !asked(f, want) {
		t.Errorf("%q, want %q", f.called(), want)
	}
}

func TestFolding(t *testing.T) {
	f := newFake()
	at := time.Now()
	f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: at, EndedAt: at, Parts: []app.Part{
		{Seq: 1, Kind: app.ThoughtPart, Text: "hm", StartedAt: at, EndedAt: at.Add(6 * time.Second)},
		{Seq: 2, Kind: app.ToolPart, StartedAt: at, EndedAt: at.Add(400 * time.Millisecond), Tool: &acp.ToolCall{
			ID: "t", Title: "list", Kind: "read", Status: acp.ToolCompleted, Content: []acp.ToolContent{{Type: acp.ToolContentBlock, Content: acp.Text("a\nb")}}}},
		{Seq: 3, Kind: app.PlanPart, Plan: []acp.PlanEntry{{Content: "one", Status: "completed"}, {Content: "two", Status: "pending"}}},
	}})
	w := openTest(t, f)
	row := w.conversation.list.Row(key(3))
	shows(t, row, "▸ Thought for 6 s", "Read", "✓ 0.4 s", "Plan", "1 of 2", "one", "two")
	before := row.MinSize().Height
	for _, name := range []string{"Thought for 6 s", "list"} {
		test.Tap(find(t, row, name))
		after := row.MinSize().Height
		if after <= before {
			t.Errorf("%s is not unfolded: %v → %v", name, before, after)
		}
		before = after
	}
	shows(t, row, "▾ Thought for 6 s")
	w.apply([]app.Event{f.change(3, func(m *app.Message) { m.Parts[0].Text = "hm hm" })})
	if got := row.MinSize().Height; got != before {
		t.Errorf("a change folds: %v → %v", before, got)
	}
}

func TestProblemsAndTroubles(t *testing.T) {
	f := newFake()
	trouble := &app.Phrase{ID: "The history was set aside"}
	f.troubles = []error{trouble}
	f.problems = []config.Problem{{Line: 12, Path: "agents[0].name", Code: "x"}, {Line: 20, Severity: config.Warning, Code: "y"}}
	w := openTest(t, f)
	shows(t, w.alerts.object, "team.yaml has 1 error", "line 12 — agents[0].name: config.x", "line 20 — config.y", "The history was set aside")
	test.Tap(find(t, w.alerts.object, "Hide"))
	if slices.Contains(texts(w.alerts.object), "line 20 — config.y") {
		t.Error("the problems are not hidden")
	}
	test.Tap(find(t, w.alerts.object, "Dismiss"))
	f.problems = nil
	w.apply([]app.Event{{Kind: app.ConfigChanged}})
	if w.alerts.object.Visible() {
		t.Errorf("still said: %q", texts(w.alerts.object))
	}
}

func TestEmptyChannel(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	w.show(3)
	test.Tap(find(t, w.conversation.object, "Add"))
	if !asked(f, "add 3 alice") {
		t.Errorf("not added: %q", f.called())
	}
	w.show(2)
	test.Tap(find(t, w.conversation.object, "Garfield"))
	if w.composer.input.Text != "@garfield " {
		t.Errorf("greeting an agent writes %q", w.composer.input.Text)
	}
	f.agents, f.channels = nil, nil
	w.apply([]app.Event{{Kind: app.Everything}})
	shows(t, w.conversation.object, "No agent yet", "Add an agent")
}

func TestThemeSwitch(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	row := w.conversation.list.Row(key(1))
	drawn := map[string]fyne.CanvasObject{
		"label":   test.WidgetRenderer(w.sidebar.file).Objects()[0],
		"message": test.WidgetRenderer(w.conversation.rows[row].head.who).Objects()[0],
		"avatar":  w.conversation.rows[row].face.circle,
		"surface": w.composer.send.back.drawn,
	}
	before := map[string]color.Color{}
	for name, o := range drawn {
		before[name] = colorOf(o)
	}
	f.config.UI.Theme = "dark"
	w.apply([]app.Event{{Kind: app.ConfigChanged}})
	for name, o := range drawn {
		if colorOf(o) == before[name] {
			t.Errorf("the %s keeps the colour of the light theme, %v", name, before[name])
		}
	}
}

func colorOf(o fyne.CanvasObject) color.Color {
	switch o := o.(type) {
	case *canvas.Text:
		return o.Color
	case *canvas.Rectangle:
		return o.FillColor
	}
	return nil
}

func TestLanguageSwitch(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	w.composer.input.SetText("draft")
	f.config.UI.Language = "fr"
	w.apply([]app.Event{{Kind: app.ConfigChanged}})
	shows(t, w.fyne.Canvas().Content(), "Canaux", "Vous", "Pour Alice")
	if w.composer.input.Text != "draft" {
		t.Errorf("the draft became %q", w.composer.input.Text)
	}
}

func TestDialog(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	w.createChannel()
	name := w.fyne.Canvas().Focused().(*field)
	test.Type(name, "reviews")
	name.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if !asked(f, "create reviews") || w.channel != 4 {
		t.Errorf("channel %d shown after %q", w.channel, f.called())
	}
	if w.fyne.Canvas().Overlays().Top() != nil {
		t.Error("the dialog stays open")
	}
	c, _ := f.Channel(1)
	w.deleteChannel(c)
	pop := w.fyne.Canvas().Overlays().Top()
	test.Tap(find(t, pop, "Delete"))
	shows(t, pop, "cannot be deleted")
	w.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if w.fyne.Canvas().Overlays().Top() != nil {
		t.Error("Escape does not leave the dialog")
	}
}

func TestShortcuts(t *testing.T) {
	w := openTest(t, newFake())
	press := func(k fyne.KeyName, m fyne.KeyModifier) {
		w.composer.input.TypedShortcut(&desktop.CustomShortcut{KeyName: k, Modifier: m})
	}
	press(fyne.KeyDown, fyne.KeyModifierAlt)
	if w.channel != 2 {
		t.Errorf("Alt+Down shows channel %d", w.channel)
	}
	press(fyne.KeyUp, fyne.KeyModifierAlt)
	press(fyne.KeyUp, fyne.KeyModifierAlt)
	if w.channel != 3 {
		t.Errorf("Alt+Up twice shows channel %d", w.channel)
	}
	press(fyne.Key2, fyne.KeyModifierShortcutDefault)
	if w.channel != 2 {
		t.Errorf("Ctrl+2 shows channel %d", w.channel)
	}
}
