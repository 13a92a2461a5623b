package markdown

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

const sample = "First **bold** paragraph with `code` in it.\n\n- item one\n- item two\n\n```go\nfunc f() {}\nreturn\n```\n\n|a|b|\n|-|-|\n|one|two|\n\nLast é paragraph."

const copied = "First bold paragraph with code in it.\n\n• item one\n• item two\n\nfunc f() {}\nreturn\n\na\tb\none\ttwo\n\nLast é paragraph."

func TestSelectAllCopiesTheText(t *testing.T) {
	f := newFlow(t, sample)
	f.TypedShortcut(&fyne.ShortcutSelectAll{})
	if got := f.Selected(); got != copied {
		t.Errorf("selected %q", got)
	}
	f.TypedShortcut(&fyne.ShortcutCopy{})
	if got := fyne.CurrentApp().Clipboard().Content(); got != copied {
		t.Errorf("copied %q", got)
	}
	f.Deselect()
	f.Copy()
	if got := fyne.CurrentApp().Clipboard().Content(); got != copied {
		t.Errorf("copying nothing left %q", got)
	}
}

func TestDragSelectsAcrossBlocks(t *testing.T) {
	cases := []struct{ from, to, want string }{
		{"paragraph", "with", "paragraph "},
		{"with", "paragraph", "paragraph "},
		{"bold", "code", "bold paragraph with "},
		{"item one", "f()", "item one\n• item two\n\nfunc "},
		{"return", "e\ttwo", "return\n\na\tb\non"},
		{"Last", "item two", "item two\n\nfunc f() {}\nreturn\n\na\tb\none\ttwo\n\n"},
	}
	f := newFlow(t, sample)
	for _, c := range cases {
		f.pressed = time.Time{}
		drag(f, where(t, f, c.from), where(t, f, c.to))
		if got := f.Selected(); got != c.want {
			t.Errorf("from %s to %s: %q", c.from, c.to, got)
		}
	}
}

func TestSelectionIsDrawnBehindItsText(t *testing.T) {
	f := newFlow(t, sample)
	drag(f, where(t, f, "First"), where(t, f, "in it"))
	b := f.blocks[0]
	rects := f.selectionOf(b, 0, len(b.lines))
	if len(rects) != 1 {
		t.Fatalf("%d rectangles for one line", len(rects))
	}
	left, right := where(t, f, "First").X-1, where(t, f, "in it").X-1
	r := rects[0]
	if r.Position().X != left || r.Position().X+r.Size().Width != right {
		t.Errorf("drawn from %v to %v, not %v to %v", r.Position().X, r.Position().X+r.Size().Width, left, right)
	}
	click(f, where(t, f, "Last"), 1)
	if got := f.selectionOf(b, 0, len(b.lines)); len(got) != 0 {
		t.Error("a click left the selection")
	}
}

func TestDoubleAndTripleClick(t *testing.T) {
	cases := []struct {
		at     string
		clicks int
		want   string
	}{
		{"paragraph", 1, ""},
		{"ragraph", 2, "paragraph"},
		{"old", 2, "bold"},
		{"ode", 2, "code"},
		{"é", 2, "é"},
		{"raph.", 3, "Last é paragraph."},
		{"em two", 3, "item two"},
		{"nc f", 3, "func f() {}"},
		{"()", 2, "("},
		{"paragraph", 4, ""},
	}
	f := newFlow(t, sample)
	for _, c := range cases {
		f.pressed = time.Time{}
		click(f, where(t, f, c.at), c.clicks)
		if got := f.Selected(); got != c.want {
			t.Errorf("%d clicks on %q selected %q", c.clicks, c.at, got)
		}
	}
}

func TestSlowClicksAreSingle(t *testing.T) {
	f := newFlow(t, sample)
	at := where(t, f, "paragraph")
	click(f, at, 1)
	f.pressed = f.pressed.Add(-time.Second)
	click(f, at, 1)
	if got := f.Selected(); got != "" {
		t.Errorf("selected %q", got)
	}
}

func TestDragAfterDoubleClickSelectsWords(t *testing.T) {
	f := newFlow(t, sample)
	click(f, where(t, f, "aragraph"), 1)
	drag(f, where(t, f, "aragraph"), where(t, f, "ode"))
	if got := f.Selected(); got != "paragraph with code" {
		t.Errorf("forwards: %q", got)
	}
	click(f, where(t, f, "ode"), 1)
	drag(f, where(t, f, "ode"), where(t, f, "old"))
	if got := f.Selected(); got != "bold paragraph with code" {
		t.Errorf("backwards: %q", got)
	}
}

func TestDragBeyondTheViewScrolls(t *testing.T) {
	f := newFlow(t, corpus(8000))
	var turns []float32
	f.OnScrolled = func(e *fyne.ScrollEvent) { turns = append(turns, e.Scrolled.DY) }
	drag(f, fyne.NewPos(5, 5), fyne.NewPos(5, 700))
	if len(turns) != 0 {
		t.Errorf("a flow that is all in view scrolled by %v", turns)
	}
	f.Viewport(100, 600)
	drag(f, fyne.NewPos(5, 200), fyne.NewPos(5, 400))
	drag(f, fyne.NewPos(5, 200), fyne.NewPos(5, 620))
	drag(f, fyne.NewPos(5, 200), fyne.NewPos(5, 80))
	if len(turns) != 2 || turns[0] >= 0 || turns[1] <= 0 {
		t.Errorf("scrolled by %v", turns)
	}
	turns = nil
	f.Viewport(0, f.height+200)
	drag(f, fyne.NewPos(5, 5), fyne.NewPos(5, -20))
	drag(f, fyne.NewPos(5, 5), fyne.NewPos(5, f.height+250))
	if len(turns) != 0 {
		t.Errorf("at the ends it scrolled by %v", turns)
	}
}

// A pointer that is held still below the view scrolls on and selects, until
// the end or the button.
func TestHeldPointerScrollsOn(t *testing.T) {
	f := newFlow(t, corpus(8000))
	top := float32(0)
	f.OnScrolled = func(e *fyne.ScrollEvent) {
		top -= e.Scrolled.DY
		f.Move(fyne.NewPos(0, -top))
		f.Viewport(top, top+400)
	}
	f.Viewport(0, 400)
	at := fyne.PointEvent{Position: fyne.NewPos(50, 200), AbsolutePosition: fyne.NewPos(50, 200)}
	f.MouseDown(&desktop.MouseEvent{PointEvent: at, Button: desktop.MouseButtonPrimary})
	at.AbsolutePosition = fyne.NewPos(50, 460)
	f.Dragged(&fyne.DragEvent{PointEvent: at})
	if f.creeping == nil {
		t.Fatal("a pointer below the view does not scroll on")
	}
	before := len(f.Selected())
	for range 20 {
		f.crawl()
	}
	if got := len(f.Selected()); got <= before || top < 40 {
		t.Errorf("%d bytes selected after %d, %g scrolled", got, before, top)
	}
	for range 100_000 {
		f.crawl()
	}
	if f.creeping != nil || f.bottom < f.height {
		t.Errorf("it ends at %g of %g", f.bottom, f.height)
	}
	f.Dragged(&fyne.DragEvent{PointEvent: at})
	f.DragEnd()
	if f.creeping != nil {
		t.Error("it goes on after the button")
	}
}

const linked = "See [one](https://a.example) and [two\ntwo](https://b.example).\n\n```go\nx\n```\n\n|a|\n|-|\n|<https://c.example>|\n"

func TestTabStopsAtWhatCanBePressed(t *testing.T) {
	f := newFlow(t, linked)
	var pressed []string
	f.OnLink = func(url string) { pressed = append(pressed, url) }
	key := func(name fyne.KeyName) { f.TypedKey(&fyne.KeyEvent{Name: name}) }
	c := fyne.CurrentApp().Driver().CanvasForObject(f)
	c.FocusNext()
	if c.Focused() != f || f.stop != 1 || len(f.ring()) == 0 {
		t.Fatalf("Tab stops at %d of %v", f.stop, c.Focused())
	}
	for f.AcceptsTab() {
		key(fyne.KeyReturn)
		key(fyne.KeyTab)
	}
	key(fyne.KeySpace)
	if want := "https://a.example https://b.example https://c.example"; strings.Join(pressed, " ") != want {
		t.Errorf("pressed %q", pressed)
	}
	if got := fyne.CurrentApp().Clipboard().Content(); got != "x" {
		t.Errorf("copied %q", got)
	}
	c.FocusNext()
	f.FocusLost()
	if f.stop != 0 || f.ring() != nil {
		t.Error("the mark stays when the focus has gone")
	}
}

func TestTabPassesByPlainText(t *testing.T) {
	f := newFlow(t, "nothing to press, `code` neither")
	c := fyne.CurrentApp().Driver().CanvasForObject(f)
	c.FocusNext()
	if c.Focused() != nil {
		t.Error("Tab stops where nothing can be pressed")
	}
	click(f, fyne.NewPos(5, 5), 1)
	if c.Focused() != f {
		t.Error("the mouse does not give the focus")
	}
}

func TestTabBringsItsStopIntoView(t *testing.T) {
	f := newFlow(t, strings.Repeat("text\n\n", 60)+"[end](https://a.example)")
	var by float32
	f.OnScrolled = func(e *fyne.ScrollEvent) { by = e.Scrolled.DY }
	f.Viewport(0, 400)
	f.FocusGained()
	if want := 400 - f.height; by > want+1 || by < want-40 {
		t.Errorf("scrolled by %g, want about %g", by, want)
	}
}

func TestShiftClickExtends(t *testing.T) {
	f := newFlow(t, sample)
	click(f, where(t, f, "bold"), 1)
	f.MouseDown(&desktop.MouseEvent{
		PointEvent: fyne.PointEvent{Position: where(t, f, "with")},
		Button:     desktop.MouseButtonPrimary, Modifier: fyne.KeyModifierShift,
	})
	if got := f.Selected(); got != "bold paragraph " {
		t.Errorf("selected %q", got)
	}
}

func TestSelectionStaysWhileTextStreamsIn(t *testing.T) {
	f := newFlow(t, "")
	f.Append("Some *text* with ünïcode and\n\n- an item")
	drag(f, where(t, f, "text"), where(t, f, "and"))
	want := f.Selected()
	for range 30 {
		f.Append(" more **text**\n\n")
		if got := f.Selected(); got != want {
			t.Fatalf("selected %q, then %q", want, got)
		}
	}
	f.Resize(fyne.NewSize(150, 100))
	if got := f.Selected(); got != want {
		t.Errorf("at another width %q is selected", got)
	}
	f.SetText(f.Text() + "end")
	if got := f.Selected(); got != want {
		t.Errorf("after SetText with a longer text %q is selected", got)
	}
}

func TestSelectionInsideALetterThatChanges(t *testing.T) {
	f := newFlow(t, "a **b")
	f.SelectAll()
	f.Append("é** c")
	if !strings.HasPrefix("a bé c", f.Selected()) {
		t.Errorf("selected %q", f.Selected())
	}
}

func TestClicksOutsideTheTextAreNearby(t *testing.T) {
	f := newFlow(t, sample)
	drag(f, fyne.NewPos(-50, -50), fyne.NewPos(5000, 50_000))
	if got := f.Selected(); got != copied {
		t.Errorf("selected %q", got)
	}
}

func TestLinkIsFollowedOnRelease(t *testing.T) {
	var opened []string
	f := newFlow(t, "go to [the site](https://x.example/) or `https://code.example`, [bad](javascript:x)")
	f.OnLink = func(url string) { opened = append(opened, url) }
	at := where(t, f, "the site")

	press(f, at)
	if len(opened) != 0 {
		t.Fatal("followed before the button was released")
	}
	release(f, at)
	if len(opened) != 1 || opened[0] != "https://x.example/" {
		t.Fatalf("opened %v", opened)
	}
	for _, other := range []string{"go", "code", "bad"} {
		click(f, where(t, f, other), 1)
	}
	drag(f, at, where(t, f, "or"))
	press(f, at)
	release(f, where(t, f, "go"))
	f.MouseUp(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: desktop.MouseButtonSecondary})
	if len(opened) != 1 {
		t.Errorf("opened %v", opened[1:])
	}
}

func TestLinkIsUnderlinedUnderThePointer(t *testing.T) {
	f := newFlow(t, "go to [the **site**](https://x.example/) now")
	part, rest := find(t, f, "the"), find(t, f, "site")
	move(f, where(t, f, "site"))
	if !part.TextStyle.Underline || !rest.TextStyle.Underline || f.Cursor() != desktop.PointerCursor {
		t.Error("the link is not shown as one")
	}
	move(f, where(t, f, "now"))
	if part.TextStyle.Underline || rest.TextStyle.Underline || f.Cursor() != desktop.TextCursor {
		t.Error("the link is still underlined")
	}
	f.MouseIn(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: where(t, f, "the")}})
	f.MouseOut()
	if part.TextStyle.Underline {
		t.Error("the link is still underlined after the pointer left")
	}
}

func TestCopyButton(t *testing.T) {
	f := newFlow(t, sample)
	f.SelectAll()
	var b *block
	for _, other := range f.blocks {
		if other.kind == code {
			b = other
		}
	}
	at := fyne.NewPos(b.copy.x+b.copy.w/2, b.y+b.copy.y+b.copy.h/2)
	move(f, at)
	if b.button.Text != "Copy" {
		t.Errorf("the button says %q", b.button.Text)
	}
	click(f, at, 1)
	if got := fyne.CurrentApp().Clipboard().Content(); got != "func f() {}\nreturn" {
		t.Errorf("copied %q", got)
	}
	if b.button.Text != "Copied" || f.Selected() != copied {
		t.Errorf("the button says %q, selected is %q", b.button.Text, f.Selected())
	}
	f.MouseOut()
	if b.button.Text != "Copy" {
		t.Errorf("after the pointer left, the button says %q", b.button.Text)
	}
}

func TestMenu(t *testing.T) {
	f := newFlow(t, sample)
	var at fyne.Position
	f.OnMenu = func(p fyne.Position) { at = p }
	f.SelectAll()
	f.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: where(t, f, "bold")}, Button: desktop.MouseButtonSecondary})
	f.TappedSecondary(&fyne.PointEvent{AbsolutePosition: fyne.NewPos(3, 4)})
	if at != fyne.NewPos(3, 4) || f.Selected() != copied {
		t.Errorf("menu at %v, selected %q", at, f.Selected())
	}
}

func TestFocus(t *testing.T) {
	f := newFlow(t, sample)
	c := fyne.CurrentApp().Driver().CanvasForObject(f)
	press(f, where(t, f, "bold"))
	if c.Focused() != f {
		t.Fatal("a click did not take the focus")
	}
	f.SelectAll()

	menu := widget.NewPopUpMenu(fyne.NewMenu("", fyne.NewMenuItem("Copy", nil)), c)
	menu.Show()
	f.FocusLost()
	if f.Selected() == "" {
		t.Error("a menu ended the selection")
	}
	menu.Hide()
	f.FocusLost()
	if f.Selected() != "" {
		t.Error("the selection outlived the focus")
	}
}

func TestKeysGoOn(t *testing.T) {
	f := newFlow(t, sample)
	var keys []fyne.KeyName
	var runes []rune
	f.OnKey = func(e *fyne.KeyEvent) { keys = append(keys, e.Name) }
	f.OnRune = func(r rune) { runes = append(runes, r) }

	f.SelectAll()
	f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if f.Selected() != "" || len(keys) != 0 {
		t.Error("Escape did not just end the selection")
	}
	f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	f.TypedRune('é')
	if len(keys) != 1 || string(runes) != "é" {
		t.Errorf("handed on: %v, %q", keys, string(runes))
	}
}
