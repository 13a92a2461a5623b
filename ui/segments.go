package ui

import (
	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// segments show all of a few values side by side; one of them is chosen.
type segments struct {
	object   *fyne.Container
	value    string
	onChosen func(value string)
	values   []string
	buttons  []*button
	labels   []*label
}

// newSegments shows alternatives of which only value and title count. id is
// what tests from outside know them by.
func newSegments(w *window, id string, offers []alternative, value string, chosen func(string)) *segments {
	s := &segments{onChosen: chosen}
	row := &fyne.Container{Layout: equal{}}
	for _, o := range offers {
		l := newLabel(o.title, look{})
		b := newPressable(o.title, quiet, inset(6, 8), newMiddle(l), func() { s.choose(o.value) })
		w.mark(id+"/"+o.value, b)
		s.values, s.buttons, s.labels = append(s.values, o.value), append(s.buttons, b), append(s.labels, l)
		row.Add(b)
	}
	s.object = newLayers(newSurface(tokens.Panel, tokens.Border, controlRadius), framed(inset(1, 1), row))
	s.set(value)
	return s
}

// set shows a value as chosen without telling.
func (s *segments) set(value string) {
	s.value = value
	for i, b := range s.buttons {
		on := s.values[i] == value
		b.setSelected(on)
		s.labels[i].set(s.labels[i].text, look{tokens.Text, tokens.Secondary, fyne.TextStyle{Bold: on}})
	}
	relayout(s.object)
}

func (s *segments) choose(value string) {
	if s.value == value {
		return
	}
	s.set(value)
	s.onChosen(value)
}

// equal gives all its objects the same width.
type equal struct{}

func (equal) heightFor(o []fyne.CanvasObject, width float32) float32 {
	return highest(o, make([]float32, len(o)))
}

func (equal) Layout(o []fyne.CanvasObject, size fyne.Size) {
	width := size.Width / float32(max(1, len(o)))
	for i, one := range o {
		one.Resize(fyne.NewSize(width, size.Height))
		one.Move(fyne.NewPos(float32(i)*width, 0))
	}
}

func (equal) MinSize(o []fyne.CanvasObject) fyne.Size {
	size := fyne.Size{}
	for _, one := range o {
		size = size.Max(one.MinSize())
	}
	return fyne.NewSize(size.Width*float32(len(o)), size.Height)
}
