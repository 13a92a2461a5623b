package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// Radii of corners (design, "The window").
const (
	controlRadius = 6
	cardRadius    = 8
	dialogRadius  = 10
)

// surface is a rectangle in colours of the theme.
type surface struct {
	widget.BaseWidget
	fill, stroke fyne.ThemeColorName // empty: none
	radius       float32
	thick        float32 // of the stroke; 0: 1
	lifted       bool    // has a shadow
	min          fyne.Size
	drawn        *canvas.Rectangle
}

func newSurface(fill, stroke fyne.ThemeColorName, radius float32) *surface {
	s := &surface{fill: fill, stroke: stroke, radius: radius, drawn: canvas.NewRectangle(color.Transparent)}
	s.ExtendBaseWidget(s)
	return s
}

// ruler is a thin line, horizontal or vertical as it is laid out.
func ruler() *surface {
	s := newSurface(tokens.Line, "", 0)
	s.min = fyne.NewSize(1, 1)
	return s
}

// card is a framed panel around an object.
func card(in insets, o fyne.CanvasObject) *fyne.Container {
	return newLayers(newSurface(tokens.Panel, tokens.Line, cardRadius), framed(in, o))
}

func (s *surface) set(fill, stroke fyne.ThemeColorName) {
	if s.fill != fill || s.stroke != stroke {
		s.fill, s.stroke = fill, stroke
		s.Refresh()
	}
}

func (s *surface) paint() {
	s.drawn.FillColor = themed(s.fill)
	s.drawn.StrokeColor = themed(s.stroke)
	s.drawn.StrokeWidth = 0
	if s.stroke != "" {
		s.drawn.StrokeWidth = max(1, s.thick)
	}
	s.drawn.CornerRadius = s.radius
	if s.lifted {
		s.drawn.Shadow = canvas.Shadow{Color: theme.Color(tokens.Shadow), BlurRadius: 18, Offset: fyne.NewPos(0, 6)}
	}
}

// themed is a colour of the theme, or nothing.
func themed(name fyne.ThemeColorName) color.Color {
	if name == "" {
		return color.Transparent
	}
	return theme.Color(name)
}

func (s *surface) MinSize() fyne.Size { return s.min }

func (s *surface) Refresh() {
	s.paint()
	s.drawn.Refresh()
}

func (s *surface) CreateRenderer() fyne.WidgetRenderer {
	s.paint()
	return widget.NewSimpleRenderer(s.drawn)
}
