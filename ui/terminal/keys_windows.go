package terminal

import "fyne.io/fyne/v2"

// The terminal's own keys are those with Ctrl and Shift.
const (
	ownCommands = false
	commands    = fyne.KeyModifierControl | fyne.KeyModifierShift
)

// composes tells whether keys with these held down write characters, which
// come on their own: AltGr is Ctrl and Alt here.
func composes(m fyne.KeyModifier) bool {
	return m == fyne.KeyModifierControl|fyne.KeyModifierAlt
}
