package markdown

import (
	"time"

	"fyne.io/fyne/v2"
)

// Dragged implements fyne.Draggable.
func (f *Flow) Dragged(e *fyne.DragEvent) {
	f.dragging, f.dragAt = true, e.AbsolutePosition
	if f.drag(); f.beyond() != 0 {
		f.creep()
	} else {
		f.rest()
	}
}

// DragEnd implements fyne.Draggable.
func (f *Flow) DragEnd() {
	f.panning = nil
	f.rest()
}

// dragged is where the pointer is in the flow. The event's own position is
// wrong once the flow has been scrolled.
func (f *Flow) dragged() fyne.Position {
	return f.dragAt.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(f))
}

// drag selects up to the pointer, or moves the scroll bar that it holds.
func (f *Flow) drag() {
	at := f.dragged()
	if p := f.panning; p != nil {
		b := p.block
		room := b.frame.w - p.thumbBox().w
		p.scrollTo((at.X - b.origin.X - f.grab) / max(1, room) * (b.inner.Width - b.frame.w))
		return
	}
	b, offset := f.hit(at)
	if b == nil {
		return
	}
	from, to := f.unitAt(b, offset, f.unit)
	if from < f.first {
		f.selectRange(f.last, from)
	} else {
		f.selectRange(f.first, max(to, f.last))
	}
	const step = 20
	if x := at.X - b.frame.x; b.pan != nil && (x < 0 || x > b.frame.w) {
		b.pan.scrollTo(b.scroll + map[bool]float32{true: -step, false: step}[x < 0])
	}
}

// beyond is how far the pointer is above what is in view, below zero, or below
// it, if there is more of the flow there.
func (f *Flow) beyond() float32 {
	y := f.dragged().Y
	switch {
	case !f.limited || f.OnScrolled == nil || f.panning != nil:
	case y < f.top && f.top > 0:
		return y - f.top
	case y > f.bottom && f.bottom < f.height:
		return y - f.bottom
	}
	return 0
}

// creep scrolls on as long as the pointer is held beyond the view, faster when
// it is farther away.
func (f *Flow) creep() {
	if f.creeping == nil {
		f.creeping = fyne.NewAnimation(time.Second, func(float32) { f.crawl() })
		f.creeping.RepeatCount = fyne.AnimationRepeatForever
		f.creeping.Start()
	}
}

// crawl is one step of it.
func (f *Flow) crawl() {
	far := f.beyond()
	if far == 0 {
		f.rest()
		return
	}
	step := min(max(far/8, -24), 24)
	if step > 0 {
		step = max(step, 2)
	} else {
		step = min(step, -2)
	}
	f.OnScrolled(&fyne.ScrollEvent{Scrolled: fyne.Delta{DY: -step}})
	f.drag()
}

// rest ends it.
func (f *Flow) rest() {
	if f.creeping != nil {
		f.creeping.Stop()
		f.creeping = nil
	}
}
