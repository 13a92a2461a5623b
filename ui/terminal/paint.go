package terminal

import (
	"image"
	"slices"

	"git.rickub.com/bots-garden/sidekicks/ui/terminal/screen"
)

// mark is what is shown of a cell beside what is written in it.
type mark uint8

const (
	none mark = iota
	selected
	found // what was searched for
	here  // the place among those that is shown
	block // the cursor, and its other shapes:
	underscore
	bar
	hollow // while the focus is elsewhere
)

// spot is a cell as it is painted. Two that are the same look the same.
type spot struct {
	screen.Cell
	mark  mark
	marks string
}

// picture is what was painted last: only lines that differ are painted anew.
type picture struct {
	image    *image.RGBA
	lines    [][]spot
	inverted bool
}

// forget has everything painted anew.
func (p *picture) forget() { p.image = nil }

// paint is the picture of the terminal, of that many pixels.
func (t *Terminal) paint(width, height int) image.Image {
	t.fit() // the program starts here if it has not been able to before
	t.colors()
	g := t.measures()
	p := &t.picture
	cols, rows, lines, inverted := t.look()
	edge := int(margin * g.scale)
	if p.image == nil || p.image.Rect.Dx() != width || p.image.Rect.Dy() != height || len(p.lines) != rows || inverted != p.inverted {
		p.image = image.NewRGBA(image.Rect(0, 0, width, height))
		p.lines, p.inverted = make([][]spot, rows), inverted
		ground := t.palette.back
		if inverted {
			ground = t.palette.text
		}
		p.fill(0, 0, width, height, ground)
	}
	for y := range rows {
		line := lines[y*cols : (y+1)*cols]
		if !slices.Equal(line, p.lines[y]) {
			p.lines[y] = append(p.lines[y][:0], line...)
			p.line(line, edge, edge+y*g.height, g, t.palette)
		}
	}
	return p.image
}

// look copies what is to be seen: painting takes longer than the program's
// output should wait.
func (t *Terminal) look() (cols, rows int, lines []spot, inverted bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.screen
	cols, rows = s.Size()
	lines = make([]spot, cols*rows)
	top := t.first()
	for y := range rows {
		for x, c := range s.Line(top + y) {
			lines[y*cols+x] = spot{Cell: c, marks: s.Marks(c)}
		}
	}
	color := func(span screen.Span, m mark) {
		for n := max(span.From.Line, top); n <= min(span.To.Line, top+rows-1); n++ {
			from, to := 0, cols
			if n == span.From.Line {
				from = span.From.Column
			}
			if n == span.To.Line {
				to = min(to, span.To.Column)
			}
			for x := from; x < to; x++ {
				lines[(n-top)*cols+x].mark = m
			}
		}
	}
	for i, span := range t.found {
		m := found
		if i == t.at {
			m = here
		}
		color(span, m)
	}
	color(t.selected, selected)
	x, y, visible := s.Cursor()
	if y += s.Top() - top; visible && y < rows {
		lines[y*cols+x].mark = t.cursor(s.Shape())
	}
	return cols, rows, lines, s.Inverted()
}

func (t *Terminal) cursor(shape screen.Shape) mark {
	switch {
	case !t.focused:
		return hollow
	case shape == screen.Underscore:
		return underscore
	case shape == screen.Bar:
		return bar
	}
	return block
}

// line paints one line of cells.
func (p *picture) line(line []spot, left, top int, g *glyphs, colors *palette) {
	var text, back ink
	var like *spot // that has the same colours, as most beside each other have
	for x := 0; x < len(line); x++ {
		s := &line[x]
		if like == nil || s.Fg != like.Fg || s.Bg != like.Bg || s.Attr != like.Attr || s.mark != like.mark || drawing(s.Rune) != drawing(like.Rune) {
			text, back = colors.colors(&s.Cell, s.mark, p.inverted)
		}
		like = s
		cells := 1
		if s.Attr&screen.Wide != 0 && x+1 < len(line) {
			cells = 2
		}
		px := left + x*g.width
		if s.Rune > ' ' && s.Attr&screen.Hidden == 0 {
			k := glyphKey{s.Rune, s.marks, s.Attr&screen.Bold != 0, s.Attr&screen.Italic != 0, cells == 2}
			p.stamp(g.tile(tileKey{k, text, back}), px, top)
		} else {
			p.fill(px, top, px+cells*g.width, top+g.height, back)
		}
		if s.Attr != 0 {
			p.decorate(s.Attr, px, px+cells*g.width, top, g, text)
		}
		p.caret(s.mark, px, px+cells*g.width, top, g, colors.cursor)
		x += cells - 1
	}
}

// decorate draws the lines below and through the text.
func (p *picture) decorate(a screen.Attr, x0, x1, top int, g *glyphs, c ink) {
	y := top + g.under
	switch {
	case a&screen.DoubleUnderline != 0:
		p.fill(x0, y-g.line, x1, y, c)
		p.fill(x0, y+g.line, x1, y+2*g.line, c)
	case a&screen.CurlyUnderline != 0:
		for x := x0; x < x1; x++ {
			up := []int{0, 1, 2, 1}[(x/g.line)%4] * g.line / 2
			p.fill(x, y-up+g.line, x+1, y-up+2*g.line, c)
		}
	case a&screen.Underline != 0:
		p.fill(x0, y, x1, y+g.line, c)
	}
	if a&screen.Strike != 0 {
		y := top + g.height*9/16
		p.fill(x0, y, x1, y+g.line, c)
	}
}

// caret draws the shapes of the cursor that leave the text as it is.
func (p *picture) caret(m mark, x0, x1, top int, g *glyphs, c ink) {
	bottom := top + g.height
	switch m {
	case underscore:
		p.fill(x0, bottom-2*g.line, x1, bottom, c)
	case bar:
		p.fill(x0, top, x0+2*g.line, bottom, c)
	case hollow:
		p.fill(x0, top, x1, top+g.line, c)
		p.fill(x0, bottom-g.line, x1, bottom, c)
		p.fill(x0, top, x0+g.line, bottom, c)
		p.fill(x1-g.line, top, x1, bottom, c)
	}
}

// fill paints a rectangle, as far as it is in the picture.
func (p *picture) fill(x0, y0, x1, y1 int, c ink) {
	r := image.Rect(x0, y0, x1, y1).Intersect(p.image.Rect)
	if r.Empty() {
		return
	}
	first := p.image.Pix[p.image.PixOffset(r.Min.X, r.Min.Y):][:4*r.Dx()]
	for i := 0; i < len(first); i += 4 {
		first[i], first[i+1], first[i+2], first[i+3] = c.r, c.g, c.b, 0xff
	}
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		copy(p.image.Pix[p.image.PixOffset(r.Min.X, y):], first)
	}
}

// stamp copies a picture, as far as it is in this one.
func (p *picture) stamp(tile *image.RGBA, x, y int) {
	width := 4 * min(tile.Rect.Dx(), p.image.Rect.Dx()-x)
	height := min(tile.Rect.Dy(), p.image.Rect.Dy()-y)
	for row := 0; row < height && width > 0; row++ {
		copy(p.image.Pix[p.image.PixOffset(x, y+row):][:width], tile.Pix[row*tile.Stride:])
	}
}

// blit paints a character over what is there.
func (p *picture) blit(g *glyph, x, y int, c ink) {
	width := min(g.width, p.image.Rect.Dx()-x)
	height := min(len(g.cover)/g.width, p.image.Rect.Dy()-y)
	for row := range height {
		cover := g.cover[row*g.width:][:max(0, width)]
		pix := p.image.Pix[p.image.PixOffset(x, y+row):]
		for i, a := range cover {
			if a == 0 {
				continue
			}
			d := pix[4*i : 4*i+3 : 4*i+3]
			switch {
			case g.colors != nil:
				own := g.colors[row*g.width+i]
				d[0], d[1], d[2] = over(own.R, d[0], a), over(own.G, d[1], a), over(own.B, d[2], a)
			case a == 255:
				d[0], d[1], d[2] = c.r, c.g, c.b
			default:
				d[0], d[1], d[2] = over(c.r, d[0], a), over(c.g, d[1], a), over(c.b, d[2], a)
			}
		}
	}
}

// over lays a colour over another one; 257>>16 is nearly 1/255, and much faster.
func over(top, below, cover uint8) uint8 {
	a := uint32(cover)
	return uint8((uint32(top)*a + uint32(below)*(255-a) + 127) * 257 >> 16)
}
