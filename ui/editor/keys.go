package editor

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// TypedRune implements fyne.Focusable.
func (e *Editor) TypedRune(r rune) { e.Insert(string(r)) }

// TypedKey implements fyne.Focusable.
func (e *Editor) TypedKey(k *fyne.KeyEvent) {
	line := e.text.lines[e.caret.line]
	from, to := e.selection()
	switch k.Name {
	case fyne.KeyEscape:
		if e.OnEscape != nil {
			e.OnEscape()
		}
	case fyne.KeyReturn, fyne.KeyEnter:
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		e.Insert("\n" + indent[:min(len(indent), e.caret.at)])
	case fyne.KeyTab:
		e.tab()
	case fyne.KeyBackspace:
		if from == to {
			from = e.left(to)
		}
		e.replace(from, to, "")
	case fyne.KeyDelete:
		if from == to {
			to = e.right(from)
		}
		e.replace(from, to, "")
	default:
		e.moveBy(k.Name, e.shift)
	}
}

// moveBy moves the caret by a key.
func (e *Editor) moveBy(k fyne.KeyName, extend bool) {
	from, to := e.selection()
	line := e.text.lines[e.caret.line]
	if k != fyne.KeyUp && k != fyne.KeyDown && k != fyne.KeyPageUp && k != fyne.KeyPageDown {
		e.column = -1
	}
	switch k {
	case fyne.KeyLeft:
		if from != to && !extend {
			e.move(from, false)
		} else {
			e.move(e.left(e.caret), extend)
		}
	case fyne.KeyRight:
		if from != to && !extend {
			e.move(to, false)
		} else {
			e.move(e.right(e.caret), extend)
		}
	case fyne.KeyUp:
		e.vertical(-1, extend)
	case fyne.KeyDown:
		e.vertical(1, extend)
	case fyne.KeyPageUp:
		e.vertical(-e.page(), extend)
	case fyne.KeyPageDown:
		e.vertical(e.page(), extend)
	case fyne.KeyHome:
		start := len(line) - len(strings.TrimLeft(line, " \t")) // then the very beginning
		if e.caret.at == start {
			start = 0
		}
		e.move(place{e.caret.line, start}, extend)
	case fyne.KeyEnd:
		e.move(place{e.caret.line, len(line)}, extend)
	}
}

// vertical moves the caret by lines, in the column that it came from.
func (e *Editor) vertical(lines int, extend bool) {
	if e.column < 0 {
		e.column = float32(columnOf(e.text.lines[e.caret.line], e.caret.at))
	}
	n := e.caret.line + lines
	switch {
	case n < 0:
		e.move(place{}, extend)
	case n >= len(e.text.lines):
		e.move(e.text.last(), extend)
	default:
		e.move(place{n, placeAt(e.text.lines[n], e.column)}, extend)
	}
}

func (e *Editor) left(p place) place {
	switch {
	case p.at > 0:
		return place{p.line, previous(e.text.lines[p.line], p.at)}
	case p.line > 0:
		return place{p.line - 1, len(e.text.lines[p.line-1])}
	}
	return p
}

func (e *Editor) right(p place) place {
	switch line := e.text.lines[p.line]; {
	case p.at < len(line):
		return place{p.line, next(line, p.at)}
	case p.line < len(e.text.lines)-1:
		return place{p.line + 1, 0}
	}
	return p
}

// wordLeft and wordRight are a word further.
func (e *Editor) wordLeft(p place) place {
	if p.at == 0 {
		return e.left(p)
	}
	return place{p.line, wordStart(e.text.lines[p.line], p.at)}
}

func (e *Editor) wordRight(p place) place {
	if p.at == len(e.text.lines[p.line]) {
		return e.right(p)
	}
	return place{p.line, wordEnd(e.text.lines[p.line], p.at)}
}

// tab indents the selected lines, or types what the file indents with.
func (e *Editor) tab() {
	unit := e.unit()
	from, to := e.selection()
	switch {
	case e.shift || from.line != to.line:
		e.indent(from, to, unit)
	case unit == "\t":
		e.Insert(unit)
	default:
		column := columnOf(e.text.lines[from.line], from.at)
		e.Insert(strings.Repeat(" ", len(unit)-column%len(unit)))
	}
}

// indent puts a unit before each line, or takes one away with Shift.
func (e *Editor) indent(from, to place, unit string) {
	lines := e.text.lines[from.line : to.line+1]
	indented := make([]string, len(lines))
	for i, line := range lines {
		switch {
		case !e.shift && line != "":
			indented[i] = unit + line
		case e.shift && strings.HasPrefix(line, "\t"):
			indented[i] = line[1:]
		case e.shift:
			indented[i] = line[min(len(unit), len(line)-len(strings.TrimLeft(line, " "))):]
		}
	}
	e.replace(place{from.line, 0}, place{to.line, len(lines[len(lines)-1])}, strings.Join(indented, "\n"))
	if from.line != to.line {
		e.anchor = place{from.line, 0}
		e.Refresh()
	}
}

// unit is what the lines of the text are indented with.
func (e *Editor) unit() string {
	for _, line := range e.text.lines[:min(len(e.text.lines), 1000)] {
		blank := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case strings.HasPrefix(line, "\t"):
			return "\t"
		case (blank == 2 || blank == 4) && blank < len(line):
			return line[:blank]
		}
	}
	return "\t"
}

// TypedShortcut implements fyne.Shortcutable.
func (e *Editor) TypedShortcut(s fyne.Shortcut) {
	clipboard := fyne.CurrentApp().Clipboard()
	from, to := e.selection()
	switch s := s.(type) {
	case *fyne.ShortcutCopy:
		if from != to {
			clipboard.SetContent(e.SelectedText())
		}
	case *fyne.ShortcutCut:
		if from != to && !e.readOnly {
			clipboard.SetContent(e.SelectedText())
			e.Insert("")
		}
	case *fyne.ShortcutPaste:
		e.Insert(strings.ToValidUTF8(clipboard.Content(), "\uFFFD"))
	case *fyne.ShortcutSelectAll:
		e.anchor, e.caret = place{}, e.text.last()
		e.Refresh()
	case *fyne.ShortcutUndo:
		e.Undo()
	case *fyne.ShortcutRedo:
		e.Redo()
	case *desktop.CustomShortcut:
		if !e.custom(s) && e.OnShortcut != nil {
			e.OnShortcut(s)
		}
	default:
		if e.OnShortcut != nil {
			e.OnShortcut(s)
		}
	}
}

// custom runs what keys with Ctrl, or Cmd, mean in a text.
func (e *Editor) custom(s *desktop.CustomShortcut) bool {
	extend := s.Modifier&fyne.KeyModifierShift != 0
	modifier := s.Modifier &^ fyne.KeyModifierShift
	word, main := modifier == wordModifier, modifier == fyne.KeyModifierShortcutDefault
	from, to := e.selection()
	switch {
	case word && s.KeyName == fyne.KeyLeft:
		e.move(e.wordLeft(e.caret), extend)
	case word && s.KeyName == fyne.KeyRight:
		e.move(e.wordRight(e.caret), extend)
	case word && s.KeyName == fyne.KeyBackspace:
		if from == to {
			from = e.wordLeft(to)
		}
		e.replace(from, to, "")
	case word && s.KeyName == fyne.KeyDelete:
		if from == to {
			to = e.wordRight(from)
		}
		e.replace(from, to, "")
	case main && s.KeyName == fyne.KeyHome:
		e.move(place{}, extend)
	case main && s.KeyName == fyne.KeyEnd:
		e.move(e.text.last(), extend)
	default:
		return false
	}
	e.column = -1
	return true
}

// KeyDown implements desktop.Keyable.
func (e *Editor) KeyDown(k *fyne.KeyEvent) {
	if k.Name == desktop.KeyShiftLeft || k.Name == desktop.KeyShiftRight {
		e.shift = true
	}
}

// KeyUp implements desktop.Keyable.
func (e *Editor) KeyUp(k *fyne.KeyEvent) {
	if k.Name == desktop.KeyShiftLeft || k.Name == desktop.KeyShiftRight {
		e.shift = false
	}
}

// AcceptsTab implements fyne.Tabbable: a text that can be changed takes Tab,
// Escape leaves it.
func (e *Editor) AcceptsTab() bool { return !e.readOnly }

// FocusGained implements fyne.Focusable.
func (e *Editor) FocusGained() {
	e.focused = true
	e.Refresh()
}

// FocusLost implements fyne.Focusable.
func (e *Editor) FocusLost() {
	e.focused, e.shift = false, false
	e.Refresh()
}

// Find selects where a text occurs next, after the selection or before it, and
// goes on at the other end. The case counts when it has a capital letter. It
// reports whether there is one.
func (e *Editor) Find(text string, back bool) bool {
	fold := !strings.ContainsFunc(text, unicode.IsUpper)
	lines := e.text.lines
	from, to := e.selection()
	for n := range len(lines) + 1 {
		i := (to.line + n) % len(lines)
		if back {
			i = (from.line - n + len(lines)) % len(lines)
		}
		line, low, high := lines[i], 0, len(lines[i])
		switch {
		case !back && n == 0:
			low = to.at
		case back && n == 0:
			high = from.at
		}
		at := occurrence(line[low:high], text, fold, back)
		if at >= 0 && text != "" {
			e.anchor = place{i, low + at}
			e.caret = place{i, low + at + len(text)}
			e.reveal()
			return true
		}
	}
	return false
}

// occurrence is where a text is in a line, first or last, or -1.
func occurrence(line, text string, fold, last bool) int {
	if fold {
		lower := strings.ToLower(line)
		if len(lower) != len(line) { // a letter that is longer in lower case
			lower = line
		}
		line = lower
	}
	if last {
		return strings.LastIndex(line, text)
	}
	return strings.Index(line, text)
}
