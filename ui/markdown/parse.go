package markdown

import (
	"bytes"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

const (
	paragraphGap = 8
	itemGap      = 2
	bulletWidth  = 16
	taskWidth    = 22
	digitWidth   = 9
	quoteWidth   = 14
	deepest      = 8    // further nesting is not indented further
	mostCells    = 1500 // of a table that is laid out
)

// newParser returns a parser of GitHub's Markdown. Web addresses without a dot
// in the host are links too: an agent's server is mostly on localhost.
func newParser() parser.Parser {
	address := regexp.MustCompile(`^https?://[-a-zA-Z0-9@:%._+~#=\[\]]{1,256}(?:[/#?][^\s<>"` + "`" + `]*)?`)
	return goldmark.New(goldmark.WithExtensions(
		extension.Table, extension.Strikethrough, extension.TaskList,
		extension.NewLinkify(
			extension.WithLinkifyAllowedProtocols([]string{"http:", "https:"}),
			extension.WithLinkifyURLRegexp(address),
		),
	)).Parser()
}

// reader turns a parsed document into blocks.
type reader struct {
	source []byte
	wraps  bool // a line end in a paragraph is a line break
	marks  func(text string) []Highlight
	blocks []*block

	gap     float32 // above the next block
	marker  marker  // of the next block
	nesting string  // of its item, as copied
}

// place is where in the nesting a block stands.
type place struct {
	indent float32
	bars   []bar
	depth  int // of lists and quotes
	lists  int
	tight  bool
	quiet  bool
}

func (r *reader) read(p parser.Parser, source string) []*block {
	r.source = []byte(source)
	r.children(p.Parse(text.NewReader(r.source)), place{})
	return r.blocks
}

func (r *reader) children(n ast.Node, at place) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r.block(c, at)
	}
}

func (r *reader) block(n ast.Node, at place) {
	switch n := n.(type) {
	case *ast.Heading:
		r.gap = max(r.gap, 14)
		scale := [...]float32{1.3, 1.15, 1, 1, 1, 1}[n.Level-1]
		r.emit(&block{scale: scale, runs: r.prose(n, bold)}, at)
		r.gap = 6
	case *ast.Paragraph, *ast.TextBlock:
		r.emit(&block{scale: 1, runs: r.prose(n, 0)}, at)
	case *ast.FencedCodeBlock:
		r.code(n, string(n.Language(r.source)), at)
	case *ast.CodeBlock:
		r.code(n, "", at)
	case *ast.HTMLBlock:
		r.html(n, at)
	case *ast.ThematicBreak:
		r.emit(&block{kind: rule}, at)
	case *ast.Blockquote:
		r.quote(n, at)
	case *ast.List:
		r.list(n, at)
	case *east.Table:
		r.table(n, at)
	case *ast.LinkReferenceDefinition: // shows nothing
	default:
		r.children(n, at)
	}
}

// emit adds a block with the marker that waits for one.
func (r *reader) emit(b *block, at place) {
	if b.kind != prose && r.marker != (marker{}) { // a panel has no place for it
		r.emit(&block{scale: 1}, at)
		r.gap = itemGap
	}
	b.indent, b.bars, b.quiet = at.indent, at.bars, at.quiet
	b.marker = r.marker
	if r.marker != (marker{}) {
		label := r.marker.text
		switch r.marker.box {
		case openBox:
			label = "[ ]"
		case doneBox:
			label = "[x]"
		}
		label = r.nesting + label + " "
		b.prefix = len(label)
		b.text = label
	}
	switch b.kind {
	case prose:
		b.text += plain(b.runs)
	case table:
		b.text += plainTable(b.rows)
	}
	if len(r.blocks) > 0 {
		b.above = r.gap
		b.sep = "\n"
		if r.gap >= paragraphGap {
			b.sep = "\n\n"
		}
	}
	r.blocks = append(r.blocks, b)
	r.marker = marker{}
	r.gap = paragraphGap
	if at.tight {
		r.gap = itemGap
	}
}

func plain(runs []run) string {
	var s strings.Builder
	for _, run := range runs {
		s.WriteString(run.text)
	}
	return s.String()
}

func plainTable(rows []row) string {
	var s strings.Builder
	for i, row := range rows {
		if i > 0 {
			s.WriteByte('\n')
		}
		for k, cell := range row {
			if k > 0 {
				s.WriteByte('\t')
			}
			s.WriteString(plain(cell.runs))
		}
	}
	return s.String()
}

func (r *reader) code(n ast.Node, lang string, at place) {
	source := string(n.Lines().Value(r.source))
	b := &block{kind: code, lang: lang}
	r.emit(b, at)
	b.text = strings.ReplaceAll(strings.TrimSuffix(source, "\n"), "\r", "")
	b.closed = r.ended(n)
	r.gap = paragraphGap
}

// ended reports whether something follows a code in the source: the end of its
// fence, if nothing else.
func (r *reader) ended(code ast.Node) bool {
	lines := code.Lines()
	return lines.Len() > 0 && len(bytes.TrimSpace(r.source[lines.At(lines.Len()-1).Stop:])) > 0
}

// html shows raw HTML as the text it is.
func (r *reader) html(n *ast.HTMLBlock, at place) {
	source := string(n.Lines().Value(r.source))
	if n.HasClosure() {
		source += string(n.ClosureLine.Value(r.source))
	}
	r.emit(&block{scale: 1, runs: []run{{text: strings.TrimRight(source, "\r\n")}}}, at)
}

func (r *reader) quote(n ast.Node, at place) {
	inner := at
	inner.quiet, inner.tight = true, false
	if inner.depth++; inner.depth <= deepest {
		inner.bars = append(slices.Clone(at.bars), bar{x: at.indent})
		inner.indent += quoteWidth
	}
	count := len(r.blocks)
	r.children(n, inner)
	if len(r.blocks) > count && inner.depth <= deepest {
		b := r.blocks[count]
		b.bars = slices.Clone(b.bars)
		b.bars[len(at.bars)].first = true
	}
}

func (r *reader) list(n *ast.List, at place) {
	width := float32(bulletWidth)
	number := n.Start
	if n.IsOrdered() {
		width = 10 + digitWidth*float32(len(fmt.Sprint(number+n.ChildCount()-1)))
	}
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		if task(item) != noBox {
			width = max(width, taskWidth)
		}
	}
	inner := at
	inner.lists++
	inner.tight = n.IsTight
	if inner.depth++; inner.depth <= deepest {
		inner.indent += width
	}
	before := r.gap
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		if n.IsTight && r.gap > itemGap && item != n.FirstChild() {
			r.gap = itemGap
		}
		r.marker = marker{x: inner.indent - width, box: task(item)}
		r.nesting = strings.Repeat("  ", min(at.lists, deepest))
		switch {
		case r.marker.box != noBox:
		case n.IsOrdered():
			r.marker.text = fmt.Sprintf("%d%c", number, n.Marker)
		default:
			r.marker.text = [...]string{"•", "◦", "▪"}[at.lists%3]
		}
		number++
		count := len(r.blocks)
		r.children(item, inner)
		if len(r.blocks) == count { // an item without content
			r.emit(&block{scale: 1}, inner)
		}
	}
	r.gap = paragraphGap
	if at.tight {
		r.gap = min(before, itemGap)
	}
}

// task returns the box that a list item begins with.
func task(item ast.Node) taskBox {
	first := item.FirstChild()
	if first == nil {
		return noBox
	}
	box, ok := first.FirstChild().(*east.TaskCheckBox)
	switch {
	case !ok:
		return noBox
	case box.IsChecked:
		return doneBox
	default:
		return openBox
	}
}

func (r *reader) table(n *east.Table, at place) {
	if n.ChildCount()*len(n.Alignments) > mostCells {
		r.largeTable(n, at)
		return
	}
	b := &block{kind: table}
	for _, a := range n.Alignments {
		align := map[east.Alignment]fyne.TextAlign{
			east.AlignRight: fyne.TextAlignTrailing, east.AlignCenter: fyne.TextAlignCenter,
		}[a]
		b.aligns = append(b.aligns, align)
	}
	for line := n.FirstChild(); line != nil; line = line.NextSibling() {
		var base style
		if _, ok := line.(*east.TableHeader); ok {
			base = bold
		}
		var cells row
		for c := line.FirstChild(); c != nil && len(cells) < len(b.aligns); c = c.NextSibling() {
			cells = append(cells, cell{r.prose(c, base)})
		}
		for len(cells) < len(b.aligns) {
			cells = append(cells, cell{})
		}
		b.rows = append(b.rows, cells)
	}
	r.emit(b, at)
}

// largeTable shows a table as it was written: to lay out so many cells takes
// longer than a window may stand still.
func (r *reader) largeTable(n *east.Table, at place) {
	start, end := len(r.source), 0
	for line := n.FirstChild(); line != nil; line = line.NextSibling() {
		for c := line.FirstChild(); c != nil; c = c.NextSibling() {
			for i := range c.Lines().Len() {
				s := c.Lines().At(i)
				start, end = min(start, s.Start), max(end, s.Stop)
			}
		}
	}
	if start >= end {
		return // no cell has a text
	}
	start = bytes.LastIndexByte(r.source[:start], '\n') + 1
	if more := bytes.IndexByte(r.source[end:], '\n'); more >= 0 {
		end += more
	} else {
		end = len(r.source)
	}
	b := &block{kind: code}
	r.emit(b, at)
	b.text = strings.ReplaceAll(string(r.source[start:end]), "\r", "")
	r.gap = paragraphGap
}

// allowed returns an address that text from an agent may lead to, or nothing.
func allowed(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return ""
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		if u.Host == "" {
			return ""
		}
	case "mailto":
	default:
		return ""
	}
	return u.String()
}

// unescape resolves what a backslash or an entity stands for.
func unescape(b []byte) string {
	if bytes.IndexByte(b, '\\') < 0 && bytes.IndexByte(b, '&') < 0 {
		return string(b)
	}
	var s strings.Builder
	for len(b) > 0 {
		switch {
		case b[0] == '\\' && len(b) > 1 && util.IsPunct(b[1]):
			s.WriteByte(b[1])
			b = b[2:]
		case b[0] == '&':
			end := max(1, bytes.IndexByte(b[:min(len(b), 40)], ';')+1)
			s.WriteString(html.UnescapeString(string(b[:end])))
			b = b[end:]
		default:
			_, n := utf8.DecodeRune(b)
			s.Write(b[:n])
			b = b[n:]
		}
	}
	return s.String()
}
