package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// block is an object of a size.
func block(w, h float32) fyne.CanvasObject {
	s := newSurface("", "", 0)
	s.min = fyne.NewSize(w, h)
	return s
}

func TestLayouts(t *testing.T) {
	test.NewTempApp(t)
	hidden := block(500, 500)
	hidden.Hide()
	grows := block(10, 12)
	place := func(x, y, w, h float32) rectangle { return rectangle{x, y, w, h} }
	for _, c := range []struct {
		name   string
		o      *fyne.Container
		width  float32
		height float32
		want   []rectangle
	}{
		{"column", newColumn(4, inset(1, 2), block(10, 20), hidden, block(30, 5)), 100, 31,
			[]rectangle{place(2, 1, 96, 20), {}, place(2, 25, 96, 5)}},
		{"line", newLine(5, grows, block(20, 8), grows, hidden, block(30, 4)), 100, 12,
			[]rectangle{place(0, 2, 20, 8), place(25, 0, 40, 12), {}, place(70, 4, 30, 4)}},
		{"wrap", newWrap(5, 3, block(60, 8), block(40, 10), block(10, 6)), 100, 21,
			[]rectangle{place(0, 0, 60, 8), place(0, 11, 40, 10), place(45, 13, 10, 6)}},
		{"wrap of something too wide", newWrap(5, 3, block(150, 8)), 100, 8,
			[]rectangle{place(0, 0, 100, 8)}},
		{"ends", newEnds(8, block(40, 10), block(30, 20)), 100, 20,
			[]rectangle{place(0, 5, 62, 10), place(70, 0, 30, 20)}},
		{"ends without room", newEnds(8, block(60, 10), block(50, 20)), 100, 38,
			[]rectangle{place(0, 0, 100, 10), place(50, 18, 50, 20)}},
		{"columns", newColumns(grows, block(20, 1), grows, block(1, 1)), 100, 12,
			[]rectangle{place(0, 0, 20, 12), place(20, 0, 79, 12), place(99, 0, 1, 12)}},
		{"frame", framed(insets{1, 2, 3, 4}, block(10, 10)), 100, 14,
			[]rectangle{place(4, 1, 94, 10)}},
	} {
		if got := heightFor(c.o, c.width); got != c.height {
			t.Errorf("%s: %v high, want %v", c.name, got, c.height)
		}
		c.o.Resize(fyne.NewSize(c.width, c.height))
		for i, want := range c.want {
			o := c.o.Objects[i]
			if !o.Visible() {
				continue
			}
			if got := place(o.Position().X, o.Position().Y, o.Size().Width, o.Size().Height); got != want {
				t.Errorf("%s: object %d is at %+v, want %+v", c.name, i, got, want)
			}
		}
	}
}

func TestParagraphBreaks(t *testing.T) {
	measure := func(s string) float32 { return float32(len([]rune(s))) }
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"one two three", []string{"one two", "three"}},
		{"a verylongwordindeed b", []string{"a", "verylong", "wordinde", "ed b"}},
		{"trailing ", []string{"trailing"}},
		{"ab cde : fg", []string{"ab cde :", "fg"}},
		{"abcd « efgh » i", []string{"abcd", "« efgh »", "i"}},
	} {
		got := breakLine(c.text, 8, measure)
		if len(got) != len(c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%q: %q, want %q", c.text, got, c.want)
			}
		}
	}
}
