package ui

import (
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// problems says what is wrong with the configuration file, line by line, and
// what to do. It is there for as long as the file is wrong.
func (a *alerts) problems(problems []config.Problem) fyne.CanvasObject {
	w := a.w
	path := w.backend.Config().Path
	n := fileErrors(problems)
	heading, hint := w.printer.Count("ui.FileErrors", n, "File", filepath.Base(path)), w.inForce()
	if n == 0 {
		heading, hint = w.printer.Count("ui.FileWarnings", len(problems), "File", filepath.Base(path)), w.text("ui.FileIsUsed")
	}
	folded := n == 0 // warnings need nothing done at once
	if a.byHand != nil {
		folded = *a.byHand
	}
	fold := newButton(w.text("ui.Hide"), quiet, func() {
		a.byHand = new(!folded)
		a.refresh()
		w.relayout()
	})
	w.mark("problems/fold", fold)
	head := newColumn(4, insets{12, 16, 0, 16}, a.heading(heading, fold))
	if folded {
		fold.setText(w.text("ui.Show"))
		return fileCard(framed(insets{0, 0, 12, 0}, head))
	}
	head.Add(newParagraph(hint, muted()))
	list := newColumn(8, insets{})
	for _, p := range problems {
		c := tokens.Error
		if p.Severity == config.Warning {
			c = tokens.Warn
		}
		text := newParagraph(p.Text(w.printer), muted().in(tokens.Text))
		text.lead = w.text("reload.Line", "Line", p.Line)
		list.Add(edged(c, text))
	}
	line := first(problems).Line
	open := newButton(w.text("reload.OpenAtLine", "Line", line), primary, func() { w.edit(path, line) })
	return fileCard(newColumn(12, insets{}, head, framed(inset(0, 16), capped(list, 220)), a.foot(open)))
}

// first is the problem to mend first: an error, if there is one.
func first(problems []config.Problem) config.Problem {
	at := slices.IndexFunc(problems, func(p config.Problem) bool { return p.Severity == config.Error })
	return problems[max(0, at)]
}

// unreadable says that the file cannot be read at all.
func (a *alerts) unreadable(err error) fyne.CanvasObject {
	w := a.w
	path := w.backend.Config().Path
	head := newColumn(4, insets{12, 16, 0, 16},
		a.heading(w.text("reload.Unreadable", "File", filepath.Base(path))), newParagraph(w.inForce(), muted()))
	says := edged(tokens.Error, newParagraph(w.printer.Error(err), muted().in(tokens.Text)))
	open := newButton(w.text("reload.ShowInFolder"), ordinary, func() { w.showInFolder(path) })
	return fileCard(newColumn(12, insets{}, head, framed(inset(0, 16), says), a.foot(open)))
}

// inForce says what counts while the file is wrong.
func (w *window) inForce() string {
	if len(w.backend.Config().Agents) == 0 {
		return w.text("ui.NoneUntilFixed")
	}
	return w.text("ui.LastGoodStays")
}

func (a *alerts) heading(text string, actions ...fyne.CanvasObject) fyne.CanvasObject {
	name := newCutLabel(text, title())
	return newLine(8, name, append([]fyne.CanvasObject{name}, actions...)...)
}

func (a *alerts) foot(open *button) fyne.CanvasObject {
	a.w.mark("problems/open", open)
	checked := newCutLabel(a.w.text("ui.CheckedAtSave"), muted())
	return newColumn(0, insets{}, ruler(), framed(inset(10, 16), newLine(8, checked, checked, open)))
}

func fileCard(content fyne.CanvasObject) fyne.CanvasObject {
	return newLayers(newSurface(tokens.Panel, tokens.Line, cardRadius), content)
}
