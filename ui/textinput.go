package ui

import (
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// textInput is the text of the composer: Enter sends, Shift+Enter begins a
// line, and the keys go to the picker while it is open.
type textInput struct {
	widget.Entry
	c      *composer
	shift  bool
	quiet  bool // the text is being changed by the program
	ink    *ink
	marked []span // the names in the text
}

func newTextInput(c *composer) *textInput {
	t := &textInput{c: c}
	t.MultiLine = true
	t.Wrapping = fyne.TextWrapWord
	t.SetMinRowsVisible(1)
	t.ExtendBaseWidget(t)
	t.OnChanged = func(string) {
		if !t.quiet {
			c.typed()
		}
	}
	t.OnCursorChanged = func() {
		if !t.quiet {
			c.w.picker.refresh()
		}
	}
	return t
}

func (t *textInput) CreateRenderer() fyne.WidgetRenderer {
	t.ink = newInk(t, t.Entry.CreateRenderer())
	return t.ink
}

// mark colours parts of the text.
func (t *textInput) mark(spans []span) {
	if slices.Equal(spans, t.marked) {
		return
	}
	t.marked = spans
	if t.ink != nil {
		t.ink.draw()
	}
}

// The Entry tells about its rows only through its caret: look puts the caret
// somewhere for a moment.
func (t *textInput) look(row, column int, what func()) {
	r, c := t.CursorRow, t.CursorColumn
	t.CursorRow, t.CursorColumn = row, column
	what()
	t.CursorRow, t.CursorColumn = r, c
}

// rowStart is where a row of the wrapped text begins, in runes; -1 below the
// last row.
func (t *textInput) rowStart(row int) (start int) {
	t.look(row, 0, func() { start = t.CursorTextOffset() })
	if row > 0 && start == 0 {
		return -1
	}
	return start
}

// rows is how many rows the text takes at its width, at most limit.
func (t *textInput) rows(limit int) int {
	n := 1
	for n < limit && t.rowStart(n) > 0 {
		n++
	}
	return n
}

// place is where a letter is drawn in the scrolled content of the Entry.
func (t *textInput) place(row, column int) (at fyne.Position) {
	t.look(row, column, func() { at = t.CursorPosition() })
	return at.AddXY(caretWidth/2, 0)
}

// pitch is the height of a row.
func (t *textInput) pitch() float32 {
	return fyne.MeasureText("M", theme.TextSize(), fyne.TextStyle{}).Height
}

// caret is where the caret is in the widget.
func (t *textInput) caret() fyne.Position {
	at := t.CursorPosition()
	if t.ink != nil {
		at = at.Subtract(t.ink.scroll.Offset).AddXY(0, t.ink.scroll.Position().Y)
	}
	return at
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
	t.c.changed()
}

// insert types a text at the caret, or in place of what is selected.
func (t *textInput) insert(text string) {
	t.Entry.TypedShortcut(&fyne.ShortcutPaste{Clipboard: given(text)})
}

// given is a clipboard that holds a text of the program.
type given string

func (g given) Content() string   { return string(g) }
func (g given) SetContent(string) {}

func (t *textInput) quietly(f func()) {
	t.quiet = true
	defer func() { t.quiet = false }()
	f()
}

// token is the name that is being typed before the caret, with its "@", or
// with its "/" at the start of the text, and where it begins, in runes.
func (t *textInput) token() (token string, start int, ok bool) {
	runes := []rune(t.Text)
	caret := min(t.CursorTextOffset(), len(runes))
	start = caret
	for start > 0 && isNameRune(runes[start-1]) {
		start--
	}
	if start == 0 {
		return "", 0, false
	}
	start--
	switch runes[start] {
	case '@':
		ok = start == 0 || !isNameRune(runes[start-1]) && runes[start-1] != '.'
	case '/':
		ok = strings.TrimSpace(string(runes[:start])) == ""
	}
	return string(runes[start:caret]), start, ok
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

// TypedShortcut lets the window have its shortcuts: an Entry takes every one.
// Files that are pasted are attached; with Shift everything is pasted as text.
func (t *textInput) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutPaste:
		t.c.paste(s.Clipboard.Content())
		return
	case *desktop.CustomShortcut:
		if s.KeyName == fyne.KeyV && s.Modifier == fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift {
			t.insert(t.c.w.app.Clipboard().Content())
			return
		}
	}
	if !t.c.w.shortcut(s) {
		t.Entry.TypedShortcut(s)
	}
}

// TappedSecondary offers what can be done with the text.
func (t *textInput) TappedSecondary(e *fyne.PointEvent) {
	w := t.c.w
	clipboard := w.app.Clipboard()
	t.c.focus()
	var items []menuItem
	if t.SelectedText() != "" {
		items = append(items,
			menuItem{text: w.text("compose.Cut"), do: func() { t.TypedShortcut(&fyne.ShortcutCut{Clipboard: clipboard}) }},
			menuItem{text: w.text("ui.Copy"), do: func() { t.TypedShortcut(&fyne.ShortcutCopy{Clipboard: clipboard}) }})
	}
	items = append(items, menuItem{text: w.text("compose.Paste"), do: func() { t.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard}) }})
	if t.Text != "" {
		items = append(items, menuItem{text: w.text("ui.SelectAll"), do: func() { t.TypedShortcut(&fyne.ShortcutSelectAll{}) }})
	}
	w.popUpAt(e.AbsolutePosition, items)
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

// growing gives the input the rows that its text takes, up to ten.
type growing struct{ t *textInput }

func (g growing) heightFor(o []fyne.CanvasObject, width float32) float32 {
	if width > 0 && o[0].Size().Width != width {
		o[0].Resize(fyne.NewSize(width, o[0].Size().Height))
	}
	return float32(g.t.rows(mostRows))*g.t.pitch() + 2*caretWidth
}

func (g growing) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.Position{})
	o[0].Resize(size)
}

func (g growing) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(100, g.heightFor(o, 0))
}
