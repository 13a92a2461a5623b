package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// badge is a short text in a pill: how many messages are unread, or "?".
type badge struct {
	widget.BaseWidget
	text  string
	fill  fyne.ThemeColorName
	pill  *canvas.Rectangle
	drawn *canvas.Text
}

const badgeHeight = 18

func newBadge(text string, fill fyne.ThemeColorName) *badge {
	b := &badge{text: text, fill: fill, pill: canvas.NewRectangle(nil), drawn: canvas.NewText("", nil)}
	b.pill.CornerRadius = badgeHeight / 2
	b.drawn.TextSize, b.drawn.TextStyle, b.drawn.Alignment = 11, bold, fyne.TextAlignCenter
	b.ExtendBaseWidget(b)
	return b
}

func (b *badge) set(text string, fill fyne.ThemeColorName) {
	if b.text != text || b.fill != fill {
		b.text, b.fill = text, fill
		b.Refresh()
	}
}

func (b *badge) MinSize() fyne.Size {
	w := fyne.MeasureText(b.text, b.drawn.TextSize, b.drawn.TextStyle).Width + 11
	return fyne.NewSize(max(badgeHeight, w), badgeHeight)
}

func (b *badge) paint() {
	size := b.MinSize()
	b.pill.FillColor = theme.Color(b.fill)
	b.pill.Resize(size)
	b.drawn.Text, b.drawn.Color = b.text, theme.Color(tokens.OnAccent)
	high := b.drawn.MinSize().Height
	b.drawn.Resize(fyne.NewSize(size.Width, high))
	b.drawn.Move(fyne.NewPos(0, (size.Height-high)/2))
}

func (b *badge) Refresh() {
	b.paint()
	b.pill.Refresh()
	b.drawn.Refresh()
}

func (b *badge) CreateRenderer() fyne.WidgetRenderer {
	b.paint()
	return widget.NewSimpleRenderer(placed(b.pill, b.drawn))
}
