package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	helpDelay   = 500 * time.Millisecond
	bubbleWidth = 280
	bubbleGap   = 6 // from what it is about
)

// tips shows what something is for after the pointer, or the focus, has rested
// on it. It never takes the focus.
type tips struct {
	w     *window
	about fyne.CanvasObject // pointed at; nil: nothing
	stop  func()            // of the wait
	shown *bubble
}

// enter says that an object is pointed at. The text is asked for when it is to
// be shown; an empty one shows nothing.
func (t *tips) enter(o fyne.CanvasObject, text func() string) {
	t.away()
	t.about = o
	t.stop = t.w.after(helpDelay, func() {
		if t.about == o && text() != "" && t.w.app.Driver().CanvasForObject(o) != nil {
			t.shown = t.w.stage().bubble
			t.shown.show(text(), t.w.place(o))
		}
	})
}

// leave says that an object is not pointed at any more.
func (t *tips) leave(o fyne.CanvasObject) {
	if t.about == o {
		t.away()
	}
}

// away puts the help away.
func (t *tips) away() {
	if t.stop != nil {
		t.stop()
		t.stop = nil
	}
	if t.shown != nil {
		t.shown.panel.Hide()
		t.shown = nil
	}
	t.about = nil
}

// place is where an object is in the window.
func (w *window) place(o fyne.CanvasObject) rectangle {
	at, size := w.app.Driver().AbsolutePositionForObject(o), o.Size()
	return rectangle{at.X, at.Y, size.Width, size.Height}
}

// help has a button say its name when it is pointed at or reached with Tab:
// every button without a text of its own wants it.
func (w *window) help(b *button) *button { return w.helpWith(b, func() string { return b.name }) }

// helpWith has a button say a text of the moment.
func (w *window) helpWith(b *button, text func() string) *button {
	b.tips, b.help = &w.tips, text
	return b
}

// hint shows help for an object that does nothing itself when it is pointed at.
type hint struct {
	widget.BaseWidget
	w       *window
	content fyne.CanvasObject
	text    func() string
}

// newHint says a text of the moment about an object; an empty one says
// nothing.
func newHint(w *window, o fyne.CanvasObject, text func() string) *hint {
	h := &hint{w: w, content: o, text: text}
	h.ExtendBaseWidget(h)
	return h
}

// newCutHint is a label that is cut where there is no room for it, and says the
// whole of it then.
func newCutHint(w *window, l *label) *hint {
	return newHint(w, l, func() string {
		if l.isCut() {
			return l.text
		}
		return ""
	})
}

func (h *hint) whole() fyne.Size { return fyne.NewSize(natural(h.content), h.content.MinSize().Height) }

func (h *hint) HeightFor(width float32) float32 { return heightFor(h.content, width) }

func (h *hint) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(h.content) }

func (h *hint) MouseIn(*desktop.MouseEvent)    { h.w.tips.enter(h, h.text) }
func (h *hint) MouseMoved(*desktop.MouseEvent) {}
func (h *hint) MouseOut()                      { h.w.tips.leave(h) }

// bubble is the help as it is drawn, below what it is about, or above it.
type bubble struct {
	object *fyne.Container
	panel  *fyne.Container
	text   *paragraph
	about  rectangle
}

func newBubble() *bubble {
	b := &bubble{text: newParagraph("", faint().in(tokens.Text))}
	back := newSurface(tokens.Panel, tokens.Line, controlRadius)
	back.lifted = true
	b.panel = newLayers(back, framed(inset(4, 8), b.text))
	b.panel.Hide()
	b.object = &fyne.Container{Layout: unshaded{b.layOut}, Objects: []fyne.CanvasObject{b.panel}}
	return b
}

func (b *bubble) show(text string, about rectangle) {
	if runes := []rune(text); len(runes) > 600 {
		text = string(runes[:600]) + "…"
	}
	b.text.set(text, b.text.look)
	b.about = about
	b.panel.Show()
	b.layOut(b.object.Size())
	b.object.Refresh()
}

func (b *bubble) layOut(window fyne.Size) {
	if !b.panel.Visible() {
		return
	}
	width := min(b.text.whole().Width+17, bubbleWidth, window.Width-16)
	size := fyne.NewSize(width, heightFor(b.panel, width))
	x := max(8, min(b.about.X+(b.about.W-width)/2, window.Width-width-8))
	y := b.about.Y + b.about.H + bubbleGap
	if y+size.Height > window.Height-8 {
		y = max(8, b.about.Y-size.Height-bubbleGap)
	}
	b.panel.Resize(size)
	b.panel.Move(fyne.NewPos(x, y))
	relayout(b.panel)
}
