package ui

import (
	"os"
	"runtime"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// Options say how the window opens.
type Options struct {
	Size fyne.Size // zero: 1360 × 860
}

// smallestCenter is what the conversation needs: the window works down to
// 900 × 600 with both columns beside it.
var smallestCenter = fyne.NewSize(900-sidebarWidth-panelWidth, 560)

// NoDisplayError means that there is no desktop to open a window on.
type NoDisplayError struct{}

func (NoDisplayError) Error() string {
	return "there is no display to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set"
}

// Localize gives the catalogue's key.
func (NoDisplayError) Localize() (string, map[string]any) { return "ui.NoDisplay", nil }

// Run opens the window on a and returns when it is closed. It must be called
// on the main goroutine, once.
func Run(a *app.App, o Options) error {
	if !hasDisplay(runtime.GOOS, os.Getenv) {
		return NoDisplayError{}
	}
	if o.Size.IsZero() {
		o.Size = fyne.NewSize(1360, 860)
	}
	return open(a, a.Subscribe(), o)
}

// hasDisplay tells whether there is a desktop. Fyne would panic without.
func hasDisplay(system string, env func(string) string) bool {
	switch system {
	case "windows", "darwin":
		return true
	}
	return env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != ""
}

// open shows a window on a backend until it is closed.
func open(b backend, source events, o Options) error {
	desktop := fyneapp.NewWithID("garden.bots.sidekicks")
	f := desktop.NewWindow("Sidekicks")
	f.Resize(o.Size)
	var m *marks
	if os.Getenv("SIDEKICKS_TEST") != "" {
		m = newMarks(os.Stderr, desktop.Driver(), f.Canvas())
	}
	w := newWindow(b, desktop, f, m)
	f.Resize(o.Size)
	if m != nil {
		w.bridge.look = m.look
	}
	w.bridge.start(source)
	f.ShowAndRun()
	w.bridge.close()
	w.composer.leave()
	return nil
}
