package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// newSettingsButton opens what can be set of the window, and the way to the
// rest, which is in the file.
func newSettingsButton(w *window) *button {
	icon := canvas.NewImageFromResource(theme.NewColoredResource(theme.SettingsIcon(), tokens.Muted))
	icon.FillMode = canvas.ImageFillContain
	text := newCutLabel(w.text("system.Settings"), muted())
	var b *button
	b = newPressable(text.text, quiet, inset(4, 8), newLine(6, text, newFixed(14, 14, icon), text), func() { w.popUp(b, w.settings()) })
	w.mark("settings", b)
	return b
}

// settings are the entries of its menu.
func (w *window) settings() []menuItem {
	path := w.backend.Config().Path
	return append(w.notifier.items(), menuItem{}, menuItem{
		id: "settings/file", text: w.text("ui.OpenFile"), do: func() { w.openFile(path) },
	})
}

// newFooter is the foot of the sidebar.
func newFooter(w *window) fyne.CanvasObject {
	b := newSettingsButton(w)
	return newColumn(0, insets{}, framed(inset(0, 8), ruler()), framed(inset(6, 8), newLine(8, b, b, w.takes.line)))
}
