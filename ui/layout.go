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
