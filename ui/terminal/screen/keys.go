package screen

import (
	"strconv"
	"strings"
	"unicode"
)

// Mod are the keys held down with another one, as xterm counts them.
type Mod int

const (
	Shift Mod = 1 << iota
	Alt
	Ctrl
)

// Key is a key that writes no character.
type Key int

const (
	Enter Key = iota
	Tab
	Backspace
	Escape
	Up
	Down
	Right
	Left
	Home
	End
	Insert
	Delete
	PageUp
	PageDown
	F1
	F2
	F3
	F4
	F5
	F6
	F7
	F8
	F9
	F10
	F11
	F12
)

// Key is what a key says to the program.
func (s *Screen) Key(k Key, m Mod) string {
	alt := ""
	if m&Alt != 0 {
		alt = "\x1b"
	}
	switch {
	case k == Enter && s.modes.newline:
		return alt + "\r\n"
	case k == Enter:
		return alt + "\r"
	case k == Tab && m&Shift != 0:
		return alt + "\x1b[Z"
	case k == Tab:
		return alt + "\t"
	case k == Backspace && m&Ctrl != 0:
		return alt + "\b"
	case k == Backspace:
		return alt + "\x7f"
	case k == Escape:
		return alt + "\x1b"
	case k >= Up && k <= End:
		return s.arrow("ABCDHF"[k-Up], m)
	case k >= Insert && k <= PageDown:
		return tilde([]int{2, 3, 5, 6}[k-Insert], m)
	case k >= F1 && k <= F4 && m == 0:
		return "\x1bO" + string("PQRS"[k-F1])
	case k >= F1 && k <= F4:
		return "\x1b[1;" + code(m) + string("PQRS"[k-F1])
	case k >= F5 && k <= F12:
		return tilde([]int{15, 17, 18, 19, 20, 21, 23, 24}[k-F5], m)
	}
	return ""
}

func (s *Screen) arrow(letter byte, m Mod) string {
	switch {
	case m != 0:
		return "\x1b[1;" + code(m) + string(letter)
	case s.modes.arrows:
		return "\x1bO" + string(letter)
	}
	return "\x1b[" + string(letter)
}

func tilde(n int, m Mod) string {
	if m != 0 {
		return "\x1b[" + strconv.Itoa(n) + ";" + code(m) + "~"
	}
	return "\x1b[" + strconv.Itoa(n) + "~"
}

func code(m Mod) string { return strconv.Itoa(int(m) + 1) }

// Typed is what a character says that is typed with Ctrl or Alt held down.
func Typed(r rune, m Mod) string {
	text := string(r)
	if m&Ctrl != 0 {
		switch upper := unicode.ToUpper(r); {
		case upper >= '@' && upper <= '_':
			text = string(upper - '@')
		case r == ' ' || r == '2':
			text = "\x00"
		case r >= '3' && r <= '7':
			text = string(r - '3' + 0x1b)
		case r == '8' || r == '?':
			text = "\x7f"
		case r == '/' || r == '-':
			text = "\x1f"
		}
	}
	if m&Alt != 0 {
		text = "\x1b" + text
	}
	return text
}

// Paste is what a text says that is pasted. It cannot end the mark that tells
// the program what is pasted, nor hide a key in the text.
func (s *Screen) Paste(text string) string {
	text = strings.NewReplacer("\r\n", "\r", "\n", "\r").Replace(text)
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\r' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, text)
	if s.modes.paste {
		return "\x1b[200~" + text + "\x1b[201~"
	}
	return text
}

// Focus is what the program is told when the terminal gets or loses the focus.
func (s *Screen) Focus(on bool) string {
	switch {
	case !s.modes.focus:
		return ""
	case on:
		return "\x1b[I"
	}
	return "\x1b[O"
}
