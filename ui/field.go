package ui

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// field is a line of text to fill in, in a dialog or a form.
type field struct {
	widget.Entry
	onEscape func()
	focused  bool
	wrong    bool // what is in it cannot be used
	ring     *surface
}

func newField(text string) *field {
	f := &field{ring: newSurface("", tokens.Border, controlRadius)}
	f.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	f.ExtendBaseWidget(f)
	f.SetText(text)
	return f
}

// setWrong frames the field as one to be mended.
func (f *field) setWrong(wrong bool) {
	f.wrong = wrong
	f.paint()
}

func (f *field) paint() {
	f.ring.thick = 1
	switch {
	case f.focused:
		f.ring.thick = ringWidth
		f.ring.stroke = tokens.Accent
	case f.wrong:
		f.ring.stroke = tokens.Error
	default:
		f.ring.stroke = tokens.Border
	}
	f.ring.Refresh()
}

func (f *field) FocusGained() {
	f.focused = true
	f.paint()
	f.Entry.FocusGained()
}

func (f *field) FocusLost() {
	f.focused = false
	f.paint()
	f.Entry.FocusLost()
}

func (f *field) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		if f.onEscape != nil {
			f.onEscape()
		} else {
			passOn(f, k)
		}
		return
	}
	f.Entry.TypedKey(k)
}

func (f *field) CreateRenderer() fyne.WidgetRenderer {
	f.paint()
	return &fieldRenderer{f.Entry.CreateRenderer(), f.ring}
}

// fieldRenderer draws a frame of ours instead of that of the toolkit.
type fieldRenderer struct {
	fyne.WidgetRenderer
	ring *surface
}

func (r *fieldRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.ring.Resize(size)
}

func (r *fieldRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	r.ring.Refresh()
}

func (r *fieldRenderer) Objects() []fyne.CanvasObject {
	objects := slices.DeleteFunc(slices.Clone(r.WidgetRenderer.Objects()), func(o fyne.CanvasObject) bool {
		frame, ok := o.(*canvas.Rectangle)
		return ok && frame.StrokeWidth > 0
	})
	return append(objects, r.ring)
}

// bare is the theme of a text field whose frame is drawn by something else.
type bare struct{ fyne.Theme }

func (b bare) Color(n fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	switch n {
	case theme.ColorNameInputBackground, theme.ColorNameInputBorder:
		return color.Transparent
	}
	return b.Theme.Color(n, v)
}

func (b bare) Size(n fyne.ThemeSizeName) float32 {
	switch n {
	case theme.SizeNameInputBorder:
		return 0
	case theme.SizeNameInnerPadding:
		return 2
	}
	return b.Theme.Size(n)
}

// current is the theme of the moment, whatever it is then.
type current struct{}

func (current) Color(n fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	return fyne.CurrentApp().Settings().Theme().Color(n, v)
}
func (current) Font(s fyne.TextStyle) fyne.Resource {
	return fyne.CurrentApp().Settings().Theme().Font(s)
}
func (current) Icon(n fyne.ThemeIconName) fyne.Resource {
	return fyne.CurrentApp().Settings().Theme().Icon(n)
}
func (current) Size(n fyne.ThemeSizeName) float32 {
	return fyne.CurrentApp().Settings().Theme().Size(n)
}
