package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// chip is a piece of code in a line of text.
type chip struct {
	widget.BaseWidget
	label *label
}

const chipMargin = 4

func newChip(text string) *chip {
	c := &chip{label: newCutLabel(text, coded())}
	c.ExtendBaseWidget(c)
	return c
}

func (c *chip) whole() fyne.Size { return c.label.whole().AddWidthHeight(2*chipMargin, 2) }

func (c *chip) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(newLayers(newSurface(tokens.Code, "", chipMargin), framed(inset(1, chipMargin), c.label)))
}
