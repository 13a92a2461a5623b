package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// addTray puts an icon into the tray, where the desktop has one. Its menu
// brings the window to the front; the window is never hidden in it, since
// nothing tells whether the icon is really seen.
func (w *window) addTray(c courier) {
	d, ok := w.app.(desktop.App)
	if !ok {
		return
	}
	c.do(func() {
		if canTray() != nil {
			return
		}
		w.bridge.later(func() {
			w.tray = d
			w.refreshTray()
		})
	})
}

// refreshTray writes the tray's menu in the language of the window.
func (w *window) refreshTray() {
	if w.tray == nil {
		return
	}
	quit := fyne.NewMenuItem(w.text("system.Quit"), w.app.Quit)
	quit.IsQuit = true
	w.tray.SetSystemTrayMenu(fyne.NewMenu("Sidekicks",
		fyne.NewMenuItem(w.text("system.ShowWindow"), func() { w.fyne.Show(); w.fyne.RequestFocus() }), quit))
}
