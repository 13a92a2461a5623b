package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestSearch(t *testing.T) {
	s, c := fresh(t)
	ctx := t.Context()
	for _, text := range []string{
		"L'été à Paris, with Zoé",
		"the tests AND the docs near here",
		`quote " star * minus - column:x ^caret (paren)`,
		"tests of été",
		"日本語 のテスト",
		"emoji 👍 done",
	} {
		say(t, s, c, text)
	}
	for _, test := range []struct {
		query string
		want  string // numbers of the texts above
	}{
		{"ete", "[3 0]"},
		{"ÉTÉ", "[3 0]"},
		{"e\u0301te\u0301", "[3 0]"}, // combining accents
		{"par zoe", "[0]"},
		{"zoe par", "[0]"},
		{"test", "[3 1]"},
		{"est", "[]"}, // the middle of a word
		{"AND", "[1]"},
		{"docs AND", "[1]"},
		{"docs OR paris", "[]"},
		{"NOT docs", "[]"},
		{"tests NEAR here", "[1]"},
		{`"`, "[]"},
		{`quote "`, "[2]"},
		{`"star minus"`, "[2]"},
		{"sta*", "[2]"},
		{"-minus", "[2]"},
		{"body:quote", "[]"},
		{"column:x", "[2]"},
		{"(paren", "[2]"},
		{"^caret)", "[2]"},
		{"日本", "[4]"},
		{"👍", "[]"},
		{"👍 emoji", "[5]"},
		{"", "[]"},
		{"a\x00b", "[]"},
		{"\xff\xfe", "[]"},
		{"nowhere", "[]"},
		{strings.Repeat("tests ", 1000), "[3 1]"},
	} {
		hits, err := s.Search(ctx, test.query, 10)
		found := []int{}
		for _, h := range hits {
			found = append(found, int(h.Message)-1)
		}
		if got := fmt.Sprint(found); err != nil || got != test.want {
			t.Errorf("%q: got %s (%v), want %s", test.query, got, err, test.want)
		}
	}
	equal(t, len(ok(s.Search(ctx, "t", 1))), 1)
	equal(t, len(ok(s.Search(ctx, "t", 0))), 0)
}

// Many different words are all asked for.
func TestSearchManyWords(t *testing.T) {
	s, c := fresh(t)
	var words []string
	for i := range 300 {
		words = append(words, fmt.Sprintf("w%03dx", i))
	}
	say(t, s, c, strings.Join(words, " "))
	equal(t, len(ok(s.Search(t.Context(), strings.Join(words, " "), 9))), 1)
	equal(t, len(ok(s.Search(t.Context(), strings.Join(words, " ")+" other", 9))), 0)
}

func TestSearchHit(t *testing.T) {
	s, c := fresh(t)
	ctx := t.Context()
	at := time.UnixMicro(1_700_000_000_000_001)
	m := &Message{Channel: c, Author: "alice", Kind: FromAgent, CreatedAt: at, EndedAt: at, Parts: []Part{
		{Kind: Thought, Text: "hidden"}, {Kind: Tool, Text: "hidden"}, {Kind: Plan, Text: "hidden"},
		{Kind: Text, Text: "Déjà\n\tvu  \x02tricked\x03"}, {Kind: Question, Text: "vue?"},
	}}
	must(t, s.AddMessage(ctx, m))
	equal(t, len(ok(s.Search(ctx, "hidden", 9))), 0)
	equal(t, ok(s.Search(ctx, "VU deja", 9)), []Hit{{
		Message: m.ID, Channel: c, Author: "alice", CreatedAt: at,
		Snippet: "Déjà vu tricked vue?", Marks: [][2]int{{0, 4}, {5, 7}, {16, 19}},
	}})
}

func TestSnippetIsBounded(t *testing.T) {
	s, c := fresh(t)
	long := strings.Repeat("é", 100_000)
	for _, text := range []string{
		strings.Repeat("word ", 100_000) + "needle" + strings.Repeat(" word", 100_000),
		"needle" + long,
		long + " needle",
		strings.Repeat("a", 500) + " needle " + strings.Repeat("b", 500),
	} {
		say(t, s, c, text)
	}
	for _, h := range ok(s.Search(t.Context(), "needle", 9)) {
		if n := utf8.RuneCountInString(h.Snippet); n > snippetRunes {
			t.Errorf("message %d: %d characters", h.Message, n)
		}
		runes := []rune(h.Snippet)
		if len(h.Marks) != 1 || !strings.HasPrefix(string(runes[h.Marks[0][0]:h.Marks[0][1]]), "needle") {
			t.Errorf("message %d: %q marked at %v", h.Message, h.Snippet, h.Marks)
		}
	}
}

// A message is found when it ends, with what is added later.
func TestSearchFollowsMessage(t *testing.T) {
	s, c := fresh(t)
	ctx := t.Context()
	found := func(word string) int { return len(ok(s.Search(ctx, word, 9))) }
	m := &Message{Channel: c, Author: "alice", Kind: FromAgent}
	must(t, s.AddMessage(ctx, m))
	must(t, s.SaveParts(ctx, m.ID, []Part{{Kind: Text, Text: "streaming"}}))
	equal(t, found("streaming"), 0)
	must(t, s.EndMessage(ctx, m.ID, time.Now(), nil))
	equal(t, found("streaming"), 1)
	must(t, s.SaveParts(ctx, m.ID, []Part{{Kind: Text, Text: "afterthought"}}))
	equal(t, []int{found("streaming"), found("afterthought")}, []int{0, 1})
}

func FuzzSearch(f *testing.F) {
	s, c := fresh(f)
	say(f, s, c, "some text to be found, in English et en français")
	for _, seed := range []string{"text", `"`, "a OR b", "text*", "NEAR/3", "(", "\x00", "ﬁ é"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		for _, h := range ok(s.Search(t.Context(), query, 9)) {
			n := utf8.RuneCountInString(h.Snippet)
			if !slices.IsSortedFunc(h.Marks, func(a, b [2]int) int { return a[0] - b[0] }) {
				t.Fatalf("marks %v", h.Marks)
			}
			for _, m := range h.Marks {
				if m[0] < 0 || m[0] > m[1] || m[1] > n {
					t.Fatalf("mark %v of %q", m, h.Snippet)
				}
			}
		}
	})
}
