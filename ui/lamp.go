package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// lamp is a small thing in a row that can be pressed by the mouse alone: the
// keyboard has another way to what it does.
type lamp struct {
	widget.BaseWidget
	w       *window
	content fyne.CanvasObject
	tapped  func()
	help    func() string
	on      bool
	hovered bool
	back    *surface
}

func newLamp(w *window, content fyne.CanvasObject, tapped func(), help func() string) *lamp {
	l := &lamp{w: w, content: content, tapped: tapped, help: help, back: newSurface("", "", controlRadius)}
	l.ExtendBaseWidget(l)
	return l
}

func (l *lamp) setOn(on bool) {
	l.on = on
	l.paint()
}

func (l *lamp) paint() {
	fill := fyne.ThemeColorName("")
	switch {
	case l.hovered:
		fill = tokens.Hover
	case l.on:
		fill = tokens.AccentTint
	}
	l.back.set(fill, "")
}

// Tapped implements fyne.Tappable.
func (l *lamp) Tapped(*fyne.PointEvent) {
	l.w.tips.leave(l)
	l.tapped()
}

// MouseIn implements desktop.Hoverable.
func (l *lamp) MouseIn(*desktop.MouseEvent) {
	l.hovered = true
	l.paint()
	l.w.tips.enter(l, l.help)
}

// MouseMoved implements desktop.Hoverable.
func (l *lamp) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (l *lamp) MouseOut() {
	l.hovered = false
	l.paint()
	l.w.tips.leave(l)
}

// Cursor implements desktop.Cursorable.
func (l *lamp) Cursor() desktop.Cursor { return desktop.PointerCursor }

// CreateRenderer implements fyne.Widget.
func (l *lamp) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(newLayers(l.back, framed(inset(6, 6), l.content)))
}

// grip lets what is below it be dragged up and down, and leaves everything
// else to it.
type grip struct {
	widget.BaseWidget
	drag func(y float32) // in the window
	end  func()
}

func newGrip(drag func(y float32), end func()) *grip {
	g := &grip{drag: drag, end: end}
	g.ExtendBaseWidget(g)
	return g
}

// Dragged implements fyne.Draggable.
func (g *grip) Dragged(e *fyne.DragEvent) { g.drag(e.AbsolutePosition.Y) }

// DragEnd implements fyne.Draggable.
func (g *grip) DragEnd() { g.end() }

// CreateRenderer implements fyne.Widget.
func (g *grip) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(newSurface("", "", 0))
}
