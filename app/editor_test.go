package app

import (
	"slices"
	"strings"
	"testing"
)

func TestEditorCommand(t *testing.T) {
	for _, c := range []struct{ visual, editor, want string }{
		{"", "", ""},
		{"code --wait", "vim", "code --wait -g /a b/team.yaml:12"},
		{"/usr/bin/code", "", "/usr/bin/code -g /a b/team.yaml:12"},
		{"nano", "gedit", "gedit +12 /a b/team.yaml"},
		{"", "kate", "kate -l 12 /a b/team.yaml"},
		{"subl -w", "", "subl -w /a b/team.yaml:12"},
		{"zed", "", "zed /a b/team.yaml:12"},
		{"vim", "nano", ""},
		{"emacs -nw", "", ""},
		{`"no end`, "goland", "goland --line 12 /a b/team.yaml"},
	} {
		env := map[string]string{"VISUAL": c.visual, "EDITOR": c.editor}
		got := strings.Join(editorCommand(func(n string) string { return env[n] }, "/a b/team.yaml", 12), " ")
		if got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.visual, c.editor, got, c.want)
		}
	}
	words := editorCommand(func(string) string { return "code" }, "/f", 0)
	if !slices.Contains(words, "/f:1") {
		t.Errorf("without a line: %q", words)
	}
}
