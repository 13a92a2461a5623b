package markdown

import (
	"strings"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// colored writes the parts of a code that have a colour.
func colored(t *testing.T, text string, spans []span) string {
	t.Helper()
	var parts []string
	at := 0
	for _, s := range spans {
		if s.length <= 0 {
			t.Fatalf("a span of length %d", s.length)
		}
		if s.color != "" {
			parts = append(parts, string(s.color)+":"+strings.TrimRight(text[at:at+s.length], " "))
		}
		at += s.length
	}
	if at != 0 && at != len(text) {
		t.Errorf("%d of %d bytes have a colour", at, len(text))
	}
	return strings.Join(parts, "|")
}

func TestHighlight(t *testing.T) {
	soon := time.Now().Add(time.Minute)
	for _, c := range []struct{ lang, text, want string }{
		{"go", "func f(a int) { return \"x\" } // y", "codeKeyword:func|codeName:f|codeKeyword:int|codeKeyword:return|codeString:\"x\"|codeComment:// y"},
		{"go", "a := `x\ny` + 12.5", "codeString:`x\ny`|codeNumber:12.5"},
		{"Python", "def f(): # é\n  return 1", "codeKeyword:def|codeName:f|codeComment:# é|codeKeyword:return|codeNumber:1"},
		{"bash", "if a; then echo x; fi", "codeKeyword:if|codeKeyword:then|codeName:echo|codeKeyword:fi"},
		{"json", `{"a": "b", "c": true}`, `codeName:"a"|codeString:"b"|codeName:"c"|codeKeyword:true`},
		{"yaml", "a: 'e' # c", "codeName:a|codeString:'e'|codeComment:# c"},
		{"html", "<a href=\"b\"><!-- c --></a>", "codeName:a href|codeString:\"b\"|codeComment:<!-- c -->|codeName:a"},
		{"go", "\"not utf-8: \xff\"", ""},
		{"nosuch", "func", ""},
	} {
		if got := colored(t, c.text, highlight(c.lang, c.text, soon)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.lang, got, c.want)
		}
	}
	if highlight("go", "func f() {}", time.Now().Add(-time.Second)) != nil {
		t.Error("code is coloured after its time")
	}
}

// jobs keeps what is to be done on another goroutine.
type jobs []func() func()

func (j *jobs) add(work func() func()) { *j = append(*j, work) }

// run does it, as if it took until now.
func (j *jobs) run() {
	for len(*j) > 0 {
		work := (*j)[0]
		*j = (*j)[1:]
		work()()
	}
}

// newColored returns an empty flow with a colorist.
func newColored(t *testing.T, c *Colorist) *Flow {
	t.Helper()
	f := New("")
	f.Colorist = c
	return show(t, f, 600)
}

func TestCodeIsColoredWhenItsFenceIsClosed(t *testing.T) {
	var later jobs
	c := NewColorist(later.add)
	f := newColored(t, c)
	plain, keyword := f.color(tokens.Text), f.color(tokens.CodeKeyword)

	f.SetText("```go\nfunc f() {}\n")
	if len(later) != 0 {
		t.Error("code is coloured while it is written")
	}
	if got := find(t, f, "func f() {}").Color; got != plain {
		t.Errorf("it is %v before", got)
	}
	f.Append("```\n")
	height := f.MinSize().Height
	if len(later) != 1 {
		t.Fatalf("%d jobs for one code", len(later))
	}
	f.Append("And")
	later.run()
	if got := find(t, f, "func").Color; got != keyword {
		t.Errorf("the keyword is %v", got)
	}
	f.Append(" more")
	if got := find(t, f, "func").Color; got != keyword {
		t.Errorf("the keyword is %v after more text", got)
	}
	f.SetText("```go\nfunc f() {}\n```\n")
	if got := f.MinSize().Height; got != height {
		t.Errorf("colours change the height from %g to %g", height, got)
	}

	other := newColored(t, c)
	other.SetText("- ```go\n  func f() {}\n  ```\n")
	if got := find(t, other, "func").Color; got != keyword || len(later) != 0 {
		t.Errorf("known code is not coloured at once: %v, %d jobs", got, len(later))
	}
}

func TestCodeThatStaysPlain(t *testing.T) {
	var later jobs
	f := newColored(t, NewColorist(later.add))
	for _, text := range []string{
		"```\nfunc f() {}\n```\n",
		"    indented()\n\ntext",
		"```diff\n+ a\n```\n",
		"```go\n" + strings.Repeat("f(1)\n", mostColored/5+1) + "```\n",
		"```go\nfunc f() {}",
		"> ```go\n> func f() {}\n",
	} {
		f.SetText(text)
		if len(later) != 0 {
			t.Errorf("%.30q is coloured", text)
			later.run()
		}
	}
	f.SetText("```nosuch\nfunc f() {}\n```\n")
	later.run()
	find(t, f, "func f() {}")
}

// The text may be another one when its colours come.
func TestColorsThatComeTooLate(t *testing.T) {
	var later jobs
	f := newColored(t, NewColorist(later.add))
	f.SetText("```go\nfunc f() {}\n```\n")
	f.SetText("something else")
	later.run()
	if got := drawn(f); got != "something else" {
		t.Errorf("%q is drawn", got)
	}
}

func TestColorsAreForgottenOneDay(t *testing.T) {
	c := NewColorist(nil)
	for i := range 100 {
		c.learn(source{"go", strings.Repeat("x", 30<<10) + string(rune('a'+i))}, nil)
	}
	if c.size > keptColored || len(c.known) > keptColored/(30<<10) {
		t.Errorf("the colours of %d codes, %d bytes, are kept", len(c.known), c.size)
	}
}

func BenchmarkHighlight(b *testing.B) {
	text := strings.Repeat("func Retry(n int) error {\n\treturn fmt.Errorf(\"retry %d\", n) // again\n}\n", 50)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		highlight("go", text, time.Now().Add(time.Minute))
	}
}

// BenchmarkRecolor is what the window's goroutine does for 32 KB.
func BenchmarkRecolor(b *testing.B) {
	var later jobs
	f := New("")
	f.Colorist, f.MaxShown = NewColorist(later.add), 64<<10
	show(b, f, 600)
	f.SetText("```go\n" + strings.Repeat("\treturn fmt.Errorf(\"retry %d\", n)\n", 900) + "```\n")
	f.Viewport(0, 600)
	later.run()
	for b.Loop() {
		f.recolor(f.blocks[0])
	}
}
