package ui

import "fyne.io/fyne/v2"

// calm is a desktop without animations. Fyne fades the caret of a text in and
// out, which draws the whole window a dozen times a second for nothing: a
// window at rest is to cost nothing.
type calm struct{ fyne.App }

func (c calm) Settings() fyne.Settings { return calmSettings{c.App.Settings()} }

type calmSettings struct{ fyne.Settings }

func (calmSettings) ShowAnimations() bool { return false }
