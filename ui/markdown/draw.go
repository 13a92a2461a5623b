package markdown

import (
	"image/color"
	"math"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/ui/emoji"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

type anyColor = color.Color

// shown is what draws a block, nil while it is out of view. Refreshing a
// widget or a container would have all its texts rendered again: only objects
// that changed are refreshed.
type shown struct {
	root   *fyne.Container // all of it
	body   *fyne.Container // the lines and the selection, in the frame
	pan    *pan            // around body, if it scrolls
	scroll float32
	button *canvas.Text
	copied bool
	under  []fyne.CanvasObject // behind the body: frame, bars
	over   []fyne.CanvasObject // in front of it
}

// still is a layout that leaves everything in its place.
type still struct{}

func (still) Layout([]fyne.CanvasObject, fyne.Size)        {}
func (still) MinSize([]fyne.CanvasObject) (size fyne.Size) { return }

func group(objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: still{}, Objects: objects}
}

// drop forgets what drew a block and its lines.
func (b *block) drop() {
	scroll := b.scroll
	b.shown = shown{scroll: scroll}
	for i := range b.lines {
		b.lines[i].forget()
	}
}

func (l *line) forget() { l.drawn, l.backs, l.texts = false, nil, nil }

// inherit takes over from the block that stood here before what is still right.
func (b *block) inherit(old *block) {
	if b.kind != old.kind {
		old.drop()
		return
	}
	b.scroll = old.scroll
	b.laid.lines = old.lines // for adopt
}

// adopt takes over the objects of lines that are the same as before.
func (b *block) adopt(before laid) {
	for i := range before.lines {
		old := &before.lines[i]
		if i < len(b.lines) && old.drawn && old.alike(&b.lines[i]) {
			b.lines[i].drawn, b.lines[i].backs, b.lines[i].texts = true, old.backs, old.texts
		}
	}
	b.shown = shown{scroll: b.scroll, copied: b.copied}
}

// alike reports whether two lines are drawn alike at the same place.
func (l *line) alike(o *line) bool {
	if l.y != o.y || l.back != o.back || l.back != "" && l.cell != o.cell || len(l.pieces) != len(o.pieces) {
		return false
	}
	for i, p := range l.pieces {
		q := o.pieces[i]
		p.start, p.end = q.start, q.end
		if p != q {
			return false
		}
	}
	return true
}

// draw makes the objects of what is in view and puts them in place.
func (f *Flow) draw() {
	if f.width <= 0 {
		return
	}
	f.drawnTop, f.drawnBottom = f.top-ahead, f.bottom+ahead
	f.objects = f.objects[:0]
	for _, b := range f.blocks {
		if f.limited && (b.y > f.drawnBottom || b.y+b.height < f.drawnTop) {
			if b.root != nil {
				b.drop()
			}
			continue
		}
		if b.root == nil {
			f.build(b)
		}
		f.fill(b)
		b.root.Move(fyne.NewPos(0, b.y))
		f.objects = append(f.objects, b.root)
	}
	f.objects = append(append(f.objects, f.ring()...), f.sentinel)
	canvas.Refresh(f.sentinel)
	f.colorize()
}

// build makes what surrounds a block's lines.
func (f *Flow) build(b *block) {
	b.under, b.over = nil, nil
	for _, bar := range b.bars {
		at := box{bar.x, 0, 3, b.height}
		if !bar.first { // reach up to the block before: together they are one bar
			at.y, at.h = -b.above, b.height+b.above
		}
		b.under = append(b.under, f.rectangle(at, tokens.Line, 0))
	}
	b.body = group()
	b.body.Move(b.origin)
	var inside fyne.CanvasObject = b.body
	switch b.kind {
	case rule:
		b.under = append(b.under, f.rectangle(b.frame, tokens.Line, 0))
	case code:
		f.panel(b)
	case table:
		f.grid(b)
	case prose:
		f.box(b)
	}
	if b.inner.Width > b.frame.w && (b.kind == code || b.kind == table) {
		b.pan = newPan(f, b)
		inside = b.pan
	}
	objects := append(append(append([]fyne.CanvasObject{}, b.under...), inside), b.over...)
	b.root = group(objects...)
}

func (f *Flow) rectangle(at box, fill fyne.ThemeColorName, radius float32) *canvas.Rectangle {
	r := canvas.NewRectangle(f.color(fill))
	r.CornerRadius = radius
	r.Move(fyne.NewPos(at.x, at.y))
	r.Resize(fyne.NewSize(at.w, at.h))
	return r
}

// card is a framed area. It is two filled rectangles: the painter mixes a
// stroke with black where nothing is inside it.
func (f *Flow) card(at box, frame fyne.ThemeColorName, radius float32) []fyne.CanvasObject {
	inner := box{at.x + 1, at.y + 1, at.w - 2, at.h - 2}
	return []fyne.CanvasObject{f.rectangle(at, frame, radius), f.rectangle(inner, tokens.Panel, radius-1)}
}

func (f *Flow) label(text string, fc face, color fyne.ThemeColorName) *canvas.Text {
	t := canvas.NewText(text, f.color(color))
	t.TextSize, t.TextStyle = fc.size, fc.style()
	return t
}

// panel draws a code block's ground and heading.
func (f *Flow) panel(b *block) {
	radius := float32(6)
	if f.Bare {
		radius = 0
	}
	b.under = append(b.under, f.rectangle(b.frame, tokens.Code, radius))
	if f.Bare {
		return
	}
	small := face{size: f.look.sizes.small}
	lang := f.label(b.lang, small, tokens.Faint)
	lang.Move(fyne.NewPos(b.frame.x+codeMargin, 6))
	b.button = f.label(f.Labels.Copy, small, tokens.Muted)
	b.button.Alignment = fyne.TextAlignTrailing
	b.button.Move(fyne.NewPos(b.copy.x, 6))
	b.button.Resize(fyne.NewSize(b.copy.w-codeMargin, b.button.MinSize().Height))
	b.over = append(b.over, lang, b.button)
	f.paintButton(b)
}

// paintButton shows the state of a code panel's button.
func (f *Flow) paintButton(b *block) {
	if b.button == nil {
		return
	}
	text, color := f.Labels.Copy, tokens.Muted
	if f.hovered == b {
		color = tokens.Accent
	} else {
		b.copied = false
	}
	if b.copied {
		text, color = f.Labels.Copied, tokens.OK
	}
	b.button.Text, b.button.Color = text, f.color(color)
	b.button.Refresh()
}

// grid draws the lines and the heading of a table.
func (f *Flow) grid(b *block) {
	b.under = append(b.under, f.card(b.frame, tokens.Line, 6)...)
	head := f.rectangle(box{b.frame.x + 1, 1, b.frame.w - 2, b.head - 1}, tokens.Code, 0)
	head.TopLeftCornerRadius, head.TopRightCornerRadius = 5, 5
	b.under = append(b.under, head)
	for _, y := range b.grid[:len(b.grid)-1] {
		b.under = append(b.under, f.rectangle(box{b.frame.x, y, b.frame.w, 1}, tokens.Line, 0))
	}
}

// box draws the box of a task.
func (f *Flow) box(b *block) {
	const side = 14
	if b.marker.box == noBox {
		return
	}
	at := box{b.marker.x, float32(int((b.lines[0].height - side) / 2)), side, side}
	if b.marker.box == openBox {
		b.under = append(b.under, f.card(at, tokens.Faint, 3)...)
		return
	}
	tick := f.label("✓", face{size: 11, bold: true}, tokens.OnAccent)
	tick.Alignment = fyne.TextAlignCenter
	tick.Move(fyne.NewPos(at.x, at.y))
	tick.Resize(fyne.NewSize(side, side))
	b.under = append(b.under, f.rectangle(at, tokens.Accent, 3), tick)
}

// fill makes the body of a block from its lines in view and the selection.
func (f *Flow) fill(b *block) {
	first, end := f.inView(b)
	for i := range b.lines {
		if l := &b.lines[i]; l.drawn && (i < first || i >= end) {
			l.forget()
		}
	}
	objects := b.body.Objects[:0]
	for i := first; i < end; i++ {
		if !b.lines[i].drawn {
			f.drawLine(b, &b.lines[i])
		}
		objects = append(objects, b.lines[i].backs...)
	}
	objects = append(objects, f.selectionOf(b, first, end)...)
	for i := first; i < end; i++ {
		for _, t := range b.lines[i].texts {
			objects = append(objects, t.CanvasObject)
		}
	}
	b.body.Objects = objects
}

// inView returns the lines of a block that are in view. A table's lines are
// not sorted from the top: all of them are.
func (f *Flow) inView(b *block) (first, end int) {
	if !f.limited || b.kind == table {
		return 0, len(b.lines)
	}
	top, bottom := f.drawnTop-b.y-b.origin.Y, f.drawnBottom-b.y-b.origin.Y
	first = sort.Search(len(b.lines), func(i int) bool { return b.lines[i].y+b.lines[i].height >= top })
	end = sort.Search(len(b.lines), func(i int) bool { return b.lines[i].y > bottom })
	return first, max(first, end)
}

// drawLine makes the objects of a line.
func (f *Flow) drawLine(b *block, l *line) {
	l.drawn = true
	if l.back != "" {
		l.backs = append(l.backs, f.rectangle(box{0, l.y, l.cell.w, l.height}, l.back, 0))
	}
	for i, p := range l.pieces {
		if p.back != "" {
			l.backs = append(l.backs, f.ground(b, l, p))
		}
		x := p.x
		for rest := p.text; rest != ""; {
			start, end := emoji.Find(rest)
			if start > 0 {
				letters := f.letters(l, p, rest[:start], x)
				l.texts = append(l.texts, ink{letters, i})
				x += letters.Size().Width
			}
			if end > start {
				sign := f.emoji(l, p, rest[start:end], x)
				l.texts = append(l.texts, ink{sign, i})
				x += sign.Size().Width
			}
			rest = rest[end:]
		}
	}
}

// ground is what a piece stands on.
func (f *Flow) ground(b *block, l *line, p piece) fyne.CanvasObject {
	if b.kind == code {
		return f.rectangle(box{p.x, l.y, p.width, l.height}, p.back, 0)
	}
	return f.rectangle(box{p.x - padding, l.y + 1, p.width + 2*padding, l.height - 2}, p.back, 4)
}

// letters draws a part of a piece at x.
func (f *Flow) letters(l *line, p piece, s string, x float32) *canvas.Text {
	m := f.ruler.metrics(p.face)
	t := f.label(s, p.face, p.color)
	t.TextStyle.Strikethrough = p.strike
	t.TextStyle.Underline = p.link != "" && p.link == f.overLink
	// Fyne draws a baseline on whole pixels, the ascent rounded up.
	t.Move(fyne.NewPos(x, l.y+l.base-float32(math.Ceil(float64(m.ascent)))))
	width := p.width
	if len(s) < len(p.text) {
		width = m.width(s)
	}
	t.Resize(fyne.NewSize(width, m.ascent*1.25))
	return t
}

// emoji draws one as a picture in the middle of the line.
func (f *Flow) emoji(l *line, p piece, s string, x float32) *canvas.Image {
	side := f.ruler.metrics(p.face).picture()
	m := canvas.NewImageFromImage(emoji.Picture(s))
	m.FillMode = canvas.ImageFillContain
	m.Move(fyne.NewPos(x, l.y+float32(math.Round(float64((l.height-side)/2)))))
	m.Resize(fyne.NewSquareSize(side))
	return m
}

// underline draws the link under the pointer as one.
func (f *Flow) underline(link string, on bool) {
	if link == "" {
		return
	}
	for _, b := range f.blocks {
		for i := range b.lines {
			for _, o := range b.lines[i].texts {
				if t, ok := o.CanvasObject.(*canvas.Text); ok && b.lines[i].pieces[o.piece].link == link {
					t.TextStyle.Underline = on
					t.Refresh()
				}
			}
		}
	}
}

// pan is a block's frame that is narrower than its content. It takes the wheel
// for sideways moves only, so that it never holds up a conversation.
type pan struct {
	widget.BaseWidget
	flow  *Flow
	block *block
	thumb *canvas.Rectangle
}

func newPan(f *Flow, b *block) *pan {
	p := &pan{flow: f, block: b, thumb: f.rectangle(box{}, tokens.Clear, 2)}
	p.thumb.FillColor = f.color("scrollBar")
	p.ExtendBaseWidget(p)
	p.Move(b.origin)
	p.Resize(fyne.NewSize(b.frame.w, b.inner.Height))
	p.scrollTo(b.scroll)
	return p
}

// scrollTo shows the content from x on.
func (p *pan) scrollTo(x float32) {
	b := p.block
	b.scroll = min(max(0, x), b.inner.Width-b.frame.w)
	b.body.Move(fyne.NewPos(-b.scroll, 0))
	t := p.thumbBox()
	p.thumb.Resize(fyne.NewSize(t.w, 4))
	p.thumb.Move(fyne.NewPos(t.x, b.inner.Height-6))
}

// thumbBox is where the scroll bar can be grabbed, in the pan.
func (p *pan) thumbBox() box {
	b := p.block
	width := max(24, b.frame.w*b.frame.w/b.inner.Width)
	x := (b.frame.w - width) * b.scroll / (b.inner.Width - b.frame.w)
	return box{x, b.inner.Height - 12, width, 12}
}

// Scrolled implements fyne.Scrollable.
func (p *pan) Scrolled(e *fyne.ScrollEvent) {
	dx, dy := e.Scrolled.DX, e.Scrolled.DY
	if dx == 0 && shiftHeld() {
		dx, dy = dy, 0
	}
	switch {
	case max(dx, -dx) > max(dy, -dy):
		p.scrollTo(p.block.scroll - dx)
	case p.flow.OnScrolled != nil:
		p.flow.OnScrolled(e)
	}
}

// CreateRenderer implements fyne.Widget.
func (p *pan) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(group(p.block.body, p.thumb))
}
