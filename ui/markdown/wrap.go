package markdown

import (
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"github.com/rivo/uniseg"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	lineHeight = 1.5 // of the text size
	codeScale  = 0.9 // of inline code to the text around it
	padding    = 4   // left and right of a rounded background
)

// atom is what a line is never broken inside of, and the blanks after it.
type atom struct {
	run        int
	start, end int // in the block's text, with the blanks
	text       string
	width      float32 // of text
	blanks     float32
	breaks     bool // a line may end after it
	newline    bool
}

// paragraph lays out runs as lines of at most some width.
type paragraph struct {
	ruler *ruler
	runs  []run
	faces []*metrics // of the runs
	size  float32
	color fyne.ThemeColorName
	x, y  float32 // of the first line
	width float32
	start int // of the runs' text in the block's
}

// lines returns at least one line.
func (p *paragraph) lines() []line {
	p.faces = make([]*metrics, len(p.runs))
	for i, r := range p.runs {
		f := face{size: p.size, bold: r.style&(bold|pill) != 0, italic: r.style&italic != 0}
		if r.style&mono != 0 {
			f.mono, f.size = true, p.size*codeScale
		}
		p.faces[i] = p.ruler.metrics(f)
	}
	var lines []line
	emit := func(atoms []atom) { lines = append(lines, p.line(atoms, len(lines))) }

	atoms := p.atoms()
	begin, stop, x := 0, 0, float32(0) // of the line; after its last possible end
	for i := 0; i < len(atoms); i++ {
		a := &atoms[i]
		switch {
		case a.newline:
			emit(atoms[begin : i+1])
			begin, x = i+1, 0
		case x+a.width > p.width && i > begin:
			if stop <= begin {
				stop = i
			}
			emit(atoms[begin:stop])
			begin, x, i = stop, 0, stop-1
		case a.width > p.width && len(a.text) > 1:
			parts := p.split(*a)
			if len(parts) == 1 { // a single letter, in a very narrow place
				x += a.width + a.blanks
				stop = i + 1
				continue
			}
			atoms = append(atoms[:i:i], append(parts, atoms[i+1:]...)...)
			i--
		default:
			x += a.width + a.blanks
			if a.breaks {
				stop = i + 1
			}
		}
	}
	if begin < len(atoms) || len(lines) == 0 || atoms[len(atoms)-1].newline {
		emit(atoms[begin:])
	}
	return lines
}

// atoms cuts the runs at blanks and line ends, and where scripts without
// blanks may be broken.
func (p *paragraph) atoms() []atom {
	var atoms []atom
	at := p.start
	for i, r := range p.runs {
		rest := r.text
		for rest != "" {
			a := atom{run: i, start: at}
			if rest[0] == '\n' {
				a.newline, a.end = true, at+1
				rest, at = rest[1:], a.end
				atoms = append(atoms, a)
				continue
			}
			n := strings.IndexAny(rest, " \t\n")
			if n < 0 {
				n = len(rest)
			}
			a.text, rest = rest[:n], rest[n:]
			blanks := len(rest) - len(strings.TrimLeft(rest, " \t"))
			rest = rest[blanks:]
			a.width = p.faces[i].width(a.text)
			a.blanks = float32(blanks) * p.faces[i].space
			a.end = at + n + blanks
			a.breaks = blanks > 0
			at = a.end
			if wide(a.text) {
				atoms = p.segments(atoms, a)
			} else {
				atoms = append(atoms, a)
			}
		}
		if len(atoms) > 0 && r.style&(mono|pill) != 0 {
			atoms[len(atoms)-1].width += 2 * padding
		}
	}
	return atoms
}

// wide reports whether s has letters of a script that is written without
// blanks between words.
func wide(s string) bool {
	for _, r := range s {
		if r >= 0x2e80 && r < 0xfb00 || r >= 0x20000 && r < 0x40000 {
			return true
		}
	}
	return false
}

func (p *paragraph) segments(atoms []atom, a atom) []atom {
	rest, state, at := a.text, -1, a.start
	for rest != "" {
		var part string
		part, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
		next := atom{run: a.run, start: at, end: at + len(part), text: part, breaks: true}
		next.width = p.faces[a.run].width(part)
		at = next.end
		if rest == "" {
			next.end, next.blanks, next.breaks = a.end, a.blanks, a.breaks
		}
		atoms = append(atoms, next)
	}
	return atoms
}

// split breaks a word longer than a line between its letters.
func (p *paragraph) split(a atom) []atom {
	var parts []atom
	part := atom{run: a.run, start: a.start, end: a.start, breaks: true}
	m := p.faces[a.run]
	for rest := a.text; rest != ""; {
		n := firstLetter(rest)
		letter := rest[:n]
		rest = rest[n:]
		w := m.width(letter)
		if part.text != "" && part.width+w > p.width {
			parts = append(parts, part)
			part = atom{run: a.run, start: part.end, end: part.end, breaks: true}
		}
		part.end += len(letter)
		part.text = a.text[part.start-a.start : part.end-a.start]
		part.width += w
	}
	part.end, part.blanks, part.breaks = a.end, a.blanks, a.breaks
	return append(parts, part)
}

// line joins atoms of the same run into pieces.
func (p *paragraph) line(atoms []atom, n int) line {
	height := float32(math.Round(float64(p.size * lineHeight)))
	body := p.ruler.metrics(face{size: p.size})
	base := float32(math.Round(float64((height-body.ascent*1.25)/2 + body.ascent)))
	l := line{y: p.y + float32(n)*height, height: height, base: base, start: p.start, end: p.start}
	if len(atoms) > 0 {
		l.start, l.end = atoms[0].start, atoms[len(atoms)-1].end
		if atoms[len(atoms)-1].newline {
			l.end--
		}
	}
	x := p.x
	for i := 0; i < len(atoms); {
		run, first := atoms[i].run, i
		pc := p.piece(run)
		if pc.back != "" {
			x += padding
		}
		pc.x, pc.start = x, atoms[i].start
		var text strings.Builder
		for ; i < len(atoms) && atoms[i].run == run && !atoms[i].newline; i++ {
			a := atoms[i]
			text.WriteString(a.text)
			width := p.faces[run].width(a.text)
			pc.width = x + width - pc.x
			pc.end = a.start + len(a.text)
			x += width
			if i+1 < len(atoms) && atoms[i+1].run == run && !atoms[i+1].newline {
				text.WriteString(strings.Repeat(" ", a.end-pc.end))
			}
			x += a.blanks
		}
		if pc.back != "" {
			x += padding
		}
		if pc.text = text.String(); pc.text != "" {
			l.pieces = append(l.pieces, pc)
		}
		if i == first { // a line break
			i++
		}
	}
	return l
}

// piece returns a piece in the style of a run.
func (p *paragraph) piece(i int) piece {
	r := p.runs[i]
	pc := piece{face: p.faces[i].face, color: p.color, strike: r.style&strike != 0, link: r.link}
	switch {
	case r.style&pill != 0:
		pc.color, pc.back = tokens.Accent, tokens.AccentTint
	case r.style&mono != 0:
		pc.back = tokens.Code
	}
	if r.link != "" {
		pc.color = tokens.Accent
	}
	return pc
}
