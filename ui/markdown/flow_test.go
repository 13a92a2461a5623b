package markdown

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// show puts a flow into a window of so wide an inside.
func show(t testing.TB, f *Flow, width float32) *Flow {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(tokens.Theme(tokens.Light))
	w := test.NewTempWindow(t, &fyne.Container{Layout: still{}, Objects: []fyne.CanvasObject{f}})
	w.Resize(fyne.NewSize(width, 600))
	f.Resize(fyne.NewSize(width, f.MinSize().Height))
	f.Resize(fyne.NewSize(width, f.MinSize().Height))
	return f
}

// newFlow returns a flow of a Markdown text, shown 600 wide.
func newFlow(t testing.TB, text string) *Flow {
	t.Helper()
	return show(t, New(text), 600)
}

// texts returns what is drawn, from the top, as far as objects exist.
func texts(f *Flow) []*canvas.Text {
	var all []*canvas.Text
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case *canvas.Text:
			all = append(all, o)
		case *fyne.Container:
			for _, child := range o.Objects {
				walk(child)
			}
		case *pan:
			walk(o.block.body)
		}
	}
	for _, o := range f.objects {
		walk(o)
	}
	return all
}

// drawn returns the drawn texts, joined by "|".
func drawn(f *Flow) string {
	var parts []string
	for _, t := range texts(f) {
		parts = append(parts, t.Text)
	}
	return strings.Join(parts, "|")
}

func find(t *testing.T, f *Flow, text string) *canvas.Text {
	t.Helper()
	for _, c := range texts(f) {
		if strings.Contains(c.Text, text) {
			return c
		}
	}
	t.Fatalf("%q is not drawn, but %q", text, drawn(f))
	return nil
}

// where returns the place just inside a text's first letter, in the flow.
func where(t *testing.T, f *Flow, text string) fyne.Position {
	t.Helper()
	for _, b := range f.blocks {
		at := strings.Index(b.text, text)
		if b.kind == more && strings.Contains(b.runs[0].text, text) {
			at = 0
		}
		for i := range b.lines {
			if l := &b.lines[i]; at >= l.start && at < max(l.end, 1) {
				return fyne.NewPos(f.x(l, at)+1+b.origin.X-b.scroll, b.y+b.origin.Y+l.y+l.height/2)
			}
		}
	}
	t.Fatalf("%q is not laid out, but %q", text, drawn(f))
	return fyne.Position{}
}

func press(f *Flow, at fyne.Position) {
	f.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: desktop.MouseButtonPrimary})
}

func release(f *Flow, at fyne.Position) {
	f.MouseUp(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: desktop.MouseButtonPrimary})
}

func click(f *Flow, at fyne.Position, times int) {
	for range times {
		press(f, at)
		release(f, at)
	}
}

func drag(f *Flow, from, to fyne.Position) {
	press(f, from)
	origin := fyne.CurrentApp().Driver().AbsolutePositionForObject(f)
	f.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{AbsolutePosition: origin.Add(to)}})
	release(f, to)
	f.DragEnd()
}

func move(f *Flow, to fyne.Position) {
	f.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: to}})
}

// corpus is a text with everything in it, about n bytes long.
func corpus(n int) string {
	const part = "## Résultat %d\n\nThe **limit** is now read from the *configuration*, with `MaxRetries` as its default → see <https://example.com/a?b=%d>.\n\n- a negative value is an ~~warning~~ error with its line;\n- [ ] `0` turns retries off\n  1. nested\n  2. items\n\n> quoted text that goes on for long enough to be wrapped once or twice at most widths\n\n```go\nfunc Retry(n int) error {\n\treturn fmt.Errorf(\"retry %%d\", n) // again\n}\n```\n\n| Name | Size |\n|:-----|-----:|\n| main.go | 12 kB |\n| réseau.go | 3 kB |\n\n"
	var s strings.Builder
	for i := 0; s.Len() < n; i++ {
		fmt.Fprintf(&s, part, i, i)
	}
	return s.String()
}

func BenchmarkParse(b *testing.B) {
	for _, size := range []int{400, 2 << 10, 6 << 10, 31 << 10} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			f := newFlow(b, "")
			text := corpus(size)[:size]
			for b.Loop() {
				r := reader{}
				r.read(f.parser, text)
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, size := range []int{400, 2 << 10, 6 << 10, 31 << 10} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			f := newFlow(b, "")
			f.MaxShown = 1 << 20
			text := corpus(size)[:size]
			for b.Loop() {
				f.SetText("")
				f.SetText(text)
			}
		})
	}
}

func BenchmarkStream(b *testing.B) {
	for _, size := range []int{400, 2 << 10, 6 << 10, 31 << 10} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			f := newFlow(b, "")
			f.MaxShown = 1 << 20
			text := corpus(size)[:size]
			f.SetText(text)
			f.Viewport(f.height-600, f.height)
			for b.Loop() {
				if len(f.text) > size+1000 {
					f.SetText(text)
				}
				f.Append("more ")
			}
		})
	}
}

func BenchmarkResize(b *testing.B) {
	f := newFlow(b, corpus(6<<10))
	width := float32(600)
	for b.Loop() {
		width = 1100 - width
		f.Resize(fyne.NewSize(width, 100))
	}
}
