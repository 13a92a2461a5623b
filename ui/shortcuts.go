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
	c.SetOnTypedRune(func(r rune) { w.composer.typedRuneElsewhere(r) })
	c.SetOnTypedKey(func(k *fyne.KeyEvent) { w.composer.typedKeyElsewhere(k) })
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
