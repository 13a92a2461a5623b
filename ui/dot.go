package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// dot shows the state of an agent: hollow while stopped, ringed while it
// works.
type dot struct {
	widget.BaseWidget
	state        app.AgentState
	ring, centre *canvas.Rectangle
}

const dotSize = 8

func newDot(state app.AgentState) *dot {
	d := &dot{state: state, ring: canvas.NewRectangle(color.Transparent), centre: canvas.NewRectangle(color.Transparent)}
	d.ring.CornerRadius = dotSize/2 + 3
	d.ring.Resize(fyne.NewSquareSize(dotSize + 6))
	d.centre.CornerRadius = dotSize / 2
	d.centre.Resize(fyne.NewSquareSize(dotSize))
	d.centre.Move(fyne.NewSquareOffsetPos(3))
	d.ExtendBaseWidget(d)
	return d
}

func (d *dot) set(state app.AgentState) {
	if d.state != state {
		d.state = state
		d.Refresh()
	}
}

func (d *dot) paint() {
	d.ring.FillColor = color.Transparent
	d.centre.StrokeWidth = 0
	switch d.state {
	case app.AgentReady:
		d.centre.FillColor = theme.Color(tokens.OK)
	case app.AgentWorking:
		d.centre.FillColor = theme.Color(tokens.Accent)
		d.ring.FillColor = theme.Color(tokens.AccentTint)
	case app.AgentStarting, app.AgentStopping:
		d.centre.FillColor = theme.Color(tokens.Warn)
	case app.AgentError:
		d.centre.FillColor = theme.Color(tokens.Error)
	default:
		d.centre.FillColor = color.Transparent
		d.centre.StrokeColor = theme.Color(tokens.Faint)
		d.centre.StrokeWidth = 1.5
	}
}

func (d *dot) MinSize() fyne.Size { return fyne.NewSquareSize(dotSize + 6) }

func (d *dot) Refresh() {
	d.paint()
	d.ring.Refresh()
	d.centre.Refresh()
}

func (d *dot) CreateRenderer() fyne.WidgetRenderer {
	d.paint()
	return widget.NewSimpleRenderer(placed(d.ring, d.centre))
}

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
