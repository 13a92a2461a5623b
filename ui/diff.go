package ui

import (
	"fmt"
	"slices"
	"strings"
)

// change says what became of a line of a file.
type change byte

const (
	kept    change = ' '
	added   change = '+'
	removed change = '-'
)

// changedLine is one line of a diff.
type changedLine struct {
	change change
	text   string
}

const (
	nearby  = 3       // unchanged lines shown around a change
	mostLCS = 400_000 // cells of the table; beyond it everything counts as changed
)

// diff writes what changed between two texts, line by line, with a few lines
// around.
func diff(before, after string) string {
	a, b := splitLines(before), splitLines(after)
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	var lines []changedLine
	add := func(c change, text ...string) {
		for _, t := range text {
			lines = append(lines, changedLine{c, t})
		}
	}
	add(kept, a[:start]...)
	lines = append(lines, diffMiddle(a[start:len(a)-end], b[start:len(b)-end])...)
	add(kept, a[len(a)-end:]...)
	return hunks(lines)
}

func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
}

// diffMiddle finds the longest common subsequence, unless that is too much
// work for what it is worth.
func diffMiddle(a, b []string) []changedLine {
	var lines []changedLine
	if len(a)*len(b) > mostLCS {
		for _, t := range a {
			lines = append(lines, changedLine{removed, t})
		}
		for _, t := range b {
			lines = append(lines, changedLine{added, t})
		}
		return lines
	}
	common := make([][]int, len(a)+1) // of a[i:] and b[k:]
	for i := range common {
		common[i] = make([]int, len(b)+1)
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
			lines = append(lines, changedLine{kept, a[i]})
			i, k = i+1, k+1
		case i < len(a) && (k == len(b) || common[i+1][k] >= common[i][k+1]):
			lines = append(lines, changedLine{removed, a[i]})
			i++
		default:
			lines = append(lines, changedLine{added, b[k]})
			k++
		}
	}
	return lines
}

// hunks leaves out unchanged lines that are far from any change, and writes
// the others as a diff.
func hunks(lines []changedLine) string {
	near := make([]bool, len(lines))
	for i, l := range lines {
		if l.change == kept {
			continue
		}
		for k := max(0, i-nearby); k <= min(len(lines)-1, i+nearby); k++ {
			near[k] = true
		}
	}
	var out strings.Builder
	for i, l := range lines {
		switch {
		case near[i]:
			fmt.Fprintf(&out, "%c %s\n", l.change, l.text)
		case i > 0 && near[i-1] && slices.Contains(near[i:], true):
			out.WriteString("⋯\n")
		}
	}
	return out.String()
}
