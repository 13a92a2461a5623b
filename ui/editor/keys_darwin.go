package editor

import "fyne.io/fyne/v2"

// wordModifier makes the caret move by words.
const wordModifier = fyne.KeyModifierAlt
