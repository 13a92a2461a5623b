package terminal

import "fyne.io/fyne/v2"

// On a Mac the terminal's own keys are those with Cmd, which no program gets.
const (
	ownCommands = true
	commands    = fyne.KeyModifierSuper
)

// composes tells whether keys with these held down write characters, which
// come on their own: those with Option do.
func composes(m fyne.KeyModifier) bool { return m&fyne.KeyModifierAlt != 0 }
