package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// excerpt is a text in which what was looked for stands out. It takes a number
// of lines at most, and is cut where they are full.
type excerpt struct {
	widget.BaseWidget
	text  []rune
	marks [][2]int // what stands out, as [start, end) in runes
	look  look
	lines int
	tint  bool // what stands out has a colour behind it too
}

// shownRunes bounds an excerpt: no line is that long.
const shownRunes = 400

func newExcerpt(text string, marks [][2]int, lines int, l look) *excerpt {
	e := &excerpt{text: []rune(text), marks: marks, look: l, lines: lines}
	e.text = e.text[:min(len(e.text), shownRunes)]
	e.ExtendBaseWidget(e)
	return e
}

// run is a piece of the excerpt in one look.
type run struct {
	text   string
	marked bool
	start  bool // of a word: a line may be broken before it
	at     fyne.Position
	width  float32
}

func (e *excerpt) marked(i int) bool {
	for _, m := range e.marks {
		if m[0] <= i && i < m[1] {
			return true
		}
	}
	return false
}

// runs cuts the text at the ends of words and of marks.
func (e *excerpt) runs() []run {
	var all []run
	for i, r := range e.text {
		n, m := len(all), e.marked(i)
		start := i == 0 || e.text[i-1] == ' ' && r != ' '
		if n == 0 || start || all[n-1].marked != m {
			all = append(all, run{marked: m, start: start})
			n++
		}
		all[n-1].text += string(r)
	}
	return all
}

func (e *excerpt) style(marked bool) fyne.TextStyle {
	s := e.look.style
	s.Bold = s.Bold || marked
	return s
}

func (e *excerpt) measure(text string, marked bool) float32 {
	return fyne.MeasureText(text, theme.Size(e.look.size), e.style(marked)).Width
}

func (e *excerpt) pitch() float32 { return float32(int(theme.Size(e.look.size)*1.45 + 0.5)) }

// lay places the runs that there is room for.
func (e *excerpt) lay(width float32) (placed []run) {
	x, row := float32(0), 0
	all := e.runs()
	for i := range all {
		r := &all[i]
		r.width = e.measure(r.text, r.marked)
		wide := r.width
		for k := i + 1; k < len(all) && !all[k].start; k++ {
			wide += e.measure(all[k].text, all[k].marked)
		}
		if r.start && x > 0 && x+wide > width && row+1 < e.lines {
			x, row = 0, row+1
		}
		r.at = fyne.NewPos(x, float32(row)*e.pitch())
		if x+r.width > width+0.5 {
			r.text = cutTo(r.text, width-x, theme.Size(e.look.size), e.style(r.marked))
			r.width = e.measure(r.text, r.marked)
			return append(placed, *r)
		}
		x += r.width
		placed = append(placed, *r)
	}
	return placed
}

// whole is the size of the text on one line.
func (e *excerpt) whole() fyne.Size {
	w := float32(0)
	for _, r := range e.runs() {
		w += e.measure(r.text, r.marked)
	}
	return fyne.NewSize(w, e.pitch())
}

// HeightFor is the height of the lines that the text takes.
func (e *excerpt) HeightFor(width float32) float32 {
	placed := e.lay(width)
	if len(placed) == 0 {
		return e.pitch()
	}
	return placed[len(placed)-1].at.Y + e.pitch()
}

// MinSize lets the excerpt be cut.
func (e *excerpt) MinSize() fyne.Size { return fyne.NewSize(16, float32(e.lines)*e.pitch()) }

func (e *excerpt) CreateRenderer() fyne.WidgetRenderer { return &excerptRenderer{excerpt: e} }

type excerptRenderer struct {
	excerpt *excerpt
	drawn   []fyne.CanvasObject
}

func (r *excerptRenderer) Layout(size fyne.Size) {
	e := r.excerpt
	var behind, texts []fyne.CanvasObject
	for _, run := range e.lay(size.Width) {
		color := theme.Color(e.look.color)
		if run.marked {
			color = theme.Color(tokens.Accent)
		}
		t := canvas.NewText(run.text, color)
		t.TextSize, t.TextStyle = theme.Size(e.look.size), e.style(run.marked)
		high := t.MinSize().Height
		t.Move(run.at.AddXY(0, (e.pitch()-high)/2))
		t.Resize(fyne.NewSize(run.width, high))
		texts = append(texts, t)
		if run.marked && e.tint {
			back := canvas.NewRectangle(theme.Color(tokens.Selection))
			back.CornerRadius = 3
			back.Move(run.at.AddXY(-1, 0))
			back.Resize(fyne.NewSize(run.width+2, e.pitch()))
			behind = append(behind, back)
		}
	}
	r.drawn = append(behind, texts...)
}

func (r *excerptRenderer) Refresh() {
	r.Layout(r.excerpt.Size())
	canvas.Refresh(r.excerpt)
}

func (r *excerptRenderer) MinSize() fyne.Size           { return r.excerpt.MinSize() }
func (r *excerptRenderer) Objects() []fyne.CanvasObject { return r.drawn }
func (r *excerptRenderer) Destroy()                     {}
