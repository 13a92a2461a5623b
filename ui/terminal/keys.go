package terminal

import (
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"git.rickub.com/bots-garden/sidekicks/ui/terminal/screen"
)

// LeaveKey is the key that leaves the terminal: all others are the program's.
var LeaveKey = desktop.CustomShortcut{KeyName: fyne.KeyEscape, Modifier: fyne.KeyModifierShift}

// keys are those that write no character.
var keys = map[fyne.KeyName]screen.Key{
	fyne.KeyReturn: screen.Enter, fyne.KeyEnter: screen.Enter, fyne.KeyTab: screen.Tab,
	fyne.KeyBackspace: screen.Backspace, fyne.KeyEscape: screen.Escape,
	fyne.KeyUp: screen.Up, fyne.KeyDown: screen.Down, fyne.KeyLeft: screen.Left, fyne.KeyRight: screen.Right,
	fyne.KeyHome: screen.Home, fyne.KeyEnd: screen.End, fyne.KeyInsert: screen.Insert, fyne.KeyDelete: screen.Delete,
	fyne.KeyPageUp: screen.PageUp, fyne.KeyPageDown: screen.PageDown,
	fyne.KeyF1: screen.F1, fyne.KeyF2: screen.F2, fyne.KeyF3: screen.F3, fyne.KeyF4: screen.F4,
	fyne.KeyF5: screen.F5, fyne.KeyF6: screen.F6, fyne.KeyF7: screen.F7, fyne.KeyF8: screen.F8,
	fyne.KeyF9: screen.F9, fyne.KeyF10: screen.F10, fyne.KeyF11: screen.F11, fyne.KeyF12: screen.F12,
}

func mods(m fyne.KeyModifier) (held screen.Mod) {
	for _, k := range []struct {
		theirs fyne.KeyModifier
		ours   screen.Mod
	}{{fyne.KeyModifierShift, screen.Shift}, {fyne.KeyModifierAlt, screen.Alt}, {fyne.KeyModifierControl, screen.Ctrl}} {
		if m&k.theirs != 0 {
			held |= k.ours
		}
	}
	return held
}

// said types what a key says: the end of the output is shown again.
func (t *Terminal) said(text string) {
	if text == "" {
		return
	}
	if !t.selected.Empty() {
		t.selected = screen.Span{}
		t.draw()
	}
	t.toEnd()
	t.send([]byte(text))
}

func (t *Terminal) key(k screen.Key, m screen.Mod) {
	text := ""
	t.locked(func() { text = t.screen.Key(k, m) })
	t.said(text)
}

// TypedRune implements fyne.Focusable: characters as the keyboard layout, its
// dead keys or an input method make them.
func (t *Terminal) TypedRune(r rune) { t.said(string(r)) }

// TypedKey implements fyne.Focusable.
func (t *Terminal) TypedKey(e *fyne.KeyEvent) {
	k, ok := keys[e.Name]
	if !ok {
		return // it comes as a character
	}
	if !t.shift {
		t.key(k, 0)
		return
	}
	switch e.Name {
	case LeaveKey.KeyName:
		t.options.Leave()
	case fyne.KeyPageUp, fyne.KeyPageDown:
		_, rows := t.Grid()
		if e.Name == fyne.KeyPageUp {
			rows = -rows
		}
		t.scroll(rows)
	default:
		t.key(k, screen.Shift)
	}
}

// TypedShortcut implements fyne.Shortcutable. The toolkit takes some keys with
// Ctrl for what they do in a text: here they are the program's.
func (t *Terminal) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutCopy:
		t.edited('c', s.Secondary || ownCommands, t.Copy)
	case *fyne.ShortcutPaste:
		t.edited('v', s.Secondary || ownCommands, t.Paste)
	case *fyne.ShortcutCut:
		if s.Secondary {
			t.key(screen.Delete, screen.Shift)
			return
		}
		t.edited('x', ownCommands, func() {})
	case *fyne.ShortcutSelectAll:
		t.edited('a', ownCommands, t.SelectAll)
	case *fyne.ShortcutUndo:
		t.edited('z', ownCommands, func() {})
	case *fyne.ShortcutRedo:
		t.edited('y', ownCommands, func() {})
	case *desktop.CustomShortcut:
		if !t.ours(s) {
			t.combined(s)
		}
	}
}

// edited does something with the text, or types the key with Ctrl.
func (t *Terminal) edited(key rune, ours bool, do func()) {
	if ours {
		do()
		return
	}
	t.said(screen.Typed(key, screen.Ctrl))
}

// ours does what the terminal's own keys are for.
func (t *Terminal) ours(s *desktop.CustomShortcut) bool {
	const shift, main = fyne.KeyModifierShift, fyne.KeyModifierShortcutDefault
	switch {
	case s.Modifier == commands && s.KeyName == fyne.KeyC:
		t.Copy()
	case s.Modifier == commands && s.KeyName == fyne.KeyV:
		t.Paste()
	case s.Modifier == commands && s.KeyName == fyne.KeyF:
		if t.options.Find != nil {
			t.options.Find()
		}
	case s.Modifier&^shift == main && (s.KeyName == fyne.KeyPlus || s.KeyName == fyne.KeyEqual && s.Modifier&shift != 0):
		t.zoom(t.TextSize() + 1)
	case s.Modifier == main && s.KeyName == fyne.KeyMinus:
		t.zoom(t.TextSize() - 1)
	case s.Modifier == main && s.KeyName == fyne.Key0:
		t.zoom(0)
	default:
		return false
	}
	return true
}

// zoom changes the size of the text; 0 is the usual one.
func (t *Terminal) zoom(size float32) {
	t.SetTextSize(size)
	if t.options.Zoom != nil {
		t.options.Zoom(t.options.TextSize)
	}
}

// combined types a key that others are held down with, or hands it to the
// window when a terminal has no word for it.
func (t *Terminal) combined(s *desktop.CustomShortcut) {
	m := mods(s.Modifier)
	k, named := keys[s.KeyName]
	r, size := utf8.DecodeRuneInString(string(s.KeyName))
	letter := size == len(s.KeyName)
	if s.KeyName == fyne.KeySpace {
		r, letter = ' ', true
	}
	foreign := s.Modifier&fyne.KeyModifierSuper != 0 ||
		m == screen.Ctrl|screen.Shift && r >= 'A' && r <= 'Z' && !named || // the same as without Shift
		m&screen.Ctrl != 0 && k == screen.Tab && named
	switch {
	case foreign:
		if t.options.Shortcut != nil {
			t.options.Shortcut(s)
		}
	case named:
		t.key(k, m)
	case letter && !composes(s.Modifier):
		if m&screen.Shift == 0 && r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		t.said(screen.Typed(r, m))
	}
}

// KeyDown implements desktop.Keyable.
func (t *Terminal) KeyDown(e *fyne.KeyEvent) { t.held(e, true) }

// KeyUp implements desktop.Keyable.
func (t *Terminal) KeyUp(e *fyne.KeyEvent) { t.held(e, false) }

func (t *Terminal) held(e *fyne.KeyEvent, down bool) {
	if e.Name == desktop.KeyShiftLeft || e.Name == desktop.KeyShiftRight {
		t.shift = down
	}
}

// AcceptsTab implements fyne.Tabbable: Tab completes what is typed in a shell.
func (t *Terminal) AcceptsTab() bool { return true }

// FocusGained implements fyne.Focusable.
func (t *Terminal) FocusGained() { t.setFocus(true) }

// FocusLost implements fyne.Focusable.
func (t *Terminal) FocusLost() { t.setFocus(false) }

func (t *Terminal) setFocus(on bool) {
	t.focused, t.shift = on, false
	text := ""
	t.locked(func() { text = t.screen.Focus(on) })
	t.send([]byte(text))
	t.draw()
}

// focus asks for the focus.
func (t *Terminal) focus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(t); c != nil {
		c.Focus(t)
	}
}
