package ui

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// label is one line of text in a size and a colour of the theme. It has no
// padding, unlike Fyne's.
type label struct {
	widget.BaseWidget
	text  string
	look  look
	cut   bool    // ends with … where it is too long, instead of asking for room
	least float32 // of the width of a text that can be cut, if it is that long
}

// look is how a label is written. The zero look is plain text.
type look struct {
	color fyne.ThemeColorName
	size  fyne.ThemeSizeName
	style fyne.TextStyle
}

var (
	bold      = fyne.TextStyle{Bold: true}
	monospace = fyne.TextStyle{Monospace: true}
)

// The looks of the window (design, "The window").
func plain() look                            { return look{tokens.Text, theme.SizeNameText, fyne.TextStyle{}} }
func strong() look                           { return look{tokens.Text, theme.SizeNameText, bold} }
func title() look                            { return look{tokens.Text, tokens.Title, bold} }
func muted() look                            { return look{tokens.Muted, tokens.Secondary, fyne.TextStyle{}} }
func faint() look                            { return look{tokens.Faint, tokens.Small, fyne.TextStyle{}} }
func coded() look                            { return look{tokens.Text, tokens.CodeText, monospace} }
func (l look) in(c fyne.ThemeColorName) look { l.color = c; return l }

func newLabel(text string, l look) *label {
	w := &label{text: text, look: l}
	w.ExtendBaseWidget(w)
	return w
}

// newCutLabel is a label that is cut where there is no room for it.
func newCutLabel(text string, l look) *label {
	w := newLabel(text, l)
	w.cut, w.least = true, 16
	return w
}

func (l *label) set(text string, look look) {
	if l.text == text && l.look == look {
		return
	}
	l.text, l.look = text, look
	l.Refresh()
}

func (l *label) setText(text string) { l.set(text, l.look) }

// shown is the text as it is drawn: one line of what can be seen.
func (l *label) shown() string {
	text := visible(l.text)
	if runes := []rune(text); l.cut && len(runes) > mostLetters {
		return string(runes[:mostLetters])
	}
	return text
}

// mostLetters is more than any line of the window has room for.
const mostLetters = 600

// visible leaves out what has no width of its own and what turns the direction
// of writing: names and titles come from files and programs, and must not hide
// what they are, or disturb what stands beside them. Joined emoji stay.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u200c' || r == '\u200d': // joiners
			return r
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Cf, r), unicode.IsControl(r):
			return -1
		}
		return r
	}, text)
}

func (l *label) textSize() float32 { return theme.Size(l.look.size) }

func (l *label) CreateRenderer() fyne.WidgetRenderer {
	r := &labelRenderer{label: l, drawn: canvas.NewText("", nil)}
	r.Refresh()
	return r
}

type labelRenderer struct {
	label *label
	drawn *canvas.Text
	full  fyne.Size // of the whole text
}

func (r *labelRenderer) Layout(size fyne.Size) {
	text := r.label.shown()
	if r.label.cut && r.full.Width > size.Width {
		text = cutTo(text, size.Width, r.label.textSize(), r.label.look.style)
	}
	if r.drawn.Text != text {
		r.drawn.Text = text
		r.drawn.Refresh()
	}
	r.drawn.Move(fyne.NewPos(0, (size.Height-r.full.Height)/2))
	r.drawn.Resize(fyne.NewSize(size.Width, r.full.Height))
}

func (r *labelRenderer) MinSize() fyne.Size {
	if r.label.cut {
		return fyne.NewSize(min(r.full.Width, r.label.least), r.full.Height)
	}
	return r.full
}

func (r *labelRenderer) Refresh() {
	l := r.label
	r.drawn.Color = theme.Color(l.look.color)
	r.drawn.TextSize = l.textSize()
	r.drawn.TextStyle = l.look.style
	r.drawn.Text = l.shown()
	r.full = fyne.MeasureText(r.drawn.Text, r.drawn.TextSize, r.drawn.TextStyle)
	r.Layout(l.Size())
	r.drawn.Refresh()
}

func (r *labelRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.drawn} }
func (r *labelRenderer) Destroy()                     {}

// cutTo is the longest beginning of text that fits with an ellipsis.
func cutTo(text string, width, size float32, style fyne.TextStyle) string {
	runes := []rune(text)
	low, high := 0, len(runes)
	for low < high {
		middle := (low + high + 1) / 2
		if fyne.MeasureText(string(runes[:middle])+"…", size, style).Width <= width {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return string(runes[:low]) + "…"
}

// isCut tells whether the end of the text is not shown.
func (l *label) isCut() bool { return l.cut && l.whole().Width > l.Size().Width }

// whole is the size of the text when nothing is cut.
func (l *label) whole() fyne.Size { return fyne.MeasureText(l.shown(), l.textSize(), l.look.style) }
