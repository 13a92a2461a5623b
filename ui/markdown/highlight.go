package markdown

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// Grammars of languages take some 10 µs for a byte: code is coloured on
// another goroutine, once its fence is closed and it will not change any more.
const (
	mostColored = 32 << 10        // bytes; longer code stays plain
	colorTime   = 2 * time.Second // for one code, after which it stays plain
	keptColored = 1 << 20         // bytes of code whose colours are remembered
)

// Colorist colours code in the grammar of its language. One serves all flows
// of a window, and belongs to the window's goroutine like them.
type Colorist struct {
	outside func(work func() (show func()))
	known   map[source][]span
	size    int // of the code in known
	waiting map[source][]func()
}

// source is a code in a language.
type source struct{ lang, text string }

// NewColorist returns a colorist. It calls outside to have work done on another
// goroutine, and then the function that work returns on the window's.
func NewColorist(outside func(work func() (show func()))) *Colorist {
	return &Colorist{outside: outside, known: map[source][]span{}, waiting: map[source][]func(){}}
}

// colors returns the colours of a code as far as they are known.
func (c *Colorist) colors(b *block) []span {
	if c == nil || !b.colored() {
		return nil
	}
	return c.known[b.source()]
}

// ask has the colours of a code found out, and calls ready when they are known.
func (c *Colorist) ask(s source, ready func()) {
	first := c.waiting[s] == nil
	c.waiting[s] = append(c.waiting[s], ready)
	if first {
		c.outside(func() func() {
			spans := highlight(s.lang, s.text, time.Now().Add(colorTime))
			return func() { c.learn(s, spans) }
		})
	}
}

func (c *Colorist) learn(s source, spans []span) {
	if c.size += len(s.text); c.size > keptColored {
		clear(c.known)
		c.size = len(s.text)
	}
	c.known[s] = spans
	waiting := c.waiting[s]
	delete(c.waiting, s)
	for _, ready := range waiting {
		ready()
	}
}

// highlight returns the colours of a code: nothing for an unknown language,
// nor when there is no time left.
func highlight(lang, text string, deadline time.Time) []span {
	lexer := lexers.Get(lang)
	if lexer == nil {
		return nil
	}
	next, err := lexer.Tokenise(nil, text)
	if err != nil {
		return nil
	}
	var spans []span
	at := 0
	for t := next(); t != chroma.EOF && at < len(text); t = next() {
		n := min(len(t.Value), len(text)-at) // a line end may have been added
		if t.Value[:n] != text[at:at+n] || time.Now().After(deadline) {
			return nil // bytes that are no text, or too slow
		}
		if n == 0 {
			continue
		}
		at += n
		color := tokenColor(t.Type)
		last := len(spans) - 1
		if last >= 0 && (spans[last].color == color || blank(t.Value)) {
			spans[last].length += n // nothing to see, and one piece less
			continue
		}
		spans = append(spans, span{length: n, color: color})
	}
	if at < len(text) {
		return nil
	}
	return spans
}

func blank(s string) bool {
	for i := range len(s) {
		if s[i] != ' ' {
			return false
		}
	}
	return true
}

// tokenColor is the theme's colour for what chroma tells apart.
func tokenColor(t chroma.TokenType) fyne.ThemeColorName {
	switch {
	case t == chroma.NameBuiltinPseudo, t == chroma.OperatorWord, t == chroma.GenericPrompt, t.InCategory(chroma.Keyword):
		return tokens.CodeKeyword
	case t.InSubCategory(chroma.LiteralString):
		return tokens.CodeString
	case t.InSubCategory(chroma.LiteralNumber), t == chroma.LiteralDate:
		return tokens.CodeNumber
	case t.InSubCategory(chroma.CommentPreproc):
		return tokens.CodeKeyword
	case t.InCategory(chroma.Comment):
		return tokens.CodeComment
	}
	switch t {
	case chroma.NameFunction, chroma.NameFunctionMagic, chroma.NameClass, chroma.NameTag, chroma.NameAttribute,
		chroma.NameBuiltin, chroma.NameDecorator, chroma.NameException, chroma.NameProperty, chroma.NameNamespace,
		chroma.NameKeyword, chroma.GenericHeading, chroma.GenericSubheading:
		return tokens.CodeName
	}
	return ""
}

// colored reports whether a block is code that can have colours: its fence is
// closed, so that it does not change any more.
func (b *block) colored() bool {
	return b.kind == code && b.closed && b.lang != "" && b.lang != "diff" && len(b.text) <= mostColored
}

// colorize asks for the colours of code that is drawn.
func (f *Flow) colorize() {
	if f.Colorist == nil {
		return
	}
	for _, b := range f.blocks {
		if b.root == nil || b.asked || !b.colored() {
			continue
		}
		b.asked = true
		if b.spans == nil {
			f.Colorist.ask(b.source(), func() { f.recolor(b) })
		}
	}
}

func (b *block) source() source { return source{b.lang, b.text} }

// recolor lays a block out in its colours, if it is still there. Its size
// stays the same.
func (f *Flow) recolor(b *block) {
	if slices.Contains(f.blocks, b) && len(f.Colorist.colors(b)) > 0 {
		b.width = 0
		f.lay()
	}
}
