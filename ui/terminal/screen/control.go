package screen

import (
	"fmt"
	"image/color"
	"strings"
)

// execute does what a control character says.
func (s *Screen) execute(b byte) {
	c := &s.cursor
	switch b {
	case 0x07:
		s.bells++
	case '\b':
		s.move(-1, 0)
	case '\t':
		s.tab(1)
	case '\n', '\v', '\f':
		c.beyond = false
		s.down()
		if s.modes.newline {
			c.x = 0
		}
	case '\r':
		c.x, c.beyond = 0, false
	case 0x0e, 0x0f:
		c.shift = int(0x0f - b)
	case 0x1b:
		s.begin()
	}
}

// escaped does what ESC and one more character say.
func (s *Screen) escaped(b byte) {
	switch b {
	case '7':
		s.saved = s.cursor
	case '8':
		s.restore()
	case 'D', 'E':
		s.cursor.beyond = false
		s.down()
		if b == 'E' {
			s.cursor.x = 0
		}
	case 'M':
		s.cursor.beyond = false
		s.up()
	case 'H':
		s.tabs[s.cursor.x] = true
	case 'c':
		s.reset()
	case '=', '>':
		s.modes.keypad = b == '='
	}
}

func (s *Screen) restore() {
	s.cursor = s.saved
	s.cursor.x, s.cursor.y = min(s.cursor.x, s.cols-1), min(s.cursor.y, s.rows-1)
}

// designate chooses a character set, or fills the screen to adjust it by.
func (s *Screen) designate(middle, final byte) {
	switch {
	case middle == '(' || middle == ')':
		s.cursor.charsets[middle-'('] = final
	case middle == '#' && final == '8':
		s.top, s.bottom = 0, s.rows
		s.place(0, 0)
		for y := range s.rows {
			s.line(y).fill(0, s.cols, Cell{Rune: 'E'})
		}
	}
}

// place puts the cursor somewhere on the screen.
func (s *Screen) place(x, y int) {
	s.cursor.x, s.cursor.y = min(max(0, x), s.cols-1), min(max(0, y), s.rows-1)
	s.cursor.beyond = false
}

// goTo puts it where a program says, counted from the region when asked to.
func (s *Screen) goTo(x, y int) {
	if s.cursor.origin {
		y = min(max(s.top, s.top+y), s.bottom-1)
	}
	s.place(x, y)
}

// move moves the cursor; inside the region it stays there.
func (s *Screen) move(dx, dy int) {
	least, most := 0, s.rows-1
	if y := s.cursor.y; y >= s.top && y < s.bottom {
		least, most = s.top, s.bottom-1
	}
	s.place(s.cursor.x+dx, min(max(least, s.cursor.y+dy), most))
}

// tab goes to the nth tabulator from here, to the left when it is negative.
func (s *Screen) tab(n int) {
	step := 1
	if n < 0 {
		step, n = -1, -n
	}
	x := s.cursor.x
	for n > 0 && x+step >= 0 && x+step < s.cols {
		if x += step; s.tabs[x] {
			n--
		}
	}
	s.cursor.x, s.cursor.beyond = x, false
}

// sequence does what a control sequence says. What is not known, such as the
// keyboard protocols of other terminals, changes nothing.
func (s *Screen) sequence(final byte) {
	switch {
	case s.prefix == 0 && s.middle == 0:
		s.plain(final)
	case s.prefix == '?' && s.middle == 0:
		s.private(final)
	case s.prefix == '?' && s.middle == '$' && final == 'p':
		mode := s.number(0, 0)
		s.answer(fmt.Sprintf("\x1b[?%d;%d$y", mode, s.modes.report(mode, s)))
	case s.prefix == '>' && s.middle == 0 && final == 'c' && s.number(0, 0) == 0:
		s.answer("\x1b[>1;10;0c")
	case s.prefix == 0 && s.middle == ' ' && final == 'q':
		s.modes.shape = Shape(max(0, s.number(0, 1)-1) / 2 % 3)
	case s.prefix == 0 && s.middle == '!' && final == 'p':
		s.softReset()
	}
}

func (s *Screen) softReset() {
	s.top, s.bottom = 0, s.rows
	s.cursor.pen, s.cursor.charsets, s.cursor.shift, s.cursor.origin = Cell{}, [2]byte{}, 0, false
	s.modes.insert, s.modes.wrap, s.modes.cursor, s.modes.arrows, s.modes.keypad = false, true, true, false, false
}

func (s *Screen) plain(final byte) {
	n := s.number(0, 1)
	c := &s.cursor
	switch final {
	case 'A':
		s.move(0, -n)
	case 'B', 'e':
		s.move(0, n)
	case 'C', 'a':
		s.move(n, 0)
	case 'D':
		s.move(-n, 0)
	case 'E', 'F':
		if final == 'F' {
			n = -n
		}
		s.move(0, n)
		c.x = 0
	case 'G', '`':
		s.place(n-1, c.y)
	case 'H', 'f':
		s.goTo(s.number(1, 1)-1, n-1)
	case 'd':
		s.goTo(c.x, n-1)
	case 'I':
		s.tab(n)
	case 'Z':
		s.tab(-n)
	case 'g':
		switch s.number(0, 0) {
		case 0:
			s.tabs[c.x] = false
		case 3:
			clear(s.tabs)
		}
	case 'h', 'l':
		s.setModes(final == 'h')
	case 'm':
		s.paint()
	case 'r':
		s.region()
	case 's':
		s.saved = s.cursor
	case 'u':
		s.restore()
	default:
		s.edit(final, n)
		s.report(final)
	}
}

// region sets the lines that scroll.
func (s *Screen) region() {
	top, bottom := s.number(0, 1)-1, min(s.number(1, s.rows), s.rows)
	if top < bottom-1 {
		s.top, s.bottom = top, bottom
		s.goTo(0, 0)
	}
}

// edit changes what stands on the screen.
func (s *Screen) edit(final byte, n int) {
	c := &s.cursor
	inside := c.y >= s.top && c.y < s.bottom
	switch final {
	case '@':
		c.beyond = false
		s.insertCells(n)
	case 'P':
		c.beyond = false
		s.deleteCells(n)
	case 'X':
		c.beyond = false
		s.line(c.y).fill(c.x, min(s.cols, c.x+n), s.blank())
	case 'J':
		s.erase(s.number(0, 0))
	case 'K':
		s.eraseLine(s.number(0, 0))
	case 'L':
		if inside {
			s.scrollDown(c.y, n)
			c.x, c.beyond = 0, false
		}
	case 'M':
		if inside {
			s.deleteLines(n)
			c.x, c.beyond = 0, false
		}
	case 'S':
		s.scrollUp(s.top, n)
	case 'T':
		s.scrollDown(s.top, n)
	case 'b':
		if s.last != 0 {
			for range min(n, s.cols) {
				s.put(s.mapped(s.last), max(1, s.widths.RuneWidth(s.last)))
			}
		}
	}
}

// deleteLines takes lines away at the cursor; unlike those that scroll they
// are gone.
func (s *Screen) deleteLines(n int) {
	from := s.cursor.y
	for range min(n, s.bottom-from) {
		l := s.lines[from]
		copy(s.lines[from:s.bottom-1], s.lines[from+1:s.bottom])
		s.lines[s.bottom-1] = s.emptied(l)
	}
}

func (s *Screen) erase(what int) {
	c := &s.cursor
	from, to := 0, s.rows
	switch what {
	case 0:
		s.eraseLine(0)
		from = c.y + 1
	case 1:
		s.eraseLine(1)
		to = c.y
	case 2:
		c.beyond = false
	case 3:
		s.history.clear()
		return
	default:
		return
	}
	for y := from; y < to; y++ {
		s.emptied(s.lines[y])
	}
}

func (s *Screen) eraseLine(what int) {
	c := &s.cursor
	l := s.line(c.y)
	switch what {
	case 0:
		l.fill(c.x, s.cols, s.blank())
		l.wrapped = false
	case 1:
		l.fill(0, c.x+1, s.blank())
	case 2:
		s.emptied(l)
	default:
		return
	}
	c.beyond = false
}

// report answers what a program asks for.
func (s *Screen) report(final byte) {
	c := &s.cursor
	switch asked := s.number(0, 0); {
	case final == 'c' && asked == 0:
		s.answer("\x1b[?62;22c")
	case final == 'n' && asked == 5:
		s.answer("\x1b[0n")
	case final == 'n' && asked == 6:
		y := c.y
		if c.origin {
			y -= s.top
		}
		s.answer(fmt.Sprintf("\x1b[%d;%dR", y+1, c.x+1))
	case final == 't' && asked == 18:
		s.answer(fmt.Sprintf("\x1b[8;%d;%dt", s.rows, s.cols))
	}
}

// command does what an operating system command says: only the questions for
// the terminal's colours are answered.
func (s *Screen) command(text string) {
	for _, c := range []struct {
		question string
		color    color.NRGBA
	}{{"10;?", s.Foreground}, {"11;?", s.Background}} {
		if text == c.question {
			number, _, _ := strings.Cut(text, ";")
			r, g, b := int(c.color.R), int(c.color.G), int(c.color.B)
			s.answer(fmt.Sprintf("\x1b]%s;rgb:%02x%02x/%02x%02x/%02x%02x\x1b\\", number, r, r, g, g, b, b))
		}
	}
}
