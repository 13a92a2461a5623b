package markdown

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// signs returns the pictures that are drawn.
func signs(f *Flow) (all []*canvas.Image) {
	for _, b := range f.blocks {
		for _, l := range b.lines {
			for _, i := range l.texts {
				if m, ok := i.CanvasObject.(*canvas.Image); ok {
					all = append(all, m)
				}
			}
		}
	}
	return all
}

func TestEmojiArePictures(t *testing.T) {
	text := "- 🚧 is 👩‍💻's **👍🏽** in `a🧭b`"
	f := newFlow(t, text+"\n\n```\nx🐮y\n```")
	all := signs(f)
	if len(all) != 5 {
		t.Fatalf("%d pictures in %q", len(all), drawn(f))
	}
	if strings.ContainsAny(drawn(f), "🚧👩💻👍🧭🐮") {
		t.Errorf("an emoji is drawn as text: %q", drawn(f))
	}
	for _, m := range all {
		if m.Image == nil || m.Size().Width != m.Size().Height || m.Size().Width < 12 {
			t.Errorf("a picture is %v large", m.Size())
		}
		if y := m.Position().Y; y != float32(int(y)) {
			t.Errorf("a picture is at %v, between pixels", m.Position())
		}
	}
	f.SelectAll()
	if got := f.Selected(); got != "• 🚧 is 👩‍💻's 👍🏽 in a🧭b\n\nx🐮y" {
		t.Errorf("copied: %q", got)
	}
}

// What stands after an emoji begins where it ends, so that a click hits it.
func TestEmojiHaveTheirWidth(t *testing.T) {
	f := newFlow(t, "ab👩‍💻cd")
	l := &f.blocks[0].lines[0]
	if len(l.texts) != 3 {
		t.Fatalf("drawn in %d parts", len(l.texts))
	}
	sign, after := l.texts[1].CanvasObject, l.texts[2].CanvasObject
	end := sign.Position().X + sign.Size().Width
	if after.Position().X != end || f.x(l, len("ab👩‍💻")) != end {
		t.Errorf("the picture ends at %g, the text begins at %g, the caret would be at %g", end, after.Position().X, f.x(l, len("ab👩‍💻")))
	}
	for x := sign.Position().X; x < end; x++ {
		if at := f.offset(l, x); at != 2 && at != len("ab👩‍💻") {
			t.Fatalf("a click at %g lands inside the emoji, at %d", x, at)
		}
	}
}

func TestManyEmojiWrap(t *testing.T) {
	f := newFlow(t, strings.Repeat("🇫🇷", 200))
	if n := len(f.blocks[0].lines); n < 5 {
		t.Errorf("%d lines", n)
	}
	for _, m := range signs(f) {
		if m.Position().X+m.Size().Width > 600 {
			t.Fatalf("a picture ends at %g", m.Position().X+m.Size().Width)
		}
	}
	if got := f.MinSize(); got.Height < fyne.NewSize(0, 100).Height {
		t.Errorf("%v high", got.Height)
	}
}
