package ui

import "fyne.io/fyne/v2"

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

// atLeast asks for no more room than that, whatever is in it.
type atLeast struct{ size fyne.Size }

func (a atLeast) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	layers{}.Layout(objects, size)
}

func (a atLeast) MinSize([]fyne.CanvasObject) fyne.Size { return a.size }

// natural is how wide an object is when nothing in it is cut.
func natural(o fyne.CanvasObject) float32 {
	if text, ok := o.(textual); ok {
		return text.whole().Width
	}
	c, ok := o.(*fyne.Container)
	if !ok {
		return o.MinSize().Width
	}
	l, ok := c.Layout.(*line)
	if !ok {
		return o.MinSize().Width
	}
	w := l.gap * float32(max(0, len(c.Objects)-1))
	for _, child := range c.Objects {
		w += natural(child)
	}
	return w
}
