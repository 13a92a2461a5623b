package markdown

import "fyne.io/fyne/v2"

// focus takes the keyboard, so that what is selected can be copied.
func (f *Flow) focus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(f); c != nil && !f.focused {
		c.Focus(f)
	}
}

// FocusGained implements fyne.Focusable.
func (f *Flow) FocusGained() { f.focused = true }

// FocusLost implements fyne.Focusable. Selecting elsewhere ends a selection; a
// menu that opens over it does not.
func (f *Flow) FocusLost() {
	f.focused = false
	if c := fyne.CurrentApp().Driver().CanvasForObject(f); c == nil || c.Overlays().Top() == nil {
		f.Deselect()
	}
}

// TypedRune implements fyne.Focusable.
func (f *Flow) TypedRune(r rune) {
	if f.OnRune != nil {
		f.OnRune(r)
	}
}

// TypedKey implements fyne.Focusable. Escape ends a selection.
func (f *Flow) TypedKey(e *fyne.KeyEvent) {
	switch {
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
