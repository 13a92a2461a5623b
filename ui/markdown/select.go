package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"github.com/rivo/uniseg"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// selection is a part of the text as copied, in bytes. It survives a text that
// grows, since what is there already keeps its offsets.
type selection struct {
	anchor, head int  // where it was begun, where it is now
	first, last  int  // the unit that it was begun in
	unit         unit // by which it grows
}

type unit uint8

const (
	letterUnit unit = iota
	wordUnit
	blockUnit
)

func (s *selection) bounds() (from, to int) { return min(s.anchor, s.head), max(s.anchor, s.head) }

// Selected returns the selected text.
func (f *Flow) Selected() string {
	from, to := f.bounds()
	var s strings.Builder
	for _, b := range f.blocks {
		s.WriteString(part(b.sep, from-b.start+len(b.sep), to-b.start+len(b.sep)))
		s.WriteString(part(b.text, from-b.start, to-b.start))
	}
	return s.String()
}

func part(s string, from, to int) string {
	from, to = max(0, from), min(len(s), to)
	if from >= to {
		return ""
	}
	return s[from:to]
}

// SelectAll selects all that is shown.
func (f *Flow) SelectAll() { f.selectRange(0, f.length()) }

// Take selects the whole text and takes the keyboard, so that the selection can
// be copied.
func (f *Flow) Take() {
	f.focus()
	f.SelectAll()
}

// Deselect selects nothing.
func (f *Flow) Deselect() { f.selectRange(0, 0) }

func (f *Flow) length() int {
	if len(f.blocks) == 0 {
		return 0
	}
	last := f.blocks[len(f.blocks)-1]
	return last.start + len(last.text)
}

func (f *Flow) selectRange(anchor, head int) {
	if anchor == f.anchor && head == f.head {
		return
	}
	f.anchor, f.head = anchor, head
	f.draw()
}

// clampSelection keeps a selection inside the text, and between letters, after
// the text changed.
func (f *Flow) clampSelection() {
	f.anchor, f.head = f.between(f.anchor), f.between(f.head)
	f.first, f.last = f.between(f.first), f.between(f.last)
}

func (f *Flow) between(at int) int {
	at = min(at, f.length())
	for _, b := range f.blocks {
		for i := at - b.start; i > 0 && i < len(b.text) && !utf8.RuneStart(b.text[i]); i-- {
			at--
		}
	}
	return at
}

// selectionOf returns what shows the selection on lines of a block.
func (f *Flow) selectionOf(b *block, first, end int) []fyne.CanvasObject {
	from, to := f.bounds()
	from, to = from-b.start, to-b.start
	if from >= to || to < 0 || from > len(b.text) {
		return nil
	}
	var objects []fyne.CanvasObject
	for i := first; i < end; i++ {
		l := &b.lines[i]
		if to <= l.start || from > l.end || l.start == l.end && from == l.end {
			continue
		}
		left, right := f.x(l, max(from, l.start)), f.x(l, min(to, l.end))
		if to > l.end {
			right += 4 // the line's end is part of it
		}
		if right > left {
			objects = append(objects, f.rectangle(box{left, l.y, right - left, l.height}, tokens.Selection, 2))
		}
	}
	return objects
}

// x returns where a text offset is on a line.
func (f *Flow) x(l *line, at int) float32 {
	var x float32
	for i, p := range l.pieces {
		if i == 0 || at >= p.end {
			x = p.x
		}
		switch {
		case at >= p.end:
			x = p.x + p.width
		case at > p.start && len(p.text) == p.end-p.start:
			return p.x + f.ruler.metrics(p.face).width(p.text[:at-p.start])
		case at >= p.start:
			return p.x
		}
	}
	return x
}

// hit returns the block at a point, or the nearest one, and the text offset.
func (f *Flow) hit(at fyne.Position) (*block, int) {
	if len(f.blocks) == 0 {
		return nil, 0
	}
	b := f.blocks[len(f.blocks)-1]
	for _, other := range f.blocks {
		if at.Y < other.y+other.height {
			b = other
			break
		}
	}
	l := b.nearest(b.inside(at))
	if l == nil {
		return b, b.start
	}
	return b, b.start + f.offset(l, b.inside(at).X)
}

// inside turns a point of the flow into one among a block's lines.
func (b *block) inside(at fyne.Position) fyne.Position {
	return fyne.NewPos(at.X-b.origin.X+b.scroll, at.Y-b.y-b.origin.Y)
}

// nearest returns the line at a point: of the nearest cell, the nearest line.
func (b *block) nearest(at fyne.Position) *line {
	var best *line
	var least [2]float32
	for i := range b.lines {
		l := &b.lines[i]
		c := l.cell
		cost := [2]float32{
			away(at.X, c.x, c.x+c.w) + away(at.Y, c.y, c.y+c.h),
			away(at.Y, l.y, l.y+l.height),
		}
		if best == nil || cost[0] < least[0] || cost[0] == least[0] && cost[1] < least[1] {
			best, least = l, cost
		}
	}
	return best
}

func away(v, from, to float32) float32 { return max(0, from-v, v-to) }

// offset returns the place between two letters of a line that is nearest to x.
func (f *Flow) offset(l *line, x float32) int {
	for i, p := range l.pieces {
		if x < p.x {
			return p.start
		}
		if x >= p.x+p.width && i+1 < len(l.pieces) {
			next := l.pieces[i+1]
			if x < next.x && x-p.x-p.width < next.x-x {
				return p.end
			}
			continue
		}
		if x >= p.x+p.width {
			return p.end
		}
		if len(p.text) != p.end-p.start { // a marker or a tab
			if x < p.x+p.width/2 {
				return p.start
			}
			return p.end
		}
		return p.start + f.letterAt(p, x-p.x)
	}
	return l.start
}

// letterAt returns the place in a piece that is nearest to x.
func (f *Flow) letterAt(p piece, x float32) int {
	m := f.ruler.metrics(p.face)
	var left float32
	for i := 0; i < len(p.text); {
		end := i + firstLetter(p.text[i:])
		right := m.width(p.text[:end])
		if x < (left+right)/2 {
			return i
		}
		left, i = right, end
	}
	return len(p.text)
}

// firstLetter returns the length of what a person takes for the first letter
// of s: an emoji of seven code points is one.
func firstLetter(s string) int {
	if s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80) {
		return 1
	}
	letter, _, _, _ := uniseg.FirstGraphemeClusterInString(s, -1)
	return len(letter)
}

// unitAt returns the bounds of the unit around an offset.
func (f *Flow) unitAt(b *block, at int, u unit) (from, to int) {
	switch u {
	case wordUnit:
		from, to = word(b.text, at-b.start)
		return b.start + from, b.start + to
	case blockUnit:
		from = b.start + b.prefix
		if b.kind == code || b.kind == table { // a line of it
			from = b.start + strings.LastIndexByte(b.text[:at-b.start], '\n') + 1
			if end := strings.IndexByte(b.text[at-b.start:], '\n'); end >= 0 {
				return from, at + end
			}
		}
		return from, b.start + len(b.text)
	}
	return at, at
}

// word returns the word around an offset, or the blanks or the sign there.
func word(s string, at int) (from, to int) {
	class := func(r rune) int {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '_', unicode.IsMark(r):
			return 1
		case unicode.IsSpace(r):
			return 2
		}
		return 3
	}
	at = min(max(0, at), len(s))
	r, _ := utf8.DecodeRuneInString(s[at:])
	if at == len(s) {
		r, _ = utf8.DecodeLastRuneInString(s)
	}
	kind := class(r)
	for from = at; from > 0; {
		r, n := utf8.DecodeLastRuneInString(s[:from])
		if class(r) != kind || kind == 3 && from < at {
			break
		}
		from -= n
	}
	for to = at; to < len(s); {
		r, n := utf8.DecodeRuneInString(s[to:])
		if class(r) != kind || kind == 3 && to > at {
			break
		}
		to += n
	}
	if kind == 3 && to > at {
		from = at
	}
	return from, to
}
