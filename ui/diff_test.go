package ui

import (
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	numbers := strings.Repeat("same\n", 10)
	for _, c := range []struct{ name, before, after, want string }{
		{"changed", "a\nb\nc\n", "a\nB\nc\n", "  a\n- b\n+ B\n  c\n"},
		{"new file", "", "a\nb\n", "+ a\n+ b\n"},
		{"deleted", "a\n", "", "- a\n"},
		{"equal", "a\n", "a\n", ""},
		{"moved", "a\nb\n", "b\na\n", "- a\n  b\n+ a\n"},
		{"windows", "a\r\nb\r\n", "a\nb\n", ""},
		{"far apart", "x\n" + numbers + "y\n", "X\n" + numbers + "Y\n",
			"- x\n+ X\n  same\n  same\n  same\n⋯\n  same\n  same\n  same\n- y\n+ Y\n"},
		{"far from the ends", numbers + "x\n" + numbers, numbers + numbers,
			"  same\n  same\n  same\n- x\n  same\n  same\n  same\n"},
	} {
		if got := diff(c.before, c.after); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}

// A change that is too big to be compared line by line shows all of it.
func TestDiffOfMuch(t *testing.T) {
	before, after := strings.Repeat("a\n", 1000), strings.Repeat("b\n", 1000)
	if got := diff(before, after); strings.Count(got, "\n") != 2000 {
		t.Errorf("%d lines", strings.Count(got, "\n"))
	}
}

func BenchmarkDiff(b *testing.B) {
	before := strings.Repeat("one\ntwo\nthree\n", 150)
	after := strings.Repeat("one\n2\nthree\n", 150)
	for b.Loop() {
		diff(before, after)
	}
}
