package ui

import (
	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// selector shows one of several values and opens a menu of them.
type selector struct {
	w        *window
	button   *button
	shown    *label
	offers   []alternative
	value    string
	onChosen func(value string)
}

// alternative is one value of a selector.
type alternative struct {
	value  string
	title  string
	detail string
	group  string // offers of one group stand under its name
}

// newSelector shows the alternative of a value, or a dash for none.
func newSelector(w *window, name string, offers []alternative, value string, chosen func(string)) *selector {
	s := &selector{w: w, offers: offers, value: value, onChosen: chosen}
	s.shown = newCutLabel("", look{tokens.Text, tokens.Secondary, fyne.TextStyle{}})
	s.button = newPressable(name, ordinary, inset(6, 10), newLine(8, s.shown, s.shown, newLabel("⌄", muted())), s.open)
	s.button.label = s.shown
	s.button.onDown = s.open
	s.show()
	return s
}

func (s *selector) show() {
	s.shown.setText("–")
	for _, o := range s.offers {
		if o.value == s.value {
			s.shown.setText(oneLine(o.title))
		}
	}
}

func (s *selector) open() {
	var items []menuItem
	group := ""
	for _, o := range s.offers {
		if o.group != group {
			group = o.group
			items = append(items, menuItem{text: group})
		}
		items = append(items, menuItem{
			id: o.value, text: oneLine(o.title), detail: oneLine(o.detail), checked: o.value == s.value,
			do: func() { s.choose(o.value) },
		})
	}
	s.w.popUp(s.button, items)
}

func (s *selector) choose(value string) {
	s.value = value
	s.show()
	s.button.Refresh()
	if s.onChosen != nil {
		s.onChosen(value)
	}
}
