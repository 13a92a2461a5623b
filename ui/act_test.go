package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
)

// inWindow fails for each visible control that is not wholly in the window.
func inWindow(t *testing.T, what string, o fyne.CanvasObject, size fyne.Size) {
	t.Helper()
	walk(o, func(o fyne.CanvasObject) {
		switch o.(type) {
		case *button, *field, *check:
		default:
			return
		}
		at := absolute(o)
		if at.X < 0 || at.X+o.Size().Width > size.Width+0.5 {
			t.Errorf("%s: %T %v goes from %v to %v of %v", what, o, texts(o), at.X, at.X+o.Size().Width, size.Width)
		}
	})
}

func walk(o fyne.CanvasObject, visit func(fyne.CanvasObject)) {
	if !o.Visible() {
		return
	}
	visit(o)
	switch o := o.(type) {
	case *fyne.Container:
		for _, c := range o.Objects {
			walk(c, visit)
		}
	case fyne.Widget:
		for _, c := range test.WidgetRenderer(o).Objects() {
			walk(c, visit)
		}
	}
}

// Names that nobody sane chooses leave the window as it is.
func TestBadNames(t *testing.T) {
	for name, bad := range map[string]string{
		"long":       strings.Repeat("title ", 834),
		"one word":   strings.Repeat("x", 5000),
		"rtl":        "\u202eevil\u202c שלום مرحبا \u2067abc\u2069",
		"zero width": "a\u200b\u200b\ufeff\u2060b\u00ad",
		"lines":      "one\ntwo\r\n\tthree\x00\x1b[31m",
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake()
			for i := range f.agents {
				f.agents[i].Title, f.agents[i].Description = bad, bad
			}
			for i := range 30 {
				n := fmt.Sprint("agent", i)
				f.agents = append(f.agents, app.Agent{Name: n, Title: bad, State: app.AgentReady})
				f.channels[0].Members = append(f.channels[0].Members, n)
			}
			f.channels[0].Name, f.channels[0].Description = bad, bad
			f.sessions = map[string][]app.ChannelID{"alice": {1}}
			f.controls = []app.Control{{Kind: app.ModeControl, Name: bad, Current: "a", Values: []app.ControlValue{{ID: "a", Name: bad, Description: bad, Group: bad}, {ID: "b", Name: "B"}}}}
			q := app.Question{ID: "q", Agent: "alice", Channel: 1, Title: bad, State: app.QuestionOpen, Options: []acp.PermissionOption{{ID: "1", Name: bad}, {ID: "2", Name: bad}}}
			f.questions = []app.Question{q}
			f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: time.Now(), Mode: bad, Usage: &acp.Usage{Used: 1, Size: 2},
				Parts: []app.Part{{Kind: app.QuestionPart, Question: &q}}})
			size := fyne.NewSize(900, 600)
			w := openTest(t, f)
			w.openAgent("alice")
			w.fyne.Resize(size)
			w.relayout()
			check := func(what string) {
				t.Helper()
				if got := w.fyne.Canvas().Content().MinSize(); got.Width > size.Width || got.Height > size.Height {
					t.Errorf("%s: the window wants %v", what, got)
				}
				inWindow(t, what, w.stage().object, size)
			}
			check("window")
			for what, open := range map[string]func(){
				"menu":    func() { test.Tap(w.head.menu) },
				"to":      func() { test.Tap(w.composer.whom) },
				"mode":    func() { w.chooseMode(w.head.menu, 1, "alice") },
				"members": func() { w.chooseMembers(1) },
				"delete":  func() { w.deleteChannel(f.channels[0]) },
				"hops":    func() { w.chooseHops(f.channels[0]) },
				"rename":  func() { w.renameChannel(f.channels[0]) },
				"create":  w.createChannel,
				"link":    func() { w.openLink("https://example.org/" + bad) },
			} {
				open()
				check(what)
				w.stage().menu.close()
				if w.leave != nil {
					w.leave()
				}
			}
		})
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"\u202eab\u202c":      "ab",
		"a\u200bb\ufeff":      "ab",
		"👩\u200d💻":            "👩\u200d💻",
		"one\ntwo\x1b[0m":     "one two[0m",
		"\u2067x\u2069\u200f": "x",
	} {
		if got := visible(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

// live adds a message that alice is writing, in answer to one of the person,
// and has been quiet about since the given time.
func live(f *fake, heard time.Time) {
	answer := app.MessageID(len(f.messages) + 2)
	f.add(app.Message{Channel: 1, Kind: app.FromPerson, CreatedAt: heard, EndedAt: heard, Parts: say("@alice test it"),
		Deliveries: []app.Delivery{{ID: 9, Agent: "alice", State: app.Working, Since: heard, Heard: heard, Answer: answer}}})
	f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: heard, Parts: []app.Part{
		{Kind: app.ToolPart, Tool: &acp.ToolCall{ID: "t", Title: "go test", Kind: "execute", Status: acp.ToolInProgress}}}})
}

func TestSilenceIsSaid(t *testing.T) {
	for _, c := range []struct {
		ago  time.Duration
		want string
	}{
		{18 * time.Second, "Working for 18 s: running go test"},
		{75 * time.Second, "Working for 1 min 15 s: running go test · nothing heard for 1 min 15 s"},
	} {
		f := newFake()
		now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.Local)
		live(f, now.Add(-c.ago))
		w := openTest(t, f)
		w.now = func() time.Time { return now }
		w.conversation.tick()
		row := w.conversation.list.Row(key(4))
		shows(t, row, c.want)
		if c.ago < quietFor {
			if search(row, "Stop") != nil {
				t.Errorf("after %v it can be stopped in the message already", c.ago)
			}
			continue
		}
		test.Tap(find(t, row, "Stop"))
		test.Tap(find(t, row, "Restart"))
		if !asked(f, `stop turns 1 "alice"`) || !asked(f, "restart alice") {
			t.Errorf("asked for %q", f.called())
		}
		shows(t, w.conversation.list.Row(key(3)), "Alice is answering")
	}
}

func TestUsageInBothLanguages(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	for n, want := range map[int64][2]string{
		0: {"0", "0"}, 999: {"999", "999"}, 1000: {"1k", "1 k"}, 4234: {"4.2k", "4,2 k"}, 9_960: {"10k", "10 k"},
		18_200: {"18k", "18 k"}, 999_400: {"999k", "999 k"}, 999_600: {"1.0M", "1,0 M"}, 1_000_000: {"1.0M", "1,0 M"}, 2_450_000: {"2.5M", "2,5 M"},
	} {
		for i, language := range []string{"en", "fr"} {
			f.config.UI.Language = language
			w.printer = f.Printer()
			if got := strings.ReplaceAll(w.amount(n), "\u00a0", " "); got != want[i] {
				t.Errorf("%s: %d is %q, want %q", language, n, got, want[i])
			}
		}
	}
}

func TestMessageMenu(t *testing.T) {
	f := newFake()
	f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: time.Now(), EndedAt: time.Now(), Parts: say("**Bold** and `code`\n\n- one\n- two")})
	w := openTest(t, f)
	row := w.conversation.list.Row(key(3))
	choose := func(name string) {
		test.Tap(find(t, row, "What can be done with the message"))
		test.Tap(find(t, w.stage().menu.panel, name))
	}
	choose("Copy as Markdown")
	if got := w.app.Clipboard().Content(); got != "**Bold** and `code`\n\n- one\n- two" {
		t.Errorf("copied %q", got)
	}
	choose("Copy the message")
	if got := w.app.Clipboard().Content(); !strings.HasPrefix(got, "Bold and code\n") || strings.ContainsAny(got, "*`") {
		t.Errorf("copied %q", got)
	}
	choose("Select all")
	flow := w.conversation.rows[row].firstText()
	if w.fyne.Canvas().Focused() != flow || !strings.Contains(flow.Selected(), "one") {
		t.Errorf("selected %q, the focus is on %T", flow.Selected(), w.fyne.Canvas().Focused())
	}
	flow.TappedSecondary(&fyne.PointEvent{AbsolutePosition: fyne.NewPos(400, 300)})
	w.app.Clipboard().SetContent("")
	typeKeys(w.stage().menu, fyne.KeyDown, fyne.KeyReturn)
	if got := w.app.Clipboard().Content(); !strings.Contains(got, "one") {
		t.Errorf("the menu copied %q of what is selected", got)
	}
}

func TestControls(t *testing.T) {
	f := newFake()
	f.sessions = map[string][]app.ChannelID{"alice": {1}}
	f.controls = []app.Control{
		{Kind: app.ModeControl, Current: "code", Values: []app.ControlValue{{ID: "ask", Name: "Ask"}, {ID: "code", Name: "Code"}}},
		{Kind: app.OptionControl, ID: "web", Name: "Web search", Current: "true"},
	}
	f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", Mode: "Code", CreatedAt: time.Now(), EndedAt: time.Now(), Parts: say("done")})
	w := openTest(t, f)
	w.openAgent("alice")
	shows(t, w.panel.object, "In #general", "Mode", "Code", "Web search", "#general")
	test.Tap(find(t, w.panel.object, "Mode"))
	test.Tap(find(t, w.stage().menu.panel, "Ask"))
	walk(w.panel.object, func(o fyne.CanvasObject) {
		if c, ok := o.(*check); ok {
			test.Tap(c)
		}
	})
	test.Tap(find(t, w.conversation.list.Row(key(3)), "· Code mode"))
	typeKeys(w.stage().menu, fyne.KeyDown, fyne.KeyReturn)
	if want := []string{"set 1 alice mode ask", "set 1 alice optionweb false", "set 1 alice mode ask"}; !containsInOrder(f.called(), want) {
		t.Errorf("asked for %q, want %q", f.called(), want)
	}
	w.show(2)
	if texts := texts(w.panel.object); strings.Contains(strings.Join(texts, "\n"), "Web search") {
		t.Errorf("controls of another channel are shown: %q", texts)
	}
}

func containsInOrder(all, want []string) bool {
	for _, s := range all {
		if len(want) > 0 && s == want[0] {
			want = want[1:]
		}
	}
	return len(want) == 0
}

func TestBadgeLeadsToTheQuestion(t *testing.T) {
	f := newFake()
	q := app.Question{ID: "q", Agent: "garfield", Channel: 2, Message: 3, State: app.QuestionOpen, Options: []acp.PermissionOption{{ID: "yes", Name: "Yes", Kind: acp.AllowOnce}}}
	f.questions = []app.Question{q}
	f.add(app.Message{Channel: 2, Kind: app.FromAgent, Author: "garfield", CreatedAt: time.Now(), Parts: []app.Part{{Kind: app.QuestionPart, Question: &q}}})
	w := openTest(t, f)
	if w.showQuestion(1) || w.showQuestionOf("alice") {
		t.Error("there is a question where nobody asks")
	}
	if !w.showQuestionOf("garfield") || w.channel != 2 {
		t.Fatalf("channel %d is shown", w.channel)
	}
	if w.fyne.Canvas().Focused() != w.composer.input {
		t.Error("the keys do not answer")
	}
	w.show(1)
	if !w.showQuestion(2) || w.channel != 2 {
		t.Errorf("channel %d is shown", w.channel)
	}
}

func TestLinks(t *testing.T) {
	w := openTest(t, newFake())
	for address, opens := range map[string]bool{
		"https://example.org/x": true, "http://example.org": true, "mailto:a@example.org": true,
		"file:///etc/passwd": false, "javascript:alert(1)": false, "vnc://x": false, "//x": false, "http://a b": false,
	} {
		w.openLink(address)
		if got := search(w.stage().object, "Open") != nil; got != opens {
			t.Errorf("%s can be opened: %v", address, got)
		}
		shows(t, w.stage().object, address)
		w.leave()
	}
}

func TestFormRules(t *testing.T) {
	w := openTest(t, newFake())
	n := func(v float64) *float64 { return &v }
	for _, c := range []struct {
		field acp.Field
		typed string
		want  string
	}{
		{acp.Field{Type: acp.FieldString, Required: true}, "  ", "This is needed."},
		{acp.Field{Type: acp.FieldString}, "", ""},
		{acp.Field{Type: acp.FieldString, Min: n(3)}, "éà", "At least 3 characters."},
		{acp.Field{Type: acp.FieldString, Max: n(1)}, "ab", "At most 1 character."},
		{acp.Field{Type: acp.FieldInteger}, "1.5", "A whole number is needed here."},
		{acp.Field{Type: acp.FieldInteger, Min: n(1), Max: n(9)}, "10", "At most 9."},
		{acp.Field{Type: acp.FieldNumber, Min: n(0.5)}, "0,25", "At least 0.5."},
		{acp.Field{Type: acp.FieldNumber}, "Inf", "A number is needed here."},
		{acp.Field{Type: acp.FieldString, Pattern: "^[a-z]+$"}, "A1", "It has to be of this form: ^[a-z]+$"},
		{acp.Field{Type: acp.FieldString, Pattern: "(?=a)"}, "b", ""}, // not to be read here: the agent's to check
		{acp.Field{Type: acp.FieldString, Format: "email"}, "Alice <a@b.org>", "A mail address is needed here."},
		{acp.Field{Type: acp.FieldString, Format: "uri"}, "example.org", "A whole address is needed here, such as https://example.org."},
		{acp.Field{Type: acp.FieldString, Format: "date"}, "2026-02-30", "A date is needed here, such as 2026-11-30."},
		{acp.Field{Type: acp.FieldString, Format: "date-time"}, "2026-11-30T10:00:00Z", ""},
	} {
		value, read := parse(c.field.Type, c.typed)
		if got := w.wrong(c.field, value, read); got != c.want {
			t.Errorf("%+v with %q: %q, want %q", c.field, c.typed, got, c.want)
		}
	}
}

// Whatever can be clicked can be reached with Tab, and shows that it is.
func TestEverythingByTab(t *testing.T) {
	f := newFake()
	live(f, time.Now())
	w := openTest(t, f)
	w.openAgent("alice")
	c := w.fyne.Canvas()
	reached := map[fyne.CanvasObject]bool{}
	for range 200 {
		c.FocusNext()
		o, ok := c.Focused().(fyne.CanvasObject)
		if ok && reached[o] && o == fyne.CanvasObject(w.composer.input) {
			break
		}
		if ok {
			reached[o] = true
		}
		switch o := o.(type) {
		case *button:
			if o.ring.stroke == "" {
				t.Errorf("the focus on %q is not to be seen", o.name)
			}
		case *check:
			if o.ring.stroke == "" {
				t.Errorf("the focus on %q is not to be seen", o.name)
			}
		}
	}
	walk(c.Content(), func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case *button:
			if !reached[o] {
				t.Errorf("%q is not reached", o.name)
			}
		case *check, *field:
			if !reached[o] {
				t.Errorf("%T is not reached", o)
			}
		}
	})
}

// Every button without words says what it does.
func TestSignsHaveHelp(t *testing.T) {
	f := newFake()
	f.troubles = []error{&app.Phrase{ID: "x"}}
	w := openTest(t, f)
	w.openAgent("alice")
	walk(w.fyne.Canvas().Content(), func(o fyne.CanvasObject) {
		b, ok := o.(*button)
		if !ok || b.help != nil {
			return
		}
		if words := strings.Join(texts(b), ""); len([]rune(words)) < 2 {
			t.Errorf("a button that shows %q (%s) has no help", words, b.name)
		}
	})
}

// Where there is no room for everything about a message, its author stays.
func TestAuthorStays(t *testing.T) {
	f := newFake()
	f.agents[0].Title = "Alice (assistante)"
	f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: f.messages[0].CreatedAt, EndedAt: time.Now(), Mode: "Code",
		Usage: &acp.Usage{Used: 18_000, Size: 1_000_000}, Parts: say("done")})
	w := openTest(t, f)
	w.now = func() time.Time { return f.messages[0].CreatedAt }
	w.conversation.list.RefreshRow(key(3))
	h := w.conversation.rows[w.conversation.list.Row(key(3))].head
	for _, c := range []struct {
		width float32
		want  []string
	}{
		{600, []string{"Alice (assistante)", "10:02", "· Code mode", "· 18k of 1.0M", "⋯"}},
		{300, []string{"Alice (assistante)", "10:02", "· Code mode", "⋯"}},
		{220, []string{"Alice (assistante)", "10:02", "⋯"}},
	} {
		h.object.Resize(fyne.NewSize(c.width, 20))
		if got := texts(h.object); fmt.Sprint(got) != fmt.Sprint(c.want) || h.who.isCut() {
			t.Errorf("%v wide: %q, want %q; cut: %v", c.width, got, c.want, h.who.isCut())
		}
	}
}

func TestDialogsLeave(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	w.createChannel()
	w.openLink("https://example.org")
	w.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	shows(t, w.stage().object, "New channel")
	f.config.UI.Language = "fr"
	w.apply([]app.Event{{Kind: app.ConfigChanged}})
	if len(w.stages) != 1 || w.fyne.Canvas().Overlays().Top() != nil {
		t.Errorf("%d stages after the language changed", len(w.stages))
	}
}
