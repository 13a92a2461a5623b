package markdown

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

// outline writes blocks down: a line for each, its runs with their styles.
func outline(blocks []*block) string {
	var s strings.Builder
	for _, b := range blocks {
		fmt.Fprintf(&s, "%s", []string{"p", "code", "table", "rule", "more"}[b.kind])
		if b.kind == prose && b.scale > 1 {
			s.WriteString("+")
		}
		if b.lang != "" {
			s.WriteString(" " + b.lang)
		}
		if b.indent > 0 {
			fmt.Fprintf(&s, " in%v", b.indent)
		}
		if len(b.bars) > 0 {
			fmt.Fprintf(&s, " quote%d", len(b.bars))
		}
		if b.marker.box != noBox {
			fmt.Fprintf(&s, " box%d", b.marker.box)
		}
		if b.marker.text != "" {
			s.WriteString(" " + b.marker.text)
		}
		s.WriteString(":")
		for _, r := range b.runs {
			s.WriteString(" " + describe(r))
		}
		if b.kind == code {
			fmt.Fprintf(&s, " %q", b.text)
		}
		for _, row := range b.rows {
			s.WriteString(" [")
			for i, cell := range row {
				if i > 0 {
					s.WriteString("|")
				}
				for _, r := range cell.runs {
					s.WriteString(describe(r))
				}
			}
			s.WriteString("]")
		}
		s.WriteString("\n")
	}
	return s.String()
}

func describe(r run) string {
	s := fmt.Sprintf("%q", r.text)
	for i, name := range []string{"bold", "italic", "strike", "mono", "pill"} {
		if r.style&(1<<i) != 0 {
			s += "/" + name
		}
	}
	if r.link != "" {
		s += "<" + r.link + ">"
	}
	return s
}

func TestBlocks(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"paragraphs", "one\n\ntwo", "p: \"one\"\np: \"two\"\n"},
		{"soft break", "one\ntwo", "p: \"one two\"\n"},
		{"hard breaks", "one  \ntwo\\\nthree", "p: \"one\\ntwo\\nthree\"\n"},
		{"headings", "# a\n### b", "p+: \"a\"/bold\np: \"b\"/bold\n"},
		{"styles", "a **b *c*** ~~d~~ `e`", `p: "a " "b "/bold "c"/bold/italic " " "d"/strike " " "e"/mono` + "\n"},
		{"styles without blanks", "**bo**ld, `a`b", `p: "bo"/bold "ld, " "a"/mono "b"` + "\n"},
		{"escapes and entities", `\*a\* &amp; &lt;b&gt; \&amp; &nosuch; 1\. é`, `p: "*a* & <b> &amp; &nosuch; 1. é"` + "\n"},
		{"no escapes in code", "`\\*&amp;`", `p: "\\*&amp;"/mono` + "\n"},
		{"rule", "a\n\n---\n\nb", "p: \"a\"\nrule:\np: \"b\"\n"},
		{"list", "- a\n- b\n  - c\n1. d\n2. e", "p in16 •: \"a\"\np in16 •: \"b\"\np in32 ◦: \"c\"\np in19 1.: \"d\"\np in19 2.: \"e\"\n"},
		{"list from 9", "9) a\n10) b", "p in28 9): \"a\"\np in28 10): \"b\"\n"},
		{"task list", "- [x] a\n- [ ] b", "p in22 box2: \"a\"\np in22 box1: \"b\"\n"},
		{"empty item", "- a\n-\n- b", "p in16 •: \"a\"\np in16 •:\np in16 •: \"b\"\n"},
		{"code in a list", "- ```go\n  x\n  ```", "p in16 •:\ncode go in16: \"x\"\n"},
		{"quote", "> a\n> > b", "p in14 quote1: \"a\"\np in28 quote2: \"b\"\n"},
		{"fence", "```go title=x\na\n\n\tb\n```", "code go: \"a\\n\\n\\tb\"\n"},
		{"open fence", "text\n```py\nprint(", "p: \"text\"\ncode py: \"print(\"\n"},
		{"only an open fence", "```", "code: \"\"\n"},
		{"indented code", "    a\n    b", "code: \"a\\nb\"\n"},
		{"table", "|a|b|\n|-|-:|\n|`1`|2|\n|3|", "table: [\"a\"/bold|\"b\"/bold] [\"1\"/mono|\"2\"] [\"3\"|]\n"},
		{"line break in a cell", "|a|\n|-|\n|1<br>2|", "table: [\"a\"/bold] [\"1\\n2\"]\n"},
		{"inline HTML", "a <b>c</b>", "p: \"a <b>c</b>\"\n"},
		{"HTML block", "<script>\nalert(1)\n</script>\n\nb", "p: \"<script>\\nalert(1)\\n</script>\"\np: \"b\"\n"},
		{"HTML comment", "<!-- a -->", "p: \"<!-- a -->\"\n"},
		{"reference", "[a][1]\n\n[1]: https://x.example/", "p: \"a\"<https://x.example/>\n"},
		{"CRLF", "a\r\n\r\n- b\r\n", "p: \"a\"\np in16 •: \"b\"\n"},
		{"bold beside CJK", "**中文**字", "p: \"中文\"/bold \"字\"\n"},
		{"emoji first", "- 🚧 text [link](https://x.example)", "p in16 •: \"🚧 text \" \"link\"<https://x.example>\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := reader{}
			if got := outline(r.read(newParser(), c.text)); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

func TestLinks(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"link", "[a](https://x.example/b?c=d#e)", `"a"<https://x.example/b?c=d#e>`},
		{"mail", "[a](mailto:me@x.example)", `"a"<mailto:me@x.example>`},
		{"capital scheme", "[a](HTTP://x.example)", `"a"<http://x.example>`},
		{"script", "[a](javascript:alert(1))", `"a"`},
		{"script in disguise", "[a](java&#x73;cript:alert)", `"a"`},
		{"file", "[a](file:///etc/passwd)", `"a"`},
		{"data", "[a](data:text/html,x)", `"a"`},
		{"relative", "[a](../b.md)", `"a"`},
		{"no host", "[a](https:///b)", `"a"`},
		{"angle brackets", "<https://x.example/>", `"https://x.example/"<https://x.example/>`},
		{"bare", "see https://x.example/a_b, or", `"see " "https://x.example/a_b"<https://x.example/a_b> ", or"`},
		{"local server", "http://localhost:8080/x.", `"http://localhost:8080/x"<http://localhost:8080/x> "."`},
		{"host of numbers", "http://127.0.0.1:4317", `"http://127.0.0.1:4317"<http://127.0.0.1:4317>`},
		{"in brackets", "(https://x.example/a)", `"(" "https://x.example/a"<https://x.example/a> ")"`},
		{"www", "www.x.example", `"www.x.example"<http://www.x.example>`},
		{"bare mail", "me@x.example!", `"me@x.example"<mailto:me@x.example> "!"`},
		{"ftp", "ftp://x.example/", `"ftp://x.example/"`},
		{"in code", "`https://x.example`", `"https://x.example"/mono`},
		{"picture", "![a](https://x.example/p.png)", `"a"<https://x.example/p.png>`},
		{"picture without words", "![](https://x.example/p.png)", `"https://x.example/p.png"<https://x.example/p.png>`},
		{"picture from a file", "![a](file:///p.png)", `"a"`},
		{"picture in a link", "[![a](https://x.example/p.png)](https://y.example)", `"a"<https://y.example>`},
		{"styled", "[a **b**](https://x.example)", `"a "<https://x.example> "b"/bold<https://x.example>`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := reader{}
			got := strings.TrimSpace(outline(r.read(newParser(), c.text)))
			if got != "p: "+c.want {
				t.Errorf("got  %s\nwant p: %s", got, c.want)
			}
		})
	}
}

// mentions highlights every word that begins with @.
func mentions(text string) (found []Highlight) {
	for i := 0; i < len(text); i++ {
		if text[i] == '@' {
			end := i + 1
			for end < len(text) && text[end] >= 'a' && text[end] <= 'z' {
				end++
			}
			found = append(found, Highlight{i, end})
		}
	}
	return found
}

func TestHighlights(t *testing.T) {
	cases := []struct{ text, want string }{
		{"@al do, then (@bo)", `"@al"/pill " do, then (" "@bo"/pill ")"`},
		{"**@al** *x*", `"@al"/bold/pill " " "x"/italic`},
		{"`@al`", `"@al"/mono`},
		{"me@al.example", `"me@al.example"<mailto:me@al.example>`},
		{"[@al](https://x.example)", `"@al"<https://x.example>`},
	}
	for _, c := range cases {
		r := reader{marks: mentions}
		if got := strings.TrimSpace(outline(r.read(newParser(), c.text))); got != "p: "+c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestHighlightsOutOfPlaceAreIgnored(t *testing.T) {
	marks := func(string) []Highlight { return []Highlight{{2, 4}, {-1, 1}, {3, 5}, {4, 4}, {5, 99}} }
	got := marked([]run{{text: "abcdef"}}, marks)
	want := []run{{text: "ab"}, {text: "cd", style: pill}, {text: "ef"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestWrapsStayBreaks(t *testing.T) {
	r := reader{wraps: true}
	if got := outline(r.read(newParser(), "one\ntwo")); got != "p: \"one\\ntwo\"\n" {
		t.Error(got)
	}
}

func TestTableAlignment(t *testing.T) {
	r := reader{}
	blocks := r.read(newParser(), "|a|b|c|\n|:-|:-:|-:|\n|1|2|3|")
	want := []fyne.TextAlign{fyne.TextAlignLeading, fyne.TextAlignCenter, fyne.TextAlignTrailing}
	if !slices.Equal(blocks[0].aligns, want) {
		t.Errorf("got %v", blocks[0].aligns)
	}
}

func TestFenceHoldsAnything(t *testing.T) {
	for _, text := range []string{"a", "a\n```\nb", "`````\n````", "", "\n\na\n"} {
		r := reader{}
		blocks := r.read(newParser(), Fence("diff", text))
		if len(blocks) != 1 || blocks[0].kind != code || blocks[0].lang != "diff" || blocks[0].text != strings.TrimSuffix(text, "\n") {
			t.Errorf("%q became %s", text, outline(blocks))
		}
	}
}

func TestPlainIsNotMarkdown(t *testing.T) {
	blocks := plainBlocks("# a\r\n\n\t**b** @al\n", mentions)
	want := "p: \"# a\"\np:\np: \"    **b** \" \"@al\"/pill\n"
	if got := outline(blocks); got != want {
		t.Errorf("got %s", got)
	}
}

func TestLargeTableIsShownAsWritten(t *testing.T) {
	text := "before\n\n" + strings.Repeat("|a", 100) + "\n" + strings.Repeat("|-", 100) + "\n" + strings.Repeat(strings.Repeat("|b", 100)+"\n", 20) + "\nafter"
	f := newFlow(t, text)
	if len(f.blocks) != 3 || f.blocks[1].kind != code || strings.Count(f.blocks[1].text, "\n") != 21 || !strings.HasSuffix(f.blocks[1].text, "|b") {
		t.Errorf("%d blocks, the second is %.40q", len(f.blocks), f.blocks[1].text)
	}
	newFlow(t, strings.Repeat("|", 4000)+"\n"+strings.Repeat("|-", 4000)) // no text at all
}

func TestShare(t *testing.T) {
	cases := []struct {
		want []float32
		room float32
		got  []float32
	}{
		{[]float32{50, 60}, 300, []float32{50, 60}},
		{[]float32{50, 900}, 300, []float32{50, 250}},
		{[]float32{500, 900}, 300, []float32{150, 150}},
		{[]float32{500, 900, 40}, 340, []float32{150, 150, 40}},
		{[]float32{500, 900, 130}, 300, []float32{120, 120, 120}},
	}
	for _, c := range cases {
		want := slices.Clone(c.want)
		if got := share(c.want, c.room); !slices.Equal(got, c.got) {
			t.Errorf("%v in %v: got %v, want %v", want, c.room, got, c.got)
		}
	}
}
