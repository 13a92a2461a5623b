package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	fileChipMost = 340 // of the width
	fileIcon     = 16
)

// fileChip is one attached file: its kind, its name, how large it is, and a
// button that takes it off.
type fileChip struct {
	widget.BaseWidget
	w      *window
	of     *attached
	icon   *canvas.Image
	name   *label
	detail *label
	remove *button
	what   *hint // all but the button
	back   *surface
	body   *fyne.Container
}

func newFileChip(w *window, of *attached, remove func()) *fileChip {
	f := &fileChip{w: w, of: of, name: newCutLabel("", plain()), detail: newLabel("", faint().in(tokens.Muted))}
	f.name.least = 60
	f.icon = canvas.NewImageFromResource(nil)
	f.icon.FillMode = canvas.ImageFillContain
	f.remove = newPressable(w.text("compose.TakeOff", "Name", of.file.Name), quiet, inset(1, 4), newLabel("×", plain().in(tokens.Muted)), remove)
	w.help(f.remove)
	f.back = newSurface(tokens.Code, tokens.Line, controlRadius)
	f.what = newHint(w, newFittingLine(6, f.name, newFixed(fileIcon, fileIcon, f.icon), f.name, f.detail), func() string { return of.file.Path })
	f.body = newLayers(f.back, framed(insets{2, 3, 2, 8}, newFittingLine(4, f.what, f.what, f.remove)))
	f.ExtendBaseWidget(f)
	return f
}

// show shows what is known of the file.
func (f *fileChip) show() {
	file := f.of.file
	f.name.set(oneLine(file.Name), f.name.look)
	detail := ""
	switch {
	case file.MIME == "" || f.of.err != nil: // not looked at yet, or gone
	case file.Folder:
		detail = f.w.text("compose.Folder")
	case file.LinkOnly():
		detail = f.w.text("compose.AsLink", "Size", f.w.size(file.Size))
	default:
		detail = f.w.size(file.Size)
	}
	f.detail.setText(detail)
	f.back.set(tokens.Code, tokens.Line)
	if f.of.err != nil {
		f.back.set(tokens.Code, tokens.Error)
	}
	f.paint()
	f.Refresh()
}

func (f *fileChip) paint() {
	icon, color := fileKind(f.of.file), tokens.Muted
	if f.of.err != nil {
		icon, color = theme.WarningIcon(), tokens.Error
	}
	f.icon.Resource = theme.NewColoredResource(icon, color)
	f.icon.Refresh()
}

func fileKind(f app.File) fyne.Resource {
	switch {
	case f.Folder:
		return theme.FolderIcon()
	case f.Picture:
		return theme.FileImageIcon()
	case f.Text:
		return theme.FileTextIcon()
	}
	return theme.FileIcon()
}

// Refresh takes over the colours of the theme.
func (f *fileChip) Refresh() {
	f.paint()
	relayout(f.body)
	f.BaseWidget.Refresh()
}

func (f *fileChip) whole() fyne.Size {
	w := f.what.whole().Width + f.remove.MinSize().Width + 15
	return fyne.NewSize(min(w, fileChipMost), f.MinSize().Height)
}

func (f *fileChip) HeightFor(width float32) float32 { return heightFor(f.body, width) }

func (f *fileChip) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(f.body) }

// size says how large a file is.
func (w *window) size(n int64) string {
	switch {
	case n < 1000:
		return w.text("compose.Bytes", "N", n)
	case n < 999_500:
		return w.text("compose.KB", "N", (n+500)/1000)
	}
	tenths := (n + 50_000) / 100_000
	return w.text("compose.MB", "N", tenths/10, "Tenth", tenths%10)
}
