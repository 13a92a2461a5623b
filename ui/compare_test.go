package ui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// written is a comparison as text, with what changed in a line in brackets.
func written(lines []changedLine) string {
	var out strings.Builder
	for _, l := range lines {
		if l.change == skipped {
			out.WriteString("…\n")
			continue
		}
		text := l.text
		if l.from < l.to {
			text = text[:l.from] + "[" + text[l.from:l.to] + "]" + text[l.to:]
		}
		fmt.Fprintf(&out, "%d %d %c%s\n", l.before, l.after, l.change, text)
	}
	return out.String()
}

func TestCompare(t *testing.T) {
	numbers := strings.Repeat("same\n", 10)
	for _, c := range []struct{ name, before, after, want string }{
		{"changed", "a\nb\nc\n", "a\nB\nc\n", "1 1  a\n2 0 -b\n0 2 +B\n3 3  c\n"},
		{"new file", "", "a\nb\n", "0 1 +a\n0 2 +b\n"},
		{"deleted", "a\n", "", "1 0 -a\n"},
		{"equal", "a\n", "a\n", ""},
		{"empty", "", "", ""},
		{"no end of line", "a\nb", "a\nc", "1 1  a\n2 0 -b\n0 2 +c\n"},
		{"windows", "a\r\nb\r\n", "a\nb\n", ""},
		{"dashes", "-- a\n", "++ a\n", "1 0 --- a\n0 1 +++ a\n"},
		{"far apart", "x\n" + numbers + "y\n", "X\n" + numbers + "Y\n",
			"1 0 -x\n0 1 +X\n2 2  same\n3 3  same\n4 4  same\n…\n9 9  same\n10 10  same\n11 11  same\n12 0 -y\n0 12 +Y\n"},
		{"far from the ends", numbers + "x\n" + numbers, numbers + numbers,
			"…\n8 8  same\n9 9  same\n10 10  same\n11 0 -x\n12 11  same\n13 12  same\n14 13  same\n"},
		{"a word", "const max = 3 // été\n", "const max = 30 // été\n", "1 0 -const max = [3] // été\n0 1 +const max = [30] // été\n"},
		{"letters", "the café is\n", "the cafè is\n", "1 0 -the [café] is\n0 1 +the [cafè] is\n"},
		{"more words", "return nil\n", "return nil, err\n", "1 0 -return nil\n0 1 +return nil[, err]\n"},
		{"another line", "return nil\n", "go func() {\n", "1 0 -return nil\n0 1 +go func() {\n"},
	} {
		if got := written(compare(c.before, c.after)); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}

// Texts too long to be compared each line with each are compared around lines
// that are in both once.
func TestCompareLargeTexts(t *testing.T) {
	var before, after []string
	for i := range 5000 {
		before = append(before, fmt.Sprint("line ", i))
	}
	after = append(after, "first")
	after = append(after, before...)
	after[100], after[4000] = "changed", "-- changed too"
	after = append(after[:2000], after[2010:]...)
	lines := compare(strings.Join(before, "\n"), strings.Join(after, "\n"))
	in, out := 0, 0
	for _, l := range lines {
		if l.before > 0 && before[l.before-1] != l.text || l.after > 0 && after[l.after-1] != l.text {
			t.Fatalf("%+v is not there", l)
		}
		in, out = in+map[bool]int{true: 1}[l.change == added], out+map[bool]int{true: 1}[l.change == removed]
	}
	if in != 3 || out != 12 {
		t.Errorf("%d lines came and %d went, in %d", in, out, len(lines))
	}
}

// Whatever changed, what is shown of the second text is in it, under its
// numbers.
func TestCompareNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var before, after []string
		for range r.IntN(60) {
			line := fmt.Sprint("line ", r.IntN(30))
			if r.IntN(5) > 0 {
				before = append(before, line)
			}
			if r.IntN(5) > 0 {
				after = append(after, line)
			}
		}
		join := func(lines []string) string { return strings.Join(append(lines, ""), "\n") }
		for _, l := range compare(join(before), join(after)) {
			if l.before > 0 && before[l.before-1] != l.text || l.after > 0 && after[l.after-1] != l.text {
				t.Fatalf("%+v is not in\n%q\n%q", l, before, after)
			}
		}
	}
}

// BenchmarkCompare is a file of 3,000 lines of which every third changed.
func BenchmarkCompare(b *testing.B) {
	before := strings.Repeat("one\ntwo\nthree\n", 1000)
	after := strings.Repeat("one\n2\nthree\n", 1000)
	for b.Loop() {
		compare(before, after)
	}
}
