package editor

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// show shows an editor in a window.
func show(t testing.TB, text string) (*Editor, fyne.Window) {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(tokens.Theme(tokens.Light))
	e := New(text)
	w := test.NewTempWindow(t, e)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(400, 200))
	w.Canvas().Focus(e)
	return e, w
}

func press(e *Editor, keys ...fyne.KeyName) {
	for _, k := range keys {
		e.TypedKey(&fyne.KeyEvent{Name: k})
	}
}

func with(e *Editor, modifier fyne.KeyModifier, keys ...fyne.KeyName) {
	for _, k := range keys {
		e.TypedShortcut(&desktop.CustomShortcut{KeyName: k, Modifier: modifier})
	}
}

func selecting(e *Editor, do func()) {
	e.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	do()
	e.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
}

func TestTyping(t *testing.T) {
	const home, end = fyne.KeyHome, fyne.KeyEnd
	for name, c := range map[string]struct {
		text string
		do   func(e *Editor)
		want string
	}{
		"letters":              {"", func(e *Editor) { test.Type(e, "hé!") }, "hé!"},
		"a line":               {"ab", func(e *Editor) { press(e, fyne.KeyRight, fyne.KeyReturn) }, "a\nb"},
		"a line, indented":     {"\tx", func(e *Editor) { press(e, end, fyne.KeyReturn); test.Type(e, "y") }, "\tx\n\ty"},
		"a line, CRLF":         {"a\r\nb\r\n", func(e *Editor) { press(e, fyne.KeyReturn) }, "\r\na\r\nb\r\n"},
		"back over a line":     {"a\nb", func(e *Editor) { press(e, fyne.KeyDown, fyne.KeyBackspace) }, "ab"},
		"back at the start":    {"a", func(e *Editor) { press(e, fyne.KeyBackspace) }, "a"},
		"delete a whole emoji": {"👩‍💻x", func(e *Editor) { press(e, fyne.KeyDelete) }, "x"},
		"back over an accent":  {"e\u0301", func(e *Editor) { press(e, end, fyne.KeyBackspace) }, ""},
		"delete at the end":    {"a", func(e *Editor) { press(e, end, fyne.KeyDelete) }, "a"},
		"over a selection": {"abc\ndef", func(e *Editor) {
			selecting(e, func() { press(e, fyne.KeyRight, fyne.KeyDown) })
			test.Type(e, "X")
		}, "Xef"},
		"tab":               {"\ta\nb", func(e *Editor) { press(e, fyne.KeyDown, fyne.KeyTab) }, "\ta\n\tb"},
		"tab of blanks":     {"  a\nb", func(e *Editor) { press(e, fyne.KeyDown, fyne.KeyTab) }, "  a\n  b"},
		"tab of many lines": {"a\n\nb", func(e *Editor) { selecting(e, func() { press(e, fyne.KeyDown, fyne.KeyDown) }); press(e, fyne.KeyTab) }, "\ta\n\n\tb"},
		"tab back":          {"  a\n    b", func(e *Editor) { press(e, fyne.KeyDown); selecting(e, func() { press(e, fyne.KeyTab) }) }, "  a\n  b"},
		"word back":         {"one two", func(e *Editor) { press(e, end); with(e, wordModifier, fyne.KeyBackspace) }, "one "},
		"word on":           {"one two", func(e *Editor) { with(e, wordModifier, fyne.KeyDelete) }, " two"},
		"undo and redo": {"a", func(e *Editor) {
			test.Type(e, "x y")
			e.Undo()
			e.Undo()
			e.Redo()
		}, "xa"},
		"read only": {"a", func(e *Editor) {
			e.SetReadOnly(true)
			test.Type(e, "x")
			press(e, fyne.KeyDelete, fyne.KeyReturn)
			e.TypedShortcut(&fyne.ShortcutCut{})
			e.Undo()
		}, "a"},
		"first letter, then the line": {"\tab", func(e *Editor) { press(e, end, home); test.Type(e, "x"); press(e, home, home); test.Type(e, "y") }, "y\txab"},
	} {
		t.Run(name, func(t *testing.T) {
			e, _ := show(t, c.text)
			c.do(e)
			if got := e.Text(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestMoving(t *testing.T) {
	e, _ := show(t, "one\n\nthree 3\n日本")
	for _, step := range []struct {
		do   func()
		want place
	}{
		{func() { press(e, fyne.KeyRight, fyne.KeyRight) }, place{0, 2}},
		{func() { press(e, fyne.KeyDown) }, place{1, 0}},
		{func() { press(e, fyne.KeyDown) }, place{2, 2}}, // in the column it came from
		{func() { press(e, fyne.KeyDown) }, place{3, 3}},
		{func() { press(e, fyne.KeyDown) }, place{3, 6}},
		{func() { press(e, fyne.KeyRight) }, place{3, 6}},
		{func() { press(e, fyne.KeyHome, fyne.KeyLeft) }, place{2, 7}},
		{func() { with(e, wordModifier, fyne.KeyLeft, fyne.KeyLeft) }, place{2, 0}},
		{func() { with(e, wordModifier, fyne.KeyRight) }, place{2, 5}},
		{func() { with(e, fyne.KeyModifierShortcutDefault, fyne.KeyEnd) }, place{3, 6}},
		{func() { with(e, fyne.KeyModifierShortcutDefault, fyne.KeyHome) }, place{0, 0}},
		{func() { press(e, fyne.KeyUp, fyne.KeyLeft) }, place{0, 0}},
		{func() { press(e, fyne.KeyPageDown) }, place{3, 6}},
		{func() { e.GoTo(3) }, place{2, 0}},
		{func() { e.GoTo(99) }, place{3, 0}},
		{func() { e.GoTo(0) }, place{0, 0}},
	} {
		step.do()
		if e.caret != step.want || e.anchor != step.want {
			t.Errorf("at %v to %v, want %v", e.caret, e.anchor, step.want)
			e.move(step.want, false)
		}
	}
	if e.GoTo(3); fmt.Sprint(e.Place()) != "3 1" {
		t.Error(e.Place())
	}
}

func TestClipboard(t *testing.T) {
	e, _ := show(t, "one\r\ntwo\r\n")
	e.TypedShortcut(&fyne.ShortcutSelectAll{})
	e.TypedShortcut(&fyne.ShortcutCopy{})
	clipboard := fyne.CurrentApp().Clipboard()
	if got := clipboard.Content(); got != "one\ntwo\n" {
		t.Errorf("copied %q", got)
	}
	press(e, fyne.KeyLeft)
	selecting(e, func() { press(e, fyne.KeyEnd) })
	e.TypedShortcut(&fyne.ShortcutCut{})
	if got := clipboard.Content(); got != "one" || e.Text() != "\r\ntwo\r\n" {
		t.Errorf("cut %q of what is now %q", got, e.Text())
	}
	clipboard.SetContent("a\r\nb\xff")
	e.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
	if got := e.Text(); got != "a\r\nb\uFFFD\r\ntwo\r\n" {
		t.Errorf("pasted: %q", got)
	}
}

func TestOthersShortcutsArePassedOn(t *testing.T) {
	e, _ := show(t, "")
	var got []string
	e.OnShortcut = func(s fyne.Shortcut) { got = append(got, s.ShortcutName()) }
	with(e, fyne.KeyModifierShortcutDefault, fyne.KeyS, fyne.KeyHome)
	if len(got) != 1 {
		t.Errorf("%v", got)
	}
}

func TestPointer(t *testing.T) {
	e, _ := show(t, "one two\nthree")
	at := func(line, column float32) fyne.Position {
		return fyne.NewPos(e.gutter()+column*e.advance(), (line+0.5)*e.pitch())
	}
	down := func(p fyne.Position, m fyne.KeyModifier) {
		e.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: p}, Button: desktop.MouseButtonPrimary, Modifier: m})
	}
	down(at(1, 2.2), 0)
	if e.caret != (place{1, 2}) {
		t.Errorf("pressed: %v", e.caret)
	}
	down(at(0, 4), fyne.KeyModifierShift)
	if got := e.SelectedText(); got != "two\nth" {
		t.Errorf("with Shift: %q", got)
	}
	e.taps = 0
	for i, want := range []string{"", "two", "one two\n"} {
		down(at(0, 5), 0)
		if got := e.SelectedText(); got != want {
			t.Errorf("%d times: %q, want %q", i+1, got, want)
		}
	}
	down(at(0, 0), 0)
	e.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: at(9, 99)}})
	if got := e.SelectedText(); got != e.Text() {
		t.Errorf("dragged: %q", got)
	}
}

func TestFind(t *testing.T) {
	e, _ := show(t, "one Two\ntwo\nTWO one")
	var found []string
	find := func(text string, back bool) {
		if !e.Find(text, back) {
			found = append(found, "none")
			return
		}
		from, _ := e.selection()
		found = append(found, fmt.Sprint(from.line, ":", from.at))
	}
	for range 4 {
		find("two", false)
	}
	find("two", true)
	find("Two", false)
	find("one", true)
	find("nowhere", false)
	find("", false)
	if got, want := strings.Join(found, " "), "0:4 1:0 2:0 0:4 2:0 0:4 0:0 none none"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// drawn are the texts in the view, with their colours.
func drawn(e *Editor) (list []string) {
	for _, o := range e.view.text.Objects {
		if text, ok := o.(*canvas.Text); ok {
			list = append(list, text.Text)
		}
	}
	return list
}

func TestOnlyWhatIsInViewIsDrawn(t *testing.T) {
	e, _ := show(t, strings.Repeat("a line\n", 100_000)+strings.Repeat("long ", 100_000))
	if n := len(drawn(e)); n < 5 || n > 20 {
		t.Errorf("%d pieces are drawn", n)
	}
	with(e, fyne.KeyModifierShortcutDefault, fyne.KeyEnd)
	for _, text := range drawn(e) {
		if len(text) > 100 {
			t.Errorf("a piece of %d letters is drawn", len(text))
		}
	}
	if len(e.view.pieces.texts) > 40 {
		t.Errorf("%d texts are kept", len(e.view.pieces.texts))
	}
}

func TestColours(t *testing.T) {
	text := "func f() {\n\treturn 1\n}\n"
	e, _ := show(t, text)
	e.Colour(text, []Span{{4, tokens.CodeKeyword}, {8, ""}, {6, tokens.CodeKeyword}, {1, ""}, {1, tokens.CodeNumber}, {3, ""}})
	if got, want := strings.Join(drawn(e), "|"), "func| f() {|return|1|}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// They move with their lines.
	press(e, fyne.KeyReturn)
	if got, want := strings.Join(drawn(e), "|"), "func| f() {|return|1|}"; got != want {
		t.Errorf("after a new line: %s, want %s", got, want)
	}
	press(e, fyne.KeyBackspace)
	if got, want := strings.Join(drawn(e), "|"), "func| f() {|return|1|}"; got != want {
		t.Errorf("and back: %s, want %s", got, want)
	}
	press(e, fyne.KeyEnd, fyne.KeyReturn)
	if got, want := strings.Join(drawn(e), "|"), "func| f() {|return|1|}"; got != want {
		t.Errorf("a line below: %s, want %s", got, want)
	}
}

func TestControlsAreSeen(t *testing.T) {
	e, _ := show(t, "a\x1b[31m\u202ex\r\xff\nno")
	if got, want := strings.Join(drawn(e), ""), "a·[31m·x␍\uFFFDno"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestGoToShowsTheLineInTheMiddle(t *testing.T) {
	e := New(strings.Repeat("x\n", 1000))
	e.GoTo(500) // before it has a size
	test.NewTempApp(t).Settings().SetTheme(tokens.Theme(tokens.Light))
	w := test.NewTempWindow(t, e)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(400, 200))
	y := 499*e.pitch() - e.offset.Y
	if y < 60 || y > 140 {
		t.Errorf("line 500 is at %v", y)
	}
}

func TestScrolling(t *testing.T) {
	e, _ := show(t, strings.Repeat("x\n", 1000))
	e.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -1e9)})
	if bottom := 1001*e.pitch() - e.offset.Y; bottom > 200 || bottom < 180 {
		t.Errorf("the end is at %v", bottom)
	}
	e.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 1e9)})
	if e.offset.Y != 0 {
		t.Errorf("the beginning is at %v", -e.offset.Y)
	}
	e.view.down.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(0, 1000)})
	if bottom := 1001*e.pitch() - e.offset.Y; bottom > 200 {
		t.Errorf("dragged to the end, it is at %v", bottom)
	}
	press(e, fyne.KeyDown)
	if e.offset.Y > e.pitch() {
		t.Error("the caret is not brought into view")
	}
}

func TestSetKeepsThePlace(t *testing.T) {
	e, _ := show(t, "one\ntwo\nthree")
	e.GoTo(3)
	press(e, fyne.KeyEnd)
	test.Type(e, "!")
	if !e.Changed() {
		t.Error("a change is none")
	}
	e.Set("one\ntwo\nfour")
	if e.caret != (place{2, 4}) || e.Changed() {
		t.Errorf("at %v, changed %v", e.caret, e.Changed())
	}
	e.Set("")
	if e.caret != (place{0, 0}) {
		t.Errorf("at %v", e.caret)
	}
}

func large() string {
	return strings.Repeat("The quick brown fox jumps over the lazy dog, \tété.\n", 5<<20/53)
}

func BenchmarkOpen5MB(b *testing.B) {
	test.NewTempApp(b).Settings().SetTheme(tokens.Theme(tokens.Light))
	text := large()
	for b.Loop() {
		e := New(text)
		e.Resize(fyne.NewSize(700, 800))
		test.WidgetRenderer(e).Layout(e.Size())
	}
}

func BenchmarkType5MB(b *testing.B) {
	test.NewTempApp(b).Settings().SetTheme(tokens.Theme(tokens.Light))
	e := New(large())
	e.Resize(fyne.NewSize(700, 800))
	test.WidgetRenderer(e).Layout(e.Size())
	e.GoTo(50_000)
	for b.Loop() {
		e.TypedRune('x')
	}
}

func BenchmarkNewLine5MB(b *testing.B) {
	test.NewTempApp(b).Settings().SetTheme(tokens.Theme(tokens.Light))
	e := New(large())
	e.Resize(fyne.NewSize(700, 800))
	test.WidgetRenderer(e).Layout(e.Size())
	e.GoTo(50_000)
	for b.Loop() {
		e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	}
}
