package ui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
)

// change says what became of a line of a file.
type change byte

const (
	kept    change = ' '
	added   change = '+'
	removed change = '-'
	skipped change = '@' // stands for lines that did not change and are not shown
)

// changedLine is one line of a comparison.
type changedLine struct {
	change        change
	before, after int // its number in each text, from 1; 0: not in it
	text          string
	from, to      int // the part of text that changed; none in lines that changed as a whole
}

const (
	nearby  = 3       // unchanged lines shown around a change
	mostLCS = 1 << 20 // pairs of lines that are compared, each with each
)

// compare finds what changed between two texts, line by line, with a few lines
// around each change.
func compare(before, after string) []changedLine {
	a, b := splitLines(before), splitLines(after)
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	lines := keep(nil, a[:start])
	if out, in := a[start:len(a)-end], b[start:len(b)-end]; len(out)*len(in) <= mostLCS {
		lines = appendCommon(lines, out, in)
	} else {
		lines = appendAnchored(lines, out, in)
	}
	lines = keep(lines, a[len(a)-end:])
	count(lines)
	emphasize(lines)
	return hunks(lines)
}

func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
}

func keep(lines []changedLine, texts []string) []changedLine {
	for _, t := range texts {
		lines = append(lines, changedLine{change: kept, text: t})
	}
	return lines
}

// appendCommon keeps the longest common subsequence of two texts.
func appendCommon(lines []changedLine, a, b []string) []changedLine {
	common := make([][]uint32, len(a)+1) // how many lines a[i:] and b[k:] have in common
	cells := make([]uint32, (len(a)+1)*(len(b)+1))
	for i := range common {
		common[i], cells = cells[:len(b)+1], cells[len(b)+1:]
	}
	for i := len(a) - 1; i >= 0; i-- {
		for k := len(b) - 1; k >= 0; k-- {
			if a[i] == b[k] {
				common[i][k] = common[i+1][k+1] + 1
			} else {
				common[i][k] = max(common[i+1][k], common[i][k+1])
			}
		}
	}
	i, k := 0, 0
	for i < len(a) || k < len(b) {
		switch {
		case i < len(a) && k < len(b) && a[i] == b[k]:
			lines = append(lines, changedLine{change: kept, text: a[i]})
			i, k = i+1, k+1
		case i < len(a) && (k == len(b) || common[i+1][k] >= common[i][k+1]):
			lines = append(lines, changedLine{change: removed, text: a[i]})
			i++
		default:
			lines = append(lines, changedLine{change: added, text: b[k]})
			k++
		}
	}
	return lines
}

// appendAnchored keeps what is around lines that are in both texts once. It
// takes no longer for large texts.
func appendAnchored(lines []changedLine, a, b []string) []changedLine {
	join := func(lines []string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }
	out := strings.TrimSuffix(string(diff.Diff("", join(a), "", join(b))), "\n")
	done, inside := 0, false // of a
	for line := range strings.SplitSeq(out, "\n") {
		switch {
		case strings.HasPrefix(line, "@@"):
			var at, n int
			fmt.Sscanf(line, "@@ -%d,%d", &at, &n)
			if n > 0 {
				at--
			}
			lines, done, inside = keep(lines, a[done:at]), at, true
		case !inside: // the names of the files
		case line[0] == '+':
			lines = append(lines, changedLine{change: added, text: line[1:]})
		case line[0] == '-':
			lines = append(lines, changedLine{change: removed, text: line[1:]})
			done++
		default:
			lines = append(lines, changedLine{change: kept, text: line[1:]})
			done++
		}
	}
	return keep(lines, a[done:])
}

// count gives lines their numbers.
func count(lines []changedLine) {
	a, b := 0, 0
	for i := range lines {
		l := &lines[i]
		if l.change != added {
			a++
			l.before = a
		}
		if l.change != removed {
			b++
			l.after = b
		}
	}
}

// hunks leaves out unchanged lines that are far from any change.
func hunks(lines []changedLine) []changedLine {
	near := make([]bool, len(lines)+1)
	last := -1
	for i, l := range lines {
		if l.change == kept {
			continue
		}
		for k := max(0, i-nearby, last+1); k <= min(len(lines)-1, i+nearby); k++ {
			near[k], last = true, k
		}
	}
	if last < 0 {
		return nil
	}
	var shown []changedLine
	for i, l := range lines {
		alone := (i == 0 || near[i-1]) && (i+1 == len(lines) || near[i+1])
		switch {
		case near[i], alone: // a sign for what is left out would be as high
			shown = append(shown, l)
		case near[i+1]:
			shown = append(shown, changedLine{change: skipped})
		}
	}
	return shown
}

// emphasize finds the parts that changed in lines that were replaced one for
// one.
func emphasize(lines []changedLine) {
	for i := 0; i < len(lines); {
		out, in := pairs(lines[i:])
		for k := range min(len(out), len(in)) {
			if len(out) == len(in) {
				changedWords(&out[k], &in[k])
			}
		}
		i += max(1, len(out)+len(in))
	}
}

// pairs returns the lines at the beginning that were removed, and those after
// them that came in their place.
func pairs(lines []changedLine) (out, in []changedLine) {
	n := 0
	for n < len(lines) && lines[n].change == removed {
		n++
	}
	m := n
	for m < len(lines) && lines[m].change == added {
		m++
	}
	return lines[:n], lines[n:m]
}

// changedWords notes which words of a line were replaced, unless little of it
// stayed.
func changedWords(a, b *changedLine) {
	s, t := a.text, b.text
	start := 0
	for start < len(s) && start < len(t) && s[start] == t[start] {
		start++
	}
	for start > 0 && (inWord(s, start) || inWord(t, start)) {
		start--
	}
	end := 0
	for end < min(len(s), len(t))-start && s[len(s)-1-end] == t[len(t)-1-end] {
		end++
	}
	for end > 0 && (inWord(s, len(s)-end) || inWord(t, len(t)-end)) {
		end--
	}
	same := len(strings.TrimSpace(s[:start])) + len(strings.TrimSpace(s[len(s)-end:]))
	if 3*same < min(len(s), len(t)) {
		return
	}
	a.from, a.to = start, len(s)-end
	b.from, b.to = start, len(t)-end
}

// inWord reports whether a place is between two letters of a word, or inside a
// letter.
func inWord(s string, at int) bool {
	if at <= 0 || at >= len(s) {
		return false
	}
	if !utf8.RuneStart(s[at]) {
		return true
	}
	left, _ := utf8.DecodeLastRuneInString(s[:at])
	right, _ := utf8.DecodeRuneInString(s[at:])
	word := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	return word(left) && word(right)
}
