package ui

import (
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// mostChecked is how much of a text is looked at, in bytes: as much as is
// shown of it at first.
const mostChecked = 16 << 10

// glyphs notices letters that no font of the computer has, once for each
// script, when they are about to be shown: nothing is looked for before.
type glyphs struct {
	blocks map[rune]bool // of 256 characters, that were looked at
	said   map[string]bool
	width  func(text string) float32
	tell   func(script string)
}

func newGlyphs(tell func(script string)) *glyphs {
	return &glyphs{blocks: map[rune]bool{}, said: map[string]bool{}, tell: tell, width: func(text string) float32 {
		return fyne.MeasureText(text, theme.TextSize(), fyne.TextStyle{}).Width
	}}
}

// check looks at the letters of a text that the bundled fonts do not have.
func (g *glyphs) check(text string) {
	for i, r := range text {
		if i >= mostChecked {
			return
		}
		if r < bundledLetters || g.blocks[r>>8] || !unicode.IsLetter(r) || r >= symbols && r < wide {
			continue
		}
		g.blocks[r>>8] = true
		if script := scriptOf(r); !g.said[script] && g.missing(r) {
			g.said[script] = true
			g.tell(script)
		}
	}
}

// Between these are letters that are signs, such as ℃, which the bundled fonts
// have in part.
const (
	bundledLetters = 0x0530 // from here on: Latin, Greek and Cyrillic are bundled
	symbols        = 0x1D00
	wide           = 0x2E80
)

// nowhere is a character that no font has.
const nowhere = "\U0010FFFD"

// missing tells whether a letter is drawn as the sign for an unknown one.
// There is no other way to learn it than that all those are equally wide.
func (g *glyphs) missing(r rune) bool { return g.width(string(r)) == g.width(nowhere) }

func scriptOf(r rune) string {
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			return name
		}
	}
	return ""
}

// missingKey is what the scripts without letters are remembered under.
const missingKey = "missingScripts"

// languages are the scripts that people know by the languages written in them.
var languages = map[string]string{
	"Han": "chinese", "Hiragana": "japanese", "Katakana": "japanese", "Hangul": "korean", "Thai": "thai",
	"Devanagari": "hindi", "Bengali": "bengali", "Arabic": "arabic", "Hebrew": "hebrew",
}

// tellMissing says that the letters of a script cannot be drawn, once for
// good, and of several scripts together.
func (w *window) tellMissing(script string) {
	var told []string
	w.remembered.Get(missingKey, &told)
	if slices.Contains(told, script) {
		return
	}
	w.remembered.Set(missingKey, append(told, script))
	name := script
	if key, ok := languages[script]; ok {
		name = w.text("system.Script." + key)
	}
	if slices.Contains(w.scripts, name) {
		return
	}
	w.scripts = append(w.scripts, name)
	if len(w.scripts) > 1 {
		return // with the first
	}
	w.bridge.later(func() { // not while what holds the letter is laid out
		w.alerts.add(w.text("system.NoFont", "Scripts", strings.Join(w.scripts, ", ")))
		w.scripts = nil
		w.relayout()
	})
}
