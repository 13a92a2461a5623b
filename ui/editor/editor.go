// Package editor is a widget for a text file: line numbers, colours, a caret,
// a selection, undo. It holds millions of lines, of which only those in view
// are drawn, and gives the text back byte for byte where nothing was changed.
// It reads and writes no file.
package editor

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// Span is a piece of a line in one colour.
type Span struct {
	Length int // in bytes
	Color  fyne.ThemeColorName
}

// Editor is a text that can be read and changed. It belongs to the window's
// goroutine.
type Editor struct {
	widget.BaseWidget

	// OnChanged is called after each change of the text.
	OnChanged func()
	// OnEscape is called for the Escape key.
	OnEscape func()
	// OnShortcut gets the shortcuts that mean nothing in a text.
	OnShortcut func(fyne.Shortcut)
	// OnMenu is called for the other mouse button.
	OnMenu func(at fyne.Position)

	text     *buffer
	readOnly bool
	colors   map[int][]Span // of the lines that have some

	caret  place
	anchor place   // the other end of the selection
	column float32 // the caret goes up and down in; below 0: where it is

	offset  fyne.Position // of the view in the text, in pixels
	centred bool          // the line of the caret is to be in the middle of it
	focused bool
	shift   bool
	tapped  time.Time // last, and how often in a row
	taps    int
	now     func() time.Time
	view    *view

	measured float32   // the text size that cell is for
	cell     fyne.Size // of a letter
}

// New makes an editor with a text.
func New(text string) *Editor {
	e := &Editor{text: newBuffer(text), column: -1, now: time.Now}
	e.ExtendBaseWidget(e)
	return e
}

// Text is the whole text.
func (e *Editor) Text() string { return e.text.text() }

// Set shows another text, as saved. The caret and the view stay, as far as
// there are lines.
func (e *Editor) Set(text string) {
	e.text, e.colors = newBuffer(text), nil
	e.caret = e.nearest(e.caret)
	e.anchor = e.caret
	e.Refresh()
}

// nearest is a place as far as it is in the text.
func (e *Editor) nearest(p place) place {
	p.line = min(p.line, len(e.text.lines)-1)
	line := e.text.lines[p.line]
	if p.at >= len(line) {
		return place{p.line, len(line)}
	}
	return place{p.line, placeAt(line, float32(columnOf(line, p.at)))}
}

// Changed reports whether the text is another than when it was made, set or
// saved.
func (e *Editor) Changed() bool { return e.text.changed() }

// Saved says that the text is kept as it is now.
func (e *Editor) Saved() { e.text.saved = len(e.text.done) }

// SetReadOnly says whether the text can only be read.
func (e *Editor) SetReadOnly(on bool) {
	e.readOnly = on
	e.Refresh()
}

// ReadOnly reports whether the text can only be read.
func (e *Editor) ReadOnly() bool { return e.readOnly }

// Colour shows the text in colours: the pieces of it one after the other,
// line ends included. They stay with their lines until the next call.
func (e *Editor) Colour(text string, spans []Span) {
	e.colors = map[int][]Span{}
	line, at := 0, 0
	for _, s := range spans {
		for rest := text[at:min(len(text), at+s.Length)]; rest != ""; {
			piece, below, more := strings.Cut(rest, "\n")
			if piece != "" {
				e.colors[line] = append(e.colors[line], Span{len(piece), s.Color})
			}
			if more {
				line++
			}
			rest = below
		}
		at += s.Length
	}
	e.Refresh()
}

// GoTo puts the caret at the beginning of a line, from 1, and the line in the
// middle of the view.
func (e *Editor) GoTo(line int) {
	e.caret = place{min(max(1, line), len(e.text.lines)) - 1, 0}
	e.anchor, e.column, e.centred = e.caret, -1, true
	e.Refresh()
}

// Place is the line and the column of the caret, from 1.
func (e *Editor) Place() (line, column int) {
	return e.caret.line + 1, columnOf(e.text.lines[e.caret.line], e.caret.at) + 1
}

// SelectedText is what is selected, with plain line ends.
func (e *Editor) SelectedText() string { return e.text.between(e.selection()) }

// selection is from where to where the text is selected.
func (e *Editor) selection() (from, to place) {
	if e.caret.before(e.anchor) {
		return e.caret, e.anchor
	}
	return e.anchor, e.caret
}

// Insert puts a text in the place of what is selected.
func (e *Editor) Insert(text string) {
	from, to := e.selection()
	e.replace(from, to, strings.ReplaceAll(text, "\r\n", "\n"))
}

func (e *Editor) replace(from, to place, text string) {
	if e.readOnly || from == to && text == "" {
		return
	}
	e.moveColors(from, to, strings.Count(text, "\n"))
	e.caret = e.text.replace(from, to, text, e.caret, e.now())
	e.anchor = e.caret
	e.edited()
}

// moveColors keeps the colours with their lines when a text of some lines is
// replaced. Of the first and the last line, they are those of what is left.
func (e *Editor) moveColors(from, to place, lines int) {
	if e.colors == nil || lines == 0 && from.line == to.line {
		return
	}
	moved := make(map[int][]Span, len(e.colors))
	for n, spans := range e.colors {
		switch {
		case n > to.line, n == to.line && to.at == 0:
			moved[n+lines-(to.line-from.line)] = spans
		case n <= from.line && from.at > 0, n < from.line:
			moved[n] = spans
		}
	}
	e.colors = moved
}

func (e *Editor) edited() {
	e.column = -1
	e.reveal()
	if e.OnChanged != nil {
		e.OnChanged()
	}
}

// Undo takes the last change back.
func (e *Editor) Undo() { e.back(e.text.undo) }

// Redo makes the change again that was taken back last.
func (e *Editor) Redo() { e.back(e.text.redo) }

func (e *Editor) back(step func() (place, bool)) {
	if e.readOnly {
		return
	}
	if caret, ok := step(); ok {
		e.caret = e.nearest(caret)
		e.anchor = e.caret
		e.edited()
	}
}

// move puts the caret somewhere; with extend it takes the selection with it.
func (e *Editor) move(to place, extend bool) {
	e.caret = to
	if !extend {
		e.anchor = to
	}
	e.reveal()
}

// pitch is the height of a line, and advance the width of a column.
func (e *Editor) pitch() float32   { return float32(int(e.letter().Height + 3.5)) }
func (e *Editor) advance() float32 { return e.letter().Width }

// letter is the size of a letter. All have the same, which is measured once.
func (e *Editor) letter() fyne.Size {
	if size := theme.SizeForWidget(tokens.CodeText, e); size != e.measured {
		e.measured, e.cell = size, fyne.MeasureText("0", size, fyne.TextStyle{Monospace: true})
	}
	return e.cell
}

// page is how many lines are in view.
func (e *Editor) page() int { return max(1, int(e.Size().Height/e.pitch())) }

// reveal brings the caret into view, and draws.
func (e *Editor) reveal() {
	e.centred = false
	pitch, size := e.pitch(), e.Size()
	y := float32(e.caret.line) * pitch
	e.offset.Y = max(min(e.offset.Y, y), y+pitch-size.Height+barRoom)
	x := float32(columnOf(e.text.lines[e.caret.line], e.caret.at)) * e.advance()
	room := size.Width - e.gutter() - 3*e.advance()
	e.offset.X = max(min(e.offset.X, max(0, x-2*e.advance())), x-max(0, room))
	e.Refresh()
}

// gutter is how wide the line numbers are.
func (e *Editor) gutter() float32 {
	digits := 2
	for n := len(e.text.lines); n >= 100; n /= 10 {
		digits++
	}
	return float32(digits+2) * e.advance()
}
