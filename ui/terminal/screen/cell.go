package screen

import "slices"

// Cell is one place of the screen.
type Cell struct {
	Rune   rune // 0: nothing was written here
	Fg, Bg Color
	Attr   Attr
	marks  uint16 // what is written over Rune: see Screen.Marks
}

// Attr is how a cell is written, and whether it is a half of a wide character.
type Attr uint16

const (
	Bold Attr = 1 << iota
	Faint
	Italic
	Underline
	DoubleUnderline
	CurlyUnderline
	Blink
	Reverse
	Hidden
	Strike
	Wide // the character takes this cell and the next one
	Tail // the second cell of a wide character
)

const underlines = Underline | DoubleUnderline | CurlyUnderline

// Color is a colour as programs say it. The zero Color is the terminal's own.
type Color uint32

const (
	indexed Color = 1 << 24
	direct  Color = 2 << 24
)

// Indexed is a colour of the palette, from 0 to 255.
func Indexed(i int) Color { return indexed | Color(i&0xff) }

// RGB is a colour by its parts, from 0 to 255.
func RGB(r, g, b int) Color { return direct | Color(r&0xff)<<16 | Color(g&0xff)<<8 | Color(b&0xff) }

// Index is the colour's place in the palette, if it has one.
func (c Color) Index() (i int, ok bool) { return int(c & 0xff), c&^0xff == indexed }

// RGB gives the parts of a colour that is said by them.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c&^0xffffff == direct
}

// line is one line. It may be longer than the screen is wide: what was beyond
// the edge when the screen became narrower comes back when it grows again.
type line struct {
	cells   []Cell
	wrapped bool // the text goes on in the next line
}

// fit makes the line exactly as long as the screen is wide.
func (l *line) fit(cols int) {
	if len(l.cells) < cols {
		l.cells = slices.Grow(l.cells, cols-len(l.cells))
	}
	from := len(l.cells)
	l.cells = l.cells[:cols]
	if from < cols {
		clear(l.cells[from:])
	}
}

// split takes away the wide character that an edge at x would cut in two.
func (l *line) split(x int) {
	if x > 0 && x < len(l.cells) && l.cells[x].Attr&Tail != 0 {
		l.cells[x-1] = Cell{Bg: l.cells[x-1].Bg}
		l.cells[x] = Cell{Bg: l.cells[x].Bg}
	}
}

// fill sets the cells from one place to another.
func (l *line) fill(from, to int, c Cell) {
	l.split(from)
	l.split(to)
	for x := from; x < to; x++ {
		l.cells[x] = c
	}
}

// history are the lines that went up out of the screen, oldest first.
type history struct {
	lines []*line // a ring once it is full
	start int
	limit int
	gone  int // lines that fell out of it
}

func (h *history) len() int { return len(h.lines) }

func (h *history) at(i int) *line { return h.lines[(h.start+i)%len(h.lines)] }

// push adds a line and gives the one that falls out, to be used again.
func (h *history) push(l *line) *line {
	if len(h.lines) < h.limit {
		h.lines = append(h.lines, l)
		return nil
	}
	h.gone++
	if h.limit == 0 {
		return l
	}
	old := h.lines[h.start]
	h.lines[h.start] = l
	h.start = (h.start + 1) % len(h.lines)
	return old
}

// pop takes the newest line back.
func (h *history) pop() *line {
	h.straighten()
	last := len(h.lines) - 1
	l := h.lines[last]
	h.lines = h.lines[:last]
	return l
}

// bound sets how many lines are kept.
func (h *history) bound(limit int) {
	h.straighten()
	h.limit = limit
	if spare := len(h.lines) - limit; spare > 0 {
		h.gone += spare
		h.lines = slices.Clone(h.lines[spare:])
	}
}

func (h *history) straighten() {
	if h.start > 0 {
		h.lines = append(slices.Clone(h.lines[h.start:]), h.lines[:h.start]...)
		h.start = 0
	}
}

func (h *history) clear() {
	h.gone += len(h.lines)
	h.lines, h.start = nil, 0
}
