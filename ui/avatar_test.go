package ui

import (
	"testing"

	"fyne.io/fyne/v2/test"

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
	} {
		if got := sign(c.icon, c.title); got != c.want {
			t.Errorf("sign(%q, %q) = %q, want %q", c.icon, c.title, got, c.want)
		}
	}
}
