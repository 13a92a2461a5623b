package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	checkSize   = 18
	switchWidth = 32
	knobSize    = 12
)

// check is something that is on or off: a box with a tick, or a switch, whose
// effect is immediate.
type check struct {
	widget.BaseWidget
	name      string // what it is about, for whoever cannot see it
	on        bool
	onChanged func(bool)
	onEscape  func() // optional

	focused, hovered bool
	pill             bool
	box, knob, ring  *surface
	tick             *label
	body             *fyne.Container
}

// newCheck is a box before a content, which belongs to what can be pressed;
// nil: there is none.
func newCheck(name string, on bool, content fyne.CanvasObject, changed func(bool)) *check {
	c := &check{name: name, on: on, onChanged: changed, tick: newLabel("", look{tokens.OnAccent, tokens.Small, bold})}
	c.make(content, fyne.NewSquareSize(checkSize), 4)
	return c
}

// newSwitch is a switch.
func newSwitch(name string, on bool, changed func(bool)) *check {
	c := &check{name: name, on: on, pill: true, onChanged: changed, tick: newLabel("", muted())}
	c.make(nil, fyne.NewSize(switchWidth, checkSize), checkSize/2)
	return c
}

func (c *check) make(content fyne.CanvasObject, size fyne.Size, radius float32) {
	c.box, c.knob, c.ring = newSurface("", "", radius), newSurface("", "", knobSize/2), newSurface("", "", 0)
	c.box.min, c.ring.thick = size, ringWidth
	mark := newLayers(c.box, &fyne.Container{Layout: centredIn{}, Objects: []fyne.CanvasObject{c.tick}},
		&fyne.Container{Layout: unshaded{c.placeKnob}, Objects: []fyne.CanvasObject{c.knob}}, ringAround(c.ring))
	c.ring.radius = radius + ringGap
	c.body = newLine(8, content, newFixed(size.Width, size.Height, mark))
	if content != nil {
		c.body.Add(content)
	}
	c.ExtendBaseWidget(c)
	c.paint()
}

func (c *check) placeKnob(size fyne.Size) {
	x := float32(3)
	if c.on {
		x = size.Width - knobSize - 3
	}
	c.knob.Resize(fyne.NewSquareSize(knobSize))
	c.knob.Move(fyne.NewPos(x, (size.Height-knobSize)/2))
}

// set turns it on or off without telling.
func (c *check) set(on bool) {
	if c.on != on {
		c.on = on
		c.paint()
	}
}

func (c *check) paint() {
	fill, stroke := tokens.Background, tokens.Border
	if c.hovered {
		fill = tokens.Hover
	}
	knob, tick := tokens.Muted, ""
	if c.on {
		fill, stroke, knob, tick = tokens.Accent, "", tokens.OnAccent, "✓"
	}
	c.box.set(fill, stroke)
	c.ring.set("", ringOf(c.focused))
	if c.pill {
		c.knob.set(knob, "")
		c.placeKnob(c.box.min)
		return
	}
	c.tick.setText(tick)
	relayout(c.body)
}

func (c *check) flip() {
	c.set(!c.on)
	if c.onChanged != nil {
		c.onChanged(c.on)
	}
}

func (c *check) HeightFor(width float32) float32 { return heightFor(c.body, width) }

func (c *check) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(c.body) }

func (c *check) Tapped(*fyne.PointEvent) { c.flip() }

func (c *check) MouseIn(*desktop.MouseEvent)    { c.hovered = true; c.paint() }
func (c *check) MouseMoved(*desktop.MouseEvent) {}
func (c *check) MouseOut()                      { c.hovered = false; c.paint() }

func (c *check) Cursor() desktop.Cursor { return desktop.PointerCursor }

func (c *check) FocusGained() { c.focused = true; c.paint() }
func (c *check) FocusLost()   { c.focused = false; c.paint() }

func (c *check) TypedRune(rune) {}

func (c *check) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		c.flip()
	case fyne.KeyEscape:
		if c.onEscape != nil {
			c.onEscape()
		} else {
			passOn(c, k)
		}
	}
}

// centredIn puts an object in the middle, in its smallest size.
type centredIn struct{}

func (centredIn) Layout(o []fyne.CanvasObject, size fyne.Size) {
	least := o[0].MinSize()
	o[0].Resize(least)
	o[0].Move(fyne.NewPos((size.Width-least.Width)/2, (size.Height-least.Height)/2))
}

func (centredIn) MinSize(o []fyne.CanvasObject) fyne.Size { return fyne.Size{} }
