package markdown

import "strings"

// plainBlocks returns a block for each line of a text that is not Markdown.
func plainBlocks(text string, marks func(string) []Highlight) []*block {
	var blocks []*block
	text = strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\r\n", "\n")
	text = strings.ReplaceAll(text, "\t", "    ")
	for line := range strings.SplitSeq(text, "\n") {
		b := &block{scale: 1, text: line, sep: "\n"}
		if line != "" {
			b.runs = marked([]run{{text: line}}, marks)
		}
		if len(blocks) == 0 {
			b.sep = ""
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// Fence returns text as a code block in a language, whatever is in the text.
// The language diff shows added and removed lines.
func Fence(lang, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + lang + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence + "\n"
}
