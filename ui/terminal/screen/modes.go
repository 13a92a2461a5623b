package screen

// modes are what a program switched on or off.
type modes struct {
	wrap      bool // after the last column comes the next line
	insert    bool // characters push the others away
	newline   bool // a line feed returns too
	cursor    bool // to be seen
	inverted  bool
	arrows    bool // application cursor keys
	keypad    bool
	paste     bool // pasted text is marked
	focus     bool // the program is told of the focus
	mouse     int  // what it is told of the mouse: 0, 9, 1000, 1002 or 1003
	mouseText bool // and that in its newer form
	shape     Shape
}

// setModes sets modes of the standard.
func (s *Screen) setModes(on bool) {
	for i := range s.params {
		switch s.number(i, 0) {
		case 4:
			s.modes.insert = on
		case 20:
			s.modes.newline = on
		}
	}
}

// flag is a mode that is nothing but switched on or off.
func (m *modes) flag(number int) *bool {
	switch number {
	case 1:
		return &m.arrows
	case 5:
		return &m.inverted
	case 7:
		return &m.wrap
	case 25:
		return &m.cursor
	case 66:
		return &m.keypad
	case 1004:
		return &m.focus
	case 1006:
		return &m.mouseText
	case 2004:
		return &m.paste
	}
	return nil
}

// private does what a sequence with a question mark says.
func (s *Screen) private(final byte) {
	switch final {
	case 'h', 'l':
		for i := range s.params {
			s.setMode(s.number(i, 0), final == 'h')
		}
	case 'J':
		s.erase(s.number(0, 0))
	case 'K':
		s.eraseLine(s.number(0, 0))
	case 'n':
		if s.number(0, 0) == 6 {
			s.report(final)
		}
	}
}

func (s *Screen) setMode(number int, on bool) {
	if flag := s.modes.flag(number); flag != nil {
		*flag = on
		return
	}
	switch number {
	case 6:
		s.cursor.origin = on
		s.goTo(0, 0)
	case 9, 1000, 1002, 1003:
		s.modes.mouse = 0
		if on {
			s.modes.mouse = number
		}
	case 47, 1047:
		s.alternate(on)
	case 1048:
		if on {
			s.saved = s.cursor
		} else {
			s.restore()
		}
	case 1049:
		if on && !s.Alternate() {
			s.main.saved = s.cursor
		}
		left := !on && s.Alternate()
		s.alternate(on)
		if left {
			s.restore()
		}
	}
}

// alternate shows the other screen; the alternate one is empty each time.
func (s *Screen) alternate(on bool) {
	if on == s.Alternate() {
		return
	}
	cursor := s.cursor
	if !on {
		s.grid = &s.main
		s.cursor = cursor
		return
	}
	s.grid = &s.alt
	s.cursor = cursor
	s.top, s.bottom = 0, s.rows
	for _, l := range s.lines {
		s.emptied(l)
	}
}

// report says of a private mode: 0 it is not known, 1 on, 2 off.
func (m *modes) report(number int, s *Screen) int {
	on := false
	switch flag := m.flag(number); {
	case flag != nil:
		on = *flag
	case number == 6:
		on = s.cursor.origin
	case number == 9 || number >= 1000 && number <= 1003:
		on = m.mouse == number
	case number == 47 || number == 1047 || number == 1049:
		on = s.Alternate()
	default:
		return 0
	}
	if on {
		return 1
	}
	return 2
}
