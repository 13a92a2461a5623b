package terminal

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/software"
)

// glyphs are the pictures of characters at one size, each drawn once. Drawing
// is left to the toolkit: it finds a font for whatever is not in the bundled
// one, and a sign in place of what is in none.
type glyphs struct {
	size, scale   float32
	width, height int // of a cell, in pixels
	line          int // thickness of lines
	under         int // where the line below the text is
	cache         map[glyphKey]*glyph
	tiles         map[tileKey]*image.RGBA
}

// tileKey is a character in its colours. It is painted once and then copied,
// which is many times faster: few pairs of colours are on a screen.
type tileKey struct {
	glyphKey
	text, back ink
}

type glyphKey struct {
	r            rune
	marks        string
	bold, italic bool
	wide         bool
}

// glyph is the picture of a character: how much of each pixel is covered, or
// the pixels themselves when it has colours of its own.
type glyph struct {
	width  int
	cover  []uint8
	colors []color.NRGBA
}

// mostGlyphs bounds each cache; a text in Chinese has some thousands.
const mostGlyphs = 8192

// tile is the picture of a character in its colours.
func (g *glyphs) tile(k tileKey) *image.RGBA {
	if tile, ok := g.tiles[k]; ok {
		return tile
	}
	if len(g.tiles) >= mostGlyphs {
		clear(g.tiles)
	}
	drawn := g.get(k.glyphKey)
	p := picture{image: image.NewRGBA(image.Rect(0, 0, drawn.width, g.height))}
	p.fill(0, 0, drawn.width, g.height, k.back)
	p.blit(drawn, 0, 0, k.text)
	g.tiles[k] = p.image
	return p.image
}

func newGlyphs(size, scale float32) *glyphs {
	cell := fyne.MeasureText("M", size, fyne.TextStyle{Monospace: true})
	g := &glyphs{size: size, scale: scale, cache: map[glyphKey]*glyph{}, tiles: map[tileKey]*image.RGBA{}}
	g.width = max(1, int(cell.Width*scale+0.5))
	g.height = max(1, int(cell.Height*scale+0.5))
	g.line = max(1, int(size*scale/14+0.5))
	g.under = g.height - max(2*g.line, g.height/8)
	return g
}

// get is the picture of a character, without its colours.
func (g *glyphs) get(k glyphKey) *glyph {
	drawn, ok := g.cache[k]
	if !ok {
		if len(g.cache) >= mostGlyphs {
			clear(g.cache)
		}
		drawn = g.block(k)
		if drawn == nil {
			drawn = g.draw(k)
		}
		g.cache[k] = drawn
	}
	return drawn
}

func (g *glyphs) draw(k glyphKey) *glyph {
	text := canvas.NewText(string(k.r)+k.marks, color.White)
	text.TextSize, text.TextStyle = g.size, fyne.TextStyle{Monospace: true, Bold: k.bold}
	c := software.NewTransparentCanvas()
	c.SetPadded(false)
	c.SetScale(g.scale)
	c.SetContent(&fyne.Container{Objects: []fyne.CanvasObject{text}})
	least := text.MinSize()
	text.Resize(least)
	width := g.cells(k) * g.width
	c.Resize(fyne.NewSize(max(float32(width)/g.scale, least.Width)+1, float32(g.height)/g.scale+1))
	picture := c.Capture()
	drawn := &glyph{width: width, cover: make([]uint8, width*g.height)}
	shift := max(0, (width-int(least.Width*g.scale+0.5))/2) // narrow ones of other fonts in the middle
	if k.r < 0x2e80 {
		shift = 0
	}
	for y := range g.height {
		lean := 0
		if k.italic {
			lean = (g.under - y) / 5
		}
		for x := range width {
			p := color.NRGBAModel.Convert(at(picture, x-shift-lean, y)).(color.NRGBA)
			drawn.cover[y*width+x] = p.A
			if p.A > 40 && (p.R < 200 || p.G < 200 || p.B < 200) {
				drawn.colors = []color.NRGBA{}
			}
		}
	}
	if drawn.colors != nil {
		drawn.colors = make([]color.NRGBA, width*g.height)
		for i := range drawn.colors {
			drawn.colors[i] = color.NRGBAModel.Convert(at(picture, i%width-shift, i/width)).(color.NRGBA)
		}
	}
	return drawn
}

func (g *glyphs) cells(k glyphKey) int {
	if k.wide {
		return 2
	}
	return 1
}

func at(p image.Image, x, y int) color.Color {
	if !(image.Point{x, y}).In(p.Bounds()) {
		return color.Transparent
	}
	return p.At(x, y)
}

// block draws the characters that must fill their cell to its edges: blocks,
// and the light and heavy lines of frames.
func (g *glyphs) block(k glyphKey) *glyph {
	b := &glyph{width: g.width, cover: make([]uint8, g.width*g.height)}
	w, h := g.width, g.height
	fill := func(x0, y0, x1, y1 int, c uint8) {
		for y := max(0, y0); y < min(h, y1); y++ {
			for x := max(0, x0); x < min(w, x1); x++ {
				b.cover[y*w+x] = c
			}
		}
	}
	r := k.r
	switch {
	case r == '▀':
		fill(0, 0, w, h/2, 255)
	case r >= '▁' && r <= '█':
		fill(0, h-h*int(r-'▁'+1)/8, w, h, 255)
	case r >= '▉' && r <= '▏':
		fill(0, 0, w*(8-int(r-'█'))/8, h, 255)
	case r == '▐':
		fill(w/2, 0, w, h, 255)
	case r >= '░' && r <= '▓':
		fill(0, 0, w, h, uint8(64*(r-'░'+1)))
	case r == '▔':
		fill(0, 0, w, h/8, 255)
	case r == '▕':
		fill(w-w/8, 0, w, h, 255)
	case r >= '▖' && r <= '▟':
		for quarter, bit := range []int{1, 2, 4, 8} {
			if []int{4, 8, 1, 13, 9, 7, 11, 2, 6, 14}[r-'▖']&bit != 0 {
				x, y := quarter%2*(w/2), quarter/2*(h/2)
				fill(x, y, x+w-w/2, y+h-h/2, 255)
			}
		}
	default:
		arms, ok := frames[r]
		if !ok || k.marks != "" {
			return nil
		}
		g.frame(arms, fill)
	}
	return b
}

// frame draws the arms of a frame's line: 0 none, 1 light, 2 heavy; in the
// order of left, right, up, down.
func (g *glyphs) frame(arms [4]int, fill func(x0, y0, x1, y1 int, c uint8)) {
	w, h := g.width, g.height
	for i, thick := range arms {
		if thick == 0 {
			continue
		}
		t := thick * g.line
		x, y := (w-t)/2, (h-t)/2
		switch i {
		case 0:
			fill(0, y, x+t, y+t, 255)
		case 1:
			fill(x, y, w, y+t, 255)
		case 2:
			fill(x, 0, x+t, y+t, 255)
		case 3:
			fill(x, y, x+t, h, 255)
		}
	}
}

// frames are the arms of the lines that programs draw frames with.
var frames = map[rune][4]int{
	'─': {1, 1, 0, 0}, '━': {2, 2, 0, 0}, '│': {0, 0, 1, 1}, '┃': {0, 0, 2, 2},
	'┌': {0, 1, 0, 1}, '┐': {1, 0, 0, 1}, '└': {0, 1, 1, 0}, '┘': {1, 0, 1, 0},
	'├': {0, 1, 1, 1}, '┤': {1, 0, 1, 1}, '┬': {1, 1, 0, 1}, '┴': {1, 1, 1, 0}, '┼': {1, 1, 1, 1},
	'┏': {0, 2, 0, 2}, '┓': {2, 0, 0, 2}, '┗': {0, 2, 2, 0}, '┛': {2, 0, 2, 0},
	'┣': {0, 2, 2, 2}, '┫': {2, 0, 2, 2}, '┳': {2, 2, 0, 2}, '┻': {2, 2, 2, 0}, '╋': {2, 2, 2, 2},
	'╴': {1, 0, 0, 0}, '╶': {0, 1, 0, 0}, '╵': {0, 0, 1, 0}, '╷': {0, 0, 0, 1},
}
