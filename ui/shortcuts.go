package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// binding is something that the window does, and its key.
type binding struct {
	key  desktop.CustomShortcut
	name string // in the catalogue; empty: only the key leads to it
	do   func(*window)
}

// bindings are the keys of the window, wherever the focus is. Those with a
// name are in the palette too.
func bindings() []binding {
	const (
		main  = fyne.KeyModifierShortcutDefault
		alt   = fyne.KeyModifierAlt
		shift = fyne.KeyModifierShift
	)
	on := func(m fyne.KeyModifier, k fyne.KeyName) desktop.CustomShortcut {
		return desktop.CustomShortcut{Modifier: m, KeyName: k}
	}
	all := []binding{
		{on(main, fyne.KeyK), "", (*window).openPalette},
		{on(main, fyne.KeyF), "find.Search", (*window).findMessages},
		{on(main|shift, fyne.KeyN), "find.NewChannel", (*window).createChannel},
		{on(alt, fyne.KeyUp), "find.ChannelAbove", func(w *window) { w.showNext(-1) }},
		{on(alt, fyne.KeyDown), "find.ChannelBelow", func(w *window) { w.showNext(1) }},
		{on(alt|shift, fyne.KeyUp), "find.UnreadAbove", func(w *window) { w.showUnread(-1) }},
		{on(alt|shift, fyne.KeyDown), "find.UnreadBelow", func(w *window) { w.showUnread(1) }},
		{on(alt, fyne.KeyHome), "find.FirstNew", func(w *window) { w.conversation.goToNews() }},
		{on(alt, fyne.KeyEnd), "find.ToEnd", func(w *window) { w.conversation.goToEnd() }},
		{on(main|shift, fyne.KeyUp), "find.MoveUp", func(w *window) { w.sidebar.moveShown(-1) }},
		{on(main|shift, fyne.KeyDown), "find.MoveDown", func(w *window) { w.sidebar.moveShown(1) }},
		{on(main, fyne.KeyB), "find.FoldSidebar", func(w *window) { w.desk.fold() }},
		{on(main|shift, fyne.KeyB), "find.FoldPanel", (*window).foldPanel},
	}
	for i, k := range []fyne.KeyName{fyne.Key1, fyne.Key2, fyne.Key3, fyne.Key4, fyne.Key5, fyne.Key6, fyne.Key7, fyne.Key8, fyne.Key9} {
		all = append(all, binding{on(main, k), "", func(w *window) { w.showNth(i) }})
	}
	return all
}

// keys writes a shortcut as keyboards do.
func (w *window) keys(s desktop.CustomShortcut) string {
	var parts []string
	for _, m := range []struct {
		key fyne.KeyModifier
		id  string
	}{
		{fyne.KeyModifierControl, "find.Ctrl"}, {fyne.KeyModifierSuper, "find.Cmd"},
		{fyne.KeyModifierAlt, "find.Alt"}, {fyne.KeyModifierShift, "find.Shift"},
	} {
		if s.Modifier&m.key != 0 {
			parts = append(parts, w.text(m.id))
		}
	}
	name := string(s.KeyName)
	switch s.KeyName {
	case fyne.KeyUp:
		name = "↑"
	case fyne.KeyDown:
		name = "↓"
	case fyne.KeyHome:
		name = w.text("find.HomeKey")
	case fyne.KeyEnd:
		name = w.text("find.EndKey")
	}
	return strings.Join(append(parts, name), " ")
}

// addShortcuts makes the keys work when no text has the focus, and typing go
// to the composer then.
func (w *window) addShortcuts() {
	c := w.fyne.Canvas()
	for _, b := range bindings() {
		c.AddShortcut(&b.key, func(s fyne.Shortcut) { w.shortcut(s) })
	}
	c.SetOnTypedRune(w.typedRune)
	c.SetOnTypedKey(w.typedKey)
}

// typedKey and typedRune take what is typed while the focus is nowhere, or on
// a text that can only be read: it is meant for the composer, or for what lies
// over the window.
func (w *window) typedKey(k *fyne.KeyEvent) {
	switch {
	case w.fyne.Canvas().Overlays().Top() != nil:
		if k.Name == fyne.KeyEscape && w.leave != nil {
			w.leave()
		}
	case w.finder.isOpen():
		w.fyne.Canvas().Focus(w.finder.field)
		w.finder.field.TypedKey(k)
	default:
		w.composer.focus()
		if k.Name != fyne.KeyTab {
			w.composer.input.TypedKey(k)
		}
	}
}

func (w *window) typedRune(r rune) {
	switch {
	case w.fyne.Canvas().Overlays().Top() != nil:
	case w.finder.isOpen():
		w.fyne.Canvas().Focus(w.finder.field)
		w.finder.field.TypedRune(r)
	default:
		w.composer.focus()
		w.composer.input.TypedRune(r)
	}
}

// shortcut runs the window's shortcut, if it is one. A dialog keeps them from
// what is below it.
func (w *window) shortcut(s fyne.Shortcut) bool {
	custom, ok := s.(*desktop.CustomShortcut)
	if !ok {
		return false
	}
	for _, b := range bindings() {
		if b.key == *custom {
			if w.fyne.Canvas().Overlays().Top() == nil {
				b.do(w)
			}
			return true
		}
	}
	return false
}
