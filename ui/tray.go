package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

// trayPatience is how long the start of the window waits to learn whether the
// desktop has a tray.
const trayPatience = 200 * time.Millisecond

// findTray asks whether the desktop has a place for tray icons.
func findTray() <-chan bool {
	found := make(chan bool, 1)
	go func() { found <- canTray() == nil }()
	return found
}

// tray is the icon of the window in the desktop's tray; nil where there is no
// tray. Its menu brings the window to the front. The window is never hidden in
// it, since nothing tells whether the icon is really seen.
type tray struct {
	desktop desktop.App
	window  fyne.Window
	quit    func()
}

// newTray must be called before the desktop runs: later is too late for Fyne.
func newTray(a fyne.App, f fyne.Window, found <-chan bool) *tray {
	d, ok := a.(desktop.App)
	if !ok {
		return nil
	}
	select {
	case ok := <-found:
		if ok {
			return &tray{d, f, a.Quit}
		}
	case <-time.After(trayPatience):
	}
	return nil
}

// show writes the menu.
func (t *tray) show(p *i18n.Printer) {
	if t == nil {
		return
	}
	quit := fyne.NewMenuItem(p.Text("system.Quit"), t.quit)
	quit.IsQuit = true
	t.desktop.SetSystemTrayMenu(fyne.NewMenu("Sidekicks",
		fyne.NewMenuItem(p.Text("system.ShowWindow"), func() { toFront(t.window) }), quit))
}

func toFront(f fyne.Window) {
	f.Show()
	f.RequestFocus()
}
