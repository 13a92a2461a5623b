package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// Code is coloured by what nearly all languages share: comments, strings,
// numbers, keywords, and names that are called. That takes microseconds where
// a grammar of the language takes tens of milliseconds, too long for a text
// that is laid out again with every word that streams in.

// syntax is what tells languages apart.
type syntax struct {
	comment []string // up to the line's end
	open    string   // of a comment that needs an end
	end     string
	quotes  string // each may begin a string that ends on its line
	long    string // quotes of strings of several lines; "3": tripled quotes
	fold    bool   // keywords in any case
	keys    bool   // a word or string before a colon is a name
	tags    bool   // names are what follows "<"
	words   map[string]bool
}

// highlight returns the colours of a code, nothing for an unknown language.
func highlight(lang, text string) []span {
	s, ok := syntaxOf(strings.ToLower(lang))
	if !ok {
		return nil
	}
	var spans []span
	add := func(n int, color fyne.ThemeColorName) {
		if last := len(spans) - 1; last >= 0 && spans[last].color == color {
			spans[last].length += n
			return
		}
		spans = append(spans, span{n, color})
	}
	for i := 0; i < len(text); {
		n, color := s.token(text, i)
		if last := len(spans) - 1; last >= 0 && text[i] == ' ' {
			color = spans[last].color // nothing to see, and one piece less
		}
		add(n, color)
		i += n
	}
	return spans
}

// token returns the length and the colour of what begins at i.
func (s *syntax) token(text string, i int) (int, fyne.ThemeColorName) {
	rest := text[i:]
	if n := s.commentAt(text, i); n > 0 {
		return n, tokens.CodeComment
	}
	if n := s.stringAt(rest); n > 0 {
		if s.keys && followed(rest[n:], ':') {
			return n, tokens.CodeName
		}
		return n, tokens.CodeString
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r >= '0' && r <= '9':
		return stretch(rest, func(r rune) bool { return r == '.' || letter(r) }), tokens.CodeNumber
	case letter(r):
		n := stretch(rest, letter)
		return n, s.wordColor(text, i, n)
	}
	return size, ""
}

func letter(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// stretch returns how long the runes at the beginning of s are all in a class, at
// least one.
func stretch(s string, class func(rune) bool) int {
	for i, r := range s {
		if i > 0 && !class(r) {
			return i
		}
	}
	return len(s)
}

func followed(s string, by byte) bool {
	s = strings.TrimLeft(s, " ")
	return s != "" && s[0] == by
}

// commentAt returns the length of a comment at i. A sign that is a comment in
// a shell is none inside a word.
func (s *syntax) commentAt(text string, i int) int {
	rest := text[i:]
	if s.open != "" && strings.HasPrefix(rest, s.open) {
		if end := strings.Index(rest[len(s.open):], s.end); end >= 0 {
			return len(s.open) + end + len(s.end)
		}
		return len(rest)
	}
	for _, mark := range s.comment {
		if !strings.HasPrefix(rest, mark) || mark == "#" && i > 0 && !strings.ContainsRune(" \t\n;", rune(text[i-1])) {
			continue
		}
		if end := strings.IndexByte(rest, '\n'); end >= 0 {
			return end
		}
		return len(rest)
	}
	return 0
}

// stringAt returns the length of a string literal that s begins with. A quote
// that is not closed is a sign like others.
func (s *syntax) stringAt(text string) int {
	quote := text[0]
	if strings.Contains(s.long, "3") && (strings.HasPrefix(text, `"""`) || strings.HasPrefix(text, `'''`)) {
		if end := strings.Index(text[3:], text[:3]); end >= 0 {
			return end + 6
		}
		return len(text)
	}
	several := strings.IndexByte(s.long, quote) >= 0 && quote != '3'
	if !several && strings.IndexByte(s.quotes, quote) < 0 {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '\n':
			if !several {
				return 0
			}
		case quote:
			return i + 1
		}
	}
	if several {
		return len(text)
	}
	return 0
}

func (s *syntax) wordColor(text string, i, n int) fyne.ThemeColorName {
	word, after := text[i:i+n], text[i+n:]
	if s.fold {
		word = strings.ToLower(word)
	}
	before := byte('\n')
	if i > 0 {
		before = text[i-1]
	}
	switch {
	case s.tags && (before == '<' || before == '/'):
		return tokens.CodeName
	case s.words[word] && before != '.' && before != '-':
		return tokens.CodeKeyword
	case s.keys && followed(after, ':'):
		return tokens.CodeName
	case !s.keys && !s.tags && strings.HasPrefix(after, "("):
		return tokens.CodeName
	}
	return ""
}
