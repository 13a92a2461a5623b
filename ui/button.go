package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// kind is what a button looks like.
type kind int

const (
	ordinary kind = iota // framed
	primary              // the one most people want
	danger               // framed, takes something away
	quiet                // text alone
	item                 // an entry of a list: fills its width
)

// button is anything that can be pressed: by the mouse, or with Space and
// Enter once Tab has reached it. It does not take the focus when clicked, so
// that typing goes on where it was.
type button struct {
	widget.BaseWidget
	name     string // what it does, for whoever cannot see it
	kind     kind
	content  fyne.CanvasObject
	onTapped func()
	onEscape func()                 // optional
	onHover  func()                 // optional
	onFocus  func()                 // optional
	onMenu   func(at fyne.Position) // optional: the other mouse button
	onDown   func()                 // optional: the arrow key
	onPaint  func()                 // optional: the focus, or the pointer, came or went
	tips     *tips                  // shows help; nil: there is none
	help     func() string          // the text of it

	selected, disabled, hovered, focused bool

	back, ring *surface // the ring of the focus
	body       *fyne.Container
	label      *label // of newButton, or whatever text says what it does
}

// newButton is a button with a text.
func newButton(text string, k kind, tapped func()) *button {
	l := newLabel(text, look{buttonText(k), tokens.Secondary, fyne.TextStyle{}})
	in := inset(6, 12)
	if k == quiet {
		in = inset(4, 6)
	}
	b := newPressable(text, k, in, l, tapped)
	b.label = l
	return b
}

// newPressable is a button with any content.
func newPressable(name string, k kind, in insets, content fyne.CanvasObject, tapped func()) *button {
	b := &button{
		name: name, kind: k, content: content, onTapped: tapped,
		back: newSurface("", "", controlRadius), ring: newSurface("", "", controlRadius),
	}
	b.ring.thick = ringWidth
	ring := fyne.CanvasObject(b.ring)
	if k == primary {
		ring = ringAround(b.ring) // inside it would be of the button's colour
	}
	b.body = newLayers(b.back, framed(in, content), ring)
	b.ExtendBaseWidget(b)
	b.paint()
	return b
}

func buttonText(k kind) fyne.ThemeColorName {
	switch k {
	case primary:
		return tokens.OnAccent
	case danger:
		return tokens.Error
	case quiet:
		return tokens.Muted
	}
	return tokens.Text
}

// whole is the size of the button when nothing in it is cut.
func (b *button) whole() fyne.Size {
	size := b.body.MinSize()
	if b.label != nil {
		size.Width += b.label.whole().Width - b.label.MinSize().Width
	}
	return size
}

func (b *button) setText(text string) {
	if b.label.text == text {
		return
	}
	b.name = text
	b.label.setText(text)
	b.Refresh()
}

func (b *button) setSelected(on bool) {
	if b.selected != on {
		b.selected = on
		b.paint()
	}
}

func (b *button) setDisabled(on bool) {
	if b.disabled == on {
		return
	}
	b.disabled = on
	if b.label != nil {
		c := buttonText(b.kind)
		if on {
			c = theme.ColorNameDisabled
		}
		b.label.set(b.label.text, b.label.look.in(c))
	}
	b.paint()
}

// paint shows the state of the button.
func (b *button) paint() {
	fill, stroke := fyne.ThemeColorName(""), fyne.ThemeColorName("")
	switch b.kind {
	case primary:
		fill = tokens.Accent
		if b.disabled {
			fill = tokens.AccentTint
		}
	case ordinary, danger:
		fill, stroke = tokens.Panel, tokens.Border
	}
	switch {
	case b.selected:
		fill = tokens.AccentTint
	case b.hovered && !b.disabled && b.kind == primary:
		fill = tokens.AccentHover
	case b.hovered && !b.disabled:
		fill = tokens.Hover
	}
	b.back.set(fill, stroke)
	b.ring.set("", ringOf(b.focused))
	if b.onPaint != nil {
		b.onPaint()
	}
}

func (b *button) press() {
	b.endHelp()
	if !b.disabled && b.onTapped != nil {
		b.onTapped()
	}
}

func (b *button) HeightFor(width float32) float32 { return heightFor(b.body, width) }

func (b *button) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(b.body) }

func (b *button) Tapped(*fyne.PointEvent) { b.press() }

func (b *button) TappedSecondary(e *fyne.PointEvent) {
	if b.onMenu != nil {
		b.endHelp()
		b.onMenu(e.AbsolutePosition)
	}
}

func (b *button) MouseIn(*desktop.MouseEvent) {
	b.hovered = true
	b.paint()
	if b.onHover != nil {
		b.onHover()
	}
	b.askHelp()
}

func (b *button) MouseMoved(*desktop.MouseEvent) {}

func (b *button) MouseOut() {
	b.hovered = false
	b.paint()
	b.endHelp()
}

func (b *button) askHelp() {
	if b.tips != nil {
		b.tips.enter(b, b.help)
	}
}

func (b *button) endHelp() {
	if b.tips != nil {
		b.tips.leave(b)
	}
}

func (b *button) Cursor() desktop.Cursor {
	if b.disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

func (b *button) FocusGained() {
	b.focused = true
	b.paint()
	if b.onFocus != nil {
		b.onFocus()
	}
	b.askHelp()
}

func (b *button) FocusLost() {
	b.focused = false
	b.paint()
	b.endHelp()
}

func (b *button) TypedRune(rune) {}

func (b *button) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		b.press()
	case fyne.KeyDown:
		if b.onDown != nil {
			b.onDown()
		} else {
			b.neighbour(fyne.Canvas.FocusNext)
		}
	case fyne.KeyUp:
		b.neighbour(fyne.Canvas.FocusPrevious)
	case fyne.KeyEscape:
		if b.onEscape != nil {
			b.onEscape()
		} else {
			passOn(b, k)
		}
	}
}

// neighbour goes through a list with the arrow keys.
func (b *button) neighbour(move func(fyne.Canvas)) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(b); c != nil && b.kind == item {
		move(c)
	}
}

// passOn gives a key that a control has no use for to the dialog it is in. In
// the window itself the focus goes, so that typing goes to the composer.
func passOn(o fyne.CanvasObject, k *fyne.KeyEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	switch {
	case c == nil:
	case c.Overlays().Top() == nil:
		c.Unfocus()
	case c.OnTypedKey() != nil:
		c.OnTypedKey()(k)
	}
}

// ringWidth is how thick the ring around what has the focus is.
const ringWidth = 2

// ringOf is the colour of the ring.
func ringOf(focused bool) fyne.ThemeColorName {
	if focused {
		return tokens.Accent
	}
	return ""
}

// ringAround puts a ring outside of what it is laid over, with a little room
// between.
func ringAround(ring *surface) *fyne.Container {
	ring.radius = controlRadius + ringGap
	return &fyne.Container{Layout: outside{}, Objects: []fyne.CanvasObject{ring}}
}

const ringGap = 2 + ringWidth

type outside struct{}

func (outside) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewSquareOffsetPos(-ringGap))
	o[0].Resize(size.AddWidthHeight(2*ringGap, 2*ringGap))
}

func (outside) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// radius rounds the corners of the button more or less than usual.
func (b *button) radius(r float32) { b.back.radius, b.ring.radius = r, r }
