package list

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// anchor is a row that is to stay where it is: its key, the next best ones
// should it go, and how far below the view's top edge each begins.
type anchor []struct {
	key string
	y   float32
}

// anchor returns the rows in view, from the top.
func (l *List) anchor() anchor {
	var a anchor
	first, end := l.InView()
	y := l.top(first) - l.offset
	for i := first; i < end; i++ {
		a = append(a, struct {
			key string
			y   float32
		}{l.keys[i], y})
		y += l.height(i)
	}
	return a
}

// restore puts the first row of a that still exists where it was.
func (l *List) restore(a anchor) {
	for _, row := range a {
		if i, ok := l.index[row.key]; ok {
			l.offset = l.top(i) - row.y
			return
		}
	}
}

// settle arranges the rows and says so.
func (l *List) settle() {
	l.arrange()
	if l.OnScrolled != nil {
		l.OnScrolled()
	}
}

// arrange brings the rows that belong into the view to life, measures those
// never measured, and puts all in their places. Rows above the view that turn
// out taller or shorter than thought do not move what is in view; only when
// all in view are measured can the end be known.
func (l *List) arrange() {
	if l.width <= 0 || l.view <= 0 {
		return
	}
	for range passes {
		if l.stick {
			l.offset = l.last()
		}
		at := l.anchor()
		if l.measure() {
			l.restore(at)
			continue
		}
		inside := min(max(0, l.offset), l.last())
		if inside == l.offset {
			break
		}
		l.offset = inside
	}
	l.place()
}

// last returns the offset at which the end is in view.
func (l *List) last() float32 { return max(0, l.total()-l.view) }

// reach returns the rows to keep alive: those in view and just beyond.
func (l *List) reach() (first, end int, y float32) {
	first = l.at(l.offset - ahead)
	y = l.top(first)
	bottom := y
	for end = first; end < len(l.keys) && bottom < l.offset+l.view+ahead; end++ {
		bottom += l.height(end)
	}
	return first, end, y
}

// measure gives every row in reach a widget and a height, and reports whether
// a height turned out other than thought.
func (l *List) measure() (changed bool) {
	first, end, _ := l.reach()
	l.recycle(func(key string) bool { i := l.index[key]; return i < first || i >= end })
	for i := first; i < end; i++ {
		row, ok := l.live[l.keys[i]]
		if ok && l.heights[i] > 0 {
			continue
		}
		if !ok {
			row = l.enter(i)
		}
		before := l.height(i)
		l.heights[i] = l.fit(row.object)
		changed = changed || l.heights[i] != before
	}
	return changed
}

// enter makes a widget for row i, an old one of its kind if there is one.
func (l *List) enter(i int) liveRow {
	row := liveRow{}
	if l.rows.Kind != nil {
		row.kind = l.rows.Kind(i)
	}
	if spare := l.pool[row.kind]; len(spare) > 0 {
		row.object = spare[len(spare)-1]
		l.pool[row.kind] = spare[:len(spare)-1]
	} else {
		row.object = l.rows.Create(row.kind)
	}
	l.rows.Update(i, row.object)
	l.live[l.keys[i]] = row
	return row
}

// recycle puts the widgets of the rows that are gone into the pool.
func (l *List) recycle(gone func(key string) bool) {
	for key, row := range l.live {
		if gone(key) {
			delete(l.live, key)
			l.pool[row.kind] = append(l.pool[row.kind], row.object)
		}
	}
}

// fit gives a row the list's width and the height it then needs. Text that
// wraps knows its height only once it has its width.
func (l *List) fit(row fyne.CanvasObject) float32 {
	if row.Size().Width != l.width {
		row.Resize(fyne.NewSize(l.width, row.MinSize().Height))
	}
	height := max(1, row.MinSize().Height)
	row.Resize(fyne.NewSize(l.width, height))
	return height
}

// refit takes over the heights of all rows in view, which may have changed by
// themselves.
func (l *List) refit() {
	at := l.anchor()
	for key, row := range l.live {
		l.heights[l.index[key]] = l.fit(row.object)
	}
	l.restore(at)
	l.settle()
}

// place moves the live rows and the bar to where they are seen.
func (l *List) place() {
	first, end, y := l.reach()
	if l.Low {
		y += max(0, l.view-l.total())
	}
	l.objects = l.objects[:0]
	for i := first; i < end; i++ {
		if row, ok := l.live[l.keys[i]]; ok {
			top := y - l.offset
			row.object.Move(fyne.NewPos(0, top))
			Tell(row.object, -top, l.view-top)
			l.objects = append(l.objects, row.object)
		}
		y += l.height(i)
	}
	l.objects = append(l.objects, l.bar)
	l.bar.place()
	canvas.Refresh(l.bar.thumb) // rows alone that come or go repaint nothing
}

// Tell lets the viewers in a row, or in a Viewer that holds others, know what is
// in view of them.
func Tell(o fyne.CanvasObject, top, bottom float32) {
	switch o := o.(type) {
	case Viewer:
		o.Viewport(top, bottom)
	case *fyne.Container:
		for _, child := range o.Objects {
			y := child.Position().Y
			Tell(child, top-y, bottom-y)
		}
	}
}

func (l *List) height(i int) float32 {
	if l.heights[i] > 0 {
		return l.heights[i]
	}
	return estimate
}

// top returns where row i begins. A sum over ten thousand rows takes some
// microseconds: no need for anything cleverer.
func (l *List) top(i int) (y float32) {
	for k := range i {
		y += l.height(k)
	}
	return y
}

func (l *List) total() float32 { return l.top(len(l.keys)) }

// at returns the row at y, the first or the last one beyond the ends.
func (l *List) at(y float32) int {
	var bottom float32
	for i := range l.keys {
		if bottom += l.height(i); bottom > y {
			return i
		}
	}
	return max(0, len(l.keys)-1)
}

type renderer struct{ list *List }

func (r *renderer) Destroy()           {}
func (r *renderer) MinSize() fyne.Size { return r.list.MinSize() }
func (r *renderer) Refresh()           { r.list.Refresh() }

func (r *renderer) Objects() []fyne.CanvasObject { return r.list.objects }

// Layout is called for a new size and also when a row's MinSize changed.
func (r *renderer) Layout(size fyne.Size) {
	l := r.list
	l.view = size.Height
	if size.Width == l.width {
		l.refit()
		return
	}
	l.rewrap(size.Width)
}

// rewrap forgets the heights, which were those of another width. A tall row at
// the view's top edge is kept at the same part of its text.
func (l *List) rewrap(width float32) {
	first, _ := l.InView()
	var part float32
	if first < len(l.keys) {
		part = (l.offset - l.top(first)) / l.height(first)
	}
	l.width = width
	clear(l.heights)
	l.offset = l.top(first)
	l.arrange()
	if at := l.wanted; at != nil && l.ScrollTo(at.key, at.y) {
		part = 0
	}
	if part > 0 && !l.stick {
		l.offset = l.top(first) + part*l.height(first)
	}
	l.settle()
}
