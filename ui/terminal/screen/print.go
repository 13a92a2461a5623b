package screen

// printPlain writes characters of ASCII.
func (s *Screen) printPlain(p []byte) {
	s.last = rune(p[len(p)-1])
	if s.cursor.charsets[s.cursor.shift] == '0' || s.modes.insert {
		for _, b := range p {
			s.put(s.mapped(rune(b)), 1)
		}
		return
	}
	for len(p) > 0 {
		if s.cursor.beyond {
			s.wrap()
		}
		c := &s.cursor
		n := min(len(p), s.cols-c.x)
		l := s.line(c.y)
		l.split(c.x)
		l.split(c.x + n)
		cells := l.cells[c.x : c.x+n]
		cell := c.pen
		for i := range cells {
			cell.Rune = rune(p[i])
			cells[i] = cell
		}
		p = p[n:]
		if c.x += n; c.x < s.cols {
			continue
		}
		c.x = s.cols - 1
		if c.beyond = s.modes.wrap; !c.beyond && len(p) > 0 {
			p = p[len(p)-1:] // all the others are written over
		}
	}
}

// print writes any other character.
func (s *Screen) print(r rune) {
	switch w := s.widths.RuneWidth(r); w {
	case 0:
		s.combine(r)
	default:
		s.last = r
		s.put(r, w)
	}
}

func (s *Screen) put(r rune, width int) {
	c := &s.cursor
	if c.beyond {
		s.wrap()
	}
	if width > s.cols {
		return
	}
	if c.x+width > s.cols {
		if s.modes.wrap {
			s.wrap()
		} else {
			c.x = s.cols - width
		}
	}
	l := s.line(c.y)
	if s.modes.insert {
		s.insertCells(width)
	}
	l.split(c.x)
	l.split(c.x + width)
	cell := c.pen
	cell.Rune = r
	if width == 2 {
		cell.Attr |= Wide
		tail := c.pen
		tail.Attr |= Tail
		l.cells[c.x+1] = tail
	}
	l.cells[c.x] = cell
	if c.x += width; c.x >= s.cols {
		c.x, c.beyond = s.cols-1, s.modes.wrap
	}
}

// mostMarks bounds what stands over one character, and how many different
// such heaps are known.
const mostMarks, mostKnown = 32, 60000

// combine writes a character over the one before, wherever that came from.
func (s *Screen) combine(r rune) {
	x := s.cursor.x
	if !s.cursor.beyond {
		x--
	}
	cells := s.line(s.cursor.y).cells
	if x > 0 && cells[x].Attr&Tail != 0 {
		x--
	}
	if x < 0 || cells[x].Rune == 0 {
		return
	}
	all := s.marks[cells[x].marks] + string(r)
	id, ok := s.known[all]
	if !ok {
		if len(all) > mostMarks || len(s.marks) > mostKnown {
			return
		}
		id = uint16(len(s.marks))
		s.marks = append(s.marks, all)
		s.known[all] = id
	}
	cells[x].marks = id
}

// wrap goes to the start of the next line, where the text goes on.
func (s *Screen) wrap() {
	s.line(s.cursor.y).wrapped = true
	s.cursor.x, s.cursor.beyond = 0, false
	s.down()
}

// down goes to the next line; at the end of the region the lines move up.
func (s *Screen) down() {
	c := &s.cursor
	switch {
	case c.y == s.bottom-1:
		s.scrollUp(s.top, 1)
	case c.y < s.rows-1:
		c.y++
	}
}

// up goes to the line before; at the start of the region the lines move down.
func (s *Screen) up() {
	c := &s.cursor
	switch {
	case c.y == s.top:
		s.scrollDown(s.top, 1)
	case c.y > 0:
		c.y--
	}
}

// line is a line of the screen that is about to be changed.
func (s *Screen) line(y int) *line {
	l := s.lines[y]
	if len(l.cells) != s.cols {
		l.fit(s.cols)
	}
	return l
}

// blank is a cell that nothing was written in.
func (s *Screen) blank() Cell { return Cell{Bg: s.cursor.pen.Bg} }

// scrollUp moves the lines from one to the end of the region up.
func (s *Screen) scrollUp(from, n int) {
	for range min(n, s.bottom-from) {
		l := s.lines[from]
		if from == 0 && !s.Alternate() {
			l = s.history.push(l)
		}
		copy(s.lines[from:s.bottom-1], s.lines[from+1:s.bottom])
		s.lines[s.bottom-1] = s.emptied(l)
	}
}

// scrollDown moves the lines from one to the end of the region down.
func (s *Screen) scrollDown(from, n int) {
	for range min(n, s.bottom-from) {
		l := s.lines[s.bottom-1]
		copy(s.lines[from+1:s.bottom], s.lines[from:s.bottom-1])
		s.lines[from] = s.emptied(l)
	}
}

// emptied is an empty line, made of one that is not needed any more.
func (s *Screen) emptied(l *line) *line {
	if l == nil {
		l = &line{cells: make([]Cell, s.cols)}
	}
	l.fit(s.cols)
	l.wrapped = false
	l.fill(0, s.cols, s.blank())
	return l
}

// insertCells makes room at the cursor.
func (s *Screen) insertCells(n int) {
	l, x := s.line(s.cursor.y), s.cursor.x
	n = min(n, s.cols-x)
	l.split(x)
	l.split(s.cols - n)
	copy(l.cells[x+n:], l.cells[x:])
	l.fill(x, x+n, s.blank())
}

// deleteCells takes cells away at the cursor.
func (s *Screen) deleteCells(n int) {
	l, x := s.line(s.cursor.y), s.cursor.x
	n = min(n, s.cols-x)
	l.split(x)
	l.split(x + n)
	copy(l.cells[x:], l.cells[x+n:])
	l.fill(s.cols-n, s.cols, s.blank())
}

// mapped is the character that is meant in the chosen set: the set 0 has lines
// and corners in the place of small letters.
func (s *Screen) mapped(r rune) rune {
	if s.cursor.charsets[s.cursor.shift] == '0' && r >= '_' && r <= '~' {
		return []rune("\u00a0◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")[r-'_']
	}
	return r
}
