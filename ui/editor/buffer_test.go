package editor

import (
	"math/rand"
	"strings"
	"testing"
	"time"
)

// A text that is not changed is the same, byte for byte.
func TestTextIsKept(t *testing.T) {
	for _, text := range []string{
		"", "\n", "a", "a\n", "a\nb", "a\r\nb\r\n", "a\r\nb\n", "\r", "\ufeffa\r\n", "a\n\n\n", "\t\u2028\xff",
	} {
		if got := newBuffer(text).text(); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	b := newBuffer("a\r\nb\r\n")
	b.replace(place{1, 0}, place{1, 1}, "x\ny", place{}, time.Time{})
	if got := b.text(); got != "a\r\nx\r\ny\r\n" {
		t.Errorf("line ends: %q", got)
	}
}

// Whatever is done gives what doing it to a plain string gives, and all of it
// can be undone and done again.
func TestEditsAgainstAString(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	pieces := []string{"", "x", "é\n", "\n\n", "word", "日本\nabc", " "}
	for range 200 {
		start := strings.Repeat("one\ntwo é\n\n", random.Intn(4)) + "end"
		b, want := newBuffer(start), start
		texts := []string{start}
		now := time.Time{}
		for range 30 {
			from, to := random.Intn(len(want)+1), random.Intn(len(want)+1)
			if from > to {
				from, to = to, from
			}
			text := pieces[random.Intn(len(pieces))]
			if now = now.Add(time.Duration(random.Intn(3)) * time.Second); from == to && text == "" {
				continue
			}
			end := b.replace(after(place{}, want[:from]), after(place{}, want[:to]), text, place{}, now)
			want = want[:from] + text + want[to:]
			if got := b.text(); got != want {
				t.Fatalf("%q, want %q", got, want)
			}
			if got := after(place{}, want[:from+len(text)]); got != end {
				t.Fatalf("ends at %v, want %v", end, got)
			}
			texts = append(texts, want)
		}
		for ok := true; ok; {
			_, ok = b.undo()
		}
		if got := b.text(); got != start {
			t.Fatalf("undone: %q, want %q", got, start)
		}
		for ok := true; ok; {
			_, ok = b.redo()
		}
		if got := b.text(); got != texts[len(texts)-1] {
			t.Fatalf("done again: %q, want %q", got, want)
		}
	}
}

func TestUndoTakesWords(t *testing.T) {
	b := newBuffer("")
	at, now := place{}, time.Time{}
	for _, letter := range "two words" {
		at = b.replace(at, at, string(letter), at, now)
	}
	b.replace(at, at, "!", at, now.Add(time.Minute))
	for _, want := range []string{"two words", "two", ""} {
		b.undo()
		if got := b.text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestChanged(t *testing.T) {
	b := newBuffer("a")
	step := func(text string) {
		b.replace(b.last(), b.last(), text, place{}, time.Time{})
	}
	states := []bool{b.changed()}
	step("b")
	states = append(states, b.changed()) // changed
	b.saved = len(b.done)
	states = append(states, b.changed()) // saved
	b.undo()
	states = append(states, b.changed()) // before what was saved
	b.redo()
	states = append(states, b.changed()) // as saved
	b.undo()
	step("c")
	b.undo()
	states = append(states, b.changed()) // what was saved is gone
	for i, want := range []bool{false, true, false, true, false, true} {
		if states[i] != want {
			t.Errorf("step %d: changed = %v", i, states[i])
		}
	}
}

func TestColumns(t *testing.T) {
	for _, test := range []struct {
		line string
		at   int
		want int
	}{
		{"abc", 2, 2}, {"\ta", 1, 4}, {"ab\tc", 3, 4}, {"日本", 3, 2}, {"é", 2, 1}, {"e\u0301x", 3, 1}, {"👩‍💻x", len("👩‍💻"), 2}, {"\xffa", 1, 1},
	} {
		if got := columnOf(test.line, test.at); got != test.want {
			t.Errorf("columnOf(%q, %d) = %d, want %d", test.line, test.at, got, test.want)
		}
		if got := placeAt(test.line, float32(test.want)); got != test.at {
			t.Errorf("placeAt(%q, %d) = %d, want %d", test.line, test.want, got, test.at)
		}
		if got := previous(test.line, len(test.line)); next(test.line, got) != len(test.line) {
			t.Errorf("%q: the last letter begins at %d", test.line, got)
		}
	}
	if got := placeAt("ab", 99); got != 2 {
		t.Errorf("beyond the end: %d", got)
	}
}

func TestWords(t *testing.T) {
	const line = "  go(foo_1, été)"
	for at, want := range map[int][4]int{ // wordStart, wordEnd, wordAround
		0: {0, 4, 0, 2}, 2: {0, 4, 2, 4}, 4: {2, 5, 2, 4}, 6: {5, 10, 5, 10}, len(line): {len(line) - 1, len(line), len(line) - 1, len(line)},
	} {
		from, to := wordAround(line, at)
		if got := [4]int{wordStart(line, at), wordEnd(line, at), from, to}; got != want {
			t.Errorf("at %d: %v, want %v", at, got, want)
		}
	}
}

func FuzzColumns(f *testing.F) {
	f.Add("ab\té日e\u0301👩‍💻\xff")
	f.Fuzz(func(t *testing.T, text string) {
		line, _, _ := strings.Cut(text, "\n")
		end := 0
		for c := range all(line) {
			if c.at != end || c.size <= 0 || columnOf(line, c.at) != c.column || next(line, c.at) != c.at+c.size {
				t.Fatalf("%q: %+v", line, c)
			}
			if got := placeAt(line, float32(c.column)); got != c.at {
				t.Fatalf("%q: column %d is at %d, want %d", line, c.column, got, c.at)
			}
			end = c.at + c.size
		}
		if end != len(line) {
			t.Fatalf("%q ends at %d", line, end)
		}
	})
}
