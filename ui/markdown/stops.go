package markdown

import (
	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// stop is something that the Tab key stops at: a link, the button of a code
// panel, the offer to show more.
type stop struct {
	link  string
	block *block
	boxes []box // in the flow; a link may go on in the next line
}

// stops are all of a flow, in the order of reading.
func (f *Flow) stops() (all []stop) {
	for _, b := range f.blocks {
		if b.kind == code && !f.Bare {
			c := b.copy
			c.y += b.y
			all = append(all, stop{copyLink, b, []box{c}})
		}
		for i := range b.lines {
			l := &b.lines[i]
			for k, p := range l.pieces {
				if p.link == "" {
					continue
				}
				at := box{p.x + b.origin.X - b.scroll, l.y + b.y + b.origin.Y, p.width, l.height}
				last := len(all) - 1
				if goesOn := k > 0 || i > 0 && l.start > 0; goesOn && last >= 0 && all[last].block == b &&
					all[last].link == p.link && b.adjoins(i, k) {
					all[last].boxes = append(all[last].boxes, at)
					continue
				}
				all = append(all, stop{p.link, b, []box{at}})
			}
		}
	}
	return all
}

// adjoins reports whether a piece follows another one of the same link.
func (b *block) adjoins(line, piece int) bool {
	pieces := b.lines[line].pieces
	if piece > 0 {
		return pieces[piece-1].link == pieces[piece].link
	}
	if line == 0 {
		return false
	}
	before := b.lines[line-1].pieces
	return len(before) > 0 && before[len(before)-1].link == pieces[piece].link
}

// canStop reports whether there is any, sooner than stops does.
func (f *Flow) canStop() bool {
	for _, b := range f.blocks {
		if b.kind == more || b.kind == code && !f.Bare {
			return true
		}
		for _, r := range b.runs {
			if r.link != "" {
				return true
			}
		}
		for _, row := range b.rows {
			for _, cell := range row {
				for _, r := range cell.runs {
					if r.link != "" {
						return true
					}
				}
			}
		}
	}
	return false
}

// nextStop is the one that Tab goes to, 0 for out of the flow.
func (f *Flow) nextStop() int {
	next := f.stop + 1
	if shiftHeld() {
		next = f.stop - 1
	}
	if next > len(f.stops()) {
		return 0
	}
	return max(0, next)
}

// AcceptsTab implements fyne.Tabbable: the flow wants the Tab key while there
// is another stop in it.
func (f *Flow) AcceptsTab() bool { return f.nextStop() > 0 }

// Disabled implements fyne.Disableable, which has the Tab key pass by a text
// in which there is nothing to press.
func (f *Flow) Disabled() bool { return !f.focused && !f.byMouse && !f.canStop() }

// Enable implements fyne.Disableable. It does nothing.
func (f *Flow) Enable() {}

// Disable implements fyne.Disableable. It does nothing.
func (f *Flow) Disable() {}

// stopAt puts the mark of the focus around a stop, and brings it into view.
func (f *Flow) stopAt(n int) {
	if n == f.stop {
		return
	}
	if f.stop = n; n > 0 {
		f.reveal()
	}
	f.draw()
}

func (f *Flow) reveal() {
	stops := f.stops()
	if f.stop > len(stops) {
		return
	}
	s := stops[f.stop-1]
	if p := s.block.pan; p != nil && s.link != copyLink {
		x := s.boxes[0].x - s.block.frame.x + s.block.scroll
		p.scrollTo(min(x-8, max(s.block.scroll, x+s.boxes[0].w+8-s.block.frame.w)))
	}
	if !f.limited || f.OnScrolled == nil {
		return
	}
	const margin = 12
	top, last := s.boxes[0].y-margin, s.boxes[len(s.boxes)-1]
	switch bottom := last.y + last.h + margin; {
	case top < f.top:
		f.OnScrolled(&fyne.ScrollEvent{Scrolled: fyne.Delta{DY: f.top - top}})
	case bottom > f.bottom:
		f.OnScrolled(&fyne.ScrollEvent{Scrolled: fyne.Delta{DY: f.bottom - bottom}})
	}
}

// ring marks the stop that has the focus.
func (f *Flow) ring() (objects []fyne.CanvasObject) {
	if f.stop == 0 {
		return nil
	}
	stops := f.stops()
	if f.stop > len(stops) {
		return nil
	}
	for _, at := range stops[f.stop-1].boxes {
		at = box{at.x - 3, at.y, at.w + 6, at.h}
		for _, side := range []box{
			{at.x, at.y, at.w, 2}, {at.x, at.y + at.h - 2, at.w, 2},
			{at.x, at.y, 2, at.h}, {at.x + at.w - 2, at.y, 2, at.h},
		} {
			objects = append(objects, f.rectangle(side, tokens.Accent, 1))
		}
	}
	return objects
}
