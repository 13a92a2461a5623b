package screen

import (
	"image/color"
	"strings"

	"github.com/mattn/go-runewidth"
)

// Scrollback is how many lines are kept above the screen unless somebody says
// otherwise.
const Scrollback = 2000

// Screen is a terminal's screen with what went up out of it. Only one
// goroutine may use it at a time.
type Screen struct {
	// Foreground and Background are what a program is told when it asks for
	// the terminal's colours.
	Foreground, Background color.NRGBA

	cols, rows int
	main, alt  grid
	*grid      // the one that is shown
	history    history
	modes      modes
	tabs       []bool
	last       rune // printed, for REP
	marks      []string
	known      map[string]uint16
	widths     *runewidth.Condition
	answers    []byte
	bells      int
	parser
}

// grid is the main screen or the alternate one.
type grid struct {
	lines       []*line
	cursor      cursor
	saved       cursor
	top, bottom int // the lines that scroll, without bottom
}

// cursor is where the next character goes, and how it is written.
type cursor struct {
	x, y     int
	beyond   bool // the last column was written: the next character goes into the next line
	pen      Cell
	charsets [2]byte // G0 and G1, by the letter that chooses them
	shift    int     // which of them is in use
	origin   bool    // lines are counted from the region that scrolls
}

// New makes an empty screen of at least one cell.
func New(cols, rows int) *Screen {
	s := &Screen{
		cols: max(1, cols), rows: max(1, rows), history: history{limit: Scrollback},
		marks: []string{""}, known: map[string]uint16{}, widths: &runewidth.Condition{StrictEmojiNeutral: true},
	}
	s.reset()
	return s
}

func (s *Screen) reset() {
	s.main, s.alt = s.newGrid(), s.newGrid()
	s.grid = &s.main
	s.modes = modes{wrap: true, cursor: true}
	s.resetTabs()
}

func (s *Screen) newGrid() grid {
	g := grid{bottom: s.rows}
	for range s.rows {
		g.lines = append(g.lines, &line{cells: make([]Cell, s.cols)})
	}
	return g
}

func (s *Screen) resetTabs() {
	s.tabs = make([]bool, s.cols)
	for x := 0; x < s.cols; x += 8 {
		s.tabs[x] = true
	}
}

// SetScrollback says how many lines are kept above the screen.
func (s *Screen) SetScrollback(lines int) { s.history.bound(max(0, lines)) }

// Size is how many columns and rows there are.
func (s *Screen) Size() (cols, rows int) { return s.cols, s.rows }

// Resize changes the size. Nothing that stands on the main screen is lost:
// what no longer fits goes up out of it, and comes back when there is room.
func (s *Screen) Resize(cols, rows int) {
	cols, rows = max(1, cols), max(1, rows)
	if cols == s.cols && rows == s.rows {
		return
	}
	s.main.setRows(rows, cols, &s.history)
	s.alt.setRows(rows, cols, nil)
	s.cols, s.rows = cols, rows
	for _, g := range []*grid{&s.main, &s.alt} {
		g.top, g.bottom = 0, rows
		for _, c := range []*cursor{&g.cursor, &g.saved} {
			if c.x >= cols {
				c.x, c.beyond = cols-1, false
			} else if c.beyond && c.x < cols-1 {
				c.x, c.beyond = c.x+1, false
			}
			c.y = min(c.y, rows-1)
		}
	}
	s.resetTabs()
}

// setRows makes a grid higher or lower, with the cursor in it.
func (g *grid) setRows(rows, cols int, up *history) {
	for len(g.lines) > rows && len(g.lines)-1 > g.cursor.y && g.lines[len(g.lines)-1].empty() {
		g.lines = g.lines[:len(g.lines)-1]
	}
	for len(g.lines) > rows && g.cursor.y >= rows {
		if up != nil {
			up.push(g.lines[0])
		}
		g.lines = append([]*line{}, g.lines[1:]...)
		g.move(-1)
	}
	g.lines = g.lines[:min(len(g.lines), rows)]
	for up != nil && len(g.lines) < rows && up.len() > 0 {
		g.lines = append([]*line{up.pop()}, g.lines...)
		g.move(1)
	}
	for len(g.lines) < rows {
		g.lines = append(g.lines, &line{cells: make([]Cell, cols)})
	}
}

// move keeps the cursors at their text when that moves.
func (g *grid) move(by int) {
	g.cursor.y += by
	g.saved.y = max(0, g.saved.y+by)
}

func (l *line) empty() bool {
	for _, c := range l.cells {
		if c != (Cell{}) {
			return false
		}
	}
	return true
}

// First is the number of the oldest line that is kept. Each line keeps its
// number as long as it is there.
func (s *Screen) First() int {
	if s.Alternate() {
		return s.Top()
	}
	return s.history.gone
}

// Top is the number of the screen's first line.
func (s *Screen) Top() int { return s.history.gone + s.history.len() }

// Line gives the cells of a line by its number; they are at most as many as
// the screen is wide, and good until the screen changes. It is nil for a line
// that is not there.
func (s *Screen) Line(number int) []Cell {
	if l := s.at(number); l != nil {
		return l.cells[:min(len(l.cells), s.cols)]
	}
	return nil
}

func (s *Screen) at(number int) *line {
	i := number - s.history.gone
	switch {
	case number < s.First() || number >= s.Top()+s.rows:
		return nil
	case i < s.history.len():
		return s.history.at(i)
	}
	return s.lines[i-s.history.len()]
}

// Alternate tells whether a program has the whole screen to itself: then there
// is nothing above it.
func (s *Screen) Alternate() bool { return s.grid == &s.alt }

// Cursor is where the cursor is on the screen, and whether it is to be seen.
func (s *Screen) Cursor() (x, y int, visible bool) { return s.cursor.x, s.cursor.y, s.modes.cursor }

// Shape is what the cursor looks like.
type Shape int

const (
	Block Shape = iota
	Underscore
	Bar
)

// Shape is what the program wants the cursor to look like.
func (s *Screen) Shape() Shape { return s.modes.shape }

// Inverted tells whether the whole screen has its two colours exchanged.
func (s *Screen) Inverted() bool { return s.modes.inverted }

// Bells counts how often the bell was rung.
func (s *Screen) Bells() int { return s.bells }

// Marks are the combining characters of a cell, "" for none.
func (s *Screen) Marks(c Cell) string { return s.marks[c.marks] }

// Answers takes what the program is to be told because it asked.
func (s *Screen) Answers() []byte {
	a := s.answers
	s.answers = nil
	return a
}

// mostAnswers bounds what waits for a program that asks and never reads.
const mostAnswers = 64 << 10

func (s *Screen) answer(text string) {
	if len(s.answers) < mostAnswers {
		s.answers = append(s.answers, text...)
	}
}

// String is the text of the screen, without what went out of it: a line each,
// without the blanks at their ends, nor empty lines at the end.
func (s *Screen) String() string {
	var lines []string
	for y := range s.rows {
		lines = append(lines, s.text(s.Line(s.Top()+y)))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// text is what stands in cells, without the blanks at the end.
func (s *Screen) text(cells []Cell) string {
	var b strings.Builder
	for _, c := range cells {
		switch {
		case c.Attr&Tail != 0:
		case c.Rune == 0:
			b.WriteByte(' ')
		default:
			b.WriteRune(c.Rune)
			b.WriteString(s.marks[c.marks])
		}
	}
	return strings.TrimRight(b.String(), " ")
}
