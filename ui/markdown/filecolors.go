package markdown

import (
	"path"
	"time"

	"fyne.io/fyne/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// MostColored is how many bytes of a file are worth colouring: grammars take
// some 10 µs for each.
const MostColored = 256 << 10

// FileColors finds the colours of a file in the grammar that its name tells,
// and gives each piece in turn: its length in bytes and its colour. It takes
// long; a text for which the time is not enough gets none.
func FileColors(name, text string, deadline time.Time, piece func(length int, color fyne.ThemeColorName)) {
	lexer := lexers.Match(path.Base(name))
	if lexer == nil || len(text) > MostColored {
		return
	}
	for _, s := range highlight(lexer.Config().Name, text, deadline) {
		piece(s.length, s.color)
	}
}
