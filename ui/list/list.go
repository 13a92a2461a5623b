// Package list is a long list of rows of different heights, such as a
// conversation: only the rows in view exist, their heights are measured as
// they enter, and what a person is reading stays where it is while rows above
// it grow, rows come in before it, or new ones arrive at the end.
//
// It knows nothing of what a row shows, and has no selection or focus of its
// own. Like every widget it belongs to Fyne's own goroutine.
package list

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Rows is what a List shows.
type Rows struct {
	Length func() int
	// Key identifies row i for as long as it exists, whatever its place.
	Key func(i int) string
	// Kind says which rows can take each other's widget; nil: all of them.
	Kind func(i int) string
	// Create makes a widget for rows of a kind. Its MinSize must give the
	// height that it needs at the width it was last resized to.
	Create func(kind string) fyne.CanvasObject
	// Update makes row the widget of row i.
	Update func(i int, row fyne.CanvasObject)
	// More reports whether rows are known to follow the last one, to be added
	// as it comes near: it is then not the end. nil: none.
	More func() bool
}

// Viewer is a row, or something inside a container that is one, that wants to
// know which part of it is in view, in its own coordinates: it can then draw
// only that.
type Viewer interface {
	fyne.CanvasObject
	Viewport(top, bottom float32)
}

const (
	estimate = 80  // height of a row not yet measured
	ahead    = 200 // how far beyond the view rows are kept alive
	nearEnd  = 8   // this close to the end is at the end
	passes   = 8   // measuring a row can bring others into view, not forever
)

// List is the widget. Set its fields before it is shown.
type List struct {
	widget.BaseWidget

	// Low puts rows that do not fill the view at its bottom.
	Low bool
	// OnScrolled is called after the place or the number of rows changed.
	OnScrolled func()

	rows Rows

	keys    []string
	index   map[string]int
	heights []float32 // 0: not measured at this width

	width, view float32 // what the heights were measured at; the view's height
	offset      float32 // of the view's top edge from the first row's
	stick       bool    // the end stays in view when rows come or grow
	wanted      *place  // where a row was put, until a person moves on

	live    map[string]liveRow
	pool    map[string][]fyne.CanvasObject // by kind
	objects []fyne.CanvasObject            // the live rows from the top, the bar
	bar     *bar
}

type liveRow struct {
	kind   string
	object fyne.CanvasObject
}

// New returns a list of rows that stands at its end.
func New(rows Rows) *List {
	l := &List{
		rows:  rows,
		index: map[string]int{},
		stick: rows.More == nil || !rows.More(),
		live:  map[string]liveRow{},
		pool:  map[string][]fyne.CanvasObject{},
	}
	l.bar = newBar(l)
	l.ExtendBaseWidget(l)
	l.readKeys()
	return l
}

// Reload reads the rows again after some were added, removed or moved. The
// row at the top of the view stays where it is; heights are kept by key.
// Widgets in view are updated.
func (l *List) Reload() {
	at := l.anchor()
	l.readKeys()
	l.recycle(func(key string) bool { _, ok := l.index[key]; return !ok })
	for key, row := range l.live {
		i := l.index[key]
		l.rows.Update(i, row.object)
		l.heights[i] = l.fit(row.object)
	}
	l.restore(at)
	l.stick = l.stick && !l.more()
	l.arrange()
	l.stick = l.stick || l.nearEnd() // what was the last row for now may have become the end
	l.settle()
}

func (l *List) more() bool { return l.rows.More != nil && l.rows.More() }

// nearEnd reports whether the end is in view, or as good as that.
func (l *List) nearEnd() bool { return !l.more() && l.view > 0 && l.offset >= l.last()-nearEnd }

// readKeys takes over the rows' keys and what is known of their heights.
func (l *List) readKeys() {
	n := l.rows.Length()
	keys, heights, index := make([]string, n), make([]float32, n), make(map[string]int, n)
	for i := range n {
		keys[i] = l.rows.Key(i)
		index[keys[i]] = i
		if old, ok := l.index[keys[i]]; ok {
			heights[i] = l.heights[old]
		}
	}
	l.keys, l.heights, l.index = keys, heights, index
}

// RefreshRow updates one row and measures it again. A row that is not in view
// is measured when it comes into view.
func (l *List) RefreshRow(key string) {
	i, ok := l.index[key]
	if !ok {
		return
	}
	row, ok := l.live[key]
	if !ok {
		l.heights[i] = 0
		return
	}
	at := l.anchor()
	l.rows.Update(i, row.object)
	l.heights[i] = l.fit(row.object)
	l.restore(at)
	l.settle()
}

// Refresh draws the rows in view again, for example in another theme.
func (l *List) Refresh() {
	for _, row := range l.live {
		row.object.Refresh()
	}
	l.bar.Refresh()
	l.refit()
}

// Row returns the widget of a row in or near the view, else nil. It is another
// row's once this one has gone out of view.
func (l *List) Row(key string) fyne.CanvasObject { return l.live[key].object }

// InView returns the first row in view and the one after the last.
func (l *List) InView() (first, end int) {
	first = l.at(l.offset)
	y := l.top(first)
	for end = first; end < len(l.keys) && y < l.offset+l.view; end++ {
		y += l.height(end)
	}
	return first, end
}

// MinSize implements fyne.Widget: a list takes what it is given.
func (l *List) MinSize() fyne.Size {
	l.ExtendBaseWidget(l)
	return fyne.NewSize(64, 64)
}

// CreateRenderer implements fyne.Widget.
func (l *List) CreateRenderer() fyne.WidgetRenderer { return &renderer{list: l} }
