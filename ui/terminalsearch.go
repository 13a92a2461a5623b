package ui

import (
	"fyne.io/fyne/v2"
)

// terminalSearch looks for a text in the terminal that is shown: Enter goes up
// to the one before, as the newest is shown first.
type terminalSearch struct {
	set    *terminalSet
	object *fyne.Container
	field  *field
	count  *label
	all    int
	shown  bool
}

func newTerminalSearch(set *terminalSet) *terminalSearch {
	s := &terminalSearch{set: set, field: newField(""), count: newLabel("", muted())}
	s.field.OnChanged = s.find
	s.field.OnSubmitted = func(string) { s.step(-1) }
	s.field.onEscape = s.close
	s.object = &fyne.Container{}
	return s
}

// open shows the field, with what was searched for last.
func (s *terminalSearch) open() {
	w := s.set.ts.w
	s.field.SetPlaceHolder(w.text("terminal.FindText"))
	w.mark("terminal/search", s.field)
	parts := []fyne.CanvasObject{s.field, s.count}
	for _, b := range []struct {
		text, id string
		do       func()
	}{
		{"↑", "terminal.Before", func() { s.step(-1) }},
		{"↓", "terminal.After", func() { s.step(1) }},
		{"✕", "terminal.EndFind", s.close},
	} {
		one := newButton(b.text, quiet, b.do)
		one.name = w.text(b.id)
		w.help(one)
		parts = append(parts, one)
	}
	line := framed(inset(4, 10), newLine(4, s.field, parts...))
	s.object.Layout, s.object.Objects = line.Layout, line.Objects
	s.shown = true
	s.set.build()
	s.find(s.field.Text)
	w.fyne.Canvas().Focus(s.field)
}

func (s *terminalSearch) close() {
	s.shown = false
	if s.set.shown != nil {
		s.set.shown.screen.Find("")
	}
	s.set.build()
	s.set.focus()
}

func (s *terminalSearch) find(text string) {
	if s.set.shown == nil {
		return
	}
	s.all = s.set.shown.screen.Find(text)
	s.say(s.all, text == "")
}

func (s *terminalSearch) step(by int) {
	if s.set.shown != nil {
		s.say(s.set.shown.screen.FindNext(by), false)
	}
}

func (s *terminalSearch) say(at int, nothing bool) {
	text := ""
	if !nothing {
		text = s.set.ts.w.text("terminal.Found", "At", at, "All", s.all)
	}
	s.count.setText(text)
	relayout(s.object)
	s.object.Refresh()
}
