package yamldoc

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestSyntaxErrors(t *testing.T) {
	tests := []struct {
		text         string
		code         Code
		line, column int
	}{
		{"a: 1\r\n\r\n  b: 2\r\n", ColonInText, 3, 3},
		{"a: C: d", ColonInText, 1, 1},
		{"agents:\n\t- name: a\n", Tab, 2, 1},
		{"agents:\n  - name: a\n  \tcommand: b\n", Tab, 3, 3},
		{"a: |\n\tx\n", Tab, 2, 1},
		{"agents:\n  - name: a\n   command: b\n", Indentation, 3, 4},
		{"- a\nb: c\n", Indentation, 2, 1},
		{"a: 'x'y\n", Indentation, 1, 1},
		{"v: 1\nfoo\nb: c\n", MissingColon, 2, 1},
		{"v: 1\nfoo\n", MissingColon, 2, 1},
		{"v: 1\na: \"b\nc: d\n", UnclosedQuote, 2, 1},
		{"a: \"b\n  c\"\nd: \"e\nf: g\n", UnclosedQuote, 3, 1},
		{"v: 1\na: [b, c\nd: []\n", UnclosedBracket, 2, 1},
		{"x: [\n 1,\n 2]\ny: [3\nz: 4\n", UnclosedBracket, 4, 1},
		{"a: 1\nb: [\n", UnclosedBracket, 2, 1},
		{"v: 1\nx: \"C:\\Users\"\n", Escape, 2, 1},
		{"v: 1\nx: \"\\y\"\n", Escape, 2, 1},
		{"v: 1\nx: @foo\n", ReservedCharacter, 2, 1},
		{"v: 1\nx: `foo`\n", ReservedCharacter, 2, 1},
		{"v: 1\nx: *abc\ny: 2\n", UnknownAnchor, 2, 1},
		{"a: 1\nversion:\u00a01\nagents: []\n", NoBreakSpace, 2, 9},
		{"agents:\n  -\u00a0name: a\n    command: b\n", NoBreakSpace, 2, 4},
		{"\u2003a: 1\n b: 2\n", NoBreakSpace, 1, 1},
		{"a: 'Attention\u00a0: oui'\nb: 'x\n", UnclosedQuote, 2, 1},
		{"a: b # \u00a0:\nc: 'x\n", UnclosedQuote, 2, 1},
		{"%FOO\n", Syntax, 1, 1},
		{"a: 1\nb: \xe9t\xe9\n", NotUTF8, 2, 4},
		{"\xff\xfea\x00:\x00", UTF16, 1, 1},
		{"\xfe\xff\x30\x42", UTF16, 1, 1},
		{"a\x00:\x00 \x001\x00", UTF16, 1, 1},
		{"\x00a\x00:", UTF16, 1, 1},
		{"a: 1\r\nb: é\x07\n", ControlCharacter, 2, 5},
		{"a: 1\rb: \x00\n", Binary, 2, 4},
		{"\x7fELF\x02\x01\x01\x00\x00", Binary, 1, 8},
		{"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", Binary, 3, 1},
		{strings.Repeat("\x1b[0m\n", maxControl+1), Binary, 1, 1},
		{strings.Repeat("[", 20_000), TooDeep, 1, 1},
	}
	for _, test := range tests {
		for _, mark := range []string{"", "\uFEFF"} {
			value, errs := Parse([]byte(mark + test.text))
			if value != nil || len(errs) != 1 {
				t.Errorf("%q: %v, %v", test.text, value, errs)
				continue
			}
			if got := errs[0]; got.Code != test.code || got.Line != test.line || got.Column != test.column {
				t.Errorf("%q: %s at %d:%d, want %s at %d:%d", test.text, got.Code, got.Line, got.Column, test.code, test.line, test.column)
			}
		}
	}
}

func TestRefusedDocuments(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"a: 1\n---\nb: 2\n", []string{"2:1  SecondDocument"}},
		{"a: 1\n---\n", []string{"2:1  SecondDocument"}},
		{"# c\n---\na: 1\n...\n---\n", []string{"5:1  SecondDocument"}},
		{"a: 1\na: 2\n---\nb: [\n", []string{"2:1 a DuplicateKey", "3:1  SecondDocument"}},
		{"---\na: 1\n---\n\tb: 1\n---\nc: 'x", []string{"3:1  SecondDocument"}},
		{"a: &x\n  b: *x\n", []string{"2:6 a.b Recursion"}},
		{"a: &x {<<: *x}\n", []string{"1:12 a Recursion"}},
		{"a: 2024-01-02\nb: 2001-12-14t21:59:43.10-05:00\n", []string{"1:4 a Quote", "2:4 b Quote"}},
		{"a: [.inf, -.Inf, .nan]", []string{"1:5 a[0] Quote", "1:11 a[1] Quote", "1:18 a[2] Quote"}},
		{"8080: x\ntrue: y\n~: z\n", []string{"1:1 8080 QuoteKey", "2:1 true QuoteKey", "3:1 ~ QuoteKey"}},
		{"? [a]\n: z\n? {b: c}\n: z\n", []string{"1:3  KeyNotText", "3:3  KeyNotText"}},
		{"a: {b: 1, b: 2}\nx: 1\na: 3\n", []string{"1:11 a.b DuplicateKey", "3:1 a DuplicateKey"}},
		{"<<: {a: 1}\n<<: {b: 1}\n", []string{"2:1 << DuplicateKey"}},
		{"a: !x b\nb: !!binary aGk=\nc: !!int x\nd: !!set {e}\n", []string{"1:4 a Tag", "2:4 b Tag", "3:4 c Tag", "4:4 d Tag"}},
		{"a: {<<: 3}\nb: {<<: [{c: 1}, 2]}\n", []string{"1:9 a Merge", "2:9 b Merge"}},
		{"a: {T=s: 1, T=s: 2}\n", []string{"1:13 a.T=… DuplicateKey"}},
		{"a: \"\\0\"\n\"b\\0\": 1\n", []string{"1:4 a NUL", "2:1  NUL"}},
		{"a: 1\na: &x 2\nb: *x\n", []string{"2:1 a DuplicateKey"}},
	}
	for _, test := range tests {
		value, errs := Parse([]byte(test.text))
		var got []string
		for _, err := range errs {
			got = append(got, fmt.Sprintf("%d:%d %s %s", err.Line, err.Column, err.Path, err.Code))
			if sentences[err.Code] == "" {
				t.Errorf("%s has no sentence", err.Code)
			}
		}
		if value == nil || !slices.Equal(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestData(t *testing.T) {
	type object = map[string]any
	tests := []struct {
		text string
		want any
	}{
		{"", nil},
		{"# only a comment\n", nil},
		{"a: 1\nb: 1.5\nc: x\nd: yes\ne: true\nf:\ng: []\nh: {}\n", object{
			"a": 1, "b": 1.5, "c": "x", "d": "yes", "e": true, "f": nil, "g": []any{}, "h": object{}}},
		{"a: \"1\"\nb: 'true'\nc: 007\nd: 1:30\ne: '2024-01-02'\n", object{"a": "1", "b": "true", "c": 7, "d": "1:30", "e": "2024-01-02"}},
		{"a: !!str 1\nb: !!int \"2\"\nc: <<\n", object{"a": "1", "b": 2, "c": "<<"}},
		{"a: &x {k: 1, l: 2}\nb: {<<: *x, k: 3}\nc: {<<: [{k: 4}, *x]}\nd: *x\n", object{
			"a": object{"k": 1, "l": 2}, "b": object{"k": 3, "l": 2}, "c": object{"k": 4, "l": 2}, "d": object{"k": 1, "l": 2}}},
		{"&k a: 1\nb: *k\n", object{"a": 1, "b": "a"}},
		{"&k a: 1\n*k : 2\n", nil},
	}
	for _, test := range tests {
		value, errs := Parse([]byte(test.text))
		if test.want == nil && len(errs) > 0 {
			continue
		}
		if len(errs) > 0 || !reflect.DeepEqual(value.Data, test.want) {
			t.Errorf("%q: got %#v, %v", test.text, value, errs)
		}
	}
}

func TestPlaces(t *testing.T) {
	value, errs := Parse([]byte("\uFEFFa: &x\r\n  - é: b\r\n# c\r\nd: *x\r\n"))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	entry, _ := value.Entry("d")
	if entry.Line != 4 || entry.Column != 1 {
		t.Errorf("d is at %d:%d", entry.Line, entry.Column)
	}
	item := entry.Value.Items[0]
	text := item.Get("é")
	if item.Line != 2 || item.Column != 5 || text.Line != 2 || text.Column != 8 || text.Text != "b" {
		t.Errorf("the item is %+v and its text %+v", item, text)
	}
	if got := item.Get("none").Get("none"); got != nil {
		t.Errorf("an unknown key has %v", got)
	}
}

func TestAliasesOfAliases(t *testing.T) {
	var text strings.Builder
	text.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 12 {
		name := fmt.Sprintf("*a%d, ", i)
		fmt.Fprintf(&text, "a%d: &a%d [%s]\n", i+1, i+1, strings.Repeat(name, 10))
	}
	_, errs := Parse([]byte(text.String()))
	if len(errs) != 1 || errs[0].Code != TooManyAliases || errs[0].Line != 5 {
		t.Errorf("got %v", errs)
	}
}

func TestLongFileIsReadQuickly(t *testing.T) {
	// A mistake at the end of a long file is found by reading it a few times,
	// not once a line: which would take a minute.
	text := strings.Repeat("- {name: a, args: [b,\n  c]}\n", 2_000) + "- [\n"
	_, errs := Parse([]byte(text))
	if len(errs) != 1 || errs[0].Line != 4_001 {
		t.Errorf("got %v", errs)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"a: &x [1, {b: *x}]\n<<: {c: d}\n---\n", "\uFEFFa:\r\n\t- b\r\n", "? [a]\n: &k !t 'b'\n", "a: \"\\x00\"\n# c\n", "{a: [b,\n", "a: |\n  b\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		value, errs := Parse(text)
		if value == nil && len(errs) == 0 {
			t.Error("no value and no error")
		}
		lines := len(splitLines(text))
		for _, err := range errs {
			if err.Line < 1 || err.Column < 1 || sentences[err.Code] == "" {
				t.Errorf("%d lines: %+v", lines, err)
			}
		}
	})
}
