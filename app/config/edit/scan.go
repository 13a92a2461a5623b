package edit

import "bytes"

// kind is what a token is.
type kind int

const (
	indicator kind = iota // "- ", "? " or ": " in block style
	blockKey              // a key in block style, with its ":"
	scalar                // a text or an alias
	property              // an anchor or a tag
	opening               // "[" or "{"
	closing               // "]" or "}"
	comma
	colon  // ":" in flow style
	marker // "---", "..." or a directive
)

// token is a piece of YAML text.
type token struct {
	kind       kind
	start, end int // in bytes
	column     int // of start, in bytes from the start of its line
	depth      int // how many brackets it is in
	// open is whether a line break at the end of the text would change it:
	// the scalar is a block scalar that ends with the text.
	open bool
}

// scanner cuts YAML text into tokens. It knows as much of YAML as it takes to
// tell structure from the inside of a text or a comment, and understands
// every text that is valid; of any other it makes what it can.
type scanner struct {
	text    []byte
	pos     int
	line    int   // start of the line of pos
	indents []int // columns of the block lists and mappings that pos is in
	depth   int   // how many brackets pos is in
	tokens  []token
	failed  bool // a text, a list or a mapping does not end
}

// bom is a byte order mark.
const bom = "\uFEFF"

func scan(text []byte) ([]token, bool) {
	s := &scanner{text: text, tokens: make([]token, 0, len(text)/5+16)}
	if bytes.HasPrefix(text, []byte(bom)) {
		s.pos, s.line = len(bom), len(bom)
	}
	for s.skip(); s.pos < len(s.text) && !s.failed; s.skip() {
		s.token()
	}
	return s.tokens, !s.failed && s.depth == 0
}

// skip moves over blanks, line ends and comments.
func (s *scanner) skip() {
	for s.pos < len(s.text) {
		switch {
		case s.text[s.pos] == ' ' || s.text[s.pos] == '\t':
			s.pos++
		case s.text[s.pos] == '#':
			s.pos = lineEnd(s.text, s.pos)
		case !s.lineBreak():
			return
		}
	}
}

// lineBreak moves over a line break, if there is one.
func (s *scanner) lineBreak() bool {
	n := breakAt(s.text, s.pos)
	s.pos += n
	if n > 0 {
		s.line = s.pos
	}
	return n > 0
}

func (s *scanner) token() {
	start := s.pos
	if start == s.line && s.depth == 0 && s.isMarker(start) {
		s.pos = lineEnd(s.text, start)
		if s.text[start] == '-' { // the document may begin on this line
			s.pos = start + 3
		}
		s.indents = nil
		s.add(marker, start)
		return
	}
	if s.depth == 0 {
		for len(s.indents) > 0 && s.parent() > s.column(start) {
			s.indents = s.indents[:len(s.indents)-1]
		}
	}
	switch c := s.text[start]; {
	case (c == '-' || c == '?' || c == ':') && s.endsWord(start+1) && s.depth == 0:
		s.pos++
		s.push(s.column(start))
		s.add(indicator, start)
	case (c == '?' && s.endsWord(start+1) || c == ':' && s.endsFlowKey(start+1)) && s.depth > 0:
		s.pos++
		if c == ':' {
			s.add(colon, start)
		}
	case c == '&' || c == '!':
		s.word()
		s.add(property, start)
	case c == '[' || c == '{':
		s.pos++
		s.add(opening, start)
		s.depth++
	case c == ']' || c == '}':
		s.pos++
		s.depth = max(s.depth-1, 0)
		s.add(closing, start)
	case c == ',' && s.depth > 0:
		s.pos++
		s.add(comma, start)
	case (c == '|' || c == '>') && s.depth == 0:
		s.block()
	default:
		s.scalar()
	}
}

func (s *scanner) add(k kind, start int) {
	s.tokens = append(s.tokens, token{kind: k, start: start, end: s.pos, column: s.column(start), depth: s.depth})
}

func (s *scanner) column(pos int) int { return pos - s.line }

// parent is the column of the innermost block list or mapping.
func (s *scanner) parent() int {
	if len(s.indents) == 0 {
		return -1
	}
	return s.indents[len(s.indents)-1]
}

func (s *scanner) push(column int) {
	if s.parent() < column {
		s.indents = append(s.indents, column)
	}
}

// isMarker reports whether the line that starts at pos is not content.
func (s *scanner) isMarker(pos int) bool {
	rest := s.text[pos:]
	return (bytes.HasPrefix(rest, []byte("---")) || bytes.HasPrefix(rest, []byte("..."))) && s.endsWord(pos+3) ||
		rest[0] == '%'
}

// endsWord reports whether a blank, a line end or the end of the text is at
// pos.
func (s *scanner) endsWord(pos int) bool {
	return pos >= len(s.text) || s.text[pos] == ' ' || s.text[pos] == '\t' || breakAt(s.text, pos) > 0
}

// endsFlowKey reports whether a ":" before pos follows a key in flow style.
func (s *scanner) endsFlowKey(pos int) bool {
	if s.endsWord(pos) || isBracketOrComma(s.text[pos]) {
		return true
	}
	// "key":value
	last := len(s.tokens) - 1
	return last >= 0 && s.tokens[last].end == pos-1 && s.tokens[last].kind == scalar &&
		(s.text[s.tokens[last].start] == '"' || s.text[s.tokens[last].start] == '\'')
}

// word moves over an anchor, a tag or an alias.
func (s *scanner) word() {
	verbatim := bytes.HasPrefix(s.text[s.pos:], []byte("!<"))
	for s.pos < len(s.text) && !s.endsWord(s.pos) {
		c := s.text[s.pos]
		if s.depth > 0 && !verbatim && isBracketOrComma(c) {
			return
		}
		verbatim = verbatim && c != '>'
		s.pos++
	}
}

// scalar moves over a text, and over the ":" that makes it a key.
func (s *scanner) scalar() {
	start, line := s.pos, s.line
	parent := s.parent()
	at := len(s.tokens)
	switch s.text[start] {
	case '"', '\'':
		s.quoted()
	case '*':
		s.word()
	default:
		s.plain(parent)
	}
	column := start - line
	s.tokens = append(s.tokens, token{kind: scalar, start: start, end: s.pos, column: column, depth: s.depth})
	if s.depth > 0 || s.line != line {
		return
	}
	pos := s.pos
	for pos < len(s.text) && (s.text[pos] == ' ' || s.text[pos] == '\t') {
		pos++
	}
	if pos >= len(s.text) || s.text[pos] != ':' || !s.endsWord(pos+1) {
		return
	}
	// The properties before a key on its line are the key's: it starts there.
	for at > 0 && s.tokens[at-1].kind == property && s.tokens[at-1].start >= line {
		at--
		column = s.tokens[at].column
	}
	key := &s.tokens[len(s.tokens)-1]
	key.kind, key.column = blockKey, column
	s.pos = pos + 1
	s.push(column)
}

// quoted moves over a text between quotes.
func (s *scanner) quoted() {
	quote := s.text[s.pos]
	for s.pos++; s.pos < len(s.text); {
		switch c := s.text[s.pos]; {
		case c == '\\' && quote == '"' && s.pos+1 < len(s.text) && breakAt(s.text, s.pos+1) == 0:
			s.pos += 2
		case c == quote && quote == '\'' && s.pos+1 < len(s.text) && s.text[s.pos+1] == quote:
			s.pos += 2
		case c == quote:
			s.pos++
			return
		case !s.lineBreak():
			s.pos++
		}
	}
	s.failed = true
}

// plain moves over a text without quotes. In block style it goes on on lines
// that are indented more than parent.
func (s *scanner) plain(parent int) {
	end, endLine := s.pos, s.line // of what is sure to belong to it
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch {
		case c == '#' && s.pos > end,
			c == ':' && (s.endsWord(s.pos+1) || s.depth > 0 && isBracketOrComma(s.text[s.pos+1])),
			s.depth > 0 && isBracketOrComma(c):
			s.pos, s.line = end, endLine
			return
		case c == ' ' || c == '\t':
			s.pos++
		case s.lineBreak():
			if !s.goesOn(parent) {
				s.pos, s.line = end, endLine
				return
			}
		default:
			s.pos++
			end, endLine = s.pos, s.line
		}
	}
	s.pos, s.line = end, endLine
}

// goesOn reports whether the line that starts at pos, if it is not empty, may
// be a part of the plain text before.
func (s *scanner) goesOn(parent int) bool {
	if s.depth > 0 {
		return true
	}
	first := s.pos
	for first < len(s.text) && (s.text[first] == ' ' || s.text[first] == '\t') {
		first++
	}
	if first == len(s.text) || breakAt(s.text, first) > 0 {
		return true
	}
	return first-s.line > parent && (first > s.line || !s.isMarker(first))
}

// block moves over a text after "|" or ">".
func (s *scanner) block() {
	start, column, parent := s.pos, s.column(s.pos), s.parent()
	indent, keep, strip := 0, false, false
	for s.pos++; s.pos < len(s.text) && !s.endsWord(s.pos); s.pos++ {
		switch c := s.text[s.pos]; {
		case c == '+':
			keep = true
		case c == '-':
			strip = true
		case c >= '1' && c <= '9':
			indent = max(parent, 0) + int(c-'0')
		}
	}
	s.pos = lineEnd(s.text, s.pos)
	if indent == 0 {
		indent = s.contentIndent(parent)
	}
	end := s.pos
	open := s.pos == len(s.text)
	for s.pos < len(s.text) {
		resume, resumeLine := s.pos, s.line
		s.lineBreak()
		spaces := s.spaces(s.pos, indent)
		first := s.pos + spaces
		next := lineEnd(s.text, first)
		blank := next == first
		if !blank && spaces < indent || blank && next == len(s.text) {
			s.pos, s.line = resume, resumeLine
			break
		}
		s.pos = next
		if !blank || keep {
			end, open = next, next == len(s.text)
		}
	}
	s.tokens = append(s.tokens, token{kind: scalar, start: start, end: end, column: column, open: open && !strip})
}

// contentIndent finds how far a block text is indented: as its first line
// that is not empty, or as the longest empty one before it.
func (s *scanner) contentIndent(parent int) int {
	indent := max(parent+1, 1)
	for pos := s.pos; pos < len(s.text); {
		pos += breakAt(s.text, pos)
		spaces := s.spaces(pos, len(s.text))
		indent = max(indent, spaces)
		pos += spaces
		if breakAt(s.text, pos) == 0 {
			break
		}
	}
	return indent
}

// spaces counts the spaces at pos, up to most.
func (s *scanner) spaces(pos, most int) int {
	n := 0
	for n < most && pos+n < len(s.text) && s.text[pos+n] == ' ' {
		n++
	}
	return n
}

func isBracketOrComma(c byte) bool {
	return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'
}

// breakAt returns the length of the line break at pos, 0 if there is none.
func breakAt(text []byte, pos int) int {
	if pos >= len(text) {
		return 0
	}
	switch rest := text[pos:]; {
	case rest[0] == '\n':
		return 1
	case rest[0] == '\r':
		if len(rest) > 1 && rest[1] == '\n' {
			return 2
		}
		return 1
	case rest[0] < 0x80:
		return 0
	case bytes.HasPrefix(rest, []byte("\u0085")):
		return 2
	case bytes.HasPrefix(rest, []byte("\u2028")), bytes.HasPrefix(rest, []byte("\u2029")):
		return 3
	}
	return 0
}

// lineEnd returns where the line of pos ends, before its line break.
func lineEnd(text []byte, pos int) int {
	for pos < len(text) && (text[pos] >= ' ' && text[pos] < 0x80 || breakAt(text, pos) == 0) {
		pos++
	}
	return pos
}
