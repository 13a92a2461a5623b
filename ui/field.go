package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// field is a line of text to fill in, in a dialog or a form.
type field struct {
	widget.Entry
	onEscape func()
}

func newField(text string) *field {
	f := &field{}
	f.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	f.ExtendBaseWidget(f)
	f.SetText(text)
	return f
}

func (f *field) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape && f.onEscape != nil {
		f.onEscape()
		return
	}
	f.Entry.TypedKey(k)
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
