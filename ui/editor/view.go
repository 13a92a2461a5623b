package editor

import (
	"strconv"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	barRoom    = 10 // of the bars at the right and at the bottom
	barThick   = 4
	leastThumb = 24
	caretWidth = 2
)

// view draws what of an editor can be seen.
type view struct {
	e             *Editor
	back          *canvas.Rectangle // of the line with the caret
	clip, numbers *container.Clip
	text, margin  *fyne.Container // in them
	caret         *canvas.Rectangle
	across, down  *bar
	pieces        pool
	digits        pool
	marked        []*canvas.Rectangle
}

// CreateRenderer implements fyne.Widget.
func (e *Editor) CreateRenderer() fyne.WidgetRenderer {
	v := &view{
		e: e, back: canvas.NewRectangle(nil), caret: canvas.NewRectangle(nil),
		text: container.NewWithoutLayout(), margin: container.NewWithoutLayout(),
	}
	v.clip, v.numbers = container.NewClip(v.text), container.NewClip(v.margin)
	v.across, v.down = newBar(e, true), newBar(e, false)
	e.view = v
	v.Refresh()
	return v
}

func (v *view) Layout(fyne.Size)   { v.draw() }
func (v *view) MinSize() fyne.Size { return fyne.NewSize(80, 40) }
func (v *view) Destroy()           {}
func (v *view) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{v.back, v.numbers, v.clip, v.across, v.down}
}

// Refresh implements fyne.WidgetRenderer.
func (v *view) Refresh() {
	v.draw()
	canvas.Refresh(v.e)
}

// draw shows the lines in view.
func (v *view) draw() {
	e, size := v.e, v.e.Size()
	if size.Height <= 0 {
		return
	}
	pitch, gutter := e.pitch(), e.gutter()
	total := float32(len(e.text.lines)) * pitch
	if e.centred {
		e.offset = fyne.NewPos(0, (float32(e.caret.line)+0.5)*pitch-size.Height/2)
	}
	e.offset.Y = max(0, min(e.offset.Y, total-size.Height+barRoom))
	first := int(e.offset.Y / pitch)
	last := min(len(e.text.lines), int((e.offset.Y+size.Height)/pitch)+1)

	room := size.Width - gutter
	e.offset.X = max(0, min(e.offset.X, v.widest(first, last)-room+2*barRoom))
	v.clip.Move(fyne.NewPos(gutter, 0))
	v.clip.Resize(fyne.NewSize(room, size.Height))
	v.numbers.Resize(fyne.NewSize(gutter, size.Height))
	v.pieces.reset()
	v.digits.reset()
	var marks []fyne.CanvasObject
	for n := first; n < last; n++ {
		y := float32(n)*pitch - e.offset.Y
		v.number(n, y)
		if mark := v.mark(n, y, len(marks)); mark != nil {
			marks = append(marks, mark)
		}
		v.line(n, y)
	}
	v.showCaret()
	v.text.Objects = append(append(marks, v.pieces.used()...), v.caret)
	v.margin.Objects = v.digits.used()
	v.clip.Refresh()
	v.numbers.Refresh()
	v.down.place(e.offset.Y, size.Height-barRoom, total)
	v.across.place(e.offset.X, room, v.widest(first, last))
}

// widest is the width of the longest of some lines.
func (v *view) widest(first, last int) float32 {
	most := 0
	for _, line := range v.e.text.lines[first:last] {
		most = max(most, columnOf(line, len(line)))
	}
	return float32(most) * v.e.advance()
}

func (v *view) number(n int, y float32) {
	e := v.e
	color := tokens.Faint
	if n == e.caret.line && e.focused {
		color = tokens.Text
	}
	text := strconv.Itoa(n + 1)
	x := e.gutter() - float32(len(text)+1)*e.advance() - e.advance()/2
	v.digits.put(e, text, color, fyne.NewPos(x, y))
}

// mark is the background of what is selected of a line, nil where nothing is.
func (v *view) mark(n int, y float32, index int) fyne.CanvasObject {
	e := v.e
	from, to := e.selection()
	if from == to || n < from.line || n > to.line {
		return nil
	}
	line := e.text.lines[n]
	left, right := 0, columnOf(line, len(line))+1 // the line's end too
	if n == from.line {
		left = columnOf(line, from.at)
	}
	if n == to.line {
		right = columnOf(line, to.at)
	}
	if index == len(v.marked) {
		v.marked = append(v.marked, canvas.NewRectangle(nil))
	}
	r := v.marked[index]
	r.FillColor = theme.ColorForWidget(tokens.Selection, e)
	r.Move(fyne.NewPos(float32(left)*e.advance()-e.offset.X, y))
	r.Resize(fyne.NewSize(float32(right-left)*e.advance(), e.pitch()))
	return r
}

// line draws what of a line is in view: pieces of one colour, cut where a
// letter is not of the width of the others.
func (v *view) line(n int, y float32) {
	e := v.e
	line := e.text.lines[n]
	low := int(e.offset.X/e.advance()) - 2
	high := low + int((e.Size().Width-e.gutter())/e.advance()) + 5
	colors := colorsOf(e.colors[n])
	if plain(line) {
		low, high = max(0, min(low, len(line))), max(0, min(high, len(line)))
		for low < high {
			color, end := colors.at(low, len(line))
			end = min(end, high)
			v.piece(line[low:end], color, low, y)
			low = end
		}
		return
	}
	var run strings.Builder
	column, color := 0, fyne.ThemeColorName("")
	flush := func() {
		if run.Len() > 0 {
			v.piece(run.String(), color, column, y)
			run.Reset()
		}
	}
	for c := range all(line) {
		if c.column > high {
			break
		}
		if c.column+c.width < low {
			continue
		}
		its, _ := colors.at(c.at, len(line))
		text := line[c.at : c.at+c.size]
		simple := c.size == 1 && text != "\t" && text[0] >= ' ' && text[0] < 0x7f
		if run.Len() > 0 && (its != color || !simple) {
			flush()
		}
		if run.Len() == 0 {
			column, color = c.column, its
		}
		switch {
		case text == "\t":
		case simple:
			run.WriteString(text)
		default:
			run.WriteString(shown(text))
			flush()
		}
	}
	flush()
}

// shown is a letter as it can be seen: what controls a terminal, or turns the
// direction of writing, must not.
func shown(letter string) string {
	for _, r := range letter {
		if r == '\r' {
			return "␍"
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c' && len(letter) == len(string(r)) {
			return "·"
		}
	}
	return strings.ToValidUTF8(letter, "\uFFFD")
}

func (v *view) piece(text string, color fyne.ThemeColorName, column int, y float32) {
	if strings.Trim(text, " ") == "" {
		return
	}
	if color == "" {
		color = tokens.Text
	}
	e := v.e
	v.pieces.put(e, text, color, fyne.NewPos(float32(column)*e.advance()-e.offset.X, y))
}

func (v *view) showCaret() {
	e := v.e
	line := e.text.lines[e.caret.line]
	x := float32(columnOf(line, e.caret.at))*e.advance() - e.offset.X
	y := float32(e.caret.line)*e.pitch() - e.offset.Y
	v.caret.Hidden = !e.focused
	v.caret.FillColor = theme.ColorForWidget(tokens.Accent, e)
	v.caret.Move(fyne.NewPos(max(0, x-caretWidth/2), y+1))
	v.caret.Resize(fyne.NewSize(caretWidth, e.pitch()-2))
	v.back.Hidden = !e.focused || y < -e.pitch() || y > e.Size().Height
	v.back.FillColor = theme.ColorForWidget(tokens.Hover, e)
	v.back.Move(fyne.NewPos(0, max(0, y)))
	v.back.Resize(fyne.NewSize(e.Size().Width, max(0, min(e.pitch(), e.pitch()+y, e.Size().Height-y))))
}

// colorsOf finds the colours of a line from its beginning on.
func colorsOf(spans []Span) *walk { return &walk{spans: spans} }

type walk struct {
	spans []Span
	start int // of the first of them
}

// at is the colour at a byte, and where it ends; bytes are asked for in order.
func (w *walk) at(at, length int) (fyne.ThemeColorName, int) {
	for len(w.spans) > 0 && w.start+w.spans[0].Length <= at {
		w.start += w.spans[0].Length
		w.spans = w.spans[1:]
	}
	if len(w.spans) == 0 {
		return "", length
	}
	return w.spans[0].Color, w.start + w.spans[0].Length
}

// pool keeps the texts that are drawn, to draw others with them.
type pool struct {
	texts []*canvas.Text
	n     int
}

func (p *pool) reset() { p.n = 0 }

func (p *pool) put(e *Editor, text string, color fyne.ThemeColorName, at fyne.Position) {
	if p.n == len(p.texts) {
		t := canvas.NewText("", nil)
		t.TextStyle = fyne.TextStyle{Monospace: true}
		p.texts = append(p.texts, t)
	}
	t := p.texts[p.n]
	p.n++
	c, size := theme.ColorForWidget(color, e), theme.SizeForWidget(tokens.CodeText, e)
	if t.Text != text || t.Color != c || t.TextSize != size {
		t.Text, t.Color, t.TextSize = text, c, size
		t.Resize(t.MinSize())
		t.Refresh()
	}
	t.Move(at.AddXY(0, (e.pitch()-t.Size().Height)/2))
}

func (p *pool) used() []fyne.CanvasObject {
	objects := make([]fyne.CanvasObject, p.n)
	for i := range objects {
		objects[i] = p.texts[i]
	}
	return objects
}
