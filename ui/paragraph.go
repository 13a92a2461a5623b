package ui

import (
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/rivo/uniseg"
)

// paragraph is text that wraps between words, in one look. Lines of the text
// stay lines.
type paragraph struct {
	widget.BaseWidget
	text   string
	look   look
	centre bool
	lead   string // what it begins with, if that is bold

	width float32 // that lines were broken for
	lines []string
}

func newParagraph(text string, l look) *paragraph {
	p := &paragraph{text: text, look: l}
	p.ExtendBaseWidget(p)
	return p
}

func (p *paragraph) set(text string, l look) {
	if p.text != text || p.look != l {
		p.text, p.look, p.lines = text, l, nil
		p.Refresh()
	}
}

func (p *paragraph) pitch() float32 {
	return float32(int(theme.Size(p.look.size)*1.5 + 0.5))
}

// broken returns the lines at a width.
func (p *paragraph) broken(width float32) []string {
	if p.lines != nil && p.width == width {
		return p.lines
	}
	p.width, p.lines = width, []string{}
	size := theme.Size(p.look.size)
	measure := func(s string) float32 { return fyne.MeasureText(s, size, p.look.style).Width + p.bolder(s) }
	for _, text := range strings.Split(p.text, "\n") {
		p.lines = append(p.lines, breakLine(visible(text), width, measure)...)
	}
	return p.lines
}

// bolder is how much wider a line is for what is bold in it.
func (p *paragraph) bolder(line string) float32 {
	if p.lead == "" || !strings.HasPrefix(line, p.lead) {
		return 0
	}
	size := theme.Size(p.look.size)
	return fyne.MeasureText(p.lead, size, bold).Width - fyne.MeasureText(p.lead, size, p.look.style).Width
}

// breakLine cuts text into lines of at most width, between words where it can.
func breakLine(text string, width float32, measure func(string) float32) []string {
	fits := func(s string) bool { return len(s) <= longest(width) && measure(strings.TrimRight(s, " ")) <= width }
	var lines []string
	current := ""
	for _, word := range words(text) {
		if fits(current + word) {
			current += word
			continue
		}
		if current != "" {
			lines = append(lines, strings.TrimRight(current, " "))
		}
		for current = word; current != "" && !fits(current); {
			n := fitting(current, width, measure)
			if n == len(current) {
				break
			}
			lines, current = append(lines, current[:n]), current[n:]
		}
	}
	return append(lines, strings.TrimRight(current, " "))
}

// words cuts text behind its spaces, but not before a sign that never begins a
// line, or behind one that never ends it: French sets spaces there.
func words(text string) []string {
	var all []string
	for _, word := range strings.SplitAfter(text, " ") {
		if n := len(all); n > 0 && (strings.HasPrefix(all[n-1], "«") && len(all[n-1]) <= len("« ") ||
			strings.IndexAny(word, ":;?!»") == 0 && len(strings.TrimRight(word, " .,")) <= len("»")) {
			all[n-1] += word
		} else {
			all = append(all, word)
		}
	}
	return all
}

// longest is how many bytes a line of that width can have, roughly: no letter
// that anybody writes is narrower than a pixel for each of its bytes. Measuring
// more at once takes long.
func longest(width float32) int { return int(max(0, width)) + 16 }

// fitting returns where the part of a word that fits into a line ends, after
// one letter at least.
func fitting(word string, width float32, measure func(string) float32) int {
	ends := []int{} // of its letters
	rest, state, at := word, -1, 0
	for rest != "" && at < longest(width) {
		var letter string
		letter, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		at += len(letter)
		ends = append(ends, at)
	}
	n := sort.Search(len(ends), func(i int) bool { return measure(word[:ends[i]]) > width })
	return ends[max(0, n-1)]
}

// whole is the size of the text when no line is broken.
func (p *paragraph) whole() fyne.Size {
	w := float32(0)
	for text := range strings.SplitSeq(p.text, "\n") {
		w = max(w, fyne.MeasureText(text, theme.Size(p.look.size), p.look.style).Width)
	}
	return fyne.NewSize(w, float32(strings.Count(p.text, "\n")+1)*p.pitch())
}

func (p *paragraph) HeightFor(width float32) float32 {
	return float32(len(p.broken(width))) * p.pitch()
}

func (p *paragraph) MinSize() fyne.Size {
	return fyne.NewSize(40, p.HeightFor(max(40, p.Size().Width)))
}

func (p *paragraph) CreateRenderer() fyne.WidgetRenderer {
	r := &paragraphRenderer{paragraph: p}
	r.Layout(p.Size())
	return r
}

type paragraphRenderer struct {
	paragraph *paragraph
	drawn     []fyne.CanvasObject
	lead      *canvas.Text // over the beginning of the first line; nil: nothing is bold
}

func (r *paragraphRenderer) Layout(size fyne.Size) {
	p := r.paragraph
	lines := p.broken(size.Width)
	for len(r.drawn) < len(lines) {
		r.drawn = append(r.drawn, canvas.NewText("", nil))
	}
	r.drawn = r.drawn[:len(lines)]
	for i, text := range lines {
		t := r.drawn[i].(*canvas.Text)
		t.Text, t.Color, t.TextSize, t.TextStyle = text, theme.Color(p.look.color), theme.Size(p.look.size), p.look.style
		t.Alignment = fyne.TextAlignLeading
		if p.centre {
			t.Alignment = fyne.TextAlignCenter
		}
		high := t.MinSize().Height
		t.Resize(fyne.NewSize(size.Width, high))
		t.Move(fyne.NewPos(0, float32(i)*p.pitch()+(p.pitch()-high)/2))
	}
	if r.lead = nil; len(lines) > 0 && p.lead != "" && strings.HasPrefix(lines[0], p.lead) {
		r.setLead(r.drawn[0].(*canvas.Text))
	}
}

// setLead draws what the first line begins with bold, and the rest behind it.
func (r *paragraphRenderer) setLead(line *canvas.Text) {
	lead := r.paragraph.lead
	r.lead = canvas.NewText(lead, line.Color)
	r.lead.TextSize, r.lead.TextStyle = line.TextSize, bold
	width := r.lead.MinSize().Width
	r.lead.Resize(fyne.NewSize(width, line.Size().Height))
	r.lead.Move(line.Position())
	line.Text = strings.TrimPrefix(line.Text, lead)
	line.Move(line.Position().AddXY(width, 0))
}

func (r *paragraphRenderer) Refresh() {
	r.paragraph.lines = nil
	r.Layout(r.paragraph.Size())
	canvas.Refresh(r.paragraph)
}

func (r *paragraphRenderer) MinSize() fyne.Size { return r.paragraph.MinSize() }

func (r *paragraphRenderer) Objects() []fyne.CanvasObject {
	if r.lead != nil {
		return append(r.drawn[:len(r.drawn):len(r.drawn)], r.lead)
	}
	return r.drawn
}

func (r *paragraphRenderer) Destroy() {}
