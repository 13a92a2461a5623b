package ui

import "fyne.io/fyne/v2"

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

// place calls put for each object and returns the height of all. Those of one
// line are centred on one another.
func (w *wrap) place(objects []fyne.CanvasObject, width float32, put func(o fyne.CanvasObject, at fyne.Position, size fyne.Size)) float32 {
	var y, x, high float32
	var row []fyne.CanvasObject
	var sizes []fyne.Size
	flush := func() {
		x = 0
		for i, o := range row {
			put(o, fyne.NewPos(x, y+(high-sizes[i].Height)/2), sizes[i])
			x += sizes[i].Width + w.gap
		}
		y += high
		row, sizes, x, high = nil, nil, 0, 0
	}
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		size := fyne.NewSize(min(natural(o), width), 0)
		size.Height = heightFor(o, size.Width)
		if len(row) > 0 && x+size.Width > width {
			flush()
			y += w.lineGap
		}
		row, sizes = append(row, o), append(sizes, size)
		x += size.Width + w.gap
		high = max(high, size.Height)
	}
	flush()
	return y
}

func (w *wrap) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	return w.place(objects, width, func(fyne.CanvasObject, fyne.Position, fyne.Size) {})
}

func (w *wrap) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w.last = size.Width
	w.place(objects, size.Width, func(o fyne.CanvasObject, at fyne.Position, size fyne.Size) {
		o.Resize(size)
		o.Move(at)
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
