package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// shortcuts are the keys of the window, wherever the focus is.
func (w *window) shortcuts() map[desktop.CustomShortcut]func() {
	all := map[desktop.CustomShortcut]func(){
		{KeyName: fyne.KeyUp, Modifier: fyne.KeyModifierAlt}:   func() { w.showNext(-1) },
		{KeyName: fyne.KeyDown, Modifier: fyne.KeyModifierAlt}: func() { w.showNext(1) },
	}
	for i, k := range []fyne.KeyName{fyne.Key1, fyne.Key2, fyne.Key3, fyne.Key4, fyne.Key5, fyne.Key6, fyne.Key7, fyne.Key8, fyne.Key9} {
		all[desktop.CustomShortcut{KeyName: k, Modifier: fyne.KeyModifierShortcutDefault}] = func() { w.showNth(i) }
	}
	return all
}

// addShortcuts makes the keys work when no text has the focus, and typing go
// to the composer then.
func (w *window) addShortcuts() {
	c := w.fyne.Canvas()
	for s, do := range w.shortcuts() {
		c.AddShortcut(&s, func(fyne.Shortcut) { do() })
	}
	c.SetOnTypedRune(w.typedRune)
	c.SetOnTypedKey(w.typedKey)
}

// typedKey and typedRune take what is typed while the focus is nowhere, or on
// a text that can only be read: it is meant for the composer, or for the
// dialog that is open.
func (w *window) typedKey(k *fyne.KeyEvent) {
	if w.fyne.Canvas().Overlays().Top() != nil {
		if k.Name == fyne.KeyEscape && w.leave != nil {
			w.leave()
		}
		return
	}
	w.composer.focus()
	if k.Name != fyne.KeyTab {
		w.composer.input.TypedKey(k)
	}
}

func (w *window) typedRune(r rune) {
	if w.fyne.Canvas().Overlays().Top() == nil {
		w.composer.focus()
		w.composer.input.TypedRune(r)
	}
}

// shortcut runs the window's shortcut, if it is one.
func (w *window) shortcut(s fyne.Shortcut) bool {
	custom, ok := s.(*desktop.CustomShortcut)
	if !ok {
		return false
	}
	do, ok := w.shortcuts()[*custom]
	if ok {
		do()
	}
	return ok
}
