package ui

import (
	"sync/atomic"

	"fyne.io/fyne/v2"
)

// calm is a desktop without animations. Fyne fades the caret of a text in and
// out, which draws the whole window a dozen times a second for nothing: a
// window at rest is to cost nothing.
type calm struct {
	fyne.App
	on *atomic.Bool
}

func newCalm(a fyne.App) calm { return calm{a, new(atomic.Bool)} }

// start begins the calm, once the desktop runs. At its start Fyne looks whether
// the settings are its own, and does not follow the desktop's theme otherwise.
func (c calm) start() { c.on.Store(true) }

func (c calm) Settings() fyne.Settings {
	if !c.on.Load() {
		return c.App.Settings()
	}
	return calmSettings{c.App.Settings()}
}

type calmSettings struct{ fyne.Settings }

func (calmSettings) ShowAnimations() bool { return false }
