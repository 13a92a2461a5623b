package emoji

import (
	"image/png"
	"testing"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"plain, été, 日本語, → ✓ … — “x”", nil},
		{"👩 👍🏽 👩‍💻 🇫🇷 🧭 🐮 ✔ ⚙", []string{"👩", "👍🏽", "👩‍💻", "🇫🇷", "🧭", "🐮", "✔", "⚙"}},
		{"done✅now", []string{"✅"}},
		{"🇫🇷🇨🇭", []string{"🇫🇷", "🇨🇭"}},
		{"1 #1 1\uFE0F\u20E3 * *\u20E3", []string{"1\uFE0F\u20E3", "*\u20E3"}},
		{"▶ © ™ ⚠ ❤", nil}, // letters of the fonts
		{"▶\uFE0F ⚠\uFE0F ❤\uFE0F", []string{"▶\uFE0F", "⚠\uFE0F", "❤\uFE0F"}},
		{"🧭\uFE0E", nil}, // asked for as text
		{"👩🏻‍🤝‍👨🏿", []string{"👩🏻‍🤝‍👨🏿"}}, // two colours of skin: drawn without
		{"🏴󠁧󠁢󠁳󠁣󠁴󠁿 ❤️‍🔥", []string{"🏴󠁧󠁢󠁳󠁣󠁴󠁿", "❤️‍🔥"}},
		{"👩‍👩‍👩‍👩‍👩‍👩 \xf0\x9f", nil}, // nobody's family; bytes that are no text
	} {
		var got []string
		for rest := c.text; ; {
			start, end := Find(rest)
			if start == end {
				break
			}
			got = append(got, rest[start:end])
			rest = rest[end:]
		}
		if len(got) != len(c.want) {
			t.Errorf("%q: found %q, want %q", c.text, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%q: found %q, want %q", c.text, got, c.want)
			}
		}
	}
}

func TestPicture(t *testing.T) {
	for _, s := range []string{"👩", "👍🏽", "👩‍💻", "🇫🇷", "✔", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "1\uFE0F\u20E3", "👩🏻‍🤝‍👨🏿"} {
		m := Picture(s)
		if m == nil || m.Bounds().Dy() != 64 {
			t.Errorf("%q has no picture of 64 pixels", s)
		}
	}
	for _, s := range []string{"", "a", "1", "日", "\U000FFFFE", "👩a", "\xff"} {
		if Is(s) || Picture(s) != nil {
			t.Errorf("%q has a picture", s)
		}
	}
	if a, b := Picture("👍🏽"), Picture("👍"); a == b {
		t.Error("a colour of skin is lost")
	}
}

// Every picture of the file has the size that it is drawn from, and those that
// are decoded are not all kept.
func TestAllPictures(t *testing.T) {
	p := pictures()
	if len(p.files) < 3000 {
		t.Fatalf("only %d pictures", len(p.files))
	}
	n := 0
	for name, f := range p.files {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		c, err := png.DecodeConfig(r)
		if err != nil || c.Width != 64 || c.Height != 64 {
			t.Errorf("%s is %d × %d: %v", name, c.Width, c.Height, err)
		}
		r.Close()
		if n++; n <= kept+10 && p.decode(name) == nil {
			t.Errorf("%s cannot be decoded", name)
		}
	}
	if len(p.decoded) > kept {
		t.Errorf("%d pictures are kept", len(p.decoded))
	}
}

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		open()
	}
}

func BenchmarkDecode(b *testing.B) {
	p := pictures()
	for b.Loop() {
		clear(p.decoded)
		p.decode("1f469")
	}
}

// BenchmarkFind looks through 1 KB without emoji in a script beyond U+2000.
func BenchmarkFind(b *testing.B) {
	text := ""
	for len(text) < 1024 {
		text += "日本語 → text, "
	}
	for b.Loop() {
		Find(text)
	}
}
