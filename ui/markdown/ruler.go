package markdown

import (
	"math"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/ui/emoji"
)

// face is a font in a size.
type face struct {
	size               float32
	bold, italic, mono bool
}

func (f face) style() fyne.TextStyle {
	return fyne.TextStyle{Bold: f.bold, Italic: f.italic, Monospace: f.mono}
}

// ruler measures words, each once: shaping one takes some 10 µs, and a text
// that streams in is laid out again for every few letters.
type ruler struct {
	faces map[face]*metrics
}

type metrics struct {
	face    face
	ascent  float32
	advance float32 // of every ASCII letter, if monospaced
	space   float32
	words   map[string]float32
}

const (
	remembered = 8192 // words of a face
	measured   = 256  // bytes at once
)

func (r *ruler) metrics(f face) *metrics {
	if m, ok := r.faces[f]; ok {
		return m
	}
	if r.faces == nil {
		r.faces = map[face]*metrics{}
	}
	size, ascent := fyne.CurrentApp().Driver().RenderedTextSize("x", f.size, f.style(), nil)
	m := &metrics{face: f, ascent: ascent, words: map[string]float32{}}
	if f.mono {
		m.advance = size.Width
	}
	m.space = m.width(" ")
	r.faces[f] = m
	return m
}

// width returns how wide s is drawn.
func (m *metrics) width(s string) float32 {
	if m.advance > 0 && ascii(s) {
		return float32(len(s)) * m.advance
	}
	if len(s) > measured { // not a word: shaping it as a whole takes long
		var w float32
		for s != "" {
			n := letters(s, measured/4)
			w += m.width(s[:n])
			s = s[n:]
		}
		return w
	}
	if w, ok := m.words[s]; ok {
		return w
	}
	if len(m.words) >= remembered {
		clear(m.words)
	}
	var w float32
	for rest := s; rest != ""; {
		start, end := emoji.Find(rest)
		if start > 0 {
			w += fyne.MeasureText(rest[:start], m.face.size, m.face.style()).Width
		}
		if end > start {
			w += m.picture()
		}
		rest = rest[end:]
	}
	m.words[s] = w
	return w
}

// picture is the side of an emoji: two columns among letters of one width.
func (m *metrics) picture() float32 {
	if m.advance > 0 {
		return 2 * m.advance
	}
	return float32(math.Round(float64(m.face.size * 1.2)))
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
