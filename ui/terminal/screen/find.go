package screen

import (
	"slices"
	"strings"
	"unicode"
)

// Place is a cell: the number of its line, and its column.
type Place struct{ Line, Column int }

// Before tells whether a place comes before another one.
func (p Place) Before(q Place) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Column < q.Column
}

// Span is a part of the text, without the cell at To.
type Span struct{ From, To Place }

// Empty tells whether nothing is in it.
func (s Span) Empty() bool { return !s.From.Before(s.To) }

// Text is what stands in a part. A line that goes on in the next one has no
// line end, and others have no blanks before theirs.
func (s *Screen) Text(part Span) string {
	var b strings.Builder
	for n := max(part.From.Line, s.First()); n <= part.To.Line; n++ {
		l := s.at(n)
		if l == nil {
			break
		}
		cells := s.Line(n)
		from, to := 0, len(cells)
		if n == part.From.Line {
			from = min(part.From.Column, to)
		}
		last := n == part.To.Line
		if last {
			to = min(part.To.Column, to)
		}
		text := s.text(cells[min(from, to):to])
		b.WriteString(text)
		if !l.wrapped && !last {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Word is the word at a place, or the run of blanks or signs.
func (s *Screen) Word(p Place) Span {
	cells := s.Line(p.Line)
	if p.Column >= len(cells) {
		return Span{p, p}
	}
	kind := kindOf(cells[p.Column])
	from, to := p.Column, p.Column+1
	for from > 0 && kindOf(cells[from-1]) == kind {
		from--
	}
	for to < len(cells) && kindOf(cells[to]) == kind {
		to++
	}
	return Span{Place{p.Line, from}, Place{p.Line, to}}
}

// kindOf sorts cells for Word: what a path or an address is made of is one.
func kindOf(c Cell) int {
	switch {
	case c.Attr&Tail != 0, unicode.IsLetter(c.Rune), unicode.IsDigit(c.Rune), c.Rune != 0 && strings.ContainsRune("_-./~:@%+#?=&", c.Rune):
		return 1
	case c.Rune == 0, c.Rune == ' ':
		return 0
	}
	return 2
}

// Row is a whole line of text, which may go over several of the screen.
func (s *Screen) Row(p Place) Span {
	from, to := p.Line, p.Line
	for l := s.at(from - 1); l != nil && l.wrapped; l = s.at(from - 1) {
		from--
	}
	for l := s.at(to); l != nil && l.wrapped; l = s.at(to) {
		to++
	}
	return Span{Place{from, 0}, Place{to, s.cols}}
}

// All is everything that is kept.
func (s *Screen) All() Span {
	return Span{Place{s.First(), 0}, Place{s.Top() + s.rows - 1, s.cols}}
}

// Find gives the places where a text occurs, whatever the case, from the top.
// It looks across the ends of lines that go on.
func (s *Screen) Find(query string) []Span {
	wanted := fold(query)
	if len(wanted) == 0 {
		return nil
	}
	var found []Span
	for n := s.First(); n < s.Top()+s.rows; {
		row := s.Row(Place{Line: n})
		found = append(found, s.findIn(row, wanted)...)
		n = row.To.Line + 1
	}
	return found
}

func (s *Screen) findIn(row Span, wanted []rune) (found []Span) {
	var text []rune
	var places []Place // of each of its characters
	for n := row.From.Line; n <= row.To.Line; n++ {
		for x, c := range s.Line(n) {
			if c.Attr&Tail != 0 {
				continue
			}
			for _, r := range fold(string(max(' ', c.Rune)) + s.Marks(c)) {
				text, places = append(text, r), append(places, Place{n, x})
			}
		}
	}
	for i := 0; i+len(wanted) <= len(text); i++ {
		if !slices.Equal(text[i:i+len(wanted)], wanted) {
			continue
		}
		last := places[i+len(wanted)-1]
		width := 1
		if s.Line(last.Line)[last.Column].Attr&Wide != 0 {
			width = 2
		}
		found = append(found, Span{places[i], Place{last.Line, last.Column + width}})
		i += len(wanted) - 1
	}
	return found
}

func fold(text string) []rune {
	return []rune(strings.Map(unicode.ToLower, text))
}
