package markdown

import "fyne.io/fyne/v2"

// focus takes the keyboard, so that what is selected can be copied.
func (f *Flow) focus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(f); c != nil && !f.focused {
		f.byMouse = true
		c.Focus(f)
		f.byMouse = false
	}
	f.stopAt(0)
}

// FocusGained implements fyne.Focusable. The Tab key stops at the first thing
// that can be pressed, or at the last one when it goes backwards.
func (f *Flow) FocusGained() {
	f.focused = true
	switch {
	case f.byMouse:
	case shiftHeld():
		f.stopAt(len(f.stops()))
	default:
		f.stopAt(1)
	}
}

// FocusLost implements fyne.Focusable. Selecting elsewhere ends a selection; a
// menu that opens over it does not.
func (f *Flow) FocusLost() {
	f.focused = false
	f.stopAt(0)
	if c := fyne.CurrentApp().Driver().CanvasForObject(f); !f.inMenu && (c == nil || c.Overlays().Top() == nil) {
		f.Deselect()
	}
}

// TypedRune implements fyne.Focusable.
func (f *Flow) TypedRune(r rune) {
	if f.OnRune != nil && (f.stop == 0 || r != ' ') {
		f.OnRune(r)
	}
}

// TypedKey implements fyne.Focusable. Tab goes to the next link or button,
// Enter and Space press it, Escape ends a selection.
func (f *Flow) TypedKey(e *fyne.KeyEvent) {
	stops := f.stops()
	switch {
	case e.Name == fyne.KeyTab:
		f.stopAt(f.nextStop())
	case f.stop > 0 && f.stop <= len(stops) && (e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter || e.Name == fyne.KeySpace):
		s := stops[f.stop-1]
		f.activate(s.link, s.block)
	case e.Name == fyne.KeyEscape && f.anchor != f.head:
		f.Deselect()
	case f.OnKey != nil:
		f.OnKey(e)
	}
}

// TypedShortcut implements fyne.Shortcutable. Those that are not the flow's
// are its window's.
func (f *Flow) TypedShortcut(s fyne.Shortcut) {
	switch s.(type) {
	case *fyne.ShortcutCopy:
		f.Copy()
		return
	case *fyne.ShortcutSelectAll:
		f.SelectAll()
		return
	}
	if window, ok := fyne.CurrentApp().Driver().CanvasForObject(f).(fyne.Shortcutable); ok {
		window.TypedShortcut(s)
	}
}

// Copy puts the selected text on the clipboard. Without a selection it leaves
// the clipboard alone.
func (f *Flow) Copy() {
	if s := f.Selected(); s != "" {
		fyne.CurrentApp().Clipboard().SetContent(s)
	}
}
