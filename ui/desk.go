package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	leastSidebar, mostSidebar = 180, 420
	leastPanel, mostPanel     = 260, 760
	railWidth                 = 45 // of the folded sidebar
	handleWidth               = 9
)

// columnsKey is what the columns are remembered under.
const columnsKey = "columns"

// columnSizes are the person's choice. There may be less room at the moment.
type columnSizes struct {
	Sidebar float32 `json:"sidebar"`
	Panel   float32 `json:"panel"`
	Folded  bool    `json:"folded"` // the sidebar
}

// desk is the window's three columns: what there is, the conversation, and the
// panel of an agent. The outer two are as wide as they are dragged, as far as
// the conversation has the room that it needs. It is the layout of its object.
type desk struct {
	w      *window
	object *fyne.Container
	center fyne.CanvasObject
	rail   *rail // instead of the folded sidebar
	left   *handle
	right  *handle
	sizes  columnSizes
	last   string // the agent whose panel was folded
	wide   bool   // the panel takes the conversation's place

	reads   bool // a file is open in the panel
	reading bool // and the panel is wide enough to read it, until it is dragged
}

func newDesk(w *window, center fyne.CanvasObject) *desk {
	d := &desk{w: w, center: center, rail: newRail(w), sizes: columnSizes{Sidebar: sidebarWidth, Panel: panelWidth}}
	w.remembered.Get(columnsKey, &d.sizes)
	d.left = newHandle(d.dragSidebar, d.keep, d.fold)
	d.right = newHandle(d.dragPanel, d.keep, func() { d.sizes.Panel = panelWidth; d.keep() })
	d.object = &fyne.Container{Layout: d, Objects: []fyne.CanvasObject{
		w.sidebar.object, d.rail.object, center, w.panel.object, d.left, d.right,
	}}
	w.mark("column/sidebar", d.left)
	w.mark("column/panel", d.right)
	return d
}

func (d *desk) dragSidebar(x float32) {
	d.sizes.Folded = x < leastSidebar/2
	if !d.sizes.Folded {
		d.sizes.Sidebar = within(x, leastSidebar, mostSidebar)
	}
	d.w.relayout()
}

func (d *desk) dragPanel(x float32) {
	d.sizes.Panel, d.reading = within(d.object.Size().Width-x, leastPanel, mostPanel), false
	d.w.relayout()
}

// fold folds or unfolds the sidebar.
func (d *desk) fold() {
	d.sizes.Folded = !d.sizes.Folded
	d.keep()
}

// widen lets the panel take the place of the conversation, or gives it back.
func (d *desk) widen() {
	d.wide = !d.wide
	d.w.relayout()
	d.object.Refresh()
}

// narrow gives the conversation its place back.
func (d *desk) narrow() {
	if d.wide {
		d.widen()
	}
}

// keep remembers what the person chose.
func (d *desk) keep() {
	d.w.remembered.Set(columnsKey, d.sizes)
	d.w.relayout()
	d.object.Refresh()
}

// fitPanel gives the panel the room to read a file while one is open there.
func (w *window) fitPanel() {
	f, d := w.shownFolder(), w.desk
	if d == nil {
		return
	}
	if reads := f != nil && f.page != nil; reads != d.reads {
		d.reads, d.reading = reads, reads
		w.relayout()
		d.object.Refresh()
	}
}

func within(x, least, most float32) float32 { return min(max(x, least), most) }

// columns are the widths of the outer columns in a window. Where there is not
// room for both, the panel gives way first.
func (d *desk) columns(window float32) (left, right float32) {
	left, least := within(d.sizes.Sidebar, leastSidebar, mostSidebar), float32(leastSidebar)
	if d.sizes.Folded {
		left, least = railWidth, railWidth
	}
	if d.w.panel.object.Visible() && d.wide && window > 0 {
		return left, window - left
	}
	if d.w.panel.object.Visible() {
		right = within(d.sizes.Panel, leastPanel, mostPanel)
		if d.reading {
			right = max(right, readingWidth)
		}
		right = max(leastPanel, min(right, window-left-smallestCenter.Width))
	}
	return max(least, min(left, window-right-smallestCenter.Width)), right
}

// Layout implements fyne.Layout.
func (d *desk) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	left, right := d.columns(size.Width)
	panel := d.w.panel.object.Visible()
	d.w.sidebar.object.Hidden, d.rail.object.Hidden = d.sizes.Folded, !d.sizes.Folded
	d.wide = d.wide && panel
	d.center.Show()
	if d.wide {
		d.center.Hide()
	}
	d.right.Hidden = !panel || d.wide
	put := func(o fyne.CanvasObject, x, width float32) {
		o.Move(fyne.NewPos(x, 0))
		o.Resize(fyne.NewSize(width, size.Height))
	}
	put(d.w.sidebar.object, 0, left)
	put(d.rail.object, 0, left)
	put(d.center, left, max(0, size.Width-left-right))
	put(d.w.panel.object, size.Width-right, right)
	put(d.left, left-handleWidth/2-1, handleWidth)
	put(d.right, size.Width-right-handleWidth/2, handleWidth)
}

// MinSize implements fyne.Layout.
func (d *desk) MinSize([]fyne.CanvasObject) fyne.Size {
	left, right := d.columns(0)
	return fyne.NewSize(left+d.center.MinSize().Width+right, d.center.MinSize().Height)
}

// foldPanel closes the panel, or opens the one that was closed last.
func (w *window) foldPanel() {
	if w.opened != "" {
		w.desk.last = w.opened
		w.openAgent(w.opened)
		return
	}
	name := w.desk.last
	if _, ok := w.backend.Agent(name); !ok {
		c, _ := w.backend.Channel(w.channel)
		if len(c.Members) == 0 {
			return
		}
		name = c.Members[0]
	}
	w.showAgent(name)
}

// rail is what is left of the folded sidebar: the way back, and how much waits.
type rail struct {
	object *fyne.Container
	badge  *badge
}

func newRail(w *window) *rail {
	r := &rail{badge: newBadge("", tokens.Accent)}
	unfold := newButton("»", quiet, func() { w.desk.fold() })
	unfold.name = w.text("find.FoldSidebar")
	w.help(unfold)
	w.mark("unfold", unfold)
	body := newColumn(12, insets{14, 0, 0, 0}, newMiddle(unfold), newMiddle(r.badge))
	r.object = newLayers(newSurface(tokens.Sidebar, "", 0), newColumns(body, body, ruler()))
	return r
}

// set shows what waits in all the channels together.
func (r *rail) set(unread, questions int) {
	showWaiting(r.badge, unread, questions)
	relayout(r.object)
}

// handle is the edge of a column: it can be dragged, and pressed twice.
type handle struct {
	widget.BaseWidget
	drag    func(x float32) // in the window
	end     func()
	twice   func()
	hovered bool
	dragged bool
	line    *surface
}

func newHandle(drag func(x float32), end, twice func()) *handle {
	h := &handle{drag: drag, end: end, twice: twice, line: newSurface("", "", 0)}
	h.ExtendBaseWidget(h)
	return h
}

func (h *handle) paint() {
	fill := fyne.ThemeColorName("")
	if h.hovered || h.dragged {
		fill = tokens.Accent
	}
	h.line.set(fill, "")
}

// Dragged implements fyne.Draggable.
func (h *handle) Dragged(e *fyne.DragEvent) {
	h.dragged = true
	h.paint()
	h.drag(e.AbsolutePosition.X)
}

// DragEnd implements fyne.Draggable.
func (h *handle) DragEnd() {
	h.dragged = false
	h.paint()
	h.end()
}

// DoubleTapped implements fyne.DoubleTappable.
func (h *handle) DoubleTapped(*fyne.PointEvent) { h.twice() }

// Cursor implements desktop.Cursorable.
func (h *handle) Cursor() desktop.Cursor { return desktop.HResizeCursor }

// MouseIn implements desktop.Hoverable.
func (h *handle) MouseIn(*desktop.MouseEvent) { h.hovered = true; h.paint() }

// MouseMoved implements desktop.Hoverable.
func (h *handle) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (h *handle) MouseOut() { h.hovered = false; h.paint() }

// CreateRenderer implements fyne.Widget.
func (h *handle) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(&fyne.Container{Layout: thinMiddle{}, Objects: []fyne.CanvasObject{h.line}})
}

// thinMiddle makes a line of two pixels down the middle.
type thinMiddle struct{}

func (thinMiddle) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewPos(float32(int(size.Width/2))-1, 0))
	o[0].Resize(fyne.NewSize(2, size.Height))
}

func (thinMiddle) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
