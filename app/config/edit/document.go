package edit

import "bytes"

// document is a text and its tokens. Its root is a mapping.
type document struct {
	text   []byte
	tokens []token
	root   mapping
}

// mapping is where the entries of a mapping are.
type mapping struct {
	flow   bool
	tokens []token // those of its entries
	column int     // in block style: of its keys
	depth  int     // in flow style: of its keys
	last   token   // in flow style: its closing bracket
}

// entry is a key and its value.
type entry struct {
	key   token
	value []token // without anchor and tag; empty for no value
	end   int     // of the value, or of the ":" with what is of the key only
}

func read(text []byte) (*document, error) {
	d := &document{text: text}
	tokens, ok := scan(text)
	if !ok {
		return nil, d.unsupported(len(text))
	}
	d.tokens = tokens
	var found bool
	d.root, found = d.mapping(tokens)
	if !found {
		return nil, d.unsupported(0)
	}
	return d, nil
}

// mapping returns the mapping that tokens begin with. What comes after it, a
// second document among it, is left out.
func (d *document) mapping(tokens []token) (mapping, bool) {
	for len(tokens) > 0 && (tokens[0].kind == marker || tokens[0].kind == property) {
		tokens = tokens[1:]
	}
	if len(tokens) == 0 {
		return mapping{}, false
	}
	first := tokens[0]
	switch {
	case first.kind == opening && d.text[first.start] == '{':
		end := closingOf(tokens)
		return mapping{flow: true, tokens: tokens[1:end], depth: first.depth + 1, last: tokens[end]}, true
	case first.kind == blockKey:
		end := 1
		for end < len(tokens) && tokens[end].kind != marker {
			end++
		}
		return mapping{tokens: tokens[:end], column: first.column}, true
	}
	return mapping{}, false
}

// closingOf returns the index of the bracket that closes the first token.
func closingOf(tokens []token) int {
	end := 1
	for tokens[end].kind != closing || tokens[end].depth != tokens[0].depth {
		end++
	}
	return end
}

// entry finds a key of a mapping.
func (d *document) entry(m mapping, name string) (entry, bool) {
	for i, t := range m.tokens {
		if !m.isKey(i) || !d.spells(t, name) {
			continue
		}
		value := i + 1
		if m.flow {
			value++ // the colon
		}
		end := value
		for end < len(m.tokens) && !m.ends(end) {
			end++
		}
		last := m.tokens[value-1]
		e := entry{key: t, value: m.tokens[value:end], end: last.end}
		if last.kind == blockKey {
			e.end += bytes.IndexByte(d.text[last.end:], ':') + 1
		}
		for len(e.value) > 0 && e.value[0].kind == property {
			e.end = e.value[0].end
			e.value = e.value[1:]
		}
		if len(e.value) > 0 {
			e.end = e.value[len(e.value)-1].end
		}
		return e, true
	}
	return entry{}, false
}

// isKey reports whether the token at i is a key of m.
func (m mapping) isKey(i int) bool {
	t := m.tokens[i]
	if m.flow {
		return t.kind == scalar && t.depth == m.depth && i+1 < len(m.tokens) && m.tokens[i+1].kind == colon
	}
	return t.kind == blockKey && t.column == m.column
}

// ends reports whether the token at i is after a value of m.
func (m mapping) ends(i int) bool {
	t := m.tokens[i]
	if m.flow {
		return t.kind == comma && t.depth == m.depth
	}
	// What is in brackets may be at any column, and an item of a list at that
	// of the key it belongs to.
	return t.depth == 0 && t.kind != closing && (t.column < m.column || t.column == m.column && t.kind == blockKey)
}

// spells reports whether a key is name, with or without quotes.
func (d *document) spells(key token, name string) bool {
	written := string(d.text[key.start:key.end])
	return written == name || written == `"`+name+`"` || written == `'`+name+`'`
}

// lineOf returns the number of the line of pos, from 1.
func lineOf(text []byte, pos int) int {
	line := 1
	for next := nextLine(text, 0); next > 0 && next <= pos; next = nextLine(text, next) {
		line++
	}
	return line
}

// lineStart returns where the line of pos starts.
func lineStart(text []byte, pos int) int {
	start := 0
	if bytes.HasPrefix(text, []byte(bom)) {
		start = len(bom)
	}
	for next := nextLine(text, start); next > 0 && next <= pos; next = nextLine(text, next) {
		start = next
	}
	return start
}

// nextLine returns where the line after that of pos starts, 0 if there is
// none.
func nextLine(text []byte, pos int) int {
	end := lineEnd(text, pos)
	if end == len(text) {
		return 0
	}
	return end + breakAt(text, end)
}

func (d *document) unsupported(pos int) error {
	return &Error{Code: Unsupported, Line: lineOf(d.text, pos)}
}
