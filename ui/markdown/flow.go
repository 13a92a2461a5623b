// Package markdown shows Markdown as it is written by people and by language
// models, while it still streams in: one widget, Flow, whose text can be
// selected across all its blocks. Nothing in a text is ever loaded or run: a
// picture is a link, HTML is text, and only addresses that a browser or a mail
// program opens are links at all.
//
// It draws; it opens no link, and knows nothing of who wrote the text.
package markdown

import (
	"slices"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/yuin/goldmark/parser"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// Labels are the words that a Flow itself shows.
type Labels struct {
	Copy, Copied string
	ShowMore     string // of a text longer than MaxShown
}

// Highlight is a part of a text to be drawn as a pill, such as a mention:
// text[Start:End].
type Highlight struct{ Start, End int }

// DefaultMaxShown is how many bytes of a text are shown at first.
const DefaultMaxShown = 16 << 10

// Flow is a text as a widget. It is as high as its text needs at its width.
// Fields are set before the first text, and hold for all that follow.
type Flow struct {
	widget.BaseWidget

	Labels    Labels
	Plain     bool // the text is not Markdown
	HardWraps bool // a line end in a paragraph stays one, as in a chat
	Bare      bool // code without heading and round corners, to fill a card with
	MaxShown  int  // bytes shown at first; 0: DefaultMaxShown

	// Inline finds what to highlight in a stretch of prose. It is not asked
	// about code and links.
	Inline func(text string) []Highlight
	// Colorist colours code; nil: it stays plain.
	Colorist *Colorist
	// OnLink is called for a link: http, https or mailto.
	OnLink func(url string)
	// OnMenu is called for the secondary button, with the position on the canvas.
	OnMenu func(at fyne.Position)
	// OnResized is called after the height changed by something done in the flow.
	OnResized func()
	// OnScrolled takes turns of the wheel that a panel has no use for.
	OnScrolled func(*fyne.ScrollEvent)
	// OnKey and OnRune take what is typed while the flow has the focus.
	OnKey  func(*fyne.KeyEvent)
	OnRune func(rune)

	text   string
	given  []Line          // of SetLines
	stream strings.Builder // holds text while it is appended to
	most   int             // bytes of it shown
	blocks []*block
	marked struct{ size, blocks int } // of text that is read as Markdown
	height float32

	parser parser.Parser
	ruler  ruler
	look   look

	width       float32
	limited     bool    // to what is in view
	top, bottom float32 // of that

	drawnTop, drawnBottom float32
	objects               []fyne.CanvasObject
	sentinel              *canvas.Rectangle // refreshed to have the widget painted again

	pointer
	selection
	focused bool
	byMouse bool // it is getting the focus from the mouse
	inMenu  bool // its menu is opening, and takes the focus
	stop    int  // where the Tab key is, from 1; 0: nowhere
}

// look is what the drawn objects were made with.
type look struct {
	text, code any // colours
	font       string
	sizes      sizes
}

// New returns a Flow of a Markdown text.
func New(text string) *Flow {
	f := &Flow{
		Labels:   Labels{Copy: "Copy", Copied: "Copied", ShowMore: "Show more"},
		sentinel: canvas.NewRectangle(nil),
		parser:   newParser(),
	}
	f.ExtendBaseWidget(f)
	f.SetText(text)
	return f
}

// NewPlain returns a Flow of a text that is shown as it is.
func NewPlain(text string) *Flow {
	f := New("")
	f.Plain = true
	f.SetText(text)
	return f
}

// mostMarkdown is how many bytes of a text are read as Markdown. What is shown
// of a longer one after that is plain: to read it all again for each further
// part would take too long.
const mostMarkdown = 128 << 10

// Text returns the whole text.
func (f *Flow) Text() string { return f.text }

// SetText shows another text. A selection is kept if the new text continues
// the old one.
func (f *Flow) SetText(text string) {
	if text != f.text || f.blocks == nil || f.given != nil {
		f.given = nil
		f.replace(text)
	}
}

// Append adds to the text. What has been laid out and drawn is kept as far as
// it stays the same, which makes it fit for a text that streams in.
func (f *Flow) Append(text string) {
	if text == "" {
		return
	}
	if f.stream.Len() != len(f.text) { // SetText came between
		f.stream.Reset()
		f.stream.WriteString(f.text)
	}
	f.stream.WriteString(text)
	f.replace(f.stream.String())
}

func (f *Flow) replace(text string) {
	old := f.text
	f.text = text
	if !strings.HasPrefix(text, old) || old == "" {
		f.most = f.MaxShown
		if f.most <= 0 {
			f.most = DefaultMaxShown
		}
		f.selection, f.pointer, f.blocks, f.marked.size = selection{}, pointer{}, nil, 0
	} else if len(old) > f.most {
		return // what is shown stays the same
	}
	f.read()
}

// read turns the shown part of the text into blocks, keeping those that did
// not change.
func (f *Flow) read() {
	shown := cut(f.text, f.most)
	var blocks []*block
	switch {
	case f.given != nil:
		blocks = lineBlocks(shown, f.given, len(shown) < len(f.text))
	case f.Plain || tooDeep(shown):
		blocks = plainBlocks(shown, f.Inline)
	default:
		blocks = f.readMarkdown(shown)
	}
	if len(shown) < len(f.text) {
		blocks = append(blocks, &block{
			kind: more, above: paragraphGap, scale: 1,
			runs: []run{{text: f.Labels.ShowMore, link: moreLink}},
		})
	}
	start := 0
	for i, b := range blocks {
		if i < len(f.blocks) {
			b = f.blocks[i].become(b)
			blocks[i] = b
		}
		start += len(b.sep)
		b.start = start
		start += len(b.text)
	}
	for _, b := range f.blocks[min(len(blocks), len(f.blocks)):] {
		b.drop()
	}
	f.blocks = blocks
	f.clampSelection()
	f.lay()
}

// readMarkdown reads a text as Markdown, as far as there is time.
func (f *Flow) readMarkdown(shown string) []*block {
	head := shown
	if !f.Bare {
		head = cut(shown, mostMarkdown)
	}
	var blocks []*block
	if len(head) < len(shown) && len(head) == f.marked.size && len(f.blocks) >= f.marked.blocks {
		blocks = slices.Clone(f.blocks[:f.marked.blocks]) // the text only grew behind it
	} else {
		r := reader{wraps: f.HardWraps, marks: f.Inline}
		blocks = r.read(f.parser, head)
		f.marked.size, f.marked.blocks = len(head), len(blocks)
	}
	if rest := shown[len(head):]; rest != "" {
		lines := plainBlocks(rest, f.Inline)
		lines[0].sep, lines[0].above = "\n", paragraphGap
		blocks = append(blocks, lines...)
	}
	return blocks
}

// become returns the block to show instead of b: b itself if they are alike.
func (b *block) become(next *block) *block {
	if b.same(next) {
		b.above, b.sep = next.above, next.sep
		return b
	}
	next.inherit(b)
	return next
}

// cut returns the first part of a text, up to the end of a line if there is
// one near.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	text = text[:limit]
	if end := strings.LastIndexByte(text, '\n'); end > limit-2048 && end > 0 {
		text = text[:end+1]
	}
	return text
}

// showMore shows a further part of a cut text, no larger than what can be laid
// out at once.
func (f *Flow) showMore() {
	f.most += min(3*f.most, 64<<10)
	f.read()
	if f.OnResized != nil {
		f.OnResized()
	}
}

// lay lays out what has not been at this width, and puts the blocks below each
// other.
func (f *Flow) lay() {
	if f.width <= 0 {
		return
	}
	f.checkLook()
	l := &layout{ruler: &f.ruler, sizes: f.look.sizes, bare: f.Bare, label: longer(f.Labels.Copy, f.Labels.Copied)}
	y := float32(0)
	for i, b := range f.blocks {
		if b.width != f.width {
			before := b.laid
			b.spans = f.Colorist.colors(b)
			l.block(b, f.width)
			b.adopt(before)
		}
		if i > 0 {
			y += b.above
		}
		b.y = y
		y += b.height
	}
	f.height = y
	f.draw()
}

func longer(a, b string) string {
	if len(a) > len(b) {
		return a
	}
	return b
}

// checkLook throws away what was drawn or measured in another theme.
func (f *Flow) checkLook() {
	size := func(name fyne.ThemeSizeName) float32 { return theme.SizeForWidget(name, f) }
	now := look{
		text: f.color(tokens.Text), code: f.color(tokens.Code),
		font:  f.Theme().Font(fyne.TextStyle{}).Name(),
		sizes: sizes{body: size(theme.SizeNameText), code: size(tokens.CodeText), small: size(tokens.Small)},
	}
	if now.sizes.code == 0 { // a theme that does not know ours
		now.sizes.code, now.sizes.small = now.sizes.body*codeScale, now.sizes.body*codeScale
	}
	if now == f.look {
		return
	}
	if now.font != f.look.font || now.sizes != f.look.sizes {
		f.ruler = ruler{}
		for _, b := range f.blocks {
			b.laid = laid{}
		}
	}
	for _, b := range f.blocks {
		b.drop()
	}
	f.look = now
}

func (f *Flow) color(name fyne.ThemeColorName) anyColor { return theme.ColorForWidget(name, f) }

// Resize implements fyne.Widget. Another width wraps the lines again.
func (f *Flow) Resize(size fyne.Size) {
	if size.Width != f.width {
		f.width = size.Width
		f.lay()
	}
	f.BaseWidget.Resize(size)
}

// MinSize is what the text needs at the flow's width. A flow without a width
// yet, or without text, is as high as a line.
func (f *Flow) MinSize() fyne.Size {
	f.ExtendBaseWidget(f)
	line := theme.SizeForWidget(theme.SizeNameText, f) * lineHeight
	return fyne.NewSize(line, max(line, f.height))
}

// Refresh implements fyne.Widget: it takes the colours and fonts of the theme.
func (f *Flow) Refresh() {
	f.lay()
	canvas.Refresh(f.sentinel)
}

// ahead is how far beyond what is in view a flow is drawn.
const ahead = 400

// Viewport says which part of the flow can be seen, in its own coordinates:
// only that is drawn from then on. A flow that is never told draws all of it.
func (f *Flow) Viewport(top, bottom float32) {
	known := f.limited && top >= f.drawnTop && bottom <= f.drawnBottom
	f.limited, f.top, f.bottom = true, top, bottom
	if !known {
		f.draw()
	}
}

// CreateRenderer implements fyne.Widget.
func (f *Flow) CreateRenderer() fyne.WidgetRenderer {
	f.ExtendBaseWidget(f)
	return &renderer{f}
}

type renderer struct{ flow *Flow }

func (r *renderer) Destroy()                     {}
func (r *renderer) Layout(fyne.Size)             {}
func (r *renderer) MinSize() fyne.Size           { return r.flow.MinSize() }
func (r *renderer) Refresh()                     { r.flow.Refresh() }
func (r *renderer) Objects() []fyne.CanvasObject { return r.flow.objects }
