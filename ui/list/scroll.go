package list

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Scrolled implements fyne.Scrollable. Something inside a row that takes the
// wheel for itself hands over here what it does not use.
func (l *List) Scrolled(e *fyne.ScrollEvent) { l.ScrollBy(-e.Scrolled.DY) }

// ScrollBy moves the view down by dy, up if it is negative.
func (l *List) ScrollBy(dy float32) { l.scrollTo(l.offset + dy) }

// scrollTo is a person's move: only that decides whether the list sticks to
// its end, never a row that grows.
func (l *List) scrollTo(offset float32) {
	if len(l.keys) == 0 || offset == l.offset {
		return
	}
	l.stick, l.wanted = false, nil
	l.offset = min(max(0, offset), l.last())
	l.arrange()
	l.stick = l.nearEnd()
	l.settle()
}

// ScrollToEnd shows the last row and, when it is the end, keeps it in view
// from then on.
func (l *List) ScrollToEnd() {
	l.stick, l.wanted = !l.more(), nil
	for range passes {
		if l.offset == l.last() {
			break
		}
		l.offset = l.last()
		l.arrange()
	}
	l.settle()
}

// place is where a row is to be: how far below the view's top edge.
type place struct {
	key string
	y   float32
}

// Place returns the first row in view and how far below the view's top edge it
// begins, for ScrollTo to bring it back.
func (l *List) Place() (key string, y float32) {
	if a := l.anchor(); len(a) > 0 {
		return a[0].key, a[0].y
	}
	return "", 0
}

// ScrollTo brings the top edge of the row with that key so far below the view's, as
// far as there are rows on both sides, and reports whether the row exists.
func (l *List) ScrollTo(key string, y float32) bool {
	_, known := l.index[key]
	if l.width <= 0 || l.view <= 0 {
		l.wanted, l.stick = &place{key, y}, false
		return known
	}
	for range passes { // the rows around are measured as they come into view
		i, ok := l.index[key]
		if !ok {
			return false
		}
		offset := min(max(0, l.top(i)-y), l.last())
		if offset == l.offset {
			break
		}
		l.scrollTo(offset)
	}
	if l.stick = l.nearEnd(); !l.stick {
		l.wanted = &place{key, y}
	}
	return known
}

// Reveal brings the row with that key into view, by the shortest way.
func (l *List) Reveal(key string) {
	i, ok := l.index[key]
	if !ok {
		return
	}
	switch y := l.top(i) - l.offset; {
	case y < 0:
		l.ScrollTo(key, 0)
	case y+l.height(i) > l.view:
		l.ScrollTo(key, l.view-l.height(i))
	}
}

// AtEnd reports whether the end is in view, and so stays in view.
func (l *List) AtEnd() bool { return l.stick }

// Page returns how far PageUp and PageDown move.
func (l *List) Page() float32 { return max(40, l.view-40) }

// bar is the scroll bar: a thumb that can be dragged, thin until pointed at.
type bar struct {
	widget.BaseWidget
	list    *List
	thumb   *canvas.Rectangle
	hovered bool
	grab    float32 // of a drag: from the thumb's top edge
	dragged bool
}

const (
	barWidth = 12
	thinBar  = 4
	wideBar  = 8
	minThumb = 28
)

func newBar(l *List) *bar {
	b := &bar{list: l, thumb: canvas.NewRectangle(theme.Color(theme.ColorNameScrollBar))}
	b.ExtendBaseWidget(b)
	return b
}

// place lays the bar over the right edge, hidden while all rows are in view.
func (b *bar) place() {
	l := b.list
	total := l.total()
	if total <= l.view {
		b.Hide()
		return
	}
	b.Show()
	b.Resize(fyne.NewSize(barWidth, l.view))
	b.Move(fyne.NewPos(l.width-barWidth, 0))

	width := float32(thinBar)
	if b.hovered || b.dragged {
		width = wideBar
	}
	height := max(minThumb, l.view*l.view/total)
	y := (l.view - height) * l.offset / (total - l.view)
	b.thumb.CornerRadius = width / 2
	b.thumb.Resize(fyne.NewSize(width, height))
	b.thumb.Move(fyne.NewPos(barWidth-width-2, y))
}

// Refresh takes the theme's colour.
func (b *bar) Refresh() {
	b.thumb.FillColor = theme.ColorForWidget(theme.ColorNameScrollBar, b.list)
	canvas.Refresh(b.thumb)
}

// Dragged implements fyne.Draggable.
func (b *bar) Dragged(e *fyne.DragEvent) {
	if !b.dragged {
		start := e.Position.Y - e.Dragged.DY
		b.dragged, b.grab = true, start-b.thumb.Position().Y
	}
	l := b.list
	if room := l.view - b.thumb.Size().Height; room > 0 {
		l.scrollTo((e.Position.Y - b.grab) / room * (l.total() - l.view))
	}
}

// DragEnd implements fyne.Draggable.
func (b *bar) DragEnd() {
	b.dragged = false
	b.place()
}

// Tapped moves by a page towards the pointer.
func (b *bar) Tapped(e *fyne.PointEvent) {
	top := b.thumb.Position().Y
	switch {
	case e.Position.Y < top:
		b.list.ScrollBy(-b.list.Page())
	case e.Position.Y > top+b.thumb.Size().Height:
		b.list.ScrollBy(b.list.Page())
	}
}

// MouseIn implements desktop.Hoverable.
func (b *bar) MouseIn(*desktop.MouseEvent) { b.hover(true) }

// MouseMoved implements desktop.Hoverable.
func (b *bar) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (b *bar) MouseOut() { b.hover(false) }

func (b *bar) hover(in bool) {
	b.hovered = in
	b.place()
}

// CreateRenderer implements fyne.Widget.
func (b *bar) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(&fyne.Container{Objects: []fyne.CanvasObject{b.thumb}})
}
