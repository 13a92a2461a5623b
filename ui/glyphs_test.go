package ui

import (
	"slices"
	"strings"
	"testing"
)

func TestGlyphs(t *testing.T) {
	var told []string
	g := newGlyphs(func(script string) { told = append(told, script) })
	measured := 0
	g.width = func(text string) float32 {
		measured++
		if strings.ContainsAny(text, "中文字ก"+nowhere) {
			return 14
		}
		return 9
	}
	if g.missing('a') {
		t.Error("a is missing")
	}
	measured = 0
	g.check("Hello, é, Ωмир → ✓ ① ℃ 😀 \x00\xff")
	if measured > 0 || told != nil {
		t.Errorf("measured %d times, told %q", measured, told)
	}
	g.check("שלום עולם, 中文, 文字")
	g.check("中文")
	g.check("ก")
	g.check(strings.Repeat("x", mostChecked) + "한")
	if want := []string{"Han", "Thai"}; !slices.Equal(told, want) {
		t.Errorf("told of %q, want %q", told, want)
	}
	before := measured
	g.check("中文 ก שלום")
	if measured > before {
		t.Error("what is known is measured again")
	}
}

// A window says once what it cannot draw, and remembers having said it.
func TestGlyphsInWindow(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	w.glyphs.width = func(string) float32 { return 1 }
	say := func() { w.glyphs.check("中") }
	say()
	say()
	if len(w.alerts.own) != 1 || !strings.Contains(w.alerts.own[0], "Chinese") {
		t.Fatalf("said: %q", w.alerts.own)
	}
	again := newGlyphs(w.tellMissing)
	again.width = w.glyphs.width
	w.alerts.own = nil
	again.check("中")
	if len(w.alerts.own) > 0 {
		t.Errorf("said again: %q", w.alerts.own)
	}
}

// The toolkit draws what it has no letter for in one width, which no letter has.
func TestMissingLetter(t *testing.T) {
	openTest(t, newFake())
	g := newGlyphs(nil)
	for _, r := range "aéжΩ" {
		if g.missing(r) {
			t.Errorf("%c is missing", r)
		}
	}
	for _, r := range "\U000F0000\U0010FFF0" { // of nobody's
		if !g.missing(r) {
			t.Errorf("%U is there", r)
		}
	}
}

func BenchmarkGlyphs(b *testing.B) {
	g := newGlyphs(func(string) {})
	g.width = func(string) float32 { return 0 }
	text := strings.Repeat("words, é, 中文 and more. ", 1000)
	b.SetBytes(int64(min(len(text), mostChecked)))
	for b.Loop() {
		g.check(text)
	}
}
