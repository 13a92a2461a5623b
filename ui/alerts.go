package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// alerts are what must be said whatever channel is shown: what is wrong with
// the configuration file, and troubles that a click puts away.
type alerts struct {
	w      *window
	object *fyne.Container
	own    []string // troubles of the window itself
	byHand *bool    // whether the person folded the problems of the file; nil: neither
}

func newAlerts(w *window) *alerts {
	a := &alerts{w: w, object: newColumn(8, insets{12, 20, 0, 20})}
	a.refresh()
	return a
}

// add shows a trouble of the window itself.
func (a *alerts) add(text string) {
	if !slices.Contains(a.own, text) {
		a.own = append(a.own, text)
	}
	a.refresh()
}

func (a *alerts) refresh() {
	a.object.Objects = nil
	if problems := a.w.backend.Problems(); len(problems) > 0 {
		a.object.Add(a.problems(problems))
	} else {
		a.byHand = nil // the next ones are others
	}
	if err := a.w.backend.Unreadable(); err != nil {
		a.object.Add(a.unreadable(err))
	}
	for _, t := range a.w.backend.Troubles() {
		var actions []fyne.CanvasObject
		if about, ok := t.(interface{ File() string }); ok { // there is more to read about it
			open := newButton(a.w.text("ui.OpenFile"), ordinary, func() { a.w.openFile(about.File()) })
			a.w.mark("trouble/open", open)
			actions = append(actions, open)
		}
		a.object.Add(a.bar(a.w.printer.Error(t), func() { a.w.backend.Dismiss(t) }, actions...))
	}
	for i, text := range a.own {
		a.object.Add(a.bar(text, func() { a.own = append(a.own[:i:i], a.own[i+1:]...) }))
	}
	a.object.Hidden = len(a.object.Objects) == 0
	a.object.Refresh()
}

// bar is one trouble with a button that puts it away.
func (a *alerts) bar(text string, dismiss func(), actions ...fyne.CanvasObject) fyne.CanvasObject {
	close := newButton("✕", quiet, func() {
		dismiss()
		a.refresh()
		a.w.relayout()
	})
	close.name = a.w.text("ui.Dismiss")
	a.w.help(close)
	a.w.mark("dismiss", close)
	p := newParagraph(text, muted().in(tokens.Text))
	said := newLine(8, p, p, close)
	if len(actions) == 0 {
		return edged(tokens.Error, said)
	}
	return edged(tokens.Error, newColumn(8, insets{}, said, newWrap(8, 8, actions...)))
}

// edged is a quiet panel with a coloured left edge.
func edged(c fyne.ThemeColorName, o fyne.CanvasObject) *fyne.Container {
	edge := newFixed(3, 0, newSurface(c, "", 0))
	inner := framed(inset(8, 12), o)
	return newLayers(newSurface(tokens.Code, "", 4), newColumns(inner, edge, inner))
}

// capped is an object that scrolls beyond a height.
func capped(o fyne.CanvasObject, most float32) fyne.CanvasObject {
	return &fyne.Container{Layout: ceiling{func() float32 { return most }}, Objects: []fyne.CanvasObject{container.NewVScroll(o)}}
}

type ceiling struct{ most func() float32 }

func (c ceiling) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	return min(c.most(), heightFor(objects[0].(*container.Scroll).Content, width))
}

func (c ceiling) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.Position{})
	objects[0].Resize(size)
}

func (c ceiling) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(40, c.heightFor(objects, max(40, objects[0].Size().Width)))
}
