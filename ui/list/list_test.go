package list

import (
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// row is a row whose height depends on its width, as wrapped text's does.
type row struct {
	widget.BaseWidget
	area        float32 // pixels of text
	key         string
	top, bottom float32
}

func (r *row) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(theme.Color(theme.ColorNameForeground)))
}

func (r *row) MinSize() fyne.Size {
	return fyne.NewSize(10, r.area/max(10, r.Size().Width))
}

func (r *row) Viewport(top, bottom float32) { r.top, r.bottom = top, bottom }

// talk is a conversation: keys in order and how much text each has.
type talk struct {
	keys    []string
	area    map[string]float32
	created int
	updated int
}

func newTalk(n int) *talk {
	t := &talk{area: map[string]float32{}}
	for i := range n {
		t.add(fmt.Sprint("m", i), 400*float32(40+(i*37)%200))
	}
	return t
}

func (t *talk) add(key string, area float32) {
	t.keys = append(t.keys, key)
	t.area[key] = area
}

func (t *talk) rows() Rows {
	return Rows{
		Length: func() int { return len(t.keys) },
		Key:    func(i int) string { return t.keys[i] },
		Kind:   func(i int) string { return []string{"even", "odd"}[i%2] },
		Create: func(kind string) fyne.CanvasObject {
			t.created++
			r := &row{}
			r.ExtendBaseWidget(r)
			return r
		},
		Update: func(i int, o fyne.CanvasObject) {
			t.updated++
			r := o.(*row)
			r.key, r.area = t.keys[i], t.area[t.keys[i]]
		},
	}
}

// show puts a list of n rows into a window of 400 × 600.
func show(t *testing.T, n int) (*List, *talk) {
	t.Helper()
	test.NewTempApp(t)
	data := newTalk(n)
	l := New(data.rows())
	w := test.NewTempWindow(t, l)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(400, 600))
	return l, data
}

// y returns where a row is seen.
func y(t *testing.T, l *List, key string) float32 {
	t.Helper()
	r := l.Row(key)
	if r == nil {
		t.Fatalf("%s is not in view", key)
	}
	if r.(*row).key != key {
		t.Fatalf("the widget of %s shows %s", key, r.(*row).key)
	}
	return r.Position().Y
}

// covered fails unless the rows follow each other without gap and fill the view.
func covered(t *testing.T, l *List) {
	t.Helper()
	var rows []*row
	for _, o := range l.objects {
		if r, ok := o.(*row); ok {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		t.Fatal("no rows in view")
	}
	for i, r := range rows[1:] {
		if want := rows[i].Position().Y + rows[i].Size().Height; abs(r.Position().Y-want) > 0.5 {
			t.Errorf("%s is at %v, the row before it ends at %v", r.key, r.Position().Y, want)
		}
	}
	if top := rows[0].Position().Y; top > 0.5 {
		t.Errorf("nothing above %v", top)
	}
	last := rows[len(rows)-1]
	if bottom := last.Position().Y + last.Size().Height; bottom < l.view-0.5 && l.total() >= l.view {
		t.Errorf("nothing below %v of %v", bottom, l.view)
	}
}

func abs(f float32) float32 { return max(f, -f) }

func same(t *testing.T, got, want float32, what string) {
	t.Helper()
	if abs(got-want) > 0.5 {
		t.Errorf("%s moved from %v to %v", what, want, got)
	}
}

func wheel(l *List, dy float32) {
	l.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.Delta{DY: dy}})
}

func TestOpensAtTheEndWithFewRows(t *testing.T) {
	l, data := show(t, 10_000)
	if !l.AtEnd() || l.Row("m9999") == nil {
		t.Fatal("the last row is not in view")
	}
	r := l.Row("m9999")
	same(t, r.Position().Y+r.Size().Height, 600, "the end")
	covered(t, l)
	if data.created > 40 {
		t.Errorf("%d widgets for one view", data.created)
	}
}

func TestScrollingReusesWidgets(t *testing.T) {
	l, data := show(t, 500)
	for l.offset > 0 {
		wheel(l, 90)
		covered(t, l)
	}
	if l.Row("m0") == nil || y(t, l, "m0") != 0 {
		t.Error("the first row is not at the top")
	}
	if data.created > 60 {
		t.Errorf("%d widgets created for 500 rows", data.created)
	}
	for !l.AtEnd() {
		wheel(l, -90)
		covered(t, l)
	}
}

func TestScrollingIsSteady(t *testing.T) {
	l, _ := show(t, 500)
	for range 60 {
		first, _ := l.InView()
		key := l.keys[first]
		before := y(t, l, key)
		wheel(l, 50)
		same(t, y(t, l, key), before+50, key)
	}
}

func TestGrowingRowKeepsTheEnd(t *testing.T) {
	l, data := show(t, 50)
	for range 100 {
		data.area["m49"] += 4000
		l.RefreshRow("m49")
	}
	r := l.Row("m49")
	same(t, r.Position().Y+r.Size().Height, 600, "the end")
	if !l.AtEnd() {
		t.Error("a growing row took the list away from its end")
	}
}

func TestNewRowsKeepTheEnd(t *testing.T) {
	l, data := show(t, 50)
	data.add("new", 400*100)
	l.Reload()
	r := l.Row("new")
	if r == nil {
		t.Fatal("the new row is not in view")
	}
	same(t, r.Position().Y+r.Size().Height, 600, "the end")
}

func TestReadingIsNotDisturbed(t *testing.T) {
	cases := map[string]func(l *List, data *talk){
		"the last row grows": func(l *List, data *talk) {
			data.area["m199"] += 100_000
			l.RefreshRow("m199")
		},
		"a row arrives": func(l *List, data *talk) {
			data.add("new", 40_000)
			l.Reload()
		},
		"older rows come before": func(l *List, data *talk) {
			older := newTalk(100)
			for i, key := range older.keys {
				older.keys[i] = "older" + key
				data.area["older"+key] = older.area[key]
			}
			data.keys = append(older.keys, data.keys...)
			l.Reload()
		},
		"a row above the view grows": func(l *List, data *talk) {
			first, _ := l.InView()
			above := l.keys[first-1]
			data.area[above] += 50_000
			l.RefreshRow(above)
		},
		"a row above the view shrinks": func(l *List, data *talk) {
			first, _ := l.InView()
			above := l.keys[first-1]
			data.area[above] = 400
			l.RefreshRow(above)
		},
		"rows far above go": func(l *List, data *talk) {
			data.keys = slices.Delete(data.keys, 3, 20)
			l.Reload()
		},
		"the view becomes lower": func(l *List, data *talk) {
			l.Resize(fyne.NewSize(400, 450))
		},
	}
	for name, change := range cases {
		for _, up := range []float32{120, 9000} {
			t.Run(fmt.Sprint(name, " ", up, " from the end"), func(t *testing.T) {
				l, data := show(t, 200)
				wheel(l, up)
				first, _ := l.InView()
				key := l.keys[first+1]
				before := y(t, l, key)
				change(l, data)
				same(t, y(t, l, key), before, key)
				covered(t, l)
				if l.AtEnd() {
					t.Error("the list went to its end")
				}
			})
		}
	}
}

func TestRowInViewThatGoesLeavesTheNext(t *testing.T) {
	l, data := show(t, 200)
	wheel(l, 3000)
	first, _ := l.InView()
	gone, next := l.keys[first], l.keys[first+1]
	before := y(t, l, next)
	data.keys = slices.DeleteFunc(data.keys, func(k string) bool { return k == gone })
	l.Reload()
	same(t, y(t, l, next), before, next)
	if l.Row(gone) != nil {
		t.Error("the row is still there")
	}
}

func TestReturningToTheEndSticksAgain(t *testing.T) {
	l, data := show(t, 100)
	wheel(l, 400)
	if l.AtEnd() {
		t.Fatal("still at the end")
	}
	for range 20 {
		wheel(l, -60)
	}
	if !l.AtEnd() {
		t.Fatal("not at the end")
	}
	data.area["m99"] += 40_000
	l.RefreshRow("m99")
	r := l.Row("m99")
	same(t, r.Position().Y+r.Size().Height, 600, "the end")
}

func TestScrollToPutsARowAnywhereInTheView(t *testing.T) {
	l, _ := show(t, 1000)
	for _, at := range []float32{200, 0, -30, 560} {
		for _, key := range []string{"m400", "m20", "m900"} {
			l.ScrollTo(key, at)
			same(t, y(t, l, key), at, key)
			covered(t, l)
		}
	}
	l.ScrollTo("m400", 100)
	key, top := l.Place()
	l.ScrollToEnd()
	l.ScrollTo(key, top)
	same(t, y(t, l, "m400"), 100, "m400")
}

func TestScrollToBeforeThereIsASize(t *testing.T) {
	test.NewTempApp(t)
	l := New(newTalk(1000).rows())
	if !l.ScrollTo("m500", 150) {
		t.Fatal("the row is unknown")
	}
	w := test.NewTempWindow(t, l)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(400, 600))
	same(t, y(t, l, "m500"), 150, "m500")
	if l.AtEnd() {
		t.Error("at the end")
	}
}

func TestReveal(t *testing.T) {
	l, _ := show(t, 1000)
	l.ScrollTo("m500", 100)
	for _, key := range []string{"m480", "m520"} {
		l.Reveal(key)
		top, height := y(t, l, key), l.Row(key).Size().Height
		if top < 0 || top+height > 600.5 || top > 1 && top+height < 599 {
			t.Errorf("%s is at %v, %v high", key, top, height)
		}
		before := l.offset
		if l.Reveal(key); l.offset != before {
			t.Errorf("%s is in view, and moves from %v to %v", key, before, l.offset)
		}
	}
}

// Rows that are known to follow the last one keep it from being the end.
func TestMoreRowsToCome(t *testing.T) {
	test.NewTempApp(t)
	data, more := newTalk(50), true
	rows := data.rows()
	rows.More = func() bool { return more }
	l := New(rows)
	w := test.NewTempWindow(t, l)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(400, 600))
	l.ScrollToEnd()
	if l.AtEnd() {
		t.Fatal("at an end that is not it")
	}
	last := l.Row("m49")
	same(t, last.Position().Y+last.Size().Height, 600, "the last row")
	before := y(t, l, "m49")
	data.add("next", 400*100)
	l.Reload()
	same(t, y(t, l, "m49"), before, "m49")
	l.ScrollToEnd()
	more = false
	l.Reload()
	if !l.AtEnd() {
		t.Error("the last row does not become the end")
	}
}

func TestScrollTo(t *testing.T) {
	l, _ := show(t, 1000)
	for _, key := range []string{"m0", "m500", "m3", "m700"} {
		if !l.ScrollTo(key, 0) {
			t.Fatalf("%s is unknown", key)
		}
		same(t, y(t, l, key), 0, key)
		covered(t, l)
	}
	if l.ScrollTo("nobody", 0) {
		t.Error("found a row that is not there")
	}
	l.ScrollTo("m999", 0)
	if !l.AtEnd() {
		t.Error("the last row is shown, but not the end")
	}
	l.ScrollTo("m10", 0)
	l.ScrollToEnd()
	if !l.AtEnd() || l.Row("m999") == nil {
		t.Error("not at the end")
	}
}

func TestWidthChangeKeepsThePlace(t *testing.T) {
	l, _ := show(t, 300)
	l.ScrollTo("m150", 0)
	l.Resize(fyne.NewSize(700, 600))
	same(t, y(t, l, "m150"), 0, "m150")
	covered(t, l)

	l.ScrollToEnd()
	l.Resize(fyne.NewSize(300, 500))
	r := l.Row("m299")
	same(t, r.Position().Y+r.Size().Height, 500, "the end")
	covered(t, l)
}

func TestWidthChangeKeepsThePartOfATallRow(t *testing.T) {
	l, data := show(t, 30)
	data.area["m15"] = 400 * 4000
	l.ScrollTo("m15", 0)
	l.ScrollBy(2000) // half way
	l.Resize(fyne.NewSize(800, 600))
	same(t, y(t, l, "m15"), -1000, "the middle of m15")
}

func TestFewRowsAreAtTheTop(t *testing.T) {
	l, data := show(t, 0)
	if first, end := l.InView(); first != 0 || end != 0 {
		t.Errorf("rows %d to %d of none are in view", first, end)
	}
	data.add("only", 400*30)
	l.Reload()
	same(t, y(t, l, "only"), 0, "the only row")
	if l.bar.Visible() {
		t.Error("a scroll bar with nothing to scroll")
	}
	wheel(l, 50)
	wheel(l, -50)
	same(t, y(t, l, "only"), 0, "the only row")
	data.keys = nil
	l.Reload()
	if len(l.live) != 0 {
		t.Error("rows of an empty list")
	}
}

func TestRowsKnowWhatIsInView(t *testing.T) {
	l, _ := show(t, 200)
	wheel(l, 2500)
	for _, live := range l.live {
		r := live.object.(*row)
		same(t, r.top, -r.Position().Y, "top of "+r.key)
		same(t, r.bottom-r.top, 600, "height of the view")
	}

	inner := &row{}
	Tell(&fyne.Container{Objects: []fyne.CanvasObject{inner}}, 5, 10)
	if inner.top != 5 || inner.bottom != 10 {
		t.Error("a viewer in a container was not told")
	}
}

func TestScrolledIsTold(t *testing.T) {
	l, _ := show(t, 100)
	var ends []bool
	l.OnScrolled = func() { ends = append(ends, l.AtEnd()) }
	wheel(l, 100)
	l.ScrollToEnd()
	if !slices.Equal(ends, []bool{false, true}) {
		t.Errorf("told %v", ends)
	}
}

func TestBar(t *testing.T) {
	l, _ := show(t, 300)
	if !l.bar.Visible() {
		t.Fatal("no scroll bar")
	}
	thumb := l.bar.thumb
	same(t, thumb.Position().Y+thumb.Size().Height, 600, "the thumb")

	l.bar.Dragged(&fyne.DragEvent{
		PointEvent: fyne.PointEvent{Position: fyne.NewPos(5, thumb.Position().Y+4-2000)},
		Dragged:    fyne.Delta{DY: -2000},
	})
	l.bar.DragEnd()
	if l.offset != 0 || l.AtEnd() {
		t.Errorf("dragged to the top, the offset is %v", l.offset)
	}
	l.bar.Tapped(&fyne.PointEvent{Position: fyne.NewPos(5, 300)})
	same(t, l.offset, l.Page(), "a page")
	l.bar.Tapped(&fyne.PointEvent{Position: fyne.NewPos(5, 0)})
	same(t, l.offset, 0, "the top")

	thin := thumb.Size().Width
	l.bar.MouseIn(&desktop.MouseEvent{})
	if thumb.Size().Width <= thin {
		t.Error("the bar does not grow under the pointer")
	}
	l.bar.MouseOut()
}

func BenchmarkOpen(b *testing.B) {
	test.NewTempApp(b)
	data := newTalk(10_000)
	for b.Loop() {
		l := New(data.rows())
		l.Resize(fyne.NewSize(400, 600))
	}
}

func BenchmarkGrow(b *testing.B) {
	test.NewTempApp(b)
	data := newTalk(10_000)
	l := New(data.rows())
	l.Resize(fyne.NewSize(400, 600))
	for b.Loop() {
		data.area["m9999"] += 40
		l.RefreshRow("m9999")
	}
}

func BenchmarkScroll(b *testing.B) {
	test.NewTempApp(b)
	data := newTalk(10_000)
	l := New(data.rows())
	l.Resize(fyne.NewSize(400, 600))
	for b.Loop() {
		if l.offset < 1000 {
			l.ScrollToEnd()
		}
		l.ScrollBy(-60)
	}
}

func TestFewRowsAtTheBottom(t *testing.T) {
	l, data := show(t, 2)
	l.Low = true
	for range 5 {
		l.Reload()
		last := l.Row(data.keys[len(data.keys)-1])
		same(t, last.Position().Y+last.Size().Height, 600, "the end")
		first := l.Row(data.keys[0])
		if y := first.Position().Y; y < 0 && len(data.keys) < 4 {
			t.Errorf("the first row is at %v", y)
		}
		data.add(fmt.Sprint("more", len(data.keys)), 400*150)
	}
}
