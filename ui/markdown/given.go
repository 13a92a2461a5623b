package markdown

import (
	"strings"

	"fyne.io/fyne/v2"
)

// Line is a line of code that comes with what is around it, as in a diff.
type Line struct {
	Text   string
	Gutter string              // before the text; neither selected nor copied
	Back   fyne.ThemeColorName // behind the whole line; empty: nothing
	Mark   Highlight           // the part of Text that has MarkBack behind it
	// MarkBack is a colour of the theme.
	MarkBack fyne.ThemeColorName
}

// SetLines shows code line by line instead of a text. The flow must be Bare.
func (f *Flow) SetLines(lines []Line) {
	f.given = lines
	var s strings.Builder
	for i, l := range lines {
		if i > 0 {
			s.WriteByte('\n')
		}
		s.WriteString(strings.ReplaceAll(l.Text, "\r", ""))
	}
	f.text = "" // nothing of the text before is kept
	f.replace(s.String())
}

// lineBlocks returns the block of lines that are shown.
func lineBlocks(shown string, lines []Line, cut bool) []*block {
	if len(lines) == 0 {
		return nil
	}
	if cut {
		shown = strings.TrimSuffix(shown, "\n")
	}
	return []*block{{kind: code, text: shown, given: lines[:strings.Count(shown, "\n")+1]}}
}

// spans are the grounds of a line's text.
func (l *Line) spans() []span {
	from, to := max(0, l.Mark.Start), min(len(l.Text), l.Mark.End)
	if from >= to {
		return nil
	}
	spans := []span{{length: from}, {length: to - from, back: l.MarkBack}}
	if from == 0 {
		spans = spans[1:]
	}
	return append(spans, span{length: len(l.Text) - to + 1})
}
