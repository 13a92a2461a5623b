package ui

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

func TestSign(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(tokens.Theme(tokens.Light))
	for _, c := range []struct{ icon, title, want string }{
		{"", "alice", "A"},
		{"", "élise", "É"},
		{"👩", "Alice", "👩"},
		{"tool", "Scout", "T"},
		{" z ", "Scout", "Z"},
		{"日本", "Scout", "日"},
		{"7", "Scout", "7"},
		{"", "", ""},
		{"\U000FFFFE", "Scout", "S"}, // no font has it
		{"👍🏽", "Scout", "👍🏽"},
		{"👩‍💻 Coder", "Scout", "👩‍💻"},
		{"⚙", "Scout", "⚙"},
	} {
		if got := sign(c.icon, c.title); got != c.want {
			t.Errorf("sign(%q, %q) = %q, want %q", c.icon, c.title, got, c.want)
		}
	}
}

// An emoji is a picture, whatever the fonts have; a letter is in a circle.
func TestAvatarDrawsPictures(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(tokens.Theme(tokens.Light))
	for _, size := range []float32{22, 32, 36} {
		w := newAvatar(app.Agent{Name: "alice", Icon: "👩‍💻"}, size)
		test.WidgetRenderer(w)
		if w.picture.Image == nil || w.picture.Hidden || !w.drawn.Hidden {
			t.Errorf("at %g the emoji is no picture", size)
		}
		at, side := w.picture.Position(), w.picture.Size().Width
		if at.X != float32(int(at.X)) || side != float32(int(side)) || 2*at.X+side != size {
			t.Errorf("at %g the picture is at %v, %g wide: not on whole pixels in the middle", size, at, side)
		}
		w.set(app.Agent{Name: "scout", Title: "Scout"})
		if w.picture.Image != nil || w.drawn.Hidden || w.drawn.Text != "S" {
			t.Errorf("at %g the letter is not drawn", size)
		}
	}
}
