package edit

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// quote writes a text so that YAML 1.1 and 1.2 read that text, in block style
// or within the brackets of flow style. Emoji stay as they are.
func quote(text string, flow bool) string {
	switch {
	case isPlain(text) && !(flow && strings.ContainsAny(text, ",[]{}")):
		return text
	case strings.Contains(text, `\`) && !strings.ContainsRune(text, '\'') && !strings.ContainsFunc(text, isEscaped):
		return "'" + text + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case r == '"' || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case isEscaped(r) && r <= 0xff:
			fmt.Fprintf(&b, `\x%02X`, r)
		case isEscaped(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// isPlain reports whether a text needs no quotes. It says no to more than
// would be read otherwise: quotes do no harm.
func isPlain(text string) bool {
	if text == "" || text != strings.TrimSpace(text) || strings.ContainsFunc(text, isEscaped) ||
		!strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return false
	}
	return !strings.ContainsAny(text, ":#\"\\\u00a0") &&
		!strings.ContainsAny(text[:1], "?&*!|>%@`=<~,[]{}'") &&
		!strings.HasPrefix(text, "- ") && !strings.HasPrefix(text, "---") &&
		!likeNumber.MatchString(text) && !words[strings.ToLower(text)]
}

// likeNumber matches numbers, dates and times, and what some reader may take
// for one.
var likeNumber = regexp.MustCompile(`^[-+]?\.?[0-9][0-9a-fA-FobxOBXTZtz_.+ -]*$`)

// words are the texts that are read as something else than text.
var words = map[string]bool{
	"null": true, "true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true,
	".inf": true, "-.inf": true, "+.inf": true, ".nan": true,
}

// isEscaped reports whether a character cannot stand for itself in a line.
func isEscaped(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\uFEFF' || r == unicode.ReplacementChar ||
		r >= 0xfffe && r <= 0xffff
}
