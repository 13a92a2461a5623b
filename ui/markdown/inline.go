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
	var runs []run
	r.inline(n, base, "", &runs)
	if len(runs) > 0 {
		last := &runs[len(runs)-1]
		if last.text = strings.TrimRight(last.text, "\n "); last.text == "" {
			runs = runs[:len(runs)-1]
		}
	}
	return marked(runs, r.marks)
}

func (r *reader) inline(n ast.Node, s style, link string, runs *[]run) {
	add := func(text string) { *runs = appendRun(*runs, run{text, s, link}) }
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			if c.IsRaw() {
				add(string(c.Value(r.source)))
			} else {
				add(unescape(c.Value(r.source)))
			}
			switch {
			case c.HardLineBreak(), c.SoftLineBreak() && r.wraps:
				add("\n")
			case c.SoftLineBreak():
				add(" ")
			}
		case *ast.String:
			add(string(c.Value))
		case *ast.CodeSpan:
			*runs = append(*runs, run{r.codeSpan(c), s | mono, link})
		case *ast.Emphasis:
			r.inline(c, s|map[bool]style{true: bold, false: italic}[c.Level > 1], link, runs)
		case *east.Strikethrough:
			r.inline(c, s|strike, link, runs)
		case *ast.Link:
			r.inline(c, s, cmp.Or(link, allowed(string(c.Destination))), runs)
		case *ast.Image:
			r.image(c, s, link, runs)
		case *ast.AutoLink:
			r.autoLink(c, s, link, runs)
		case *ast.RawHTML:
			if source := string(c.Segments.Value(r.source)); lineBreak.MatchString(source) {
				add("\n")
			} else {
				add(source)
			}
		case *east.TaskCheckBox: // drawn as the item's marker
		default:
			r.inline(c, s, link, runs)
		}
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
func (r *reader) image(n *ast.Image, s style, link string, runs *[]run) {
	address := allowed(string(n.Destination))
	before := len(*runs)
	r.inline(n, s, cmp.Or(link, address), runs)
	if len(*runs) == before {
		*runs = append(*runs, run{string(n.Destination), s, cmp.Or(link, address)})
	}
}

func (r *reader) autoLink(n *ast.AutoLink, s style, link string, runs *[]run) {
	address := string(n.URL(r.source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(address), "mailto:") {
		address = "mailto:" + address
	}
	*runs = append(*runs, run{string(n.Label(r.source)), s, cmp.Or(link, allowed(address))})
}

// appendRun adds a run, as part of the last one if they are in the same style.
func appendRun(runs []run, next run) []run {
	if next.text == "" {
		return runs
	}
	if len(runs) > 0 {
		last := &runs[len(runs)-1]
		if last.style == next.style && last.link == next.link && last.style&mono == 0 {
			last.text += next.text
			return runs
		}
	}
	return append(runs, next)
}

// marked cuts out what the hook wants highlighted, in neither code nor links.
func marked(runs []run, marks func(string) []Highlight) []run {
	if marks == nil {
		return runs
	}
	var out []run
	for _, r := range runs {
		if r.style&mono != 0 || r.link != "" {
			out = append(out, r)
			continue
		}
		done := 0
		found := marks(r.text)
		slices.SortFunc(found, func(a, b Highlight) int { return a.Start - b.Start })
		for _, h := range found {
			if h.Start < done || h.End <= h.Start || h.End > len(r.text) {
				continue
			}
			out = appendRun(out, run{r.text[done:h.Start], r.style, ""})
			out = append(out, run{r.text[h.Start:h.End], r.style | pill, ""})
			done = h.End
		}
		out = appendRun(out, run{r.text[done:], r.style, ""})
	}
	return out
}
