package ui

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	menuRow   = 32
	menuLeast = 180 // of the width
	menuMost  = 380
)

// menuItem is one line of a menu. Without anything to do it is a heading, or,
// without a text too, a rule.
type menuItem struct {
	id      string // for tests from outside; empty: its text
	text    string
	detail  string     // after the text, quieter
	agent   *app.Agent // whose face and state are shown; nil: none
	checked bool
	danger  bool
	do      func()
}

// menu is a list of what can be done, over everything else. It takes the keys
// while it is open, and gives them back.
type menu struct {
	widget.BaseWidget
	w      *window
	object *fyne.Container // fills the window
	panel  *fyne.Container
	scroll *container.Scroll
	column *fyne.Container

	about  rectangle // what it opens under; without a size: a point
	back   fyne.Focusable
	items  []menuItem // that do something
	rows   []*button
	chosen int // -1: none
}

func newMenu(w *window) *menu {
	m := &menu{w: w, column: newColumn(0, inset(6, 6))}
	m.scroll = container.NewVScroll(m.column)
	back := newSurface(tokens.Panel, tokens.Line, dialogRadius)
	back.lifted = true
	m.panel = newLayers(back, m.scroll)
	m.ExtendBaseWidget(m)
	m.object = &fyne.Container{Layout: unshaded{m.layOut}, Objects: []fyne.CanvasObject{newCover(m.close), m}}
	m.object.Hide()
	return m
}

// popUp shows a menu under an object, or above it where there is no room.
func (w *window) popUp(under fyne.CanvasObject, items []menuItem) {
	w.stage().menu.open(w.place(under), items)
}

// popUpAt shows a menu at a point, or as near as it fits.
func (w *window) popUpAt(at fyne.Position, items []menuItem) {
	w.stage().menu.open(rectangle{X: at.X, Y: at.Y}, items)
}

func (m *menu) isOpen() bool { return m.object.Visible() }

func (m *menu) open(about rectangle, items []menuItem) {
	m.w.tips.away()
	m.close()
	m.about, m.items, m.rows, m.chosen = about, nil, nil, -1
	m.column.Objects = nil
	checks := false
	for _, i := range items {
		checks = checks || i.checked
	}
	for _, i := range items {
		m.add(i, checks)
	}
	m.scroll.Offset = fyne.Position{}
	m.back = m.w.fyne.Canvas().Focused()
	m.object.Show()
	m.layOut(m.object.Size())
	m.object.Refresh()
	m.w.fyne.Canvas().Focus(m)
}

func (m *menu) add(i menuItem, checks bool) {
	switch {
	case i.do == nil && i.text == "":
		m.column.Add(framed(inset(5, 2), ruler()))
		return
	case i.do == nil:
		m.column.Add(newFixed(0, 26, framed(inset(0, 8), newCutLabel(i.text, faint()))))
		return
	}
	n := len(m.items)
	b := newPressable(i.text, item, inset(0, 8), i.content(checks), func() { m.pick(n) })
	b.onHover = func() { m.choose(n) }
	id := i.id
	if id == "" {
		id = i.text
	}
	m.w.mark("menu/"+id, b)
	m.items, m.rows = append(m.items, i), append(m.rows, b)
	m.column.Add(newFixed(0, menuRow, b))
}

func (i menuItem) content(checks bool) fyne.CanvasObject {
	l := plain()
	if i.danger {
		l = l.in(tokens.Error)
	}
	text := newCutLabel(i.text, l)
	text.least = 200
	row := newFittingLine(8, text)
	if checks {
		sign := ""
		if i.checked {
			sign = "✓"
		}
		row.Add(newFixed(12, 0, newLabel(sign, muted().in(tokens.Accent))))
	}
	if i.agent != nil {
		row.Add(newAvatar(*i.agent, 22))
	}
	row.Add(text)
	if i.detail != "" || i.agent != nil {
		detail := newCutLabel(i.detail, faint().in(tokens.Muted))
		row.Layout.(*line).grows, row.Layout.(*line).fits = detail, false
		row.Add(detail)
	}
	if i.agent != nil {
		row.Add(newDot(i.agent.State))
	}
	return row
}

// wanted is how wide the item is when nothing in it is cut.
func (i menuItem) wanted(checks bool) float32 {
	w := newLabel(i.text, plain()).whole().Width + 34
	if i.detail != "" {
		w += newLabel(i.detail, faint()).whole().Width + 8
	}
	if checks {
		w += 20
	}
	if i.agent != nil {
		w += 22 + dotSize + 6 + 24
	}
	return w
}

func (m *menu) close() {
	if !m.isOpen() {
		return
	}
	m.object.Hide()
	c := m.w.fyne.Canvas()
	if c.Focused() != m {
		return // it went elsewhere by itself
	}
	if o, ok := m.back.(fyne.CanvasObject); ok && m.w.app.Driver().CanvasForObject(o) != nil {
		c.Focus(m.back)
	} else {
		c.Unfocus()
		m.w.composer.focus()
	}
}

func (m *menu) pick(n int) {
	do := m.items[n].do
	m.close()
	do()
}

func (m *menu) choose(n int) {
	if m.chosen == n {
		return
	}
	m.chosen = n
	for i, b := range m.rows {
		b.setSelected(i == n)
	}
}

// move goes to the next item, or the one before, round about.
func (m *menu) move(step int) {
	n := len(m.rows)
	switch {
	case n == 0:
		return
	case m.chosen < 0 && step < 0:
		m.choose(n - 1)
	case m.chosen < 0:
		m.choose(0)
	default:
		m.choose((m.chosen + step + n) % n)
	}
	m.reveal()
}

// reveal scrolls the chosen item into view.
func (m *menu) reveal() {
	o := m.column.Objects[0]
	for _, o = range m.column.Objects {
		if c, ok := o.(*fyne.Container); ok && c.Objects[0] == m.rows[m.chosen] {
			break
		}
	}
	top, high := o.Position().Y, m.scroll.Size().Height
	offset := m.scroll.Offset.Y
	offset = min(offset, top-6)
	offset = max(offset, top+menuRow+6-high)
	m.scroll.ScrollToOffset(fyne.NewPos(0, max(0, offset)))
}

func (m *menu) layOut(window fyne.Size) {
	if !m.isOpen() {
		return
	}
	m.object.Objects[0].Resize(window)
	width := float32(menuLeast)
	checks := false
	for _, i := range m.items {
		checks = checks || i.checked
	}
	for _, i := range m.items {
		width = max(width, i.wanted(checks))
	}
	width = min(width, menuMost, window.Width-16)
	size := fyne.NewSize(width, min(heightFor(m.column, width), window.Height-16))
	x := max(8, min(m.about.X, window.Width-size.Width-8))
	y := m.about.Y + m.about.H + 4
	if above := m.about.Y - 4 - size.Height; y+size.Height > window.Height-8 && above >= 8 {
		y = above
	}
	m.Resize(size)
	m.Move(fyne.NewPos(x, max(8, min(y, window.Height-8-size.Height))))
	m.scroll.Refresh()
	relayout(m.panel)
}

func (m *menu) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(m.panel) }

func (m *menu) MinSize() fyne.Size { return fyne.Size{} }

func (m *menu) FocusGained() {}
func (m *menu) FocusLost()   { m.close() }

// AcceptsTab keeps the focus in the menu.
func (m *menu) AcceptsTab() bool { return true }

func (m *menu) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyUp:
		m.move(-1)
	case fyne.KeyDown, fyne.KeyTab:
		m.move(1)
	case fyne.KeyHome, fyne.KeyPageUp:
		m.chosen = -1
		m.move(1)
	case fyne.KeyEnd, fyne.KeyPageDown:
		m.chosen = -1
		m.move(-1)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		if m.chosen >= 0 {
			m.pick(m.chosen)
		}
	case fyne.KeyEscape, fyne.KeyLeft:
		m.close()
	}
}

// TypedRune goes to the next item that begins with a letter.
func (m *menu) TypedRune(r rune) {
	typed := string(unicode.ToLower(r))
	for k := 1; k <= len(m.items); k++ {
		n := (m.chosen + k + len(m.items)) % len(m.items)
		if strings.HasPrefix(strings.ToLower(m.items[n].text), typed) {
			m.choose(n)
			m.reveal()
			return
		}
	}
}

// cover takes the clicks and the wheel beside what is in front.
type cover struct {
	widget.BaseWidget
	pressed func()
}

func newCover(pressed func()) *cover {
	c := &cover{pressed: pressed}
	c.ExtendBaseWidget(c)
	return c
}

func (c *cover) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(newSurface("", "", 0))
}

func (c *cover) Tapped(*fyne.PointEvent)          { c.pressed() }
func (c *cover) TappedSecondary(*fyne.PointEvent) { c.pressed() }
func (c *cover) Scrolled(*fyne.ScrollEvent)       {}
func (c *cover) MouseIn(*desktop.MouseEvent)      {}
func (c *cover) MouseMoved(*desktop.MouseEvent)   {}
func (c *cover) MouseOut()                        {}
