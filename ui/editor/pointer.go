package editor

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// inARow is the longest time between two presses that mean one thing.
const inARow = 400 * time.Millisecond

// placeUnder is the place nearest to a point of the widget.
func (e *Editor) placeUnder(at fyne.Position) place {
	n := int((at.Y + e.offset.Y) / e.pitch())
	if at.Y+e.offset.Y < 0 {
		n = 0
	}
	n = min(max(0, n), len(e.text.lines)-1)
	return place{n, placeAt(e.text.lines[n], (at.X-e.gutter()+e.offset.X)/e.advance())}
}

// MouseDown implements desktop.Mouseable: once puts the caret, twice takes the
// word, three times the line.
func (e *Editor) MouseDown(m *desktop.MouseEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(e); c != nil {
		c.Focus(e)
	}
	if m.Button != desktop.MouseButtonPrimary {
		return
	}
	p := e.placeUnder(m.Position)
	if e.taps++; e.now().Sub(e.tapped) > inARow || p.line != e.caret.line {
		e.taps = 1
	}
	e.tapped, e.column = e.now(), -1
	switch {
	case e.taps == 2:
		from, to := wordAround(e.text.lines[p.line], p.at)
		e.anchor, e.caret = place{p.line, from}, place{p.line, to}
		e.Refresh()
	case e.taps == 3:
		e.anchor, e.caret = place{p.line, 0}, e.right(place{p.line, len(e.text.lines[p.line])})
		e.Refresh()
	default:
		e.move(p, m.Modifier&fyne.KeyModifierShift != 0)
	}
}

// MouseUp implements desktop.Mouseable.
func (e *Editor) MouseUp(*desktop.MouseEvent) {}

// TappedSecondary implements fyne.SecondaryTappable.
func (e *Editor) TappedSecondary(p *fyne.PointEvent) {
	if e.OnMenu != nil {
		e.OnMenu(p.AbsolutePosition)
	}
}

// Dragged implements fyne.Draggable: it selects, and scrolls beyond the edges.
func (e *Editor) Dragged(d *fyne.DragEvent) {
	e.taps = 0
	e.move(e.placeUnder(d.Position), true)
}

// DragEnd implements fyne.Draggable.
func (e *Editor) DragEnd() {}

// Scrolled implements fyne.Scrollable.
func (e *Editor) Scrolled(s *fyne.ScrollEvent) {
	e.scrollBy(-s.Scrolled.DX, -s.Scrolled.DY)
}

func (e *Editor) scrollBy(dx, dy float32) {
	e.centred = false
	e.offset = e.offset.AddXY(dx, dy)
	e.Refresh()
}

// Cursor implements desktop.Cursorable.
func (e *Editor) Cursor() desktop.Cursor { return desktop.TextCursor }
