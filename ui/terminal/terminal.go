package terminal

import (
	"io"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/ui/terminal/screen"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// Program is a command on a pseudo terminal.
type Program interface {
	io.ReadWriteCloser
	Resize(cols, rows int) error
}

// Options say what a terminal does. Its callbacks run on the window's
// goroutine, but for Start.
type Options struct {
	// Start starts the program, once, when the size is known. It runs on a
	// goroutine of its own and may take its time.
	Start func(cols, rows int) (Program, error)
	// Ended is told that all the program's output has been shown, with the
	// error of Start if it did not start.
	Ended func(err error)
	// Bell is told that the program rang. Optional.
	Bell func()
	// Shortcut offers what the terminal has no use for. Optional.
	Shortcut func(fyne.Shortcut)
	// Leave is asked to put the focus elsewhere: the keyboard's way out.
	Leave func()
	// Find is asked to let the person search, Menu to offer what can be done,
	// Zoom that the size of the text was changed by a key. Optional.
	Find func()
	Menu func(at fyne.Position)
	Zoom func(size float32)

	Clipboard  fyne.Clipboard
	TextSize   float32      // 0: that of code
	Scrollback int          // lines kept above the screen; 0: screen.Scrollback
	Do         func(func()) // runs something on the window's goroutine; nil: fyne.Do
}

// Terminal shows a program and is typed into.
type Terminal struct {
	widget.BaseWidget
	options Options
	raster  *canvas.Raster
	thumb   *canvas.Rectangle // where in the scrollback one is

	// The rest, but for what is below, is the window's goroutine's alone.
	glyphs   *glyphs
	palette  *palette
	picture  picture
	focused  bool
	shift    bool // held down
	top      int  // the first line that is shown, unless follow
	follow   bool // the end of the output is shown
	turned   float32
	pressed  screen.Button
	clicks   clicks
	selected screen.Span
	anchor   screen.Span // what the selection began with
	grain    grain
	found    []screen.Span
	at       int // in found
	rung     int // bells that were told of
	started  bool

	mu      sync.Mutex // held while screen is used
	screen  *screen.Screen
	program Program // nil: not started yet
	closed  bool

	feed feed
}

// New makes a terminal whose program starts when it is shown.
func New(o Options) *Terminal {
	if o.Do == nil {
		o.Do = fyne.Do
	}
	t := &Terminal{options: o, screen: screen.New(80, 24), follow: true, pressed: screen.NoButton, feed: newFeed()}
	if o.Scrollback > 0 {
		t.screen.SetScrollback(o.Scrollback)
	}
	t.raster = canvas.NewRaster(t.paint)
	t.raster.ScaleMode = canvas.ImageScalePixels
	t.thumb = canvas.NewRectangle(nil)
	t.thumb.Hide()
	t.ExtendBaseWidget(t)
	return t
}

// CreateRenderer implements fyne.Widget.
func (t *Terminal) CreateRenderer() fyne.WidgetRenderer { return &renderer{t} }

type renderer struct{ t *Terminal }

func (r *renderer) Destroy() {}

func (r *renderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.t.raster, r.t.thumb}
}

// MinSize is small: a terminal takes what it is given.
func (r *renderer) MinSize() fyne.Size { return fyne.NewSize(80, 60) }

func (r *renderer) Layout(size fyne.Size) {
	r.t.raster.Resize(size)
	r.t.fit()
	r.t.showThumb()
}

// Refresh takes over the theme and draws everything anew.
func (r *renderer) Refresh() {
	r.t.palette = nil
	r.t.fit()
	r.t.draw()
}

// margin is the room around the text.
const margin = 4

// measures gives the fonts at their size, for the canvas that the terminal is
// on.
func (t *Terminal) measures() *glyphs {
	scale, size := float32(1), t.options.TextSize
	if c := fyne.CurrentApp().Driver().CanvasForObject(t); c != nil {
		scale = c.Scale()
	}
	if size == 0 {
		size = theme.SizeForWidget(tokens.CodeText, t)
	}
	if t.glyphs == nil || t.glyphs.scale != scale || t.glyphs.size != size {
		t.glyphs = newGlyphs(size, scale)
		t.picture.forget()
	}
	return t.glyphs
}

// fit makes the screen as large as there is room, and starts the program once
// that is known: one that is told its size too late draws for another.
func (t *Terminal) fit() {
	room := t.Size()
	if room.Width < 2*margin || room.Height < 2*margin || fyne.CurrentApp().Driver().CanvasForObject(t) == nil {
		return
	}
	g := t.measures()
	t.colors()
	cols := max(1, int((room.Width-2*margin)*g.scale)/g.width)
	rows := max(1, int((room.Height-2*margin)*g.scale)/g.height)
	t.mu.Lock()
	was := [2]int{}
	was[0], was[1] = t.screen.Size()
	t.screen.Resize(cols, rows)
	program := t.program
	t.mu.Unlock()
	switch {
	case !t.started:
		t.started = true
		t.tell(func() { // once the window has its final layout
			cols, rows := t.Grid()
			t.feed.running.Go(func() { t.run(cols, rows) })
		})
	case program != nil && was != [2]int{cols, rows}:
		_ = program.Resize(cols, rows) // one that has ended needs no size
	}
}

// colors takes over the colours of the theme.
func (t *Terminal) colors() {
	if t.palette != nil {
		return
	}
	t.palette = newPalette(t)
	t.picture.forget()
	t.locked(func() { t.screen.Foreground, t.screen.Background = t.palette.text.nrgba(), t.palette.back.nrgba() })
}

// Close ends the program. Nothing is called back any more.
func (t *Terminal) Close() {
	t.mu.Lock()
	program := t.program
	t.closed = true
	t.mu.Unlock()
	t.feed.close()
	if program != nil {
		go func() { _ = program.Close() }()
	}
}

// Scrollback says how many lines are kept above the screen.
func (t *Terminal) Scrollback(lines int) {
	t.locked(func() { t.screen.SetScrollback(lines) })
	t.draw()
}

// TextSize is the size of the text.
func (t *Terminal) TextSize() float32 { return t.measures().size }

// SetTextSize changes the size of the text; 0 is that of code.
func (t *Terminal) SetTextSize(size float32) {
	if size != 0 {
		size = min(max(leastText, size), mostText)
	}
	t.options.TextSize = size
	t.fit()
	t.draw()
}

const leastText, mostText = 7, 32

// Dump is the text of the screen, for tests: a line each, without the blanks
// at their ends.
func (t *Terminal) Dump() (text string) {
	t.locked(func() { text = t.screen.String() })
	return text
}

// Grid is how many columns and rows there are.
func (t *Terminal) Grid() (cols, rows int) {
	t.locked(func() { cols, rows = t.screen.Size() })
	return cols, rows
}

func (t *Terminal) locked(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
}

// Cursor implements desktop.Cursorable.
func (t *Terminal) Cursor() desktop.Cursor { return desktop.TextCursor }

// clicks counts presses at one place that follow each other fast.
type clicks struct {
	place screen.Place
	time  time.Time
	count int
}
