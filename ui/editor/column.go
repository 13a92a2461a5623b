package editor

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// tab is how many columns there are between two stops.
const tab = 4

// A cell is a letter as it is drawn: what a person takes for one, however many
// characters it is made of.
type cell struct {
	at, size      int // in bytes
	column, width int
}

// cells goes through the letters of a line. Without any but those of ASCII,
// which most lines are made of, letters and bytes are the same.
func cells(line string, yield func(cell) bool) {
	column := 0
	for at := 0; at < len(line); {
		c := cell{at: at, size: 1, column: column, width: 1}
		switch b := line[at]; {
		case b == '\t':
			c.width = tab - column%tab
		case b < utf8.RuneSelf && (at+1 == len(line) || line[at+1] < utf8.RuneSelf):
		default:
			var cluster string
			cluster, _, c.width, _ = uniseg.FirstGraphemeClusterInString(line[at:min(len(line), at+longest)], -1)
			c.size, c.width = len(cluster), min(2, max(1, c.width))
		}
		if !yield(c) {
			return
		}
		at += c.size
		column += c.width
	}
}

// longest is more bytes than a letter has: one with more marks on it is
// several.
const longest = 256

// columnOf is the column of a place in a line.
func columnOf(line string, at int) int {
	if plain(line[:at]) {
		return at
	}
	column := 0
	for c := range all(line) {
		if c.at >= at {
			break
		}
		column = c.column + c.width
	}
	return column
}

// placeAt is the place of a line that is nearest to a column.
func placeAt(line string, column float32) int {
	if column <= 0 {
		return 0
	}
	if n := int(column + 0.5); n <= len(line) && plain(line[:n]) && (n == len(line) || line[n] < utf8.RuneSelf) {
		return n
	}
	for c := range all(line) {
		if column < float32(c.column)+float32(c.width)/2 {
			return c.at
		}
	}
	return len(line)
}

func all(line string) func(func(cell) bool) {
	return func(yield func(cell) bool) { cells(line, yield) }
}

// plain reports whether each byte of a text is a letter one column wide.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf || text[i] == '\t' {
			return false
		}
	}
	return true
}

// next and previous are the places beside one, a letter further.
func next(line string, at int) int {
	for c := range all(line[at:]) {
		return at + c.size
	}
	return at
}

func previous(line string, at int) int {
	// A letter begins not far before; what is before that does not matter.
	start := max(0, at-longest)
	for start > 0 && !utf8.RuneStart(line[start]) {
		start--
	}
	was := start
	for c := range all(line[start:at]) {
		was = start + c.at
	}
	return was
}

// kindOf tells letters apart for what takes whole words.
func kindOf(r rune) int {
	switch {
	case unicode.IsSpace(r):
		return 0
	case unicode.IsLetter(r), unicode.IsDigit(r), r == '_', unicode.IsMark(r):
		return 1
	}
	return 2
}

// wordEnd is the end of the word at a place, or of the next one.
func wordEnd(line string, at int) int {
	rest := strings.TrimLeftFunc(line[at:], unicode.IsSpace)
	at = len(line) - len(rest)
	for i, r := range rest {
		if first, _ := utf8.DecodeRuneInString(rest); kindOf(r) != kindOf(first) {
			return at + i
		}
	}
	return len(line)
}

// wordStart is the beginning of the word before a place.
func wordStart(line string, at int) int {
	rest := strings.TrimRightFunc(line[:at], unicode.IsSpace)
	last, _ := utf8.DecodeLastRuneInString(rest)
	return len(strings.TrimRightFunc(rest, func(r rune) bool { return kindOf(r) == kindOf(last) }))
}

// wordAround is the word that a place is in or at, or the blanks.
func wordAround(line string, at int) (from, to int) {
	r, _ := utf8.DecodeRuneInString(line[at:])
	if before, _ := utf8.DecodeLastRuneInString(line[:at]); at == len(line) || kindOf(r) != 1 && at > 0 && kindOf(before) == 1 {
		r = before
	}
	same := func(other rune) bool { return kindOf(other) == kindOf(r) }
	from = len(strings.TrimRightFunc(line[:at], same))
	return from, len(line) - len(strings.TrimLeftFunc(line[at:], same))
}
