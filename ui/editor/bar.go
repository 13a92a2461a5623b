package editor

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// bar shows which part of the text is in view, along one edge, and moves it
// when it is dragged.
type bar struct {
	widget.BaseWidget
	e      *Editor
	across bool
	thumb  *canvas.Rectangle
	scale  float32 // pixels of the text for one of the bar
}

func newBar(e *Editor, across bool) *bar {
	b := &bar{e: e, across: across, thumb: canvas.NewRectangle(theme.Color(theme.ColorNameScrollBar))}
	b.thumb.CornerRadius = barThick / 2
	b.ExtendBaseWidget(b)
	return b
}

// place shows the bar for a view of so many pixels at an offset in all.
func (b *bar) place(offset, view, all float32) {
	b.Hidden = all <= view || view <= 0
	if b.Hidden {
		return
	}
	size := b.e.Size()
	long := max(leastThumb, view*view/all)
	b.scale = (all - view) / max(1, view-long)
	at := offset / b.scale
	b.thumb.FillColor = theme.ColorForWidget(theme.ColorNameScrollBar, b.e)
	if b.across {
		b.Move(fyne.NewPos(size.Width-view, size.Height-barRoom))
		b.Resize(fyne.NewSize(view, barRoom))
		b.thumb.Move(fyne.NewPos(at, (barRoom-barThick)/2))
		b.thumb.Resize(fyne.NewSize(long, barThick))
	} else {
		b.Move(fyne.NewPos(size.Width-barRoom, 0))
		b.Resize(fyne.NewSize(barRoom, view))
		b.thumb.Move(fyne.NewPos((barRoom-barThick)/2, at))
		b.thumb.Resize(fyne.NewSize(barThick, long))
	}
	b.thumb.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (b *bar) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(&fyne.Container{Objects: []fyne.CanvasObject{b.thumb}})
}

// Dragged implements fyne.Draggable.
func (b *bar) Dragged(d *fyne.DragEvent) {
	if b.across {
		b.e.scrollBy(d.Dragged.DX*b.scale, 0)
	} else {
		b.e.scrollBy(0, d.Dragged.DY*b.scale)
	}
}

// DragEnd implements fyne.Draggable.
func (b *bar) DragEnd() {}

// Tapped implements fyne.Tappable: it moves by a view towards the pointer.
func (b *bar) Tapped(p *fyne.PointEvent) {
	size, at := b.e.Size(), b.thumb.Position()
	switch {
	case b.across && p.Position.X < at.X:
		b.e.scrollBy(-size.Width, 0)
	case b.across:
		b.e.scrollBy(size.Width, 0)
	case p.Position.Y < at.Y:
		b.e.scrollBy(0, -size.Height)
	default:
		b.e.scrollBy(0, size.Height)
	}
}

// Cursor implements desktop.Cursorable.
func (b *bar) Cursor() desktop.Cursor { return desktop.DefaultCursor }
