package screen

// paint sets how the next characters are written (SGR).
func (s *Screen) paint() {
	pen := &s.cursor.pen
	if len(s.params) == 0 {
		*pen = Cell{}
	}
	for i := 0; i < len(s.params); {
		n := 1
		for i+n < len(s.params) && s.params[i+n].sub {
			n++
		}
		i += s.paintOne(pen, max(0, s.params[i].value), i, n)
	}
}

// paintOne does what one parameter says, which has n-1 parts of its own, and
// returns how many it used.
func (s *Screen) paintOne(pen *Cell, code, i, n int) int {
	set := func(off, on Attr) { pen.Attr = pen.Attr&^off | on }
	switch {
	case code == 0:
		*pen = Cell{}
	case code == 1:
		set(0, Bold)
	case code == 2:
		set(0, Faint)
	case code == 3:
		set(0, Italic)
	case code == 4:
		set(underlines, s.underline(i, n))
	case code == 5 || code == 6:
		set(0, Blink)
	case code == 7:
		set(0, Reverse)
	case code == 8:
		set(0, Hidden)
	case code == 9:
		set(0, Strike)
	case code == 21:
		set(underlines, DoubleUnderline)
	case code == 22:
		set(Bold|Faint, 0)
	case code == 23:
		set(Italic, 0)
	case code == 24:
		set(underlines, 0)
	case code == 25:
		set(Blink, 0)
	case code == 27:
		set(Reverse, 0)
	case code == 28:
		set(Hidden, 0)
	case code == 29:
		set(Strike, 0)
	case code >= 30 && code <= 37:
		pen.Fg = Indexed(code - 30)
	case code >= 40 && code <= 47:
		pen.Bg = Indexed(code - 40)
	case code >= 90 && code <= 97:
		pen.Fg = Indexed(code - 90 + 8)
	case code >= 100 && code <= 107:
		pen.Bg = Indexed(code - 100 + 8)
	case code == 39:
		pen.Fg = 0
	case code == 49:
		pen.Bg = 0
	case code == 38 || code == 48 || code == 58:
		color, used, ok := s.color(i, n)
		if ok && code == 38 {
			pen.Fg = color
		} else if ok && code == 48 {
			pen.Bg = color
		}
		return used
	}
	return n
}

func (s *Screen) underline(i, n int) Attr {
	if n == 1 {
		return Underline
	}
	switch s.params[i+1].value {
	case 0:
		return 0
	case 2:
		return DoubleUnderline
	case 3:
		return CurlyUnderline
	}
	return Underline
}

// color reads a colour in either of its forms, with colons or semicolons:
// 38;5;n, 38;2;r;g;b, 38:5:n, 38:2:r:g:b and 38:2:space:r:g:b.
func (s *Screen) color(i, n int) (c Color, used int, ok bool) {
	parts := s.params[i+1:]
	if n > 1 {
		parts = parts[:n-1]
	}
	value := func(k int) int { return max(0, parts[k].value) }
	switch {
	case len(parts) == 0:
		return 0, n, false
	case value(0) == 5 && len(parts) >= 2:
		c, used = Indexed(value(1)), 3
	case value(0) == 2 && n > 5:
		c, used = RGB(value(2), value(3), value(4)), n
	case value(0) == 2 && len(parts) >= 4:
		c, used = RGB(value(1), value(2), value(3)), 5
	default:
		return 0, max(n, len(parts)+1), false
	}
	if n > 1 {
		used = n
	}
	return c, used, true
}
