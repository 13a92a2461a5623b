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
		d.centre.StrokeWidth = 1
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
