package ui

import (
	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/ui/markdown"
)

// Fyne asks an object for its smallest size without saying how wide it will
// be. What wraps needs to know: such objects, and the layouts below, answer
// for a width.
type wrapping interface {
	HeightFor(width float32) float32
}

type wrappingLayout interface {
	heightFor(objects []fyne.CanvasObject, width float32) float32
}

// heightFor is how high an object is when it is that wide.
func heightFor(o fyne.CanvasObject, width float32) float32 {
	switch o := o.(type) {
	case wrapping:
		return o.HeightFor(width)
	case *markdown.Flow:
		if o.Size().Width != width {
			o.Resize(fyne.NewSize(width, o.Size().Height))
		}
	case *fyne.Container:
		if l, ok := o.Layout.(wrappingLayout); ok {
			return l.heightFor(o.Objects, width)
		}
	}
	return o.MinSize().Height
}

// relayout places what is in a container again, and in the containers in it,
// after something in there came, went or grew.
func relayout(o fyne.CanvasObject) {
	c, ok := o.(*fyne.Container)
	if !ok {
		return
	}
	if c.Layout != nil {
		c.Layout.Layout(c.Objects, c.Size())
	}
	for _, child := range c.Objects {
		relayout(child)
	}
}

// insets are the distances between a frame and what is in it.
type insets struct{ top, right, bottom, left float32 }

func inset(vertical, horizontal float32) insets {
	return insets{vertical, horizontal, vertical, horizontal}
}

func (i insets) width() float32  { return i.left + i.right }
func (i insets) height() float32 { return i.top + i.bottom }

// column stacks objects, each as wide as the column.
type column struct {
	insets
	gap   float32
	limit float32 // of the width of the objects; 0: none
	last  float32 // the width of the last layout, for MinSize
}

func newColumn(gap float32, in insets, objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: &column{insets: in, gap: gap}, Objects: objects}
}

// framed is one object with room around it. In a frame that is too high it
// stays in the middle.
func framed(in insets, o fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: frame{in}, Objects: []fyne.CanvasObject{o}}
}

type frame struct{ insets }

func (f frame) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	return heightFor(objects[0], max(0, width-f.width())) + f.height()
}

func (f frame) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w := max(0, size.Width-f.width())
	h := heightFor(objects[0], w)
	objects[0].Resize(fyne.NewSize(w, h))
	objects[0].Move(fyne.NewPos(f.left, f.top+max(0, (size.Height-f.height()-h)/2)))
}

func (f frame) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return objects[0].MinSize().AddWidthHeight(f.width(), f.height())
}

func (c *column) inner(width float32) float32 {
	w := max(0, width-c.width())
	if c.limit > 0 {
		w = min(w, c.limit)
	}
	return w
}

func (c *column) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	h, n := float32(0), 0
	for _, o := range objects {
		if o.Visible() {
			h += heightFor(o, c.inner(width))
			n++
		}
	}
	return h + c.gap*float32(max(0, n-1)) + c.height()
}

func (c *column) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	c.last = size.Width
	y := c.top
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		w := c.inner(size.Width)
		h := heightFor(o, w)
		o.Move(fyne.NewPos(c.left, y))
		o.Resize(fyne.NewSize(w, h))
		y += h + c.gap
	}
}

func (c *column) MinSize(objects []fyne.CanvasObject) fyne.Size {
	w := float32(0)
	for _, o := range objects {
		if o.Visible() {
			w = max(w, o.MinSize().Width)
		}
	}
	w += c.width()
	return fyne.NewSize(w, c.heightFor(objects, max(c.last, w)))
}

// line sets objects side by side, centred on one another; the one called
// grows takes what is left of the width, and is the first to be cut short.
type line struct {
	gap   float32
	grows fyne.CanvasObject
	fits  bool // what grows takes no more than its text needs
}

func newLine(gap float32, grows fyne.CanvasObject, objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: &line{gap: gap, grows: grows}, Objects: objects}
}

// textual is an object around a line of text.
type textual interface {
	fyne.CanvasObject
	whole() fyne.Size // when nothing is cut
}

// newFittingLine is a line in which what follows the text that grows comes
// right after its end.
func newFittingLine(gap float32, grows textual, objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: &line{gap, grows, true}, Objects: objects}
}

func (l *line) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	for i, w := range l.widths(objects, size.Width) {
		o := objects[i]
		if !o.Visible() {
			continue
		}
		h := heightFor(o, w)
		o.Resize(fyne.NewSize(w, h))
		o.Move(fyne.NewPos(x, (size.Height-h)/2))
		x += w + l.gap
	}
}

func (l *line) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	return highest(objects, l.widths(objects, width))
}

func (l *line) widths(objects []fyne.CanvasObject, width float32) []float32 {
	all := widths(objects, l.grows, l.gap, width)
	for i, o := range objects {
		if text, ok := o.(textual); ok && l.fits && o == l.grows {
			all[i] = min(all[i], text.whole().Width)
		}
	}
	return all
}

// widths gives each visible object its smallest width, and what is left to
// the one that grows.
func widths(objects []fyne.CanvasObject, grows fyne.CanvasObject, gap, width float32) []float32 {
	all := make([]float32, len(objects))
	rest, n := width, 0
	for i, o := range objects {
		if !o.Visible() {
			continue
		}
		n++
		if o != grows {
			all[i] = o.MinSize().Width
			rest -= all[i]
		}
	}
	rest = max(0, rest-gap*float32(max(0, n-1)))
	for i, o := range objects {
		if o == grows && o.Visible() {
			all[i] = rest
		}
	}
	return all
}

func highest(objects []fyne.CanvasObject, widths []float32) (h float32) {
	for i, o := range objects {
		if o.Visible() {
			h = max(h, heightFor(o, widths[i]))
		}
	}
	return h
}

func (l *line) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size, n := fyne.Size{}, 0
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		n++
		min := o.MinSize()
		size.Width += min.Width
		size.Height = max(size.Height, min.Height)
	}
	size.Width += l.gap * float32(max(0, n-1))
	return size
}

// wrap sets objects side by side and goes on below when the line is full.
type wrap struct {
	gap, lineGap float32
	last         float32
}

func newWrap(gap, lineGap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: &wrap{gap: gap, lineGap: lineGap}, Objects: objects}
}

// place calls put for each object and returns the height of all.
func (w *wrap) place(objects []fyne.CanvasObject, width float32, put func(o fyne.CanvasObject, x, y float32, size fyne.Size)) float32 {
	x, y, high := float32(0), float32(0), float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		size := o.MinSize()
		if text, ok := o.(textual); ok {
			size.Width = text.whole().Width
		}
		size.Width = min(size.Width, width)
		size.Height = heightFor(o, size.Width)
		if x > 0 && x+size.Width > width {
			x, y, high = 0, y+high+w.lineGap, 0
		}
		put(o, x, y, size)
		x += size.Width + w.gap
		high = max(high, size.Height)
	}
	return y + high
}

func (w *wrap) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	return w.place(objects, width, func(fyne.CanvasObject, float32, float32, fyne.Size) {})
}

func (w *wrap) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w.last = size.Width
	w.place(objects, size.Width, func(o fyne.CanvasObject, x, y float32, size fyne.Size) {
		o.Resize(size)
		o.Move(fyne.NewPos(x, y))
	})
}

func (w *wrap) MinSize(objects []fyne.CanvasObject) fyne.Size {
	width := float32(0)
	for _, o := range objects {
		if o.Visible() {
			width = max(width, min(o.MinSize().Width, 120))
		}
	}
	return fyne.NewSize(width, w.heightFor(objects, max(w.last, width)))
}

// ends sets one object at the left edge and one at the right, or the second
// below the first when there is no room for both.
type ends struct{ gap float32 }

func newEnds(gap float32, left, right fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: ends{gap}, Objects: []fyne.CanvasObject{left, right}}
}

func (e ends) together(o []fyne.CanvasObject, width float32) bool {
	return o[0].MinSize().Width+e.gap+o[1].MinSize().Width <= width
}

func (e ends) heightFor(o []fyne.CanvasObject, width float32) float32 {
	left, right := o[0].MinSize().Height, o[1].MinSize().Height
	if e.together(o, width) {
		return max(left, right)
	}
	return left + e.gap + right
}

func (e ends) Layout(o []fyne.CanvasObject, size fyne.Size) {
	left, right := o[0].MinSize(), o[1].MinSize()
	together := e.together(o, size.Width)
	y := float32(0)
	if together {
		y = (size.Height - left.Height) / 2
		o[0].Resize(fyne.NewSize(size.Width-right.Width-e.gap, left.Height))
	} else {
		o[0].Resize(fyne.NewSize(size.Width, left.Height))
	}
	o[0].Move(fyne.NewPos(0, y))
	o[1].Resize(right)
	o[1].Move(fyne.NewPos(size.Width-right.Width, size.Height-right.Height))
}

func (e ends) MinSize(o []fyne.CanvasObject) fyne.Size {
	left, right := o[0].MinSize(), o[1].MinSize()
	return fyne.NewSize(max(left.Width, right.Width), max(left.Height, right.Height))
}

// atLeast asks for no more room than that, whatever is in it.
type atLeast struct{ size fyne.Size }

func (a atLeast) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	layers{}.Layout(objects, size)
}

func (a atLeast) MinSize([]fyne.CanvasObject) fyne.Size { return a.size }

// layers lays objects over one another, all as large as the whole.
type layers struct{}

func newLayers(objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: layers{}, Objects: objects}
}

func (layers) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	h := float32(0)
	for _, o := range objects {
		if o.Visible() {
			h = max(h, heightFor(o, width))
		}
	}
	return h
}

func (layers) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Resize(size)
		o.Move(fyne.Position{})
	}
}

func (layers) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.Size{}
	for _, o := range objects {
		if o.Visible() {
			size = size.Max(o.MinSize())
		}
	}
	return size
}

// fixed gives an object a width or a height of its own; 0 leaves it.
type fixed struct{ width, height float32 }

func newFixed(width, height float32, o fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: fixed{width, height}, Objects: []fyne.CanvasObject{o}}
}

func (f fixed) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	if f.height > 0 {
		return f.height
	}
	return heightFor(objects[0], width)
}

func (f fixed) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(size)
	objects[0].Move(fyne.Position{})
}

func (f fixed) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := objects[0].MinSize()
	if f.width > 0 {
		size = fyne.NewSize(f.width, heightFor(objects[0], f.width))
	}
	if f.height > 0 {
		size.Height = f.height
	}
	return size
}

// pile stacks objects that fill its width; the one that grows takes what is
// left of the height.
type pile struct{ grows fyne.CanvasObject }

func newPile(grows fyne.CanvasObject, objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: pile{grows}, Objects: objects}
}

func (p pile) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	rest := size.Height
	heights := make([]float32, len(objects))
	for i, o := range objects {
		if o.Visible() && o != p.grows {
			heights[i] = heightFor(o, size.Width)
			rest -= heights[i]
		}
	}
	y := float32(0)
	for i, o := range objects {
		if !o.Visible() {
			continue
		}
		if o == p.grows {
			heights[i] = max(0, rest)
		}
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, heights[i]))
		y += heights[i]
	}
}

func (p pile) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.Size{}
	for _, o := range objects {
		if o.Visible() {
			min := o.MinSize()
			size = fyne.NewSize(max(size.Width, min.Width), size.Height+min.Height)
		}
	}
	return size
}

// columns sets objects side by side over the whole height; the one that grows
// takes what is left of the width.
type columns struct{ grows fyne.CanvasObject }

func newColumns(grows fyne.CanvasObject, objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: columns{grows}, Objects: objects}
}

func (c columns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	for i, w := range widths(objects, c.grows, 0, size.Width) {
		if o := objects[i]; o.Visible() {
			o.Move(fyne.NewPos(x, 0))
			o.Resize(fyne.NewSize(w, size.Height))
			x += w
		}
	}
}

func (c columns) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	return highest(objects, widths(objects, c.grows, 0, width))
}

func (c columns) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.Size{}
	for _, o := range objects {
		if o.Visible() {
			min := o.MinSize()
			size = fyne.NewSize(size.Width+min.Width, max(size.Height, min.Height))
		}
	}
	return size
}
