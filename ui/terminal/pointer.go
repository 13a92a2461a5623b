package terminal

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"git.rickub.com/bots-garden/sidekicks/ui/terminal/screen"
)

// grain is what a selection grows by: it depends on how often one pressed.
type grain int

const (
	byCell grain = iota
	byWord
	byRow
)

// clickTime is how long two presses may be apart to belong together.
const clickTime = 400 * time.Millisecond

// MouseDown implements desktop.Mouseable. The selection starts here: the first
// drag is told of too late, and too far away.
func (t *Terminal) MouseDown(e *desktop.MouseEvent) {
	t.focus()
	b := button(e.Button)
	if t.tellMouse(b, screen.Press, e.Position, e.Modifier) {
		t.pressed = b
		return
	}
	switch b {
	case screen.LeftButton:
		t.press(e.Position, e.Modifier&fyne.KeyModifierShift != 0)
	case screen.RightButton:
		if t.options.Menu != nil {
			t.options.Menu(e.AbsolutePosition)
		}
	}
}

// MouseUp implements desktop.Mouseable.
func (t *Terminal) MouseUp(e *desktop.MouseEvent) {
	if t.pressed != screen.NoButton {
		t.tellMouse(t.pressed, screen.Release, e.Position, e.Modifier&^fyne.KeyModifierShift)
		t.pressed = screen.NoButton
	}
}

// Dragged implements fyne.Draggable.
func (t *Terminal) Dragged(e *fyne.DragEvent) {
	if t.pressed != screen.NoButton {
		t.tellMouse(t.pressed, screen.Move, e.Position, 0)
		return
	}
	if e.Position.Y < 0 {
		t.scroll(-1)
	} else if e.Position.Y > t.Size().Height {
		t.scroll(1)
	}
	t.selectTo(e.Position)
}

// DragEnd implements fyne.Draggable.
func (t *Terminal) DragEnd() {}

// MouseIn, MouseMoved and MouseOut implement desktop.Hoverable.
func (t *Terminal) MouseIn(*desktop.MouseEvent) {}

// MouseMoved tells a program that wants to know all of the mouse.
func (t *Terminal) MouseMoved(e *desktop.MouseEvent) {
	t.tellMouse(screen.NoButton, screen.Move, e.Position, e.Modifier)
}

// MouseOut has nothing to do.
func (t *Terminal) MouseOut() {}

func button(b desktop.MouseButton) screen.Button {
	switch b {
	case desktop.MouseButtonPrimary:
		return screen.LeftButton
	case desktop.MouseButtonTertiary:
		return screen.MiddleButton
	case desktop.MouseButtonSecondary:
		return screen.RightButton
	}
	return screen.NoButton
}

// tellMouse tells the program of the mouse, and whether it takes it. With Shift
// held down the mouse is the person's.
func (t *Terminal) tellMouse(b screen.Button, a screen.Action, at fyne.Position, m fyne.KeyModifier) bool {
	said := ""
	t.mu.Lock()
	taken := t.screen.WantsMouse() && m&fyne.KeyModifierShift == 0
	if taken {
		p := t.placeOf(at)
		said = t.screen.Mouse(b, a, p.Column, p.Line-t.screen.Top(), mods(m))
	}
	t.mu.Unlock()
	t.send([]byte(said))
	return taken
}

// press begins a selection, or draws the one there is further.
func (t *Terminal) press(at fyne.Position, further bool) {
	if further && !t.selected.Empty() {
		t.selectTo(at)
		return
	}
	t.locked(func() {
		p := t.edgeOf(at)
		now := time.Now()
		if t.clicks.place != p || now.Sub(t.clicks.time) > clickTime {
			t.clicks.count = 0
		}
		t.clicks = clicks{p, now, t.clicks.count%3 + 1}
		t.grain = grain(t.clicks.count - 1)
		t.anchor = t.around(t.placeOf(at), p)
		t.selected = t.anchor
	})
	t.draw()
}

// selectTo selects from where the selection began to a position.
func (t *Terminal) selectTo(at fyne.Position) {
	t.locked(func() {
		end := t.around(t.placeOf(at), t.edgeOf(at))
		t.selected = t.anchor
		if end.From.Before(t.selected.From) {
			t.selected.From = end.From
		}
		if t.selected.To.Before(end.To) {
			t.selected.To = end.To
		}
	})
	t.draw()
}

// around is what a place stands for: itself, a word or a row.
func (t *Terminal) around(cell, edge screen.Place) screen.Span {
	switch t.grain {
	case byWord:
		return t.screen.Word(cell)
	case byRow:
		return t.screen.Row(cell)
	}
	return screen.Span{From: edge, To: edge}
}

// edgeOf is the edge between two cells that is nearest to a position.
func (t *Terminal) edgeOf(at fyne.Position) screen.Place {
	g := t.measures()
	p := t.placeOf(at)
	cols, _ := t.screen.Size()
	half := float32(g.width) / 2
	p.Column = min(max(0, int(((at.X-margin)*g.scale+half)/float32(g.width))), cols)
	return p
}

// Selected is the text that is selected, "" for none.
func (t *Terminal) Selected() (text string) {
	t.locked(func() {
		if !t.selected.Empty() {
			text = t.screen.Text(t.selected)
		}
	})
	return text
}

// SelectAll selects everything that is kept.
func (t *Terminal) SelectAll() {
	t.locked(func() { t.selected = t.screen.All() })
	t.draw()
}

// Copy puts what is selected into the clipboard.
func (t *Terminal) Copy() {
	if text := t.Selected(); text != "" {
		t.options.Clipboard.SetContent(text)
	}
}

// Paste types what is in the clipboard.
func (t *Terminal) Paste() { t.Type(t.options.Clipboard.Content()) }

// Type hands a text to the program as one that was pasted.
func (t *Terminal) Type(text string) {
	said := ""
	t.locked(func() { said = t.screen.Paste(text) })
	if text != "" {
		t.said(said)
	}
}
