package screen

import (
	"bytes"
	"unicode/utf8"
)

// state is what the parser is in the middle of.
type state int

const (
	ground       state = iota
	escape             // ESC came
	control            // ESC [: a control sequence
	ignored            // one that makes no sense, to its end
	text               // ESC ] and its like: a string, to its end
	textEscape         // ESC in a string: its end, if "\" follows
	designations       // ESC ( and its like, before the last character
)

const (
	mostParams = 32
	mostParam  = 65535
	mostText   = 4096 // of a string: nothing that is longer is of any use here
)

// parser takes a program's output apart. It carries over what a write cuts.
type parser struct {
	state  state
	rest   []byte // of a character that was cut
	prefix byte   // of a control sequence: one of <=>?
	middle byte   // the last byte before its final one
	params []param
	kind   byte // of a string: ] P X ^ _
	data   []byte
}

// param is a number of a control sequence, -1 when it was left out. With a
// colon before it, it belongs to the number before.
type param struct {
	value int
	sub   bool
}

// Write reads a program's output. It never fails.
func (s *Screen) Write(p []byte) (int, error) {
	n := len(p)
	if len(s.rest) > 0 {
		p = append(s.rest, p...)
		s.rest = nil
	}
	for len(p) > 0 {
		if s.state == ground {
			p = p[s.read(p):]
			continue
		}
		s.advance(p[0])
		p = p[1:]
	}
	return n, nil
}

// read takes text, or one control character, from the start of p.
func (s *Screen) read(p []byte) int {
	n := 0
	for n < len(p) && p[n] >= ' ' && p[n] < 0x7f {
		n++
	}
	switch {
	case n > 0:
		s.printPlain(p[:n])
		return n
	case p[0] < 0x80:
		s.execute(p[0])
		return 1
	case !utf8.FullRune(p):
		s.rest = bytes.Clone(p)
		return len(p)
	}
	r, n := utf8.DecodeRune(p)
	if r >= 0xa0 { // below are the controls of another encoding
		s.print(r)
	}
	return n
}

// advance takes one byte inside a sequence.
func (s *Screen) advance(b byte) {
	switch {
	case b == 0x18 || b == 0x1a: // CAN, SUB: never mind
		s.state = ground
		return
	case b == 0x1b && s.state != text:
		s.begin()
		return
	}
	switch s.state {
	case text, textEscape:
		s.inText(b)
	case escape:
		s.afterEscape(b)
	default:
		s.inControl(b)
	}
}

func (s *Screen) begin() {
	s.state, s.prefix, s.middle = escape, 0, 0
	s.params, s.data = s.params[:0], s.data[:0]
}

func (s *Screen) afterEscape(b byte) {
	switch {
	case b < ' ':
		s.execute(b)
	case b == '[':
		s.state = control
	case b == ']' || b == 'P' || b == 'X' || b == '^' || b == '_':
		s.state, s.kind = text, b
	case b < '0':
		s.state, s.middle = designations, b
	default:
		s.state = ground
		s.escaped(b)
	}
}

// inText collects a string. Its end is BEL or ESC \, never the single byte
// that other encodings have for it: that one is in the middle of characters.
func (s *Screen) inText(b byte) {
	switch {
	case s.state == textEscape:
		s.state = ground
		if b == '\\' {
			s.told()
			return
		}
		s.begin()
		s.afterEscape(b)
	case b == 0x1b:
		s.state = textEscape
	case b == 0x07:
		s.state = ground
		s.told()
	case len(s.data) < mostText:
		s.data = append(s.data, b)
	}
}

// told does what a string says, if it is an operating system command and whole.
func (s *Screen) told() {
	if s.kind == ']' && len(s.data) < mostText {
		s.command(string(s.data))
	}
}

func (s *Screen) inControl(b byte) {
	switch {
	case b < ' ':
		s.execute(b)
	case b >= 0x7f:
		if b > 0x7f {
			s.state = ground // the sequence was cut: this is text
		}
	case b < '0':
		s.middle = b
	case s.state == designations:
		s.state = ground
		s.designate(s.middle, b)
	case b <= ';':
		s.parameter(b)
	case b < '@':
		if len(s.params) > 0 || s.prefix != 0 {
			s.state = ignored
		}
		s.prefix = b
	default:
		if s.state == control {
			s.sequence(b)
		}
		s.state = ground
	}
}

func (s *Screen) parameter(b byte) {
	if len(s.params) == 0 {
		s.params = append(s.params, param{value: -1})
	}
	last := &s.params[len(s.params)-1]
	switch {
	case b >= '0' && b <= '9':
		last.value = min(max(0, last.value)*10+int(b-'0'), mostParam)
	case len(s.params) < mostParams:
		s.params = append(s.params, param{value: -1, sub: b == ':'})
	default:
		s.state = ignored
	}
}

// number is a parameter, or what stands for one that is left out or 0.
func (s *Screen) number(i, otherwise int) int {
	if i < len(s.params) && s.params[i].value > 0 {
		return s.params[i].value
	}
	return otherwise
}
