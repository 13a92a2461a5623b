package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// pressed is a key with the modifier of the desktop.
func pressed(w *window, m fyne.KeyModifier, k fyne.KeyName) {
	s := &desktop.CustomShortcut{KeyName: k, Modifier: m}
	if f, ok := w.fyne.Canvas().Focused().(fyne.Shortcutable); ok {
		f.TypedShortcut(s)
		return
	}
	w.shortcut(s)
}

const mainKey = fyne.KeyModifierShortcutDefault

// lines are what the finder shows.
func lines(f *finder) (ids []string) {
	for _, one := range f.found {
		ids = append(ids, one.id)
	}
	return ids
}

func TestPalette(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	pressed(w, mainKey, fyne.KeyK)
	if !w.finder.isOpen() || w.fyne.Canvas().Focused() != w.finder.field {
		t.Fatalf("open: %v, the keys go to %T", w.finder.isOpen(), w.fyne.Canvas().Focused())
	}
	for _, want := range []string{"channel/general", "channel/translations", "agent/alice", "find.NewChannel"} {
		if !slices.Contains(lines(w.finder), want) {
			t.Errorf("%q is not offered in %q", want, lines(w.finder))
		}
	}
	shows(t, w.finder.list, "Channels")
	test.Type(w.finder.field, "TRÄNSL")
	if got := lines(w.finder); got[0] != "channel/translations" || got[len(got)-1] != "search" {
		t.Errorf("found %q", got)
	}
	typeKeys(w.finder.field, fyne.KeyReturn)
	if w.channel != 2 || w.finder.isOpen() || w.fyne.Canvas().Focused() != w.composer.input {
		t.Errorf("channel %d, open: %v, the keys go to %T", w.channel, w.finder.isOpen(), w.fyne.Canvas().Focused())
	}
}

func TestPaletteDoes(t *testing.T) {
	for query, want := range map[string]string{
		"scout start":   "start scout",
		"alice stop":    "stop alice",
		"alice restart": "restart alice",
		"add trad":      "add 1 traducteur",
		"remove scout":  "remove 1 scout",
		"move down":     "move 1 1",
	} {
		f := newFake()
		w := openTest(t, f)
		w.openPalette()
		first, rest, _ := strings.Cut(query, " ")
		test.Type(w.finder.field, first+" "+rest)
		typeKeys(w.finder.field, fyne.KeyReturn)
		if !asked(f, want) {
			t.Errorf("%q does %q, want %q", query, f.called(), want)
		}
	}
}

func TestPaletteKeys(t *testing.T) {
	w := openTest(t, newFake())
	for _, c := range []struct {
		keys []fyne.KeyName
		want string
	}{
		{nil, "channel/general"}, // not the heading
		{[]fyne.KeyName{fyne.KeyDown}, "channel/translations"},
		{[]fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyTab}, "agent/alice"}, // over a heading
		{[]fyne.KeyName{fyne.KeyDown, fyne.KeyUp}, "channel/general"},
		{[]fyne.KeyName{fyne.KeyUp, fyne.KeyDown}, "channel/general"}, // round about
		{[]fyne.KeyName{fyne.KeyPageDown, fyne.KeyPageUp}, "channel/general"},
	} {
		w.openPalette()
		typeKeys(w.finder.field, c.keys...)
		if got := w.finder.found[w.finder.chosen].id; got != c.want {
			t.Errorf("%v chooses %s, want %s", c.keys, got, c.want)
		}
		typeKeys(w.finder.field, fyne.KeyEscape)
		if w.finder.isOpen() {
			t.Fatal("Escape does not close it")
		}
	}
	w.openPalette()
	for range w.finder.found {
		typeKeys(w.finder.field, fyne.KeyDown)
		row := w.finder.list.Row(w.finder.key(w.finder.chosen))
		if row == nil {
			t.Fatalf("%s is chosen out of sight", w.finder.found[w.finder.chosen].id)
		}
		if y := row.Position().Y; y < -0.5 || y+row.Size().Height > w.finder.list.Size().Height+0.5 {
			t.Errorf("%s is chosen at %v of %v", w.finder.found[w.finder.chosen].id, y, w.finder.list.Size().Height)
		}
	}
	test.TapCanvas(w.fyne.Canvas(), fyne.NewPos(5, 400))
	if w.finder.isOpen() {
		t.Error("pressing beside it does not close it")
	}
}

// What is typed while a press took the focus away still goes to the finder.
func TestFinderKeepsTheKeys(t *testing.T) {
	w := openTest(t, newFake())
	w.openPalette()
	w.fyne.Canvas().Unfocus()
	w.typedRune('x')
	if w.finder.field.Text != "x" || w.composer.input.Text != "" {
		t.Errorf("in the finder: %q, in the composer: %q", w.finder.field.Text, w.composer.input.Text)
	}
	w.apply([]app.Event{{Kind: app.AgentsChanged}})
	w.openAgent("alice")
	if w.fyne.Canvas().Focused() != w.finder.field {
		t.Errorf("the keys go to %T", w.fyne.Canvas().Focused())
	}
}

func TestFinderStaysBelowDialogs(t *testing.T) {
	w := openTest(t, newFake())
	w.createChannel()
	w.shortcut(&desktop.CustomShortcut{KeyName: fyne.KeyK, Modifier: mainKey})
	if w.finder.isOpen() {
		t.Error("it opens under a dialog")
	}
}

func TestSearchHistory(t *testing.T) {
	f := newFake()
	longTalk(f, 500)
	at := time.Now()
	f.add(app.Message{Channel: 2, Kind: app.FromPerson, CreatedAt: at, EndedAt: at, Parts: say("translate message 77. please")})
	w := openTest(t, f)
	pressed(w, mainKey, fyne.KeyF)
	shows(t, w.finder.panel, "Messages that hold every word, in any order, in all channels.")
	test.Type(w.finder.field, "message 77.")
	w.bridge.runErrands()
	if got := lines(w.finder); !slices.Equal(got, []string{"message/501", "message/77"}) {
		t.Fatalf("found %q", got)
	}
	shows(t, w.finder.panel, "2 messages")
	shows(t, w.finder.list, "You", "# translations", "Alice", "# general")
	typeKeys(w.finder.field, fyne.KeyDown, fyne.KeyReturn)
	if w.channel != 1 || seen(t, w, 77) < 0 || w.conversation.found != 77 {
		t.Errorf("channel %d, marked: %d", w.channel, w.conversation.found)
	}
	w.findMessagesFor("message 77.")
	w.finder.look("message 77.")
	w.bridge.runErrands()
	test.Tap(find(t, w.finder.list, "message/501"))
	if w.channel != 2 || w.conversation.found != 501 {
		t.Errorf("channel %d, marked: %d", w.channel, w.conversation.found)
	}
	w.findMessagesFor("")
	test.Type(w.finder.field, "nowhere")
	w.bridge.runErrands()
	shows(t, w.finder.panel, "No message holds “nowhere”.")
}

// Only what is in the field when an answer comes is shown.
func TestSearchFollowsTyping(t *testing.T) {
	f := newFake()
	longTalk(f, 100)
	w := openTest(t, f)
	w.findMessages()
	test.Type(w.finder.field, "message 5")
	if n := len(w.finder.found); n != 0 {
		t.Fatalf("%d found before it was looked for", n)
	}
	w.bridge.runErrands()
	before := len(w.finder.found)
	test.Type(w.finder.field, "5.")
	w.bridge.runErrands()
	if got := lines(w.finder); len(got) != 1 || before < 2 {
		t.Errorf("found %d, then %q", before, got)
	}
	test.Type(w.finder.field, "!")
	typeKeys(w.finder.field, fyne.KeyEscape)
	w.bridge.runErrands() // the answer comes when nobody waits any more
	if w.finder.isOpen() {
		t.Error("an answer opens the finder again")
	}
}

func TestExcerpt(t *testing.T) {
	test.NewTempApp(t)
	long := strings.Repeat("word ", 60)
	for _, c := range []struct {
		text  string
		marks [][2]int
		width float32
		want  string
	}{
		{"an été here", [][2]int{{3, 6}}, 400, "an |[été]| |here"},
		{"one two", nil, 400, "one |two"},
		{"prefixed", [][2]int{{0, 3}}, 400, "[pre]|fixed"},
		{"out of it", [][2]int{{7, 90}}, 400, "out |of |[it]"},
	} {
		e := newExcerpt(c.text, c.marks, 2, plain())
		var got []string
		for _, r := range e.lay(c.width) {
			if r.marked {
				r.text = "[" + r.text + "]"
			}
			got = append(got, r.text)
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q: %q, want %q", c.text, s, c.want)
		}
	}
	for text, lines := range map[string]float32{"short": 1, long: 2, "": 1} {
		if e := newExcerpt(text, nil, 2, plain()); e.HeightFor(200) != lines*e.pitch() {
			t.Errorf("%.20q… is %v high", text, e.HeightFor(200))
		}
	}
	for _, text := range []string{long, strings.Repeat("x", 5000), ""} {
		e := newExcerpt(text, [][2]int{{3, 20}}, 2, plain())
		for _, r := range e.lay(200) {
			if r.at.X+r.width > 201 || r.at.Y > e.pitch()+0.5 {
				t.Errorf("%.20q…: a piece at %v, %v wide", text, r.at, r.width)
			}
		}
	}
}

func TestDirectConversation(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	test.Tap(w.sidebar.agentRows["scout"].button)
	c, _ := f.Channel(w.channel)
	if c.Name != "@scout" || !slices.Equal(c.Members, []string{"scout"}) {
		t.Fatalf("channel %q with %v", c.Name, c.Members)
	}
	if w.opened != "" || w.fyne.Title() != "Scout — team.yaml — Sidekicks" || w.composer.input.PlaceHolder != "Message Scout" {
		t.Errorf("panel of %q, title %q, %q", w.opened, w.fyne.Title(), w.composer.input.PlaceHolder)
	}
	if slices.Contains(texts(w.sidebar.channels), "# @scout") || !w.sidebar.agentRows["scout"].button.selected {
		t.Errorf("channels %q", texts(w.sidebar.channels))
	}
	test.Tap(w.sidebar.agentRows["scout"].button)
	if w.opened != "scout" {
		t.Error("pressing again does not open the panel")
	}
	test.Tap(w.sidebar.agentRows["alice"].lamp)
	if w.opened != "alice" || w.channel != c.ID {
		t.Errorf("pressing a state opens the panel of %q in channel %d", w.opened, w.channel)
	}
	w.show(1)
	f.channels[3].Unread = 2
	w.apply([]app.Event{{Kind: app.ChannelsChanged}})
	shows(t, w.sidebar.agentRows["scout"].button, "2")
	w.showUnread(1)
	if w.channel != c.ID {
		t.Errorf("the next unread channel is %d", w.channel)
	}
	f.channels[3].Members = append(f.channels[3].Members, "alice")
	w.apply([]app.Event{{Kind: app.ChannelsChanged}})
	shows(t, w.sidebar.channels, "# @scout") // somebody else is in it now
}

func TestDragChannel(t *testing.T) {
	f := newFake()
	f.channels = slices.Insert(f.channels, 1, app.Channel{ID: 9, Name: "@alice", Members: []string{"alice"}})
	w := openTest(t, f)
	s := w.sidebar
	names := func() string { return fmt.Sprint(texts(s.channels)) }
	y := func(n int) float32 { return absolute(s.channels).Y + (float32(n)+0.5)*(channelHeight+channelGap) }
	s.drag(1, y(1))
	if got := names(); got != "[# translations # general # empty]" {
		t.Errorf("while it is dragged: %s", got)
	}
	w.apply([]app.Event{{Kind: app.ChannelsChanged}})
	s.drag(1, y(50))
	if got := names(); got != "[# translations # empty # general]" {
		t.Errorf("below the end: %s", got)
	}
	s.drop()
	if !asked(f, "move 1 3") || names() != "[# translations # empty # general]" {
		t.Errorf("dropped: %q, %s", f.called(), names())
	}
	pressed(w, mainKey|fyne.KeyModifierShift, fyne.KeyUp)
	if names() != "[# translations # general # empty]" {
		t.Errorf("moved up by a key: %s", names())
	}
}

func TestSidebarMenus(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	test.TapSecondary(w.sidebar.agentRows["scout"].button)
	test.Tap(find(t, w.stage().menu.panel, "Start"))
	if !asked(f, "start scout") {
		t.Errorf("asked for %q", f.called())
	}
	test.TapSecondary(w.sidebar.agentRows["scout"].button)
	test.Tap(find(t, w.stage().menu.panel, "Details"))
	if w.opened != "scout" {
		t.Errorf("the panel of %q is open", w.opened)
	}
	test.TapSecondary(w.sidebar.channelRows[2].button)
	test.Tap(find(t, w.stage().menu.panel, "Copy the conversation"))
	w.bridge.runErrands()
	if got := w.app.Clipboard().Content(); got != "# translations\n" {
		t.Errorf("copied %q", got)
	}
}

func TestManyInTheSidebar(t *testing.T) {
	f := newFake()
	for i := range 50 {
		f.channels = append(f.channels, app.Channel{ID: app.ChannelID(10 + i), Name: fmt.Sprint(strings.Repeat("long ", i), i)})
	}
	for i := range 30 {
		f.agents = append(f.agents, app.Agent{Name: fmt.Sprint("agent", i), Title: strings.Repeat("title\u202e \u200b", 1+i*20)})
	}
	w := openTest(t, f)
	for w.fyne.Canvas().Focused() != w.sidebar.agentRows["agent29"].button {
		w.fyne.Canvas().FocusNext()
	}
	at, list := absolute(w.sidebar.agentRows["agent29"].button), w.sidebar.scroll
	if at.Y < absolute(list).Y || at.Y+32 > absolute(list).Y+list.Size().Height {
		t.Errorf("the agent that has the focus is at %v, out of sight", at.Y)
	}
	if got := w.fyne.Canvas().Content().MinSize(); got.Width > 900 || got.Height > 600 {
		t.Errorf("the window wants %v", got)
	}
}

func TestColumns(t *testing.T) {
	w := openTest(t, newFake())
	w.remembered = openRemembered("")
	w.openAgent("alice")
	w.desk.left.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{AbsolutePosition: fyne.NewPos(300, 400)}})
	w.desk.right.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{AbsolutePosition: fyne.NewPos(860, 400)}})
	w.desk.left.DragEnd()
	w.desk.right.DragEnd()
	if s, p := w.sidebar.object.Size().Width, w.panel.object.Size().Width; s != 300 || p != 500 {
		t.Errorf("sidebar %v, panel %v", s, p)
	}
	var kept columnSizes
	if !w.remembered.Get(columnsKey, &kept) || kept != (columnSizes{300, 500, false}) {
		t.Errorf("remembered: %+v", kept)
	}
	w.fyne.Resize(fyne.NewSize(900, 600))
	w.relayout()
	if c := w.desk.center.Size().Width; c < smallestCenter.Width {
		t.Errorf("the conversation has %v", c)
	}
	w.fyne.Resize(fyne.NewSize(1360, 860))
	w.relayout()
	if s, p := w.sidebar.object.Size().Width, w.panel.object.Size().Width; s != 300 || p != 500 {
		t.Errorf("in a large window again: sidebar %v, panel %v", s, p)
	}
	w.desk.left.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{AbsolutePosition: fyne.NewPos(20, 400)}})
	if w.sidebar.object.Visible() || w.desk.center.Position().X != railWidth {
		t.Errorf("dragged away, the sidebar is visible: %v", w.sidebar.object.Visible())
	}
	pressed(w, mainKey, fyne.KeyB)
	if !w.sidebar.object.Visible() || w.sidebar.object.Size().Width != 300 {
		t.Errorf("unfolded: %v", w.sidebar.object.Size())
	}
	pressed(w, mainKey|fyne.KeyModifierShift, fyne.KeyB)
	if w.opened != "" {
		t.Error("the panel is not folded")
	}
	pressed(w, mainKey|fyne.KeyModifierShift, fyne.KeyB)
	if w.opened != "alice" {
		t.Errorf("the panel of %q comes back", w.opened)
	}
}

func TestCopyConversation(t *testing.T) {
	f := newFake()
	f.messages = nil
	at := time.Date(2026, 11, 30, 10, 2, 0, 0, time.Local)
	f.add(app.Message{Channel: 1, Kind: app.FromPerson, CreatedAt: at, EndedAt: at, Parts: say("@alice *hello*")})
	f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: at, EndedAt: at, Parts: []app.Part{
		{Kind: app.ThoughtPart, Text: "hm"}, {Kind: app.TextPart, Text: "Look:\n```go\nx := 1\n"}, {Kind: app.TextPart, Text: "done"},
	}})
	next := at.AddDate(0, 0, 1)
	f.add(app.Message{Channel: 1, Kind: app.FromPerson, CreatedAt: next, EndedAt: next, Parts: say("more")})
	w := openTest(t, f)
	c, _ := f.Channel(1)
	w.copyConversation(c)
	w.bridge.runErrands()
	want := "# general\n\n## Monday, 30 November 2026\n\n**You** · 10:02\n\n@alice *hello*\n\n**Alice** · 10:02\n\nLook:\n```go\nx := 1\n```\n\ndone\n" +
		"\n## Tuesday, 1 December 2026\n\n**You** · 10:02\n\nmore\n"
	if got := w.app.Clipboard().Content(); got != want {
		t.Errorf("copied\n%s\nwant\n%s", got, want)
	}
}

func TestCloseFence(t *testing.T) {
	for text, want := range map[string]string{
		"a":                    "a",
		"```\na":               "```\na\n```",
		"```\na\n```\nb\n":     "```\na\n```\nb",
		"````\n```\na":         "````\n```\na\n````",
		"~~~ go\n```":          "~~~ go\n```\n~~~",
		"`x` and ``` inline":   "`x` and ``` inline",
		"```go\na\n```go\nb":   "```go\na\n```go\nb\n```",
		"```\na\n``` \n```\nb": "```\na\n``` \n```\nb\n```",
	} {
		if got := closeFence(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func BenchmarkPalette(b *testing.B) {
	w := benchWindow(b, 100)
	f := w.backend.(*fake)
	for i := range 50 {
		f.channels = append(f.channels, app.Channel{ID: app.ChannelID(10 + i), Name: fmt.Sprint("channel ", i)})
	}
	for i := range 30 {
		f.agents = append(f.agents, app.Agent{Name: fmt.Sprint("agent", i)})
	}
	for b.Loop() {
		w.openPalette()
		w.finder.look("ag")
		w.finder.close()
	}
}
