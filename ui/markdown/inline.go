package markdown

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// lineBreak is the one piece of HTML that is obeyed: in the cell of a table
// there is no other way to begin a line.
var lineBreak = regexp.MustCompile(`^(?i)<br\s*/?>$`)

// prose returns the runs of a block of text.
func (r *reader) prose(n ast.Node, base style) []run {
	var w writer
	r.inline(n, base, "", &w)
	w.flush()
	runs := w.runs
	if len(runs) > 0 {
		last := &runs[len(runs)-1]
		if last.text = strings.TrimRight(last.text, "\n "); last.text == "" {
			runs = runs[:len(runs)-1]
		}
	}
	return marked(runs, r.marks)
}

// writer joins texts of the same style to runs.
type writer struct {
	runs  []run
	text  strings.Builder // of the last run, which is not in runs yet
	style style
	link  string
}

func (w *writer) write(text string, s style, link string) {
	if s != w.style || link != w.link {
		w.flush()
		w.style, w.link = s, link
	}
	w.text.WriteString(text)
}

func (w *writer) flush() {
	if w.text.Len() > 0 {
		w.runs = append(w.runs, run{w.text.String(), w.style, w.link})
		w.text.Reset()
	}
}

func (w *writer) empty() bool { return len(w.runs) == 0 && w.text.Len() == 0 }

func (r *reader) inline(n ast.Node, s style, link string, w *writer) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			r.plain(c, s, link, w)
		case *ast.String:
			w.write(string(c.Value), s, link)
		case *ast.CodeSpan:
			w.flush() // two in a row are two
			w.write(r.codeSpan(c), s|mono, link)
			w.flush()
		case *ast.Emphasis:
			r.inline(c, s|map[bool]style{true: bold, false: italic}[c.Level > 1], link, w)
		case *east.Strikethrough:
			r.inline(c, s|strike, link, w)
		case *ast.Link:
			r.inline(c, s, cmp.Or(link, allowed(string(c.Destination))), w)
		case *ast.Image:
			r.image(c, s, link, w)
		case *ast.AutoLink:
			r.autoLink(c, s, link, w)
		case *ast.RawHTML:
			source := string(c.Segments.Value(r.source))
			if lineBreak.MatchString(source) {
				source = "\n"
			}
			w.write(source, s, link)
		case *east.TaskCheckBox: // drawn as the item's marker
		default:
			r.inline(c, s, link, w)
		}
	}
}

func (r *reader) plain(n *ast.Text, s style, link string, w *writer) {
	if n.IsRaw() {
		w.write(string(n.Value(r.source)), s, link)
	} else {
		w.write(unescape(n.Value(r.source)), s, link)
	}
	switch {
	case n.HardLineBreak(), n.SoftLineBreak() && r.wraps:
		w.write("\n", s, link)
	case n.SoftLineBreak():
		w.write(" ", s, link)
	}
}

// codeSpan returns a code span's text, whose line ends count as blanks.
func (r *reader) codeSpan(n ast.Node) string {
	var s strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			s.Write(t.Value(r.source))
		}
	}
	return strings.Map(func(c rune) rune {
		if c == '\n' || c == '\r' {
			return ' '
		}
		return c
	}, s.String())
}

// image shows a picture as a link to it. It is never loaded: its address may
// carry out what the agent has read.
func (r *reader) image(n *ast.Image, s style, link string, w *writer) {
	link = cmp.Or(link, allowed(string(n.Destination)))
	var alt writer
	r.inline(n, s, link, &alt)
	if alt.empty() {
		w.write(string(n.Destination), s, link)
		return
	}
	r.inline(n, s, link, w)
}

func (r *reader) autoLink(n *ast.AutoLink, s style, link string, w *writer) {
	address := string(n.URL(r.source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(address), "mailto:") {
		address = "mailto:" + address
	}
	w.write(string(n.Label(r.source)), s, cmp.Or(link, allowed(address)))
}

// marked cuts out what the hook wants highlighted, in neither code nor links.
func marked(runs []run, marks func(string) []Highlight) []run {
	if marks == nil {
		return runs
	}
	var out []run
	add := func(text string, s style, link string) {
		if text != "" {
			out = append(out, run{text, s, link})
		}
	}
	for _, r := range runs {
		done := 0
		if r.style&mono == 0 && r.link == "" {
			found := marks(r.text)
			slices.SortFunc(found, func(a, b Highlight) int { return a.Start - b.Start })
			for _, h := range found {
				if h.Start < done || h.End <= h.Start || h.End > len(r.text) {
					continue
				}
				add(r.text[done:h.Start], r.style, "")
				add(r.text[h.Start:h.End], r.style|pill, "")
				done = h.End
			}
		}
		add(r.text[done:], r.style, r.link)
	}
	return out
}
