package app

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// Addressing says who a text is for.
type Addressing struct {
	To         []string // members that get it, in the order in which they are named
	NotMembers []string // agents of the file that are named but are not in the channel
	Unknown    string   // a name at the start of the text that is no agent's
	Near       string   // an agent's name close to Unknown, if any
	All        bool     // @all
	Command    string   // the slash command it runs, without the slash
	Text       string   // what the addressees get: "/review x" for "/alice:review x"
}

// everybody is the mention that means every member.
const everybody = "all"

// audience is who can be addressed in a channel.
type audience struct {
	members []string // of the channel
	agents  []string // of the configuration file
	last    string   // the member that answered last
}

// address decides who a text is for: the agents it mentions, outside code and
// addresses; without any mention the only member, or the one that answered
// last. A name at the very start that is nobody's addresses nobody: the
// person meant somebody, and must be told.
func address(message string, who audience) Addressing {
	a := Addressing{Text: message}
	if name, rest, ok := slashCommand(message); ok {
		a.Text, a.Command = "/"+rest, firstWord(rest)
		if !a.name(name, who) {
			a.Unknown = name
		}
	} else {
		a.mentions(message, who)
		if strings.HasPrefix(message, "/") {
			a.Command = firstWord(message[1:])
		}
	}
	if a.Unknown != "" {
		a.To, a.NotMembers, a.All = nil, nil, false
		a.Near = near(a.Unknown, who.agents)
		return a
	}
	if !a.All && len(a.To) == 0 && len(a.NotMembers) == 0 {
		a.To = who.byDefault()
	}
	return a
}

// mentions adds every mention of the text.
func (a *Addressing) mentions(message string, who audience) {
	start := len(message) - len(strings.TrimLeft(message, " \t\r\n"))
	for _, m := range mentions(message) {
		if m.at == start && !m.known(who) {
			a.Unknown = m.name
			continue
		}
		for name := m.name; name != ""; name = shorter(name) {
			if a.name(name, who) {
				break
			}
		}
	}
}

// name adds one name that was mentioned, and tells whether it is anybody's.
func (a *Addressing) name(name string, who audience) bool {
	name = strings.ToLower(name)
	switch {
	case name == everybody:
		a.All = true
		for _, m := range who.present() {
			a.To = appendNew(a.To, m)
		}
	case slices.Contains(who.members, name):
		a.To = appendNew(a.To, name)
	case slices.Contains(who.agents, name):
		a.NotMembers = appendNew(a.NotMembers, name)
	default:
		return false
	}
	return true
}

// present are the members that are still in the file.
func (w audience) present() []string {
	var names []string
	for _, m := range w.members {
		if slices.Contains(w.agents, m) {
			names = append(names, m)
		}
	}
	return names
}

// byDefault is who gets a text that names nobody.
func (w audience) byDefault() []string {
	present := w.present()
	switch {
	case len(present) == 0: // perhaps one that was removed from the file: it is said why it gets nothing
		return w.members[:min(1, len(w.members))]
	case slices.Contains(present, w.last):
		return []string{w.last}
	}
	return present[:1]
}

// slashCommand takes "/name:command text" apart.
func slashCommand(message string) (name, rest string, ok bool) {
	if !strings.HasPrefix(message, "/") {
		return "", "", false
	}
	name, rest, ok = strings.Cut(firstWord(message[1:]), ":")
	if !ok || name == "" || rest == "" || !isName(name) {
		return "", "", false
	}
	return name, message[1+len(name)+1:], true
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, "\n")
	word, _, _ = strings.Cut(word, " ")
	return word
}

func isName(s string) bool {
	for i, r := range s {
		if !nameRune(r) || i == 0 && !isLetter(r) {
			return false
		}
	}
	return s != ""
}

// mention is an "@name" in a text; name is the longest run of word characters.
type mention struct {
	at   int // byte offset of the @
	name string
}

// known tells whether the mention, perhaps without punctuation at its end,
// is anybody's name.
func (m mention) known(who audience) bool {
	for name := strings.ToLower(m.name); name != ""; name = shorter(name) {
		if name == everybody || slices.Contains(who.members, name) || slices.Contains(who.agents, name) {
			return true
		}
	}
	return false
}

// shorter takes one "-" or "_" off the end: "@alice-" and "@alice_" mean alice.
func shorter(name string) string {
	if strings.HasSuffix(name, "-") || strings.HasSuffix(name, "_") {
		return name[:len(name)-1]
	}
	return ""
}

// Mentions finds the "@name"s of a text as byte ranges, outside code, links
// and addresses, whether or not they are anybody's name.
func Mentions(message string) [][2]int {
	var found [][2]int
	for _, m := range mentions(message) {
		found = append(found, [2]int{m.at, m.at + 1 + len(m.name)})
	}
	return found
}

func mentions(message string) []mention {
	if !strings.Contains(message, "@") {
		return nil
	}
	masked := []byte(message)
	for _, r := range untouchable(message) {
		for i := r[0]; i < r[1]; i++ {
			masked[i] = ' '
		}
	}
	var found []mention
	before := ' '
	for i, r := range string(masked) {
		if r == '@' && !inWord(before) {
			if name := run(message[i+1:]); isLetterAt(name) {
				found = append(found, mention{i, name})
			}
		}
		before = r
	}
	return found
}

// run is the longest start of s that could be a name, any language's letters
// included: "@alicé" is not a mention of ali.
func run(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool { return !nameRune(r) && !unicode.IsLetter(r) && !unicode.IsMark(r) })
	if end < 0 {
		return s
	}
	return s[:end]
}

func isLetterAt(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}

// inWord tells whether an @ after r is part of an address or a longer word.
func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("@/.+%=&?#", r)
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

func nameRune(r rune) bool { return isLetter(r) || '0' <= r && r <= '9' || r == '-' || r == '_' }

// markdownParser knows where code and links are.
var markdownParser = goldmark.New(goldmark.WithExtensions(extension.Linkify)).Parser()

// untouchable are the byte ranges of a text in which an @ means nothing: code
// spans, code blocks, links' targets, web and mail addresses.
func untouchable(message string) [][2]int {
	var ranges [][2]int
	source := []byte(message)
	doc := markdownParser.Parse(text.NewReader(source))
	add := func(s text.Segment) { ranges = append(ranges, [2]int{s.Start, s.Stop}) }
	// Walk never fails: the function gives no error.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					add(t.Segment)
				}
			}
			return ast.WalkSkipChildren, nil
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for i := range n.Lines().Len() {
				add(n.Lines().At(i))
			}
		case *ast.AutoLink:
			label := string(n.Label(source))
			for at := 0; ; {
				i := strings.Index(message[at:], label)
				if i < 0 || label == "" {
					break
				}
				ranges = append(ranges, [2]int{at + i, at + i + len(label)})
				at += i + len(label)
			}
		}
		return ast.WalkContinue, nil
	})
	return ranges
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// near is the one name a slip of the finger away: one letter more, less,
// other, or two swapped. None when several are, or none.
func near(name string, names []string) string {
	name = strings.ToLower(name)
	found := ""
	for _, n := range names {
		if !slip(name, n) {
			continue
		}
		if found != "" {
			return ""
		}
		found = n
	}
	return found
}

func slip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 0:
		return i < len(a) && (a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:])
	case 1:
		return a[i:] == b[i+1:]
	}
	return false
}
