package markdown

import (
	"slices"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// A text is a sequence of blocks, one below the other; nesting is only an
// indent, bars and a marker. A block has its own plain text, which the offsets
// of its lines and pieces count in bytes.
type block struct {
	kind   kind
	above  float32 // gap to the block before
	indent float32 // of the content
	bars   []bar   // of the quotes around it
	marker marker
	prefix int // bytes of text that the marker takes

	runs  []run   // prose
	scale float32 // of the text size
	quiet bool    // in a quote

	lang   string // code
	closed bool   // its fence is, or its indent ended
	asked  bool   // for its colours
	spans  []span // its colours, once they are known
	given  []Line // of SetLines: one for each line of text

	rows   []row // table
	aligns []fyne.TextAlign

	text string // as copied
	sep  string // between the block before and this one, as copied

	start int // of text in the whole; set when the blocks are joined
	y     float32
	laid
	shown
}

type kind uint8

const (
	prose kind = iota
	code
	table
	rule
	more // the offer to show what was cut off
)

// bar is the side of a quote.
type bar struct {
	x     float32
	first bool // the block is the quote's first
}

// marker is what stands before the first line of a list item.
type marker struct {
	text string // "•", "2."
	x    float32
	box  taskBox
}

type taskBox uint8

const (
	noBox taskBox = iota
	openBox
	doneBox
)

type style uint8

const (
	bold style = 1 << iota
	italic
	strike
	mono // inline code
	pill // a mention
)

// run is a stretch of prose in one style. "\n" in it breaks the line.
type run struct {
	text  string
	style style
	link  string // empty: none
}

type row []cell

type cell struct{ runs []run }

// span is a stretch of code in one colour; the empty colour is the text's.
type span struct {
	length int
	color  fyne.ThemeColorName
	back   fyne.ThemeColorName // behind it; empty: nothing
}

// laid is a block after layout at some width.
type laid struct {
	width  float32
	height float32
	lines  []line
	frame  box           // of a panel
	copy   box           // of a code panel's button
	origin fyne.Position // of the lines, in the block
	inner  fyne.Size     // of what the frame shows; wider than it: it scrolls
	grid   []float32     // y of a table's rules, relative to the frame
	head   float32       // height of a table's first row
}

type box struct{ x, y, w, h float32 }

func (b box) has(p fyne.Position) bool {
	return p.X >= b.x && p.X < b.x+b.w && p.Y >= b.y && p.Y < b.y+b.h
}

// line is one line of text, at coordinates of its block, or of what scrolls in
// the block's frame if it is wider than that.
type line struct {
	y, height  float32
	base       float32 // of the text, below y
	start, end int     // in the block's text, without the line break
	cell       box     // the area whose nearest line this can be
	pieces     []piece
	back       fyne.ThemeColorName // of the whole line

	drawn bool
	backs []fyne.CanvasObject // what draws it, while in view
	texts []ink
}

// ink draws a part of a piece: letters, or an emoji.
type ink struct {
	fyne.CanvasObject
	piece int
}

// piece is a stretch of one line in one style.
type piece struct {
	text       string
	start, end int
	x, width   float32
	face       face
	color      fyne.ThemeColorName
	back       fyne.ThemeColorName // behind the text; rounded in prose
	strike     bool
	link       string
}

// same reports whether two blocks look alike at the same width, whatever their
// place, so that the layout of one serves for the other.
func (b *block) same(o *block) bool {
	return b.kind == o.kind && b.text == o.text && b.indent == o.indent &&
		b.prefix == o.prefix && b.marker == o.marker && b.scale == o.scale &&
		b.quiet == o.quiet && b.lang == o.lang && b.closed == o.closed &&
		slices.Equal(b.given, o.given) &&
		slices.Equal(b.bars, o.bars) && slices.Equal(b.runs, o.runs) &&
		slices.Equal(b.aligns, o.aligns) &&
		slices.EqualFunc(b.rows, o.rows, func(a, b row) bool {
			return slices.EqualFunc(a, b, func(a, b cell) bool { return slices.Equal(a.runs, b.runs) })
		})
}

// color is that of the block's plain prose.
func (b *block) color() fyne.ThemeColorName {
	if b.quiet {
		return tokens.Muted
	}
	return tokens.Text
}
