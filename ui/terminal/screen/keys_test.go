package screen

import "testing"

func TestKey(t *testing.T) {
	for _, c := range []struct {
		modes string
		key   Key
		mod   Mod
		want  string
	}{
		{"", Enter, 0, "\r"},
		{"\x1b[20h", Enter, 0, "\r\n"},
		{"", Enter, Alt, "\x1b\r"},
		{"", Tab, 0, "\t"},
		{"", Tab, Shift, "\x1b[Z"},
		{"", Backspace, 0, "\x7f"},
		{"", Backspace, Ctrl, "\b"},
		{"", Backspace, Alt, "\x1b\x7f"},
		{"", Escape, 0, "\x1b"},
		{"", Up, 0, "\x1b[A"},
		{"\x1b[?1h", Up, 0, "\x1bOA"},
		{"\x1b[?1h", Up, Ctrl, "\x1b[1;5A"},
		{"", Left, Alt, "\x1b[1;3D"},
		{"", Right, Ctrl | Shift, "\x1b[1;6C"},
		{"", Home, 0, "\x1b[H"},
		{"", End, Shift, "\x1b[1;2F"},
		{"", Insert, 0, "\x1b[2~"},
		{"", Delete, Ctrl, "\x1b[3;5~"},
		{"", PageUp, 0, "\x1b[5~"},
		{"", PageDown, 0, "\x1b[6~"},
		{"", F1, 0, "\x1bOP"},
		{"", F4, Shift, "\x1b[1;2S"},
		{"", F5, 0, "\x1b[15~"},
		{"", F10, 0, "\x1b[21~"},
		{"", F12, Alt, "\x1b[24;3~"},
	} {
		if got := showing(10, 4, c.modes).Key(c.key, c.mod); got != c.want {
			t.Errorf("key %d with %d after %q says %q, want %q", c.key, c.mod, c.modes, got, c.want)
		}
	}
}

func TestTyped(t *testing.T) {
	for _, c := range []struct {
		r    rune
		mod  Mod
		want string
	}{
		{'a', Ctrl, "\x01"}, {'Z', Ctrl, "\x1a"}, {'[', Ctrl, "\x1b"}, {'\\', Ctrl, "\x1c"}, {']', Ctrl, "\x1d"},
		{' ', Ctrl, "\x00"}, {'@', Ctrl, "\x00"}, {'6', Ctrl, "\x1e"}, {'/', Ctrl, "\x1f"}, {'_', Ctrl, "\x1f"}, {'8', Ctrl, "\x7f"},
		{'b', Alt, "\x1bb"}, {'B', Alt, "\x1bB"}, {'é', Alt, "\x1bé"}, {'a', Ctrl | Alt, "\x1b\x01"}, {'é', 0, "é"},
	} {
		if got := Typed(c.r, c.mod); got != c.want {
			t.Errorf("%q with %d says %q, want %q", c.r, c.mod, got, c.want)
		}
	}
}

func TestPaste(t *testing.T) {
	plain, marked := New(10, 4), showing(10, 4, "\x1b[?2004h")
	if got := plain.Paste("a\nb\r\nc\td"); got != "a\rb\rc\td" {
		t.Errorf("pasted %q", got)
	}
	if got := marked.Paste("é\x1b[201~rm\x00\u009b"); got != "\x1b[200~é[201~rm\x1b[201~" {
		t.Errorf("pasted %q", got)
	}
}

func TestFocus(t *testing.T) {
	if got := New(10, 4).Focus(true); got != "" {
		t.Errorf("a program that did not ask is told %q", got)
	}
	s := showing(10, 4, "\x1b[?1004h")
	if got := s.Focus(true) + s.Focus(false); got != "\x1b[I\x1b[O" {
		t.Errorf("told %q", got)
	}
}

func TestMouse(t *testing.T) {
	for _, c := range []struct {
		modes  string
		button Button
		action Action
		x, y   int
		mod    Mod
		want   string
	}{
		{"", LeftButton, Press, 1, 2, 0, ""},
		{"\x1b[?1000h", LeftButton, Press, 1, 2, 0, "\x1b[M \"#"},
		{"\x1b[?1000h", LeftButton, Release, 1, 2, 0, "\x1b[M#\"#"},
		{"\x1b[?1000h", LeftButton, Move, 1, 2, 0, ""},
		{"\x1b[?1000h\x1b[?1006h", LeftButton, Press, 1, 2, 0, "\x1b[<0;2;3M"},
		{"\x1b[?1000h\x1b[?1006h", RightButton, Release, 1, 2, Ctrl, "\x1b[<18;2;3m"},
		{"\x1b[?1002h\x1b[?1006h", LeftButton, Move, 1, 2, 0, "\x1b[<32;2;3M"},
		{"\x1b[?1002h\x1b[?1006h", NoButton, Move, 1, 2, 0, ""},
		{"\x1b[?1003h\x1b[?1006h", NoButton, Move, 1, 2, 0, "\x1b[<35;2;3M"},
		{"\x1b[?1000h\x1b[?1006h", WheelDown, Press, 1, 2, Shift, "\x1b[<69;2;3M"},
		{"\x1b[?1000h\x1b[?1006h", LeftButton, Press, 99, -5, 0, "\x1b[<0;10;1M"},
		{"\x1b[?1000h\x1b[?1000l", LeftButton, Press, 1, 2, 0, ""},
	} {
		if got := showing(10, 4, c.modes).Mouse(c.button, c.action, c.x, c.y, c.mod); got != c.want {
			t.Errorf("%q: button %d action %d says %q, want %q", c.modes, c.button, c.action, got, c.want)
		}
	}
	if got := showing(10, 4, "\x1b[?1049h").Wheel(true); got != "\x1b[A" {
		t.Errorf("the wheel on the alternate screen says %q", got)
	}
}
