package ui

import (
	"image/color"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// ink draws the text of the composer, since Fyne's Entry knows one colour
// only. The Entry goes on to keep the text, the caret and the selection, its
// own letters being transparent; ink draws the same letters at the same places
// over it, and what stands behind names under it.
type ink struct {
	fyne.WidgetRenderer // the Entry's
	t                   *textInput
	scroll              *container.Scroll // the Entry's
	back, front         *container.Clip
	backs               []fyne.CanvasObject // rectangles
	fronts              []fyne.CanvasObject // texts
}

// span is a part of the text in a colour, in runes.
type span struct {
	start, end int
	color      fyne.ThemeColorName
	tint       fyne.ThemeColorName // behind it; empty: none
}

func newInk(t *textInput, entry fyne.WidgetRenderer) *ink {
	i := &ink{WidgetRenderer: entry, t: t}
	i.back, i.front = container.NewClip(container.NewWithoutLayout()), container.NewClip(container.NewWithoutLayout())
	for _, o := range entry.Objects() {
		if s, ok := o.(*container.Scroll); ok {
			i.scroll = s
		}
	}
	i.scroll.OnScrolled = func(fyne.Position) { i.draw() }
	return i
}

// Objects leaves out the Entry's frame.
func (i *ink) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{i.back, i.scroll, i.front} }

// Layout also has the Entry look at its caret and its selection again: rows
// that wrap elsewhere leave them outside the text, where the next key panics.
func (i *ink) Layout(size fyne.Size) {
	i.WidgetRenderer.Layout(size)
	i.WidgetRenderer.Refresh()
	for _, clip := range []*container.Clip{i.back, i.front} {
		clip.Move(i.scroll.Position())
		clip.Resize(i.scroll.Size())
	}
	i.draw()
}

func (i *ink) Refresh() {
	i.WidgetRenderer.Refresh()
	i.draw()
}

// draw draws the rows in view.
func (i *ink) draw() {
	t := i.t
	text := []rune(t.Text)
	spans := t.marked
	i.backs, i.fronts = i.backs[:0], i.fronts[:0]
	pitch := t.pitch()
	first := max(0, int(i.scroll.Offset.Y/pitch))
	last := int((i.scroll.Offset.Y + i.scroll.Size().Height) / pitch)
	for row, start := first, t.rowStart(first); row <= last && start >= 0; row++ {
		next := t.rowStart(row + 1)
		end := next
		if next < 0 {
			end = len(text)
		}
		i.drawRow(text, row, start, min(end, len(text)), spans)
		start = next
	}
	i.show(i.back, i.backs)
	i.show(i.front, i.fronts)
}

func (i *ink) show(clip *container.Clip, objects []fyne.CanvasObject) {
	c := clip.Content.(*fyne.Container)
	c.Objects = slices.Clone(objects)
	canvas.Refresh(clip)
}

// drawRow draws a row piece by piece: each in one colour, and none with a tab
// in it, whose width depends on where the piece begins.
func (i *ink) drawRow(text []rune, row, start, end int, spans []span) {
	for at := start; at < end; {
		s := span{start: at, end: end, color: tokens.Text}
		for _, other := range spans {
			if other.start <= at && at < other.end {
				s = other
				break
			}
			if other.start > at {
				s.end = min(s.end, other.start)
			}
		}
		stop := min(s.end, end)
		if tab := slices.Index(text[at:stop], '\t'); tab > 0 {
			stop = at + tab
		} else if tab == 0 {
			at++
			continue
		}
		i.drawPiece(strings.TrimRight(string(text[at:stop]), "\n"), row, at-start, stop-start, s)
		at = stop
	}
}

func (i *ink) drawPiece(text string, row, from, to int, s span) {
	if text == "" {
		return
	}
	at := i.t.place(row, from).Subtract(i.scroll.Offset)
	if s.tint != "" {
		end := i.t.place(row, to).X - i.scroll.Offset.X
		r := canvas.NewRectangle(theme.Color(s.tint))
		r.CornerRadius = 4
		r.Move(fyne.NewPos(at.X-2, at.Y))
		r.Resize(fyne.NewSize(end-at.X+4, i.t.pitch()))
		i.backs = append(i.backs, r)
	}
	drawn := canvas.NewText(text, theme.Color(s.color))
	drawn.TextSize = theme.TextSize()
	drawn.Move(at)
	drawn.Resize(drawn.MinSize())
	i.fronts = append(i.fronts, drawn)
}

// inked is the theme of the composer's text: see ink.
type inked struct{ fyne.Theme }

func (t inked) Color(n fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	if n == theme.ColorNameForeground {
		return color.Transparent
	}
	return t.Theme.Color(n, v)
}

func (t inked) Size(n fyne.ThemeSizeName) float32 {
	switch n {
	case theme.SizeNameInputBorder: // of the caret too
		return caretWidth
	case theme.SizeNameInnerPadding:
		return 2
	}
	return t.Theme.Size(n)
}

const caretWidth = 2
