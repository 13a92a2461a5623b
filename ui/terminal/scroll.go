package terminal

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"git.rickub.com/bots-garden/sidekicks/ui/terminal/screen"
)

// first is the number of the first line that is shown. The screen is locked.
func (t *Terminal) first() int {
	if t.follow {
		return t.screen.Top()
	}
	return min(max(t.top, t.screen.First()), t.screen.Top())
}

// scroll shows what is that many lines further down, or up. Somebody who reads
// above the end is left there, whatever the program prints.
func (t *Terminal) scroll(lines int) {
	t.locked(func() {
		t.top = min(max(t.first()+lines, t.screen.First()), t.screen.Top())
		t.follow = t.top == t.screen.Top()
	})
	t.draw()
}

// toEnd shows the end of the output.
func (t *Terminal) toEnd() {
	if !t.follow {
		t.follow = true
		t.draw()
	}
}

// show scrolls so far that a place is seen.
func (t *Terminal) show(p screen.Place) {
	away := 0
	t.locked(func() {
		_, rows := t.screen.Size()
		switch top := t.first(); {
		case p.Line < top, p.Line >= top+rows:
			away = p.Line - rows/2 - top
		}
	})
	if away != 0 {
		t.scroll(away)
	}
}

const thumbWidth, leastThumb = 4, 20

// showThumb shows where in all the lines those are that are seen; nothing
// while that is their end.
func (t *Terminal) showThumb() {
	var above, all, rows int
	t.locked(func() {
		_, rows = t.screen.Size()
		above, all = t.first()-t.screen.First(), t.screen.Top()+rows-t.screen.First()
	})
	if t.follow || all <= rows {
		t.thumb.Hide()
		return
	}
	size := t.Size()
	height := max(leastThumb, size.Height*float32(rows)/float32(all))
	t.thumb.FillColor = theme.ColorForWidget(theme.ColorNameScrollBar, t)
	t.thumb.CornerRadius = thumbWidth / 2
	t.thumb.Resize(fyne.NewSize(thumbWidth, height))
	t.thumb.Move(fyne.NewPos(size.Width-thumbWidth-1, (size.Height-height)*float32(above)/float32(max(1, all-rows))))
	t.thumb.Show()
	t.thumb.Refresh()
}

// Scrolled implements fyne.Scrollable: the wheel is the program's when it takes
// the mouse, else it goes through what is kept.
func (t *Terminal) Scrolled(e *fyne.ScrollEvent) {
	t.turned += e.Scrolled.DY
	line := float32(t.measures().height) / t.glyphs.scale / 2
	steps := int(t.turned / line)
	t.turned -= float32(steps) * line
	if steps == 0 {
		return
	}
	said, taken := "", false
	t.locked(func() {
		place := t.placeOf(e.Position)
		for range max(steps, -steps) {
			switch {
			case t.screen.WantsMouse() && !t.shift:
				b := screen.WheelDown
				if steps > 0 {
					b = screen.WheelUp
				}
				said += t.screen.Mouse(b, screen.Press, place.Column, place.Line-t.screen.Top(), 0)
				taken = true
			case t.screen.Alternate():
				said += t.screen.Wheel(steps > 0)
				taken = true
			}
		}
	})
	if taken {
		t.send([]byte(said))
		return
	}
	t.scroll(-steps)
}

// placeOf is the cell at a position in the widget. The screen is locked.
func (t *Terminal) placeOf(at fyne.Position) screen.Place {
	g := t.measures()
	cols, rows := t.screen.Size()
	x := int((at.X-margin)*g.scale) / g.width
	y := int((at.Y-margin)*g.scale) / g.height
	return screen.Place{Line: t.first() + min(max(0, y), rows-1), Column: min(max(0, x), cols-1)}
}
