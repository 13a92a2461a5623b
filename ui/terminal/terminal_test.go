package terminal

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// script is a program that a test plays: what it prints, and what it was told.
type script struct {
	out  *io.PipeReader
	in   *io.PipeWriter
	deaf chan struct{} // not nil: writing waits for it

	mu     sync.Mutex
	typed  bytes.Buffer
	sizes  []string
	closed bool
}

func newScript() *script {
	s := &script{}
	s.out, s.in = io.Pipe()
	return s
}

func (s *script) Read(p []byte) (int, error) { return s.out.Read(p) }

func (s *script) Write(p []byte) (int, error) {
	if s.deaf != nil {
		<-s.deaf
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.typed.Write(p)
}

func (s *script) Resize(cols, rows int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sizes = append(s.sizes, fmt.Sprintf("%dx%d", cols, rows))
	return nil
}

func (s *script) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	return s.in.Close()
}

// desk is a terminal in a window of a test, whose goroutine is the test's.
type desk struct {
	*Terminal
	t      testing.TB
	window fyne.Window
	jobs   chan func()
	script *script
	calls  []string
}

func open(t testing.TB, o Options) *desk {
	t.Helper()
	a := test.NewTempApp(t)
	a.Settings().SetTheme(tokens.Theme(tokens.Dark))
	d := &desk{t: t, jobs: make(chan func(), 1000), script: newScript()}
	note := func(call string) func() { return func() { d.calls = append(d.calls, call) } }
	if o.Start == nil {
		o.Start = func(cols, rows int) (Program, error) {
			_ = d.script.Resize(cols, rows)
			return d.script, nil
		}
	}
	o.Do = func(f func()) { d.jobs <- f }
	o.Ended = func(err error) { d.calls = append(d.calls, fmt.Sprint("ended ", err)) }
	o.Bell, o.Leave, o.Find = note("bell"), note("leave"), note("find")
	o.Zoom = func(size float32) { d.calls = append(d.calls, fmt.Sprint("zoom ", size)) }
	o.Menu = func(fyne.Position) { d.calls = append(d.calls, "menu") }
	o.Shortcut = func(s fyne.Shortcut) { d.calls = append(d.calls, s.ShortcutName()) }
	o.Clipboard = a.Clipboard()
	d.Terminal = New(o)
	d.window = test.NewTempWindow(t, d.Terminal)
	d.window.SetPadded(false)
	d.window.Resize(fyne.NewSize(640, 400))
	t.Cleanup(func() {
		d.Close()
		d.end()
	})
	return d
}

// end waits for all that runs beside the window.
func (d *desk) end() {
	ended := make(chan struct{})
	go func() {
		d.feed.running.Wait()
		close(ended)
	}()
	for {
		select {
		case f := <-d.jobs:
			f()
		case <-ended:
			return
		}
	}
}

// until runs what is to run on the window's goroutine until something is so.
func (d *desk) until(what string, is func() bool) {
	d.t.Helper()
	patience := time.After(3 * time.Minute)
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for !is() {
		select {
		case f := <-d.jobs:
			f()
		case <-look.C:
		case <-patience:
			d.t.Fatalf("never %s; the screen is\n%s\ntyped %q, called %q", what, d.Dump(), d.typed(), d.calls)
		}
	}
}

func (d *desk) untilClosed(c <-chan struct{}) {
	d.t.Helper()
	d.until("asked", func() bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	})
}

func (d *desk) untilShown(text string) {
	d.t.Helper()
	d.until(fmt.Sprintf("shown %q", text), func() bool { return strings.Contains(d.Dump(), text) })
}

func (d *desk) typed() string {
	d.script.mu.Lock()
	defer d.script.mu.Unlock()
	return d.script.typed.String()
}

func (d *desk) untilTyped(text string) {
	d.t.Helper()
	d.until(fmt.Sprintf("typed %q", text), func() bool { return d.typed() == text })
	d.script.mu.Lock()
	d.script.typed.Reset()
	d.script.mu.Unlock()
}

func (d *desk) print(text string) {
	d.t.Helper()
	d.until("started", func() bool { d.mu.Lock(); defer d.mu.Unlock(); return d.program != nil })
	if _, err := d.script.in.Write([]byte(text)); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) called(call string) bool {
	for _, c := range d.calls {
		if c == call {
			return true
		}
	}
	return false
}

// The program starts with the size it is shown in, and learns of each change.
func TestSize(t *testing.T) {
	d := open(t, Options{})
	d.print("$ ")
	d.untilShown("$")
	cols, rows := d.Grid()
	if want := fmt.Sprintf("%dx%d", cols, rows); len(d.script.sizes) != 1 || d.script.sizes[0] != want {
		t.Errorf("started with %v, shown as %s", d.script.sizes, want)
	}
	if cols < 70 || rows < 15 {
		t.Errorf("640 by 400 hold %d by %d", cols, rows)
	}
	for _, width := range []float32{500, 300, 301, 700} { // a pixel makes no difference
		d.window.Resize(fyne.NewSize(width, 300))
	}
	cols, rows = d.Grid()
	if got, want := d.script.sizes[len(d.script.sizes)-1], fmt.Sprintf("%dx%d", cols, rows); got != want {
		t.Errorf("told %s, shown as %s", got, want)
	}
	if len(d.script.sizes) != 4 {
		t.Errorf("told of %v", d.script.sizes)
	}
	d.SetTextSize(20)
	if now, _ := d.Grid(); now >= cols {
		t.Errorf("larger text, yet %d columns after %d", now, cols)
	}
}

// A size that changes while the program starts reaches it too.
func TestSizeWhileStarting(t *testing.T) {
	asked, go_ := make(chan struct{}), make(chan struct{})
	s := newScript()
	d := open(t, Options{Start: func(cols, rows int) (Program, error) {
		close(asked)
		<-go_
		return s, nil
	}})
	d.script = s
	d.untilClosed(asked)
	d.window.Resize(fyne.NewSize(300, 300))
	close(go_)
	d.print("x")
	d.untilShown("x")
	cols, rows := d.Grid()
	if want := fmt.Sprintf("%dx%d", cols, rows); len(s.sizes) != 1 || s.sizes[0] != want {
		t.Errorf("told of %v, want %s", s.sizes, want)
	}
}

func TestEnds(t *testing.T) {
	d := open(t, Options{})
	d.print("bye")
	_ = d.script.in.Close()
	d.until("ended", func() bool { return d.called("ended <nil>") })
	if got := d.Dump(); got != "bye" {
		t.Errorf("the last words are %q", got)
	}
}

func TestDoesNotStart(t *testing.T) {
	d := open(t, Options{Start: func(int, int) (Program, error) { return nil, errors.New("no shell") }})
	d.until("ended", func() bool { return d.called("ended no shell") })
}

func TestClosedWhileStarting(t *testing.T) {
	asked, go_ := make(chan struct{}), make(chan struct{})
	s := newScript()
	d := open(t, Options{Start: func(int, int) (Program, error) {
		close(asked)
		<-go_
		return s, nil
	}})
	d.untilClosed(asked)
	d.Close()
	close(go_)
	d.end()
	if !s.closed {
		t.Error("a program that started too late lives on")
	}
	if len(d.calls) > 0 {
		t.Errorf("a closed terminal called %q", d.calls)
	}
}

// Pitfall: what a program asks is answered while it is read. Neither a program
// that asks without ever reading, nor the answers to one that prints much, may
// hold anything up.
func TestAnswersDoNotBlock(t *testing.T) {
	d := open(t, Options{})
	d.script.deaf = make(chan struct{})
	d.print(strings.Repeat("\x1b[6n\x1b[c", 20000) + "\x1b[H\x1b[2Jstill here")
	d.untilShown("still here")
	close(d.script.deaf)
	d.until("answered", func() bool { return strings.Contains(d.typed(), "\x1b[?62;22c") })
}

// Pitfall: the keys that the toolkit takes for what they do in a text are the
// program's, but for those that no program gets.
func TestShortcuts(t *testing.T) {
	d := open(t, Options{})
	d.print("some text")
	d.untilShown("some text")
	clipboard := fyne.CurrentApp().Clipboard()
	clipboard.SetContent("pasted")
	custom := func(m fyne.KeyModifier, k fyne.KeyName) fyne.Shortcut {
		return &desktop.CustomShortcut{Modifier: m, KeyName: k}
	}
	const ctrl, alt, shift = fyne.KeyModifierControl, fyne.KeyModifierAlt, fyne.KeyModifierShift
	for _, c := range []struct {
		name     string
		shortcut fyne.Shortcut
		want     string
	}{
		{"Ctrl+C", &fyne.ShortcutCopy{Clipboard: clipboard}, "\x03"},
		{"Ctrl+V", &fyne.ShortcutPaste{Clipboard: clipboard}, "\x16"},
		{"Ctrl+X", &fyne.ShortcutCut{Clipboard: clipboard}, "\x18"},
		{"Ctrl+A", &fyne.ShortcutSelectAll{}, "\x01"},
		{"Ctrl+Z", &fyne.ShortcutUndo{}, "\x1a"},
		{"Ctrl+Y", &fyne.ShortcutRedo{}, "\x19"},
		{"Shift+Insert", &fyne.ShortcutPaste{Clipboard: clipboard, Secondary: true}, "pasted"},
		{"Shift+Delete", &fyne.ShortcutCut{Clipboard: clipboard, Secondary: true}, "\x1b[3;2~"},
		{"Ctrl+Shift+V", custom(ctrl|shift, fyne.KeyV), "pasted"},
		{"Ctrl+K", custom(ctrl, fyne.KeyK), "\x0b"},
		{"Ctrl+D", custom(ctrl, fyne.KeyD), "\x04"},
		{"Ctrl+Space", custom(ctrl, fyne.KeySpace), "\x00"},
		{"Ctrl+[", custom(ctrl, fyne.KeyLeftBracket), "\x1b"},
		{"Ctrl+Backslash", custom(ctrl, fyne.KeyBackslash), "\x1c"},
		{"Ctrl+Left", custom(ctrl, fyne.KeyLeft), "\x1b[1;5D"},
		{"Ctrl+Shift+Up", custom(ctrl|shift, fyne.KeyUp), "\x1b[1;6A"},
		{"Ctrl+Shift+6", custom(ctrl|shift, fyne.Key6), "\x1e"},
		{"Alt+B", custom(alt, fyne.KeyB), "\x1bb"},
		{"Alt+Shift+B", custom(alt|shift, fyne.KeyB), "\x1bB"},
		{"Alt+.", custom(alt, fyne.KeyPeriod), "\x1b."},
		{"Alt+Up", custom(alt, fyne.KeyUp), "\x1b[1;3A"},
		{"Alt+Backspace", custom(alt, fyne.KeyBackspace), "\x1b\x7f"},
		{"Ctrl+F5", custom(ctrl, fyne.KeyF5), "\x1b[15;5~"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d.t = t
			d.TypedShortcut(c.shortcut)
			d.untilTyped(c.want)
		})
	}
	d.t = t
	d.TypedShortcut(custom(ctrl|shift, fyne.KeyF))
	d.TypedShortcut(custom(ctrl|shift, fyne.KeyN))
	d.TypedShortcut(custom(ctrl, fyne.KeyTab))
	d.TypedShortcut(custom(ctrl|shift, fyne.KeyPlus))
	d.TypedShortcut(custom(ctrl, fyne.KeyMinus))
	d.TypedShortcut(custom(ctrl, fyne.Key0))
	if got, want := strings.Join(d.calls, ","), "find,"+custom(ctrl|shift, fyne.KeyN).ShortcutName()+","+custom(ctrl, fyne.KeyTab).ShortcutName()+",zoom 13.5,zoom 12.5,zoom 0"; got != want {
		t.Errorf("called %s, want %s", got, want)
	}
	d.SelectAll()
	d.TypedShortcut(custom(ctrl|shift, fyne.KeyC))
	if got := strings.TrimSpace(clipboard.Content()); got != "some text" {
		t.Errorf("copied %q", got)
	}
	if d.typed() != "" {
		t.Errorf("the terminal's own keys typed %q", d.typed())
	}
}

// Pitfall: Tab must not move the focus away, Esc is the program's, and there is
// a way out.
func TestKeys(t *testing.T) {
	d := open(t, Options{})
	d.print("\x1b[?1h")
	d.window.Canvas().Focus(d.Terminal)
	if !d.AcceptsTab() {
		t.Error("Tab leaves the terminal")
	}
	for _, k := range []fyne.KeyName{fyne.KeyTab, fyne.KeyEscape, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyF1, fyne.KeyA} {
		d.TypedKey(&fyne.KeyEvent{Name: k})
	}
	test.Type(d.Terminal, "aé日")
	d.untilTyped("\t\x1b\r\r\x1bOPaé日")
	shift := &fyne.KeyEvent{Name: desktop.KeyShiftLeft}
	d.KeyDown(shift)
	d.TypedKey(&fyne.KeyEvent{Name: fyne.KeyTab})
	d.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	d.KeyUp(shift)
	d.untilTyped("\x1b[Z")
	if !d.called("leave") {
		t.Error("Shift+Esc does not leave")
	}
	d.KeyDown(shift)
	d.window.Canvas().Unfocus()
	d.window.Canvas().Focus(d.Terminal)
	d.TypedKey(&fyne.KeyEvent{Name: fyne.KeyTab})
	d.untilTyped("\t")
}

func TestBell(t *testing.T) {
	d := open(t, Options{})
	d.print("\a")
	d.until("rung", func() bool { return d.called("bell") })
}

// position is the middle of a cell.
func (d *desk) position(x, y int) fyne.Position {
	g := d.measures()
	return fyne.NewPos(margin+(float32(x)+0.5)*float32(g.width)/g.scale, margin+(float32(y)+0.5)*float32(g.height)/g.scale)
}

func (d *desk) mouse(x, y int, m fyne.KeyModifier) *desktop.MouseEvent {
	e := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary, Modifier: m}
	e.Position = d.position(x, y)
	return e
}

func (d *desk) drag(x0, y0, x1, y1 int) {
	half := fyne.NewDelta(-2, 0)
	down := d.mouse(x0, y0, 0)
	down.Position = down.Position.Add(half)
	d.MouseDown(down)
	d.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: d.position(x1, y1).Add(half)}})
	d.DragEnd()
	d.MouseUp(d.mouse(x1, y1, 0))
}

// Pitfall: the selection begins where the button went down.
func TestSelection(t *testing.T) {
	d := open(t, Options{})
	d.print("hello wide 日本 world\r\nsecond line")
	d.untilShown("second line")
	d.drag(0, 0, 5, 0)
	if got := d.Selected(); got != "hello" {
		t.Errorf("dragged over %q", got)
	}
	d.drag(6, 1, 6, 0)
	if got := d.Selected(); got != "wide 日本 world\nsecond" {
		t.Errorf("dragged backwards over %q", got)
	}
	d.clicks = clicks{}
	for times, want := range []string{"", "wide", "hello wide 日本 world"} {
		d.MouseDown(d.mouse(7, 0, 0))
		d.MouseUp(d.mouse(7, 0, 0))
		if got := d.Selected(); got != want {
			t.Errorf("%d presses select %q, want %q", times+1, got, want)
		}
	}
	d.MouseDown(d.mouse(6, 1, fyne.KeyModifierShift))
	if got := d.Selected(); !strings.HasPrefix(got, "hello") || !strings.HasSuffix(got, "second line") {
		t.Errorf("Shift draws it to %q", got)
	}
	d.TypedRune('x')
	if got := d.Selected(); got != "" {
		t.Errorf("typing leaves %q selected", got)
	}
}

func TestMouse(t *testing.T) {
	d := open(t, Options{})
	d.print("\x1b[?1002h\x1b[?1006hready")
	d.untilShown("ready")
	d.drag(1, 2, 3, 4)
	d.untilTyped("\x1b[<0;2;3M\x1b[<32;4;5M\x1b[<0;4;5m")
	d.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: d.position(0, 0)}, Scrolled: fyne.NewDelta(0, 9)})
	d.untilTyped("\x1b[<64;1;1M")
	down := d.mouse(0, 0, fyne.KeyModifierShift)
	down.Position.X = margin
	d.MouseDown(down)
	d.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: d.position(5, 0)}})
	if got := d.Selected(); got != "ready" {
		t.Errorf("with Shift the mouse selects %q", got)
	}
	d.print("\x1b[?1002l\x1b[?1049h\x1b[Hless")
	d.untilShown("less")
	d.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -9)})
	d.untilTyped("\x1b[B")
	e := d.mouse(0, 0, 0)
	e.Button = desktop.MouseButtonSecondary
	d.MouseDown(e)
	if !d.called("menu") {
		t.Error("the other button offers nothing")
	}
}

// Somebody who reads above the end stays there, and comes back by typing.
func TestScrolling(t *testing.T) {
	d := open(t, Options{Scrollback: 100})
	for i := range 300 {
		d.print(fmt.Sprintf("line %d\r\n", i))
	}
	d.untilShown("line 299")
	d.scroll(-50)
	first := d.shown()[0]
	d.print("more\r\n")
	d.untilShown("more")
	if got := d.shown()[0]; got != first {
		t.Errorf("what was read, %q, became %q", first, got)
	}
	if !d.thumb.Visible() {
		t.Error("nothing tells where one is")
	}
	d.scroll(-10000)
	if got := d.shown()[0]; !strings.HasPrefix(got, "line ") {
		t.Errorf("the oldest line is %q", got)
	}
	d.TypedRune('x')
	if shown := d.shown(); shown[len(shown)-2] != "more" || d.thumb.Visible() {
		t.Errorf("typing shows %q", shown)
	}
	if n := d.Find("LINE 25"); n != 10 {
		t.Errorf("%d places found", n)
	}
	if n := d.FindNext(-1); n != 9 || !strings.Contains(strings.Join(d.shown(), "\n"), "line 258") {
		t.Errorf("place %d shows %q", n, d.shown())
	}
	if n := d.FindNext(2); n != 1 {
		t.Errorf("after the last comes place %d", n)
	}
	if n := d.Find("nowhere"); n != 0 || d.FindNext(1) != 0 {
		t.Error("something was found nowhere")
	}
}

// shown are the lines in view.
func (d *desk) shown() (lines []string) {
	cols, _, spots, _ := d.look()
	for from := 0; from < len(spots); from += cols {
		var line strings.Builder
		for _, s := range spots[from : from+cols] {
			line.WriteRune(max(' ', s.Rune))
		}
		lines = append(lines, strings.TrimRight(line.String(), " "))
	}
	return lines
}

func (d *desk) paintNow() *image.RGBA {
	size := d.Size()
	return d.paint(int(size.Width), int(size.Height)).(*image.RGBA)
}

// has tells whether a cell shows a colour.
func (d *desk) has(x, y int, c ink) bool {
	p, g := d.paintNow(), d.measures()
	for py := range g.height {
		for px := range g.width {
			got := p.RGBAAt(margin+x*g.width+px, margin+y*g.height+py)
			if (ink{got.R, got.G, got.B}) == c {
				return true
			}
		}
	}
	return false
}

func TestPaint(t *testing.T) {
	d := open(t, Options{})
	d.print("\x1b[38;2;255;0;0m█\x1b[0m \x1b[48;5;21m \x1b[0m\x1b[7m \x1b[0m\x1b[4m \x1b[0m\x1b[9m \x1b[0m日█\x1b[8mh")
	d.untilShown("█")
	p := d.palette
	for _, c := range []struct {
		name string
		x    int
		want ink
		is   bool
	}{
		{"true colour", 0, ink{255, 0, 0}, true},
		{"nothing", 1, p.back, true},
		{"nothing", 1, p.text, false},
		{"indexed", 2, ink{0, 0, 255}, true},
		{"reverse", 3, p.text, true},
		{"reverse", 3, p.back, false},
		{"underlined", 4, p.text, true},
		{"struck out", 5, p.text, true},
		{"a block to its edges", 8, p.back, false},
		{"hidden", 9, p.text, false},
	} {
		if got := d.has(c.x, 0, c.want); got != c.is {
			t.Errorf("%s: %v is %v there", c.name, c.want, got)
		}
	}
	if !d.has(10, 0, p.cursor) {
		t.Error("the cursor is not drawn")
	}
	d.print("\x1b[?25l")
	d.until("hidden", func() bool { return !d.has(10, 0, p.cursor) })
	fyne.CurrentApp().Settings().SetTheme(tokens.Theme(tokens.Light))
	d.Refresh()
	if d.palette == nil || d.palette.back != (ink{255, 255, 255}) || !d.has(1, 0, ink{255, 255, 255}) {
		t.Error("the theme is not followed")
	}
	if got := d.screen.Background; got != d.palette.back.nrgba() {
		t.Errorf("a program is told that the ground is %v", got)
	}
}

// Painting only what differs must give the same as painting everything.
func TestPaintOnlyWhatDiffers(t *testing.T) {
	d := open(t, Options{})
	d.print("\x1b[31mone\r\ntwo 日本\r\n\x1b[44mthree")
	d.untilShown("three")
	d.paintNow()
	d.print("\x1b[2;5H\x1b[0mx\x1b[3;1H\x1b[K")
	d.until("changed", func() bool { return !strings.Contains(d.Dump(), "three") })
	changed := bytes.Clone(d.paintNow().Pix)
	d.picture.forget()
	if !bytes.Equal(changed, d.paintNow().Pix) {
		t.Error("something of before is left")
	}
}

// Whatever the colours of a program, its text can be read.
func TestLegible(t *testing.T) {
	a := test.NewTempApp(t)
	for _, theme := range []string{tokens.Light, tokens.Dark} {
		a.Settings().SetTheme(tokens.Theme(theme))
		p := newPalette(New(Options{}))
		for i, text := range p.table {
			for j, back := range append(p.table[:16:16], p.back) {
				if got := contrast(p.legible(text, back), back); got < leastContrast {
					t.Errorf("%s: colour %d on %d has a contrast of %.1f", theme, i, j, got)
				}
			}
		}
	}
}

// No character, with no font for it, may break anything.
func TestAnyCharacter(t *testing.T) {
	d := open(t, Options{})
	d.print("\x1b[1;3;9;21m👩‍💻🇫🇷❤️日本語한글עבריتمनमस्ते\U0010FFFD\U0001FAE0e\u0301\u200b∑→▁▂▃▄▅▆▇█▖▟╭╮╯╰═║⠿\r\nend")
	d.untilShown("end")
	d.paintNow()
	for _, size := range []fyne.Size{{Width: 1, Height: 1}, {Width: 30, Height: 5000}, {Width: 9, Height: 9}} {
		d.Resize(size)
		d.paint(int(size.Width), int(size.Height))
		d.paint(3, 3)
	}
}
