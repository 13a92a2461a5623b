package ui

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app/assist"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// variableField asks for the value of a variable of a Compose file.
type variableField struct {
	name   string
	field  *field
	object fyne.CanvasObject
}

// chooseFile looks for the file to fill the form from. The assistant is away
// meanwhile.
func (a *assistant) chooseFile() {
	w, form := a.w, a.form
	back := func() *assistant { return w.openAssistant(form) }
	a.shown.leave()
	f := &fileFinder{w: w, left: func() { back() }}
	f.chosen = func(path string) { back().take(path) }
	f.open(filepath.Dir(w.backend.Config().Path))
}

// take fills the form from a file that was dropped or chosen.
func (a *assistant) take(path string) {
	a.doubt()
	a.taken++
	n, given := a.taken, a.given()
	a.w.bridge.beside(func(ctx context.Context) func() {
		kind, err := assist.Identify(path)
		var compose *assist.Compose
		var sandbox *assist.SandboxFile
		switch {
		case err != nil:
		case kind == assist.ComposeFile:
			compose, err = assist.ReadCompose(ctx, path, given)
		case kind == assist.SandboxConfig:
			sandbox, err = assist.ReadSandbox(path)
		case kind == assist.Configuration:
			err = errors.New(a.w.text("assistant.IsConfiguration", "File", filepath.Base(path)))
		case kind == assist.Unknown:
			err = errors.New(a.w.text("assistant.UnknownFile", "File", filepath.Base(path)))
		}
		return func() {
			switch {
			case a.w.assistant != a || n != a.taken: // another one since then
			case err != nil:
				a.changed()
				a.shown.fail(err)
			case compose != nil:
				a.takeCompose(compose)
			case sandbox != nil:
				a.source, a.compose, a.asked, a.warnings = path, nil, nil, sandbox.Warnings
				a.fill(a.form.WithSandbox(sandbox))
			default:
				a.source, a.compose, a.asked, a.warnings = path, nil, nil, nil
				a.fill(a.form.WithAgentFile(path))
			}
		}
	})
}

// takeCompose takes a Compose file over: the variables that have no value are
// asked for, then one of its services is chosen.
func (a *assistant) takeCompose(c *assist.Compose) {
	if a.source != c.Path {
		a.asked, a.service = nil, ""
	}
	a.source, a.compose, a.warnings = c.Path, c, c.Warnings
	for _, v := range c.Unresolved {
		a.ask(v)
	}
	if a.service == "" && len(c.Services) == 1 {
		a.service = c.Services[0].Name
	}
	i := slices.IndexFunc(c.Services, func(s assist.Service) bool { return s.Name == a.service })
	if i < 0 {
		a.draw()
		a.changed()
		return
	}
	f := a.form
	if f.Name == "" {
		f.Name = assist.SuggestName(a.service, nil)
	}
	a.fill(f.WithService(c, c.Services[i]))
}

// ask asks for the value of a variable, once.
func (a *assistant) ask(v assist.Variable) {
	if slices.ContainsFunc(a.asked, func(known *variableField) bool { return known.name == v.Name }) {
		return
	}
	path, input := a.source, newField("")
	input.SetPlaceHolder(a.w.text("assistant.Variable", "File", filepath.Base(path)))
	input.onEscape = func() { a.shown.leave() }
	input.OnChanged = func(string) { a.take(path) }
	a.w.mark("assistant/variable/"+v.Name, input)
	box := newColumn(3, insets{}, input)
	if v.Hint != "" {
		box.Add(newParagraph(v.Hint, faint()))
	}
	a.asked = append(a.asked, &variableField{v.Name, input, box})
	if len(a.asked) == 1 {
		a.w.bridge.later(func() { a.w.fyne.Canvas().Focus(input) }) // once it is there
	}
}

// given are the values that were filled in.
func (a *assistant) given() map[string]string {
	values := map[string]string{}
	for _, v := range a.asked {
		if v.field.Text != "" {
			values[v.name] = v.field.Text
		}
	}
	return values
}

// services chooses the service of a Compose file that is the agent.
func (a *assistant) services() fyne.CanvasObject {
	var offers []alternative
	for _, s := range a.compose.Services {
		offers = append(offers, alternative{value: s.Name, title: s.Name, detail: s.Image})
	}
	s := newSelector(a.w, a.w.text("assistant.Service"), offers, a.service, func(name string) {
		a.service = name
		a.takeCompose(a.compose)
	})
	a.w.mark("assistant/service", s.button)
	return s.button
}

// forget takes the file back; what it filled in stays to be changed.
func (a *assistant) forget() {
	a.source, a.compose, a.asked, a.warnings = "", nil, nil, nil
	a.fill(a.form.WithAgentFile(""))
}

// dropped takes files that were dropped on the window: where the assistant is
// open, they are for it; on the composer, they go with the message. Anywhere
// else, one that describes an agent opens the assistant.
func (w *window) dropped(at fyne.Position, paths []string) {
	composer := w.place(w.composer.object)
	switch {
	case len(paths) == 0:
	case w.assistant != nil:
		w.assistant.take(paths[0])
	case w.fyne.Canvas().Overlays().Top() != nil: // a dialog waits for an answer
	case w.dropOnFiles(at, paths):
	case len(paths) > 1 || at.Y >= composer.Y && at.X >= composer.X && at.X < composer.X+composer.W:
		w.composer.attach(paths)
	default:
		w.takeFile(paths[0])
	}
}

// takeFile does with a file what it is for.
func (w *window) takeFile(path string) {
	w.bridge.beside(func(context.Context) func() {
		kind, err := assist.Identify(path)
		return func() {
			switch {
			case w.fyne.Canvas().Overlays().Top() != nil:
			case err != nil || kind == assist.Unknown:
				w.composer.attach([]string{path})
			case kind == assist.Configuration:
				w.askOpenConfig(path)
			default:
				w.openAssistant(assist.Form{}).take(path)
			}
		}
	})
}

// askOpenConfig asks before another configuration takes the place of this one.
func (w *window) askOpenConfig(path string) {
	w.ask(dialog{
		title: w.text("assistant.OpenConfig", "File", filepath.Base(path)), text: w.text("assistant.OpenConfigHint"),
		body: newCutLabel(short(path), muted().in(tokens.Text)), confirm: w.text("assistant.OpenIt"),
		done: func() error { w.openConfig(path); return nil },
	})
}
