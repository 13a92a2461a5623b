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

// tooDeep reports whether a text nests deeper than anybody writes. The parser
// takes seconds for thousands of levels.
func tooDeep(text string) bool {
	const most = 100
	for line := range strings.SplitSeq(text, "\n") {
		levels := 0
		for i := 0; i < len(line) && levels <= most; i++ {
			switch c := line[i]; {
			case c == '>', strings.IndexByte("-+*.)", c) >= 0 && i+1 < len(line) && line[i+1] == ' ':
				levels++
			case c != ' ' && c != '\t' && (c < '0' || c > '9'):
				i = len(line)
			}
		}
		if levels > most {
			return true
		}
	}
	return false
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
