package markdown

import (
	"image/color"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

func TestLinesFitTheWidth(t *testing.T) {
	f := newFlow(t, corpus(3000)+"\n\n"+strings.Repeat("longword", 200)+" "+strings.Repeat("中文文字", 100)+" é"+strings.Repeat("ü", 300))
	for _, width := range []float32{600, 300, 90, 1200} {
		f.Resize(fyne.NewSize(width, 100))
		for _, b := range f.blocks {
			if b.kind != prose {
				continue
			}
			for i := range b.lines {
				pieces := b.lines[i].pieces
				if len(pieces) == 0 {
					continue
				}
				last := pieces[len(pieces)-1]
				if over := last.x + last.width - width; over > 2*padding {
					t.Errorf("at %v a line is %v too wide: %q", width, over, last.text)
				}
			}
		}
	}
}

// Every letter of a text is on exactly one line, at its offset, whatever the
// width.
func TestLinesHoldTheText(t *testing.T) {
	f := newFlow(t, corpus(2000)+"\n\n"+strings.Repeat("中文é", 90))
	for _, width := range []float32{600, 150, 40} {
		f.Resize(fyne.NewSize(width, 100))
		for _, b := range f.blocks {
			at := 0
			for i := range b.lines {
				l := &b.lines[i]
				if l.start < at {
					t.Fatalf("a line begins at %d, the one before ended at %d", l.start, at)
				}
				if gap := b.text[at:l.start]; strings.Trim(gap, "\n\t") != "" {
					t.Fatalf("%q is on no line", gap)
				}
				for _, p := range l.pieces {
					if len(p.text) == p.end-p.start && p.text != b.text[p.start:p.end] {
						t.Fatalf("%q is drawn as %q", b.text[p.start:p.end], p.text)
					}
				}
				at = l.end
			}
			if at != len(b.text) {
				t.Fatalf("%q is on no line", b.text[at:])
			}
		}
	}
}

func TestBlocksFollowEachOther(t *testing.T) {
	f := newFlow(t, corpus(3000))
	bottom := float32(0)
	for _, b := range f.blocks {
		if b.y < bottom || b.height <= 0 {
			t.Fatalf("a block is at %v, %v high, after %v", b.y, b.height, bottom)
		}
		bottom = b.y + b.height
	}
	if got := f.MinSize().Height; got != bottom {
		t.Errorf("the flow is %v high, its blocks end at %v", got, bottom)
	}
}

func TestWordsOfTwoStylesStayTogether(t *testing.T) {
	f := newFlow(t, "aaaa **bbbb**cccc")
	width := f.ruler.metrics(face{size: 14}).width("aaaa bbbb") + 10
	f.Resize(fyne.NewSize(width, 100))
	if got := len(f.blocks[0].lines); got != 2 {
		t.Fatalf("%d lines", got)
	}
	if got := f.blocks[0].lines[1].pieces[0].text; got != "bbbb" {
		t.Errorf("the second line begins with %q", got)
	}
}

func TestNarrowIsTall(t *testing.T) {
	f := newFlow(t, corpus(1000))
	wide := f.MinSize().Height
	f.Resize(fyne.NewSize(200, 100))
	narrow := f.MinSize().Height
	if narrow <= wide {
		t.Errorf("%v high at 200, %v at 600", narrow, wide)
	}
	f.Resize(fyne.NewSize(600, 100))
	if got := f.MinSize().Height; got != wide {
		t.Errorf("%v high back at 600, was %v", got, wide)
	}
}

func TestEmptyFlowIsALineHigh(t *testing.T) {
	f := newFlow(t, "")
	if got := f.MinSize().Height; got < 15 || got > 30 {
		t.Errorf("%v high", got)
	}
	f.SelectAll()
	f.Copy()
	click(f, fyne.NewPos(5, 5), 3)
	move(f, fyne.NewPos(5, 5))
	if f.Selected() != "" {
		t.Error("selected something of nothing")
	}
}

func TestTabsAlign(t *testing.T) {
	f := newFlow(t, "```\n\ta\nab\tc\nabcd\te\n```")
	advance := f.ruler.metrics(face{size: 12.5, mono: true}).advance
	for text, column := range map[string]float32{"a": 4, "c": 4, "e": 8} {
		for _, c := range texts(f) {
			if c.Text == text && c.Position().X != codeMargin+column*advance {
				t.Errorf("%s is at %v, not in column %v", text, c.Position().X, column)
			}
		}
	}
	f.SelectAll()
	if got := f.Selected(); got != "\ta\nab\tc\nabcd\te" {
		t.Errorf("copied %q", got)
	}
}

func TestWideCodeScrolls(t *testing.T) {
	f := newFlow(t, "```\n"+strings.Repeat("0123456789", 30)+"\n```")
	b := f.blocks[0]
	if b.pan == nil {
		t.Fatal("no scrolling for a line of 300 letters")
	}
	if f.MinSize().Width > 600 {
		t.Error("the line widens the flow")
	}
	var handed int
	f.OnScrolled = func(*fyne.ScrollEvent) { handed++ }
	b.pan.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.Delta{DY: -50}})
	if b.scroll != 0 || handed != 1 {
		t.Errorf("a vertical turn scrolled by %v, and was handed on %d times", b.scroll, handed)
	}
	b.pan.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.Delta{DX: -50}})
	if b.scroll != 50 || b.body.Position().X != -50 {
		t.Errorf("a sideways turn scrolled by %v", b.scroll)
	}
	b.pan.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.Delta{DX: -1e6}})
	end := b.inner.Width - b.frame.w
	if b.scroll != end {
		t.Errorf("scrolled by %v, the end is at %v", b.scroll, end)
	}

	f.Append("\n\nmore")
	if f.blocks[0].scroll != end {
		t.Error("text that follows scrolled the code back")
	}

	thumb := f.blocks[0].pan.thumbBox()
	at := fyne.NewPos(thumb.x+2, f.blocks[0].origin.Y+thumb.y+2)
	drag(f, at, at.Subtract(fyne.NewPos(1000, 0)))
	if f.blocks[0].scroll != 0 {
		t.Errorf("dragged to the left, it is scrolled by %v", f.blocks[0].scroll)
	}
}

func TestDiffLinesHaveAGround(t *testing.T) {
	f := newFlow(t, Fence("diff", "- a\n+ b\n c"))
	want := []fyne.ThemeColorName{tokens.DiffRemoved, tokens.DiffAdded, ""}
	for i, name := range want {
		if got := f.blocks[0].lines[i].back; got != name {
			t.Errorf("line %d is on %q", i, got)
		}
	}
}

func TestBareCodeIsAllOfTheFlow(t *testing.T) {
	f := New("")
	f.Bare = true
	f.SetText(Fence("", "a"))
	show(t, f, 600)
	if b := f.blocks[0]; b.origin.Y != 0 || b.button != nil || b.height > 40 {
		t.Errorf("the code begins at %v and is %v high", b.origin.Y, b.height)
	}
}

func TestTablesKeepTheirCells(t *testing.T) {
	f := newFlow(t, "|a|b|\n|:-|-:|\n|"+strings.Repeat("word ", 100)+"|1|\n|x|22|")
	b := f.blocks[0]
	if b.frame.w > 600 {
		t.Errorf("%v wide", b.frame.w)
	}
	one, two := find(t, f, "1"), find(t, f, "22")
	if r1, r2 := one.Position().X+one.Size().Width, two.Position().X+two.Size().Width; r1 != r2 {
		t.Errorf("right-aligned cells end at %v and %v", r1, r2)
	}
	for i := range b.lines {
		l := &b.lines[i]
		if l.y < l.cell.y || l.y+l.height > l.cell.y+l.cell.h {
			t.Errorf("a line at %v is outside its cell %v", l.y, l.cell)
		}
	}
	wide := newFlow(t, "|"+strings.Repeat("some column|", 30)+"\n|"+strings.Repeat("-|", 30))
	if wide.blocks[0].pan == nil {
		t.Error("a table of 30 columns does not scroll")
	}
}

func TestOnlyWhatIsInViewIsDrawn(t *testing.T) {
	f := New("")
	f.MaxShown = 1 << 20
	f.SetText(corpus(60_000) + Fence("go", strings.Repeat("x := 1\n", 2000)))
	show(t, f, 600)
	all := len(texts(f))
	f.Viewport(5000, 5600)
	some := len(texts(f))
	if some == 0 || some > all/10 {
		t.Errorf("%d of %d texts are drawn", some, all)
	}
	for _, c := range []float32{5000, 5300, 5600} {
		if !covers(f, c) {
			t.Errorf("nothing is drawn at %v", c)
		}
	}
	f.Viewport(f.height-600, f.height)
	if !covers(f, f.height-300) || covers(f, 5300) {
		t.Error("the end of the code is not drawn, or the old view still is")
	}
	if got := len(texts(f)); got > all/10 {
		t.Errorf("%d texts of one long code are drawn", got)
	}
}

// covers reports whether a block is drawn at y.
func covers(f *Flow, y float32) bool {
	for _, b := range f.blocks {
		if b.root != nil && b.y-b.above <= y && y <= b.y+b.height {
			return true
		}
	}
	return false
}

func TestLongTextIsCut(t *testing.T) {
	text := corpus(200_000)
	f := newFlow(t, text)
	var resized int
	f.OnResized = func() { resized++ }
	shown := func() int { return f.length() }
	before, height := shown(), f.MinSize().Height
	if before > DefaultMaxShown {
		t.Fatalf("%d bytes are shown at first", before)
	}
	click(f, where(t, f, "Show more"), 1)
	if shown() < 2*before || f.MinSize().Height <= height || resized != 1 {
		t.Errorf("%d bytes are shown after %d, told %d times", shown(), before, resized)
	}
	for n := 0; f.most < len(text); n++ {
		if n == 10 {
			t.Fatal("still more to show")
		}
		f.pressed = f.pressed.Add(-clickTime)
		click(f, where(t, f, "Show more"), 1)
	}
	f.SelectAll()
	all := f.Selected()
	if strings.Contains(drawn(f), "Show more") || strings.Contains(all, "Show more") {
		t.Error("the offer is left, or is part of the text")
	}
	if end := text[len(text)-40:]; !strings.HasSuffix(strings.TrimSpace(all), strings.TrimSpace(end)) {
		t.Errorf("it ends with %q, not with %q", all[len(all)-60:], end)
	}
}

func TestAppendToACutTextChangesNothing(t *testing.T) {
	f := newFlow(t, corpus(100_000))
	first := f.blocks[0]
	f.Append("more")
	if f.blocks[0] != first || !strings.HasSuffix(f.Text(), "more") {
		t.Error("a text that is not shown to its end was laid out again, or lost")
	}
}

func TestCut(t *testing.T) {
	cases := []struct {
		text  string
		limit int
		want  string
	}{
		{"abc", 3, "abc"},
		{"abcdef", 3, "abc"},
		{"ab\ncdef", 5, "ab\n"},
		{"aéé", 4, "aé"},
		{"\xff\xff\xff\xff", 2, "\xff\xff"},
		{"a\n" + strings.Repeat("b", 9000), 8000, "a\n" + strings.Repeat("b", 7998)},
	}
	for _, c := range cases {
		if got := cut(c.text, c.limit); got != c.want {
			t.Errorf("%.20q to %d: %.20q", c.text, c.limit, got)
		}
	}
}

// Texts that are made to be slow, or are just very long.
func TestHugeAndHostileTexts(t *testing.T) {
	f := newFlow(t, "")
	for name, text := range map[string]string{
		"24 MB":           strings.Repeat("word ", 24<<20/5),
		"one word":        strings.Repeat("x", 1<<20),
		"quotes":          strings.Repeat(">", 1<<20),
		"nested quotes":   strings.Repeat("> ", 1<<20) + "a",
		"nested lists":    strings.Repeat("- ", 1<<20) + "a",
		"nested bullets":  strings.Repeat("+ ", 1<<20) + "a",
		"nested numbers":  strings.Repeat("1. ", 1<<20) + "a",
		"indented list":   indented(500),
		"brackets":        strings.Repeat("[", 1<<20),
		"stars":           strings.Repeat("*a ", 1<<20),
		"underscores":     strings.Repeat("_", 1<<20),
		"backticks":       strings.Repeat("`a``", 1<<20),
		"ampersands":      strings.Repeat("&", 1<<20),
		"lines":           strings.Repeat("\n", 1<<20),
		"one line code":   "```js\n" + strings.Repeat("a=1;", 1<<20),
		"empty cells":     strings.Repeat("|", 1<<14) + "\n" + strings.Repeat("|-", 1<<14),
		"zero bytes":      strings.Repeat("\x00", 1<<20),
		"no UTF-8":        strings.Repeat("\xff\xfe\x80", 1<<20),
		"joined emoji":    strings.Repeat("👩‍💻", 1<<16),
		"accents on an a": "a" + strings.Repeat("\u0301", 1<<16),
		"right to left":   strings.Repeat("שלום عليكم ", 1<<16),
	} {
		f.SetText(text)
		if len(f.blocks) == 0 && text != "" && name != "lines" {
			t.Errorf("%s: nothing is shown", name)
		}
		f.SelectAll()
		if got := len(f.Selected()); got > 3*DefaultMaxShown {
			t.Errorf("%s: %d bytes are shown", name, got)
		}
		f.Viewport(0, 600)
	}
}

// indented returns a list whose items are each a level deeper.
func indented(levels int) string {
	var s strings.Builder
	for i := range levels {
		s.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	return s.String()
}

func TestThemeSwitch(t *testing.T) {
	f := newFlow(t, corpus(600))
	light := map[color.Color]bool{}
	for _, c := range texts(f) {
		light[c.Color] = true
	}
	fyne.CurrentApp().Settings().SetTheme(tokens.Theme(tokens.Dark))
	f.Refresh()
	dark := tokens.Theme(tokens.Dark)
	if got := find(t, f, "limit").Color; got != dark.Color(tokens.Text, 0) {
		t.Errorf("text is %v", got)
	}
	for _, c := range texts(f) {
		if light[c.Color] {
			t.Errorf("%q keeps its light colour %v", c.Text, c.Color)
		}
	}
}

func TestTextSizeFollowsTheTheme(t *testing.T) {
	f := newFlow(t, "some text")
	before := f.MinSize().Height
	fyne.CurrentApp().Settings().SetTheme(big{tokens.Theme(tokens.Light)})
	f.Refresh()
	if got := f.MinSize().Height; got <= before {
		t.Errorf("%v high after %v", got, before)
	}
}

type big struct{ fyne.Theme }

func (b big) Size(name fyne.ThemeSizeName) float32 { return 2 * b.Theme.Size(name) }

func TestWorksInAnyTheme(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.DefaultTheme())
	f := New(corpus(600))
	f.Resize(fyne.NewSize(400, 100))
	if len(texts(f)) == 0 {
		t.Error("nothing is drawn")
	}
}

func TestStreamKeepsWhatIsDrawn(t *testing.T) {
	f := newFlow(t, "# Title\n\nfirst paragraph\n\n"+strings.Repeat("words that fill some lines ", 20))
	title, line := find(t, f, "Title"), find(t, f, "words")
	for range 50 {
		f.Append("and more ")
	}
	if find(t, f, "Title") != title {
		t.Error("a finished block was drawn again")
	}
	if find(t, f, "words") != line {
		t.Error("a full line of the growing paragraph was drawn again")
	}
}

// A text is the same whether it came in one piece or streamed in.
func TestStreamEndsLikeTheWhole(t *testing.T) {
	text := corpus(4000)
	whole := newFlow(t, text)
	f := newFlow(t, "")
	r := rand.New(rand.NewPCG(1, 2))
	for rest := text; rest != ""; {
		n := min(len(rest), 1+r.IntN(60))
		for n < len(rest) && !utf8.RuneStart(rest[n]) {
			n++
		}
		f.Append(rest[:n])
		rest = rest[n:]
	}
	if f.Text() != text || drawn(f) != drawn(whole) || f.MinSize() != whole.MinSize() {
		t.Error("the streamed text differs")
	}
	for i, c := range texts(whole) {
		if got := texts(f)[i]; got.Position() != c.Position() || got.TextStyle != c.TextStyle || got.Color != c.Color {
			t.Errorf("%q is drawn otherwise", c.Text)
		}
	}
}

func TestPooledFlowShowsTheNewText(t *testing.T) {
	f := newFlow(t, corpus(800))
	f.SelectAll()
	f.SetText("```go\nx\n```\n\nother")
	if f.Selected() != "" {
		t.Error("the selection of another text is left")
	}
	f.SetText("```\n" + strings.Repeat("0123456789", 30) + "\n```")
	f.blocks[0].pan.scrollTo(100)
	f.SetText("```\n" + strings.Repeat("9876543210", 30) + "\n```")
	if f.blocks[0].scroll != 0 {
		t.Error("the code of another text is scrolled")
	}
	f.SetText("```go\nx\n```\n\nother")
	fresh := newFlow(t, "```go\nx\n```\n\nother")
	if drawn(f) != drawn(fresh) || f.MinSize() != fresh.MinSize() {
		t.Errorf("drawn: %q", drawn(f))
	}
}

func TestPillsAndInlineCode(t *testing.T) {
	f := New("")
	f.Inline = mentions
	f.SetText("ask @al about `x`")
	show(t, f, 600)
	want := map[string]fyne.ThemeColorName{"@al": tokens.AccentTint, "x": tokens.Code, "ask ": ""}
	l := &f.blocks[0].lines[0]
	for _, p := range l.pieces {
		if back, ok := want[p.text]; ok && p.back != back {
			t.Errorf("%s is on %q", p.text, p.back)
		}
	}
	if len(l.backs) != 2 {
		t.Fatalf("%d grounds", len(l.backs))
	}
	pill := l.backs[0].(*canvas.Rectangle)
	label := find(t, f, "@al")
	if pill.Position().X >= label.Position().X || pill.CornerRadius == 0 {
		t.Error("the pill does not surround its text")
	}
}

func FuzzFlow(f *testing.F) {
	f.Add(corpus(700), 300)
	f.Add("- [ ] a\n  > b\n```", 50)
	f.Add("|a|\n|-|\n|\xff|", 1)
	flow := newFlow(f, "")
	flow.Inline = mentions
	f.Fuzz(func(t *testing.T, text string, width int) {
		flow.Resize(fyne.NewSize(float32(width%2000), 100))
		half := len(text) / 2
		flow.SetText(text[:half])
		flow.SelectAll()
		flow.Append(text[half:])
		flow.Viewport(0, 100)
		flow.hit(fyne.NewPos(50, 50))
		flow.SelectAll()
		flow.Selected()
		if h := flow.MinSize().Height; h < 0 {
			t.Errorf("%v high", h)
		}
	})
}
