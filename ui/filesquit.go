package ui

import (
	"context"
	"errors"
	"path"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// unsaved are the open files whose text is not saved.
func (w *window) unsaved() (pages []*filePage) {
	for _, f := range w.folders {
		for _, name := range f.unsaved() {
			pages = append(pages, f.pages[name])
		}
	}
	return pages
}

// quit closes the window, after asking when a text would be lost.
func (w *window) quit() {
	pages := w.unsaved()
	if len(pages) == 0 {
		w.fyne.Close()
		return
	}
	if w.quitting != nil && w.stage() == w.quitting.stage {
		return // it is being asked
	}
	var names []string
	for _, p := range pages {
		names = append(names, path.Base(p.name))
	}
	drop := newButton(w.text("files.QuitAnyway"), danger, nil)
	w.mark("dialog/quit-anyway", drop)
	w.quitting = w.ask(dialog{
		title: w.text("files.QuitTitle"), text: w.printer.Count("files.QuitUnsaved", len(names), "Names", strings.Join(names, ", ")),
		body: newWrap(0, 0, drop), confirm: w.text("files.SaveAll"),
		done: func() error {
			w.saveAll(pages)
			return nil
		},
	})
	drop.onTapped = func() {
		w.quitting.leave()
		w.fyne.Close()
	}
}

// saveAll saves the texts and then closes the window; what cannot be saved
// keeps it open, and is shown.
func (w *window) saveAll(pages []*filePage) {
	if len(pages) == 0 {
		w.quit()
		return
	}
	p := pages[0]
	files, ok := p.f.files()
	if !ok || p.editor == nil {
		return
	}
	text, name, version := p.editor.Text(), p.name, p.content.Version
	w.bridge.beside(func(ctx context.Context) func() {
		saved, err := files.Save(ctx, name, []byte(text), version)
		return func() {
			var changed *app.ChangedError
			if err != nil {
				w.showAgent(p.f.agent)
				w.panel.show(filesTab)
				p.f.open(name, 0)
				if p.clash = errors.As(err, &changed); !p.clash {
					p.f.fail(err)
				}
				p.showBanner()
				return
			}
			p.kept(text, saved, "", p.entry, nil)
			w.saveAll(pages[1:])
		}
	})
}
