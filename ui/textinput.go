package ui

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// textInput is the text of the composer: Enter sends, Shift+Enter begins a
// line, and the keys go to the picker while it is open.
type textInput struct {
	widget.Entry
	c     *composer
	rows  int
	shift bool
	quiet bool // the text is being changed by the program
}

func newTextInput(c *composer) *textInput {
	t := &textInput{c: c, rows: 1}
	t.MultiLine = true
	t.Wrapping = fyne.TextWrapWord
	t.SetMinRowsVisible(1)
	t.ExtendBaseWidget(t)
	t.OnChanged = func(text string) {
		if !t.quiet {
			c.changed(text)
		}
	}
	t.OnCursorChanged = func() {
		if !t.quiet {
			c.w.picker.refresh()
		}
	}
	return t
}

// replace sets the whole text, with the caret at its end.
func (t *textInput) replace(text string) {
	t.quietly(func() {
		t.SetText(text)
		t.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
	})
}

// complete replaces what was typed of a name, before the caret, by all of it.
// It does so key by key: this keeps the caret right and can be undone.
func (t *textInput) complete(typed, whole string) {
	t.quietly(func() {
		for range []rune(typed) {
			t.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
		}
		for _, r := range whole {
			t.Entry.TypedRune(r)
		}
	})
	t.c.changed(t.Text)
}

func (t *textInput) quietly(f func()) {
	t.quiet = true
	defer func() { t.quiet = false }()
	f()
}

func (t *textInput) setRows(n int) {
	if n != t.rows {
		t.rows = n
		t.SetMinRowsVisible(n)
	}
}

// token is the name that is being typed before the caret, with its "@", or
// with its "/" at the start of the text.
func (t *textInput) token() (token string, ok bool) {
	runes := []rune(t.Text)
	caret := min(t.CursorTextOffset(), len(runes))
	start := caret
	for start > 0 && isNameRune(runes[start-1]) {
		start--
	}
	if start == 0 {
		return "", false
	}
	start--
	before := strings.TrimSpace(string(runes[:start]))
	switch runes[start] {
	case '@':
		ok = start == 0 || !isNameRune(runes[start-1]) && runes[start-1] != '.'
	case '/':
		ok = before == ""
	}
	return string(runes[start:caret]), ok
}

func isNameRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' || r == ':'
}

func (t *textInput) TypedKey(k *fyne.KeyEvent) {
	if p := t.c.w.picker; p.isOpen() && p.typedKey(k) {
		return
	}
	switch k.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		if !t.shift {
			t.c.submit()
			return
		}
	case fyne.KeyEscape:
		t.c.escape()
		return
	case fyne.KeyUp:
		if t.Text == "" {
			t.c.recall()
			return
		}
	case fyne.KeyPageUp, fyne.KeyPageDown:
		l := t.c.w.conversation.list
		step := l.Page()
		if k.Name == fyne.KeyPageUp {
			step = -step
		}
		l.ScrollBy(step)
		return
	}
	t.Entry.TypedKey(k)
}

func (t *textInput) TypedRune(r rune) {
	if t.Text == "" && r >= '1' && r <= '9' && t.c.answer(int(r-'1')) {
		return
	}
	t.Entry.TypedRune(r)
}

// TypedShortcut lets the window have its shortcuts: an Entry takes every one.
func (t *textInput) TypedShortcut(s fyne.Shortcut) {
	if !t.c.w.shortcut(s) {
		t.Entry.TypedShortcut(s)
	}
}

func (t *textInput) KeyDown(k *fyne.KeyEvent) {
	if isShift(k) {
		t.shift = true
	}
	t.Entry.KeyDown(k)
}

func (t *textInput) KeyUp(k *fyne.KeyEvent) {
	if isShift(k) {
		t.shift = false
	}
	t.Entry.KeyUp(k)
}

func isShift(k *fyne.KeyEvent) bool {
	return k.Name == desktop.KeyShiftLeft || k.Name == desktop.KeyShiftRight
}

func (t *textInput) FocusLost() {
	t.shift = false
	if !t.c.w.picker.pointed() {
		t.c.w.picker.close()
	}
	t.Entry.FocusLost()
}

// AcceptsTab leaves Tab to move on, unless it picks a name.
func (t *textInput) AcceptsTab() bool { return t.c.w.picker.isOpen() }
