package terminal

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"git.rickub.com/bots-garden/sidekicks/ui/terminal/screen"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// ink is a colour that covers what is below.
type ink struct{ r, g, b uint8 }

// palette are the colours of a theme.
type palette struct {
	text, back, selected, found, here, cursor ink

	table    [256]ink
	readable map[[2]ink]ink
}

// The sixteen colours that programs have names for, on a light and on a dark
// ground. White is white, though nothing could be read: see legible.
var (
	onLight = [16]uint32{
		0x1d1d1b, 0xbb2c45, 0x217a4d, 0x8f5600, 0x2c5fb3, 0x7a3bb0, 0x0c7c7e, 0xd5d5d0,
		0x6e6e68, 0xd03a55, 0x1f8f55, 0xa86800, 0x3b78d8, 0x9450cc, 0x0e8f92, 0xffffff,
	}
	onDark = [16]uint32{
		0x17181a, 0xf0708a, 0x5cc08d, 0xe0a33e, 0x7aa7f0, 0xc59bf5, 0x5cc4c6, 0xd0d0cc,
		0x8f908a, 0xff8fa5, 0x7ddca9, 0xf5bf65, 0x9cc0ff, 0xd9b8ff, 0x82e0e2, 0xffffff,
	}
)

func newPalette(w fyne.Widget) *palette {
	named := func(name fyne.ThemeColorName) ink {
		c := color.NRGBAModel.Convert(theme.ColorForWidget(name, w)).(color.NRGBA)
		return ink{c.R, c.G, c.B}
	}
	p := &palette{
		text: named(tokens.Text), back: named(tokens.Panel), selected: named(tokens.AccentTint),
		found: named(tokens.DiffAddedWord), here: named(tokens.Warn), cursor: named(tokens.Accent),
		readable: map[[2]ink]ink{},
	}
	first := onDark
	if p.back.light() > 0.5 {
		first = onLight
	}
	for i, c := range first {
		p.table[i] = ink{uint8(c >> 16), uint8(c >> 8), uint8(c)}
	}
	steps := [6]uint8{0, 95, 135, 175, 215, 255}
	for i := range 216 {
		p.table[16+i] = ink{steps[i/36], steps[i/6%6], steps[i%6]}
	}
	for i := range 24 {
		grey := uint8(8 + 10*i)
		p.table[232+i] = ink{grey, grey, grey}
	}
	return p
}

// colors are what a cell is written with and what is behind it.
func (p *palette) colors(c *screen.Cell, m mark, inverted bool) (text, back ink) {
	text, back = p.color(c.Fg, p.text), p.color(c.Bg, p.back)
	if (c.Attr&screen.Reverse != 0) != inverted {
		text, back = back, text
	}
	switch m {
	case selected:
		back = p.selected
	case found:
		back = p.found
	case here:
		back = p.here
	case block:
		text, back = p.back, p.cursor
	}
	if c.Attr&screen.Faint != 0 {
		text = text.mixed(back, 0.4)
	}
	if !drawing(c.Rune) {
		text = p.legible(text, back)
	}
	return text, back
}

func (p *palette) color(c screen.Color, own ink) ink {
	if i, ok := c.Index(); ok {
		return p.table[i]
	}
	if r, g, b, ok := c.RGB(); ok {
		return ink{r, g, b}
	}
	return own
}

// drawing tells whether a character is a part of a drawing, in which one
// colour may be meant to be lost in the other.
func drawing(r rune) bool { return r >= 0x2500 && r < 0x25a0 || r >= 0xe0a0 && r < 0xe0d8 }

// leastContrast is how well text can be told from what is behind it, whatever
// colours a program chose, as WCAG counts.
const leastContrast = 3.2

// legible moves a colour away from the one behind until it can be read.
func (p *palette) legible(text, back ink) ink {
	key := [2]ink{text, back}
	if known, ok := p.readable[key]; ok {
		return known
	}
	if len(p.readable) > 1<<16 {
		clear(p.readable)
	}
	pole := ink{255, 255, 255}
	if back.light() > 0.18 {
		pole = ink{}
	}
	better := text
	for share := float32(0.1); contrast(better, back) < leastContrast && share <= 1; share += 0.1 {
		better = text.mixed(pole, share)
	}
	p.readable[key] = better
	return better
}

func (i ink) mixed(with ink, share float32) ink {
	mix := func(a, b uint8) uint8 { return uint8(float32(a)*(1-share) + float32(b)*share + 0.5) }
	return ink{mix(i.r, with.r), mix(i.g, with.g), mix(i.b, with.b)}
}

// light is how light a colour is, from 0 to 1.
func (i ink) light() float64 {
	part := func(v uint8) float64 { x := float64(v) / 255; return x * x } // near enough to the curve of screens
	return 0.2126*part(i.r) + 0.7152*part(i.g) + 0.0722*part(i.b)
}

func contrast(a, b ink) float64 {
	x, y := a.light(), b.light()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func (i ink) nrgba() color.NRGBA { return color.NRGBA{i.r, i.g, i.b, 0xff} }
