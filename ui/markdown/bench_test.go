package markdown

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

// BenchmarkHostile is what texts that are made to be slow cost the window's
// goroutine when they come, are scrolled, and are shown further. The limit is
// 50 ms.
func BenchmarkHostile(b *testing.B) {
	links := "[a](https://example.org) "
	for _, c := range []struct{ name, text string }{
		{"24 MB", strings.Repeat("word ", 24<<20/5)},
		{"one word of 1 MB", strings.Repeat("x", 1<<20)},
		{"one CJK line", strings.Repeat("日本語", 1<<18)},
		{"10000 quotes", strings.Repeat("> ", 10_000) + "a"},
		{"quotes on lines", strings.Repeat(strings.Repeat("> ", 90)+"a\n\n", 1000)},
		{"nested lists", indented(500)},
		{"brackets", strings.Repeat("[", 1<<20)},
		{"stars", strings.Repeat("*a ", 1<<20)},
		{"emoji", strings.Repeat("👩‍💻👍🏽", 1<<16)},
		{"links", strings.Repeat(links, 1<<16)},
		{"right to left", strings.Repeat("שלום عليكم ", 1<<16)},
		{"code lines", "```go\n" + strings.Repeat("x := 1\n", 1<<17)},
		{"one code line", "```js\n" + strings.Repeat("a=1;", 1<<20)},
		{"table", strings.Repeat("|a", 200) + "\n" + strings.Repeat("|-", 200) + "\n" + strings.Repeat(strings.Repeat("|b", 200)+"\n", 100)},
	} {
		f := newFlow(b, "")
		b.Run(c.name+"/shown", func(b *testing.B) {
			for b.Loop() {
				f.SetText("")
				f.SetText(c.text)
				f.Viewport(0, 600)
			}
		})
		b.Run(c.name+"/streamed", func(b *testing.B) {
			f.SetText(c.text)
			for b.Loop() {
				f.Append("a ")
			}
		})
	}
}

// BenchmarkShowMore is the last press of "Show more" on a text of 1 MB: it is
// laid out anew as far as it is shown.
func BenchmarkShowMore(b *testing.B) {
	for name, text := range map[string]string{
		"prose": corpus(1 << 20),
		"code":  "```\n" + strings.Repeat("a line of output that is as long as most\n", 1<<20/41) + "```\n",
	} {
		b.Run(name, func(b *testing.B) {
			f := newFlow(b, text)
			f.Viewport(0, 600)
			for b.Loop() {
				b.StopTimer()
				f.SetText("")
				f.SetText(text)
				for f.most < 1<<20-1<<16 {
					f.showMore()
				}
				b.StartTimer()
				f.showMore()
			}
		})
	}
}

// BenchmarkTab is a press of the Tab key in a text with many links.
func BenchmarkTab(b *testing.B) {
	f := newFlow(b, strings.Repeat("[a](https://example.org) text\n\n", 500))
	f.Viewport(0, 600)
	f.FocusGained()
	for b.Loop() {
		f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyTab})
	}
}
