package ui

import (
	"errors"
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
)

func press(t *textInput, name fyne.KeyName) { t.TypedKey(&fyne.KeyEvent{Name: name}) }

func TestEnterSends(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	in := w.composer.input
	test.Type(in, "hello")
	in.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	press(in, fyne.KeyReturn)
	in.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	test.Type(in, "world")
	if in.Text != "hello\nworld" {
		t.Fatalf("the text is %q", in.Text)
	}
	press(in, fyne.KeyReturn)
	if !asked(f, `send 1 "hello\nworld" []`) {
		t.Errorf("not sent: %q", f.called())
	}
	if in.Text != "" || f.Draft(1).Text != "" {
		t.Errorf("left behind: %q, draft %q", in.Text, f.Draft(1).Text)
	}
	press(in, fyne.KeyReturn)
	if n := len(f.called()); slices.Contains(f.called()[n-1:], "send 1 \"\" []") {
		t.Error("an empty text is sent")
	}
}

func TestTextStaysWhenSendingFails(t *testing.T) {
	f := newFake()
	f.refuse = errors.New("the disk is full")
	w := openTest(t, f)
	test.Type(w.composer.input, "precious")
	test.Tap(w.composer.send)
	if w.composer.input.Text != "precious" {
		t.Errorf("the text is %q", w.composer.input.Text)
	}
	shows(t, w.alerts.object, "the disk is full")
	if w.composer.send.disabled {
		t.Error("it cannot be sent again")
	}
}

func TestMentionPicker(t *testing.T) {
	f := newFake()
	f.channels[0].Members = []string{"alice", "garfield"}
	w := openTest(t, f)
	in := w.composer.input
	test.Type(in, "ask @")
	if !w.picker.isOpen() {
		t.Fatal("@ opens no picker")
	}
	walk(w.picker.panel, func(o fyne.CanvasObject) {
		if text, ok := o.(*canvas.Text); ok && text.Color == color.Transparent {
			t.Errorf("%q cannot be seen", text.Text)
		}
	})
	shows(t, w.picker.panel, "Members of #general", "Alice", "@garfield · Translates, keeps Markdown", "@scout · not a member: add", "@all", "wakes all 2 agents")
	press(in, fyne.KeyDown)
	press(in, fyne.KeyTab)
	if in.Text != "ask @garfield " || w.picker.isOpen() {
		t.Errorf("Tab gives %q", in.Text)
	}
	test.Type(in, "@sc")
	press(in, fyne.KeyReturn)
	if in.Text != "ask @garfield @scout " || asked(f, "add 1 scout") {
		t.Errorf("%q, %q", in.Text, f.called())
	}
	test.Type(in, "@al")
	shows(t, w.picker.panel, "Alice", "@all")
	press(in, fyne.KeyEscape)
	if w.picker.isOpen() {
		t.Error("Escape does not close the picker")
	}
	press(in, fyne.KeyReturn)
	if !asked(f, `send 1 "ask @garfield @scout @al" []`) {
		t.Errorf("a closed picker takes Enter: %q", f.called())
	}
	if !asked(f, "add 1 scout") {
		t.Errorf("picked, sent, and no member: %q", f.called())
	}
}

func TestNoPickerInOtherPlaces(t *testing.T) {
	w := openTest(t, newFake())
	for _, text := range []string{"me@al", "see a/b", "plain", "@nobody-like-that", "50 / 2"} {
		w.composer.input.replace("")
		test.Type(w.composer.input, text)
		if w.picker.isOpen() {
			t.Errorf("%q opens the picker with %q", text, texts(w.picker.panel))
		}
	}
}

func TestMentionInTheMiddle(t *testing.T) {
	w := openTest(t, newFake())
	in := w.composer.input
	test.Type(in, "say @ga please")
	for range " please" {
		press(in, fyne.KeyLeft)
	}
	if !w.picker.isOpen() {
		t.Fatal("the picker does not follow the caret")
	}
	press(in, fyne.KeyReturn)
	if in.Text != "say @garfield  please" || in.CursorTextOffset() != len("say @garfield ") {
		t.Errorf("%q, caret at %d", in.Text, in.CursorTextOffset())
	}
}

func TestCommandPicker(t *testing.T) {
	f := newFake()
	f.agents[0].Commands = []acp.Command{{Name: "review", Description: "Review it", Input: acp.CommandInput{Hint: "path"}}, {Name: "plan"}}
	w := openTest(t, f)
	in := w.composer.input
	test.Tap(w.composer.commands)
	shows(t, w.picker.panel, "/alice:review", "path · Review it", "/alice:plan")
	test.Type(in, "pl")
	press(in, fyne.KeyReturn)
	if in.Text != "/alice:plan " {
		t.Errorf("picked %q", in.Text)
	}
}

func TestPickerIsAboveTheCaret(t *testing.T) {
	w := openTest(t, newFake())
	test.Type(w.composer.input, "@")
	panel, in := w.picker.panel, absolute(w.composer.input)
	at := absolute(panel)
	if bottom := at.Y + panel.Size().Height; bottom > in.Y || bottom < in.Y-20 {
		t.Errorf("the picker ends at %v, the text begins at %v", bottom, in.Y)
	}
	if at.X < sidebarWidth-30 {
		t.Errorf("the picker is at %v", at)
	}
}

func TestWhoGetsIt(t *testing.T) {
	f := newFake()
	f.channels[0].Members = []string{"alice", "garfield"}
	w := openTest(t, f)
	in := w.composer.input
	shows(t, w.composer.object, "To Alice")
	test.Type(in, "@all ")
	shows(t, w.composer.object, "To all 2 agents")
	in.replace("")
	test.Type(in, "@scout ")
	shows(t, w.composer.object, "Scout is not in this channel and would not get it.")
	test.Tap(w.composer.advice.fix)
	if !asked(f, "add 1 scout") {
		t.Errorf("not added: %q", f.called())
	}
	in.replace("hello")
	w.composer.setTo([]string{"garfield"})
	shows(t, w.composer.object, "To Garfield")
	test.Tap(w.composer.send)
	if !asked(f, `send 1 "hello" [garfield]`) {
		t.Errorf("sent: %q", f.called())
	}
}

func TestStopAndEscape(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	if w.composer.stop.Visible() {
		t.Error("Stop is shown while nobody works")
	}
	w.apply([]app.Event{f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: time.Now(), Parts: say("so")})})
	test.Tap(w.composer.stop)
	if !asked(f, `stop turns 1 ""`) {
		t.Errorf("not stopped: %q", f.called())
	}
	f.calls = nil
	press(w.composer.input, fyne.KeyEscape)
	if !asked(f, `stop turns 1 ""`) {
		t.Errorf("Escape does not stop: %q", f.called())
	}
}

func TestDraftsPerChannel(t *testing.T) {
	f := newFake()
	f.drafts[2] = app.Draft{Text: "for the second"}
	w := openTest(t, f)
	test.Type(w.composer.input, "for the first")
	w.show(2)
	if w.composer.input.Text != "for the second" || f.Draft(1).Text != "for the first" {
		t.Errorf("%q, draft %q", w.composer.input.Text, f.Draft(1))
	}
	w.show(1)
	if w.composer.input.Text != "for the first" {
		t.Errorf("%q", w.composer.input.Text)
	}
}

func TestEditAndRecall(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	in := w.composer.input
	press(in, fyne.KeyUp)
	if in.Text != "@alice hello" {
		t.Errorf("Up gives %q", in.Text)
	}
	in.replace("")
	w.apply([]app.Event{f.add(app.Message{Channel: 1, Kind: app.FromPerson, CreatedAt: time.Now(), EndedAt: time.Now(), Parts: say("wait"),
		Deliveries: []app.Delivery{{ID: 5, Agent: "alice", State: app.Queued, Place: 1}}})})
	press(in, fyne.KeyUp)
	test.Type(in, " for it")
	press(in, fyne.KeyReturn)
	if !asked(f, `edit 3 "wait for it"`) || in.Text != "" {
		t.Errorf("%q, text %q", f.called(), in.Text)
	}
}

func TestComposerGrows(t *testing.T) {
	w := openTest(t, newFake())
	one := w.composer.object.Size().Height
	for range 4 {
		w.composer.input.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
		press(w.composer.input, fyne.KeyReturn)
	}
	five := w.composer.object.Size().Height
	for range 40 {
		press(w.composer.input, fyne.KeyReturn)
	}
	most := w.composer.object.Size().Height
	row := (five - one) / 4
	if row < 12 || row > 30 {
		t.Errorf("a row adds %v", row)
	}
	if got := (most - one) / row; got < 8.5 || got > 9.5 {
		t.Errorf("it grows by %v rows", got)
	}
}

// A digit alone answers the open question, once Enter has confirmed what the
// advice says; nothing is answered by typing, and a message may begin with a
// digit.
func TestDigitsAnswer(t *testing.T) {
	f := newFake()
	f.questions = []app.Question{
		{ID: "q", Agent: "alice", Channel: 1, Title: "go test", State: app.QuestionOpen, Options: []acp.PermissionOption{{ID: "no", Name: "Never"}, {ID: "yes", Name: "Go on"}}},
	}
	w := openTest(t, f)
	in := w.composer.input
	test.Type(in, "2")
	shows(t, w.composer.object, "Enter answers “go test” with “Go on”. Go on typing to write a message instead.", "Answer ↵")
	test.Type(in, " files")
	press(in, fyne.KeyReturn)
	if !asked(f, `send 1 "2 files" []`) {
		t.Errorf("a message that begins with a digit: %q", f.called())
	}
	test.Type(in, "2")
	f.questions[0].ID = "other" // the first was answered meanwhile
	press(in, fyne.KeyReturn)
	if asked(f, "answer other yes") || asked(f, "answer q yes") || in.Text != "2" {
		t.Errorf("another question is answered: %q, %q", f.called(), in.Text)
	}
	press(in, fyne.KeyReturn)
	if !asked(f, "answer other yes") || in.Text != "" {
		t.Errorf("not answered: %q, %q", f.called(), in.Text)
	}
	test.Type(in, "1")
	test.Tap(w.composer.advice.fix)
	if !asked(f, `send 1 "1" []`) {
		t.Errorf("a digit alone cannot be sent: %q", f.called())
	}
	test.Type(in, "9") // there is no ninth option
	press(in, fyne.KeyReturn)
	if !asked(f, `send 1 "9" []`) {
		t.Errorf("%q", f.called())
	}
}

func TestNonMembersJoinWhenItIsSent(t *testing.T) {
	f := newFake()
	f.channels[0].Members = []string{"alice"}
	w := openTest(t, f)
	in := w.composer.input
	test.Type(in, "@sc")
	press(in, fyne.KeyTab)
	shows(t, w.composer.object, "Scout is not in this channel: it joins when you send.", "To Scout")
	test.Tap(w.composer.advice.fix)
	shows(t, w.composer.object, "Scout is not in this channel and would not get it.")
	test.Type(in, "x")
	press(in, fyne.KeyReturn)
	if asked(f, "add 1 scout") {
		t.Errorf("added all the same: %q", f.called())
	}
	test.Type(in, "@sc")
	press(in, fyne.KeyTab)
	for range "scout " {
		press(in, fyne.KeyBackspace)
	}
	press(in, fyne.KeyBackspace)
	test.Type(in, "nobody")
	press(in, fyne.KeyReturn)
	if asked(f, "add 1 scout") {
		t.Errorf("added, though no longer named: %q", f.called())
	}
}

func TestPickerRanks(t *testing.T) {
	for typed, want := range map[string][]string{
		"":     {"@alice", "@garfield", "@scout", "@all", "@traducteur"},
		"a":    {"@alice", "@all"},
		"gfd":  {"@garfield"},
		"SC":   {"@scout"},
		"trad": {"@traducteur"},
		"lice": nil, // not from the start of a word
		"zz":   nil,
	} {
		w := openTest(t, newFake())
		var got []string
		for _, c := range w.mentions(typed) {
			got = append(got, c.insert)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q offers %q, want %q", typed, got, want)
		}
	}
}

func TestTheLastChoiceOfWhomCounts(t *testing.T) {
	w := openTest(t, newFake())
	in := w.composer.input
	test.Type(in, "@alice look")
	w.composer.setTo([]string{"garfield"})
	if to := w.composer.to; !slices.Equal(to, []string{"garfield"}) {
		t.Errorf("the choice is lost: %q", to)
	}
	test.Type(in, " please")
	if len(w.composer.to) != 1 {
		t.Error("typing on loses the choice")
	}
	test.Type(in, " @scout ")
	if w.composer.to != nil {
		t.Error("a name that is typed later does not count")
	}
}

func TestQueueAboveTheComposer(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	before := w.composer.object.Size().Height
	wait := func(text string, deliveries ...app.Delivery) app.Event {
		return f.add(app.Message{Channel: 1, Kind: app.FromPerson, CreatedAt: time.Now(), EndedAt: time.Now(), Parts: say(text), Deliveries: deliveries})
	}
	w.apply([]app.Event{
		wait("first", app.Delivery{ID: 5, Agent: "alice", State: app.Queued, Place: 1}),
		wait("second\nline", app.Delivery{ID: 6, Agent: "alice", State: app.Queued, Place: 2}, app.Delivery{ID: 7, Agent: "scout", State: app.Queued}),
	})
	shows(t, w.composer.queue.object, "Waits for Alice", "first", "Waits for Alice, Scout", "second")
	if w.composer.object.Size().Height < before+40 {
		t.Error("the composer does not grow by its queue")
	}
	test.Tap(find(t, w.composer.queue.column.Objects[1], "Withdraw"))
	if !asked(f, "withdraw 6") || !asked(f, "withdraw 7") {
		t.Errorf("%q", f.called())
	}
	test.Tap(find(t, w.composer.queue.column.Objects[0], "Edit"))
	if w.composer.input.Text != "first" || w.composer.editing != 3 {
		t.Errorf("editing %d %q", w.composer.editing, w.composer.input.Text)
	}
	press(w.composer.input, fyne.KeyEscape)
	w.apply([]app.Event{f.change(3, func(m *app.Message) { m.Deliveries = nil }), f.change(4, func(m *app.Message) { m.Deliveries = nil })})
	if w.composer.queue.object.Visible() || w.composer.object.Size().Height != before {
		t.Errorf("the queue stays, height %v, was %v", w.composer.object.Size().Height, before)
	}
}

// The letters that are drawn are those of the text, row by row.
func TestInkDrawsTheText(t *testing.T) {
	w := openTest(t, newFake())
	in := w.composer.input
	test.Type(in, "ask @alice and @traducteur, not @nobody")
	var drawn []string
	color := map[string]any{}
	for _, o := range in.ink.fronts {
		text := o.(*canvas.Text)
		drawn = append(drawn, text.Text)
		color[text.Text] = text.Color
	}
	if !slices.Equal(drawn, []string{"ask ", "@alice", " and ", "@traducteur", ", not @nobody"}) {
		t.Errorf("drawn %q", drawn)
	}
	if color["@alice"] == color["ask "] || color["@traducteur"] == color["@alice"] {
		t.Errorf("colours %v", color)
	}
	w.fyne.Content().Refresh() // under the theme of the Entry, whose letters are transparent
	for _, o := range in.ink.fronts {
		if _, _, _, alpha := o.(*canvas.Text).Color.RGBA(); alpha == 0 {
			t.Errorf("%q is not seen", o.(*canvas.Text).Text)
		}
	}
	if len(in.ink.backs) != 1 {
		t.Errorf("%d names on a tint, want the member's", len(in.ink.backs))
	}
	in.replace(strings.Repeat("long text that wraps ", 40) + "\n\tindented\n\nend")
	w.composer.refresh()
	all := ""
	for _, o := range in.ink.fronts {
		text := o.(*canvas.Text)
		all += text.Text + " "
		if end := text.Position().X + text.Size().Width; end > in.Size().Width+5 { // a space at the end hangs over
			t.Errorf("%q ends at %v of %v", text.Text, end, in.Size().Width)
		}
	}
	if got := strings.Join(strings.Fields(all), " "); !strings.HasSuffix(got, "wraps indented end") {
		t.Errorf("drawn %q", got)
	}
}
