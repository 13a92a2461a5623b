package markdown

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Links that the flow itself obeys. No text can name them: a link's address
// has a scheme.
const (
	moreLink = "\x00more"
	copyLink = "\x00copy"
)

const (
	clickTime  = 400 * time.Millisecond
	clickReach = 4
)

// pointer is what the mouse is doing.
type pointer struct {
	clicks   int
	pressed  time.Time
	pressAt  fyne.Position
	link     string // pressed
	linkOf   *block
	dragging bool
	dragAt   fyne.Position // on the canvas
	creeping *fyne.Animation
	panning  *pan
	grab     float32

	overLink string
	hovered  *block // whose button the pointer is on
}

// target returns what a click at a point would do: a link, one of the flow's
// own, or nothing.
func (f *Flow) target(at fyne.Position) (string, *block) {
	for _, b := range f.blocks {
		if at.Y < b.y || at.Y >= b.y+b.height {
			continue
		}
		if b.kind == code && b.copy.has(at.Subtract(fyne.NewPos(0, b.y))) {
			return copyLink, b
		}
		p := b.inside(at)
		for i := range b.lines {
			l := &b.lines[i]
			for _, pc := range l.pieces {
				if pc.link != "" && (box{pc.x, l.y, pc.width, l.height}).has(p) {
					return pc.link, b
				}
			}
		}
	}
	return "", nil
}

// MouseDown implements desktop.Mouseable.
func (f *Flow) MouseDown(e *desktop.MouseEvent) {
	f.focus()
	if e.Button != desktop.MouseButtonPrimary {
		return
	}
	moved := e.Position.Subtract(f.pressAt)
	if time.Since(f.pressed) > clickTime || max(moved.X, -moved.X, moved.Y, -moved.Y) > clickReach {
		f.clicks = 0
	}
	f.clicks++
	f.pressed, f.pressAt, f.dragging = time.Now(), e.Position, false
	f.link, f.linkOf = f.target(e.Position)

	b, at := f.hit(e.Position)
	if b == nil || f.grabThumb(b, e.Position) {
		return
	}
	switch {
	case f.link == copyLink:
	case e.Modifier&fyne.KeyModifierShift != 0:
		f.selectRange(f.anchor, at)
	default:
		f.unit = unit((f.clicks - 1) % 3)
		f.first, f.last = f.unitAt(b, at, f.unit)
		f.selectRange(f.first, f.last)
	}
}

// grabThumb begins to move the scroll bar of a block if it is at the point.
func (f *Flow) grabThumb(b *block, at fyne.Position) bool {
	f.panning = nil
	if b.pan == nil {
		return false
	}
	thumb := b.pan.thumbBox()
	p := at.Subtract(fyne.NewPos(b.origin.X, b.y+b.origin.Y))
	if !thumb.has(p) {
		return false
	}
	f.panning, f.grab = b.pan, p.X-thumb.x
	return true
}

// MouseUp implements desktop.Mouseable. A link is followed on release, unless
// the pointer selected something on its way.
func (f *Flow) MouseUp(e *desktop.MouseEvent) {
	link, b := f.target(e.Position)
	if e.Button != desktop.MouseButtonPrimary || f.dragging || f.clicks > 1 || link == "" || link != f.link || b != f.linkOf {
		return
	}
	f.activate(link, b)
}

// activate does what a click on a link of a block does.
func (f *Flow) activate(link string, b *block) {
	switch {
	case link == moreLink:
		f.showMore()
	case link == copyLink:
		fyne.CurrentApp().Clipboard().SetContent(b.text)
		b.copied = true
		f.hovered = b
		f.paintButton(b)
	case f.OnLink != nil:
		f.OnLink(link)
	}
}

// TappedSecondary implements fyne.SecondaryTappable.
func (f *Flow) TappedSecondary(e *fyne.PointEvent) {
	if f.OnMenu != nil {
		f.inMenu = true
		f.OnMenu(e.AbsolutePosition)
		f.inMenu = false
	}
}

// MouseIn implements desktop.Hoverable.
func (f *Flow) MouseIn(e *desktop.MouseEvent) { f.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (f *Flow) MouseMoved(e *desktop.MouseEvent) {
	f.hover(f.target(e.Position))
}

// MouseOut implements desktop.Hoverable.
func (f *Flow) MouseOut() { f.hover("", nil) }

func (f *Flow) hover(link string, b *block) {
	if link != f.overLink {
		f.underline(f.overLink, false)
		f.overLink = link
		f.underline(link, true)
	}
	if link != copyLink {
		b = nil
	}
	if before := f.hovered; b != before {
		f.hovered = b
		for _, changed := range []*block{before, b} {
			if changed != nil {
				f.paintButton(changed)
			}
		}
	}
}

// Cursor implements desktop.Cursorable.
func (f *Flow) Cursor() desktop.Cursor {
	if f.overLink != "" {
		return desktop.PointerCursor
	}
	return desktop.TextCursor
}

func shiftHeld() bool {
	d, ok := fyne.CurrentApp().Driver().(desktop.Driver)
	return ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0
}
