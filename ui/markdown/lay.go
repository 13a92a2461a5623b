package markdown

import (
	"cmp"
	"math"
	"strings"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	heading     = 26 // of a code panel
	codeMargin  = 12
	codeHeight  = 1.55 // of the text size
	tabWidth    = 4
	longest     = 200 // letters of one piece of code
	cellMarginX = 10
	cellMarginY = 6
	columnLeast = 120 // a column is not squeezed below, unless its text is shorter
)

// sizes are the text sizes that a text is laid out in.
type sizes struct{ body, code, small float32 }

// layout lays a block out at some width.
type layout struct {
	ruler *ruler
	sizes sizes
	bare  bool   // code without heading and frame
	label string // of the button of a code panel
}

func (l *layout) block(b *block, width float32) {
	b.laid = laid{width: width}
	switch b.kind {
	case prose, more:
		l.prose(b)
	case code:
		l.code(b)
	case table:
		l.table(b)
	case rule:
		b.height = 9
		b.frame = box{b.indent, 4, width - b.indent, 1}
	}
}

func (l *layout) prose(b *block) {
	p := &paragraph{
		ruler: l.ruler, runs: b.runs, size: l.sizes.body * b.scale, color: b.color(),
		x: b.indent, width: max(1, b.width-b.indent), start: b.prefix,
	}
	b.lines = p.lines()
	last := b.lines[len(b.lines)-1]
	b.height = last.y + last.height
	if b.prefix > 0 {
		first := &b.lines[0]
		first.start = 0
		f := face{size: l.sizes.body}
		first.pieces = append([]piece{{
			text: b.marker.text, end: b.prefix, x: b.marker.x, face: f, color: tokens.Muted,
			width: l.ruler.metrics(f).width(b.marker.text),
		}}, first.pieces...)
	}
	for i := range b.lines {
		b.lines[i].cell = box{0, 0, b.width, b.height}
	}
}

// code lays out a panel with one line for each of the source's.
func (l *layout) code(b *block) {
	m := l.ruler.metrics(face{size: l.sizes.code, mono: true})
	height := float32(math.Round(float64(l.sizes.code * codeHeight)))
	b.frame = box{b.indent, 0, max(40, b.width-b.indent), 0}
	top := float32(4)
	if !l.bare {
		b.origin.Y = heading
		top = 0
		wide := l.ruler.metrics(face{size: l.sizes.small}).width(l.label) + 2*codeMargin
		b.copy = box{b.frame.x + b.frame.w - wide, 0, wide, heading}
	}
	b.origin.X = b.frame.x

	colors := &colors{spans: b.spans}
	gutter := l.gutter(b, m)
	y, at, n := top, 0, 0
	for text := range strings.SplitSeq(b.text, "\n") {
		ln := line{y: y, height: height, start: at, end: at + len(text)}
		ln.base = float32(math.Round(float64((height-m.ascent*1.25)/2 + m.ascent)))
		if b.given != nil {
			own := &b.given[n]
			ln.back = own.Back
			colors.spans, colors.used = own.spans(), 0
			if own.Gutter != "" {
				ln.pieces = []piece{{
					text: own.Gutter, start: at, end: at, x: codeMargin, face: m.face,
					width: m.width(own.Gutter), color: tokens.Faint,
				}}
			}
		}
		ln.pieces = append(ln.pieces, l.codeLine(m, text, at, codeMargin+gutter, colors)...)
		colors.skip(1)
		n++
		if b.lang == "diff" && text != "" {
			ln.back = map[byte]fyne.ThemeColorName{'+': tokens.DiffAdded, '-': tokens.DiffRemoved}[text[0]]
		}
		if n := len(ln.pieces); n > 0 {
			b.inner.Width = max(b.inner.Width, ln.pieces[n-1].x+ln.pieces[n-1].width+codeMargin)
		}
		b.lines = append(b.lines, ln)
		y, at = y+height, at+len(text)+1
	}
	l.fit(b, y+8)
}

// gutter is the room for what stands before lines.
func (l *layout) gutter(b *block, m *metrics) (width float32) {
	for _, own := range b.given {
		width = max(width, m.width(own.Gutter))
	}
	return width
}

// codeLine cuts one line at colours and tabs, and long ones in parts that can
// be drawn.
func (l *layout) codeLine(m *metrics, text string, at int, x float32, colors *colors) []piece {
	var pieces []piece
	column := 0
	for text != "" {
		n, span := colors.next(len(text))
		pc := piece{start: at, x: x, face: m.face, color: cmp.Or(span.color, tokens.Text), back: span.back}
		if text[0] == '\t' {
			n = 1
			stop := tabWidth - column%tabWidth
			pc.width, column = float32(stop)*m.advance, column+stop
		} else {
			if tab := strings.IndexByte(text[:n], '\t'); tab > 0 {
				n = tab
			}
			n = letters(text[:n], longest)
			pc.text = text[:n]
			pc.width = m.width(pc.text)
			column += int(math.Round(float64(pc.width / m.advance)))
		}
		pc.end = at + n
		pieces = append(pieces, pc)
		text, at, x = text[n:], pc.end, x+pc.width
		colors.skip(n)
	}
	return pieces
}

// colors walks along the spans of a code.
type colors struct {
	spans []span
	used  int // of the first
}

// next returns how many of the next n bytes are in the same colour, and which.
func (c *colors) next(n int) (int, span) {
	if len(c.spans) == 0 {
		return n, span{}
	}
	first := c.spans[0]
	return min(n, first.length-c.used), first
}

func (c *colors) skip(n int) {
	c.used += n
	for len(c.spans) > 0 && c.used >= c.spans[0].length {
		c.used -= c.spans[0].length
		c.spans = c.spans[1:]
	}
}

// letters returns where the first count letters of s end, at least one.
func letters(s string, count int) int {
	for i := range s {
		if count == 0 {
			return i
		}
		count--
	}
	return len(s)
}

// fit ends a panel whose content is so high.
func (l *layout) fit(b *block, height float32) {
	b.inner.Height = height
	if b.inner.Width > b.frame.w {
		b.inner.Height += 4 // for the scroll bar
	}
	b.frame.h = b.origin.Y + b.inner.Height
	b.height = b.frame.h
	for i := range b.lines {
		if b.lines[i].cell == (box{}) {
			b.lines[i].cell = box{0, 0, max(b.inner.Width, b.frame.w), b.inner.Height}
		}
	}
}

// table lays out a grid. Columns share the width as they need it; a table
// that cannot be squeezed into it scrolls.
func (l *layout) table(b *block) {
	columns := l.columns(b)
	b.origin.X = b.indent
	y, at := float32(0), 0
	for i, row := range b.rows {
		x, height := float32(0), float32(0)
		first := len(b.lines)
		for k, cell := range row {
			p := &paragraph{
				ruler: l.ruler, runs: cell.runs, size: l.sizes.body, color: b.color(),
				x: x + cellMarginX, y: y + cellMarginY, width: columns[k] - 2*cellMarginX, start: at,
			}
			lines := p.lines()
			align(lines, b.aligns[k], p.x, p.width)
			for j := range lines {
				lines[j].cell = box{x, y, columns[k], 0}
			}
			last := lines[len(lines)-1]
			height = max(height, last.y+last.height+cellMarginY-y)
			b.lines = append(b.lines, lines...)
			at += len(plain(cell.runs)) + 1
			x += columns[k]
		}
		for j := first; j < len(b.lines); j++ {
			b.lines[j].cell.h = height
		}
		y += height
		if i == 0 {
			b.head = height
		}
		b.grid = append(b.grid, y)
		b.inner.Width = x
	}
	b.frame = box{b.indent, 0, min(b.inner.Width, b.width-b.indent), 0}
	l.fit(b, y)
}

// align moves the lines of a cell to the right or the middle.
func align(lines []line, how fyne.TextAlign, x, width float32) {
	for i := range lines {
		pieces := lines[i].pieces
		if len(pieces) == 0 || how == fyne.TextAlignLeading {
			continue
		}
		last := pieces[len(pieces)-1]
		room := x + width - last.x - last.width
		if how == fyne.TextAlignCenter {
			room /= 2
		}
		for k := range pieces {
			pieces[k].x += max(0, room)
		}
	}
}

// columns returns how wide a table's columns are.
func (l *layout) columns(b *block) []float32 {
	want := make([]float32, len(b.aligns))
	for _, row := range b.rows {
		for k, cell := range row {
			p := &paragraph{ruler: l.ruler, runs: cell.runs, size: l.sizes.body, width: math.MaxFloat32}
			for _, line := range p.lines() {
				if n := len(line.pieces); n > 0 {
					last := line.pieces[n-1]
					want[k] = max(want[k], last.x+last.width)
				}
			}
		}
	}
	for k := range want {
		want[k] = float32(math.Ceil(float64(want[k]))) + 2*cellMarginX + padding
	}
	return share(want, b.width-b.indent)
}

// share squeezes the widest of columns until all fit, but none below
// columnLeast.
func share(want []float32, room float32) []float32 {
	got := append([]float32{}, want...)
	left, open := room, len(want)
	for range want { // each round settles at least one column
		fair := left / float32(max(1, open))
		settled := false
		for k, w := range want {
			if w >= 0 && w <= max(fair, columnLeast) {
				got[k], want[k] = w, -1
				left, open, settled = left-w, open-1, true
			}
		}
		if !settled {
			break
		}
	}
	for k, w := range want {
		if w >= 0 {
			got[k] = max(columnLeast, left/float32(max(1, open)))
		}
	}
	return got
}
