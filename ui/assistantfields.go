package ui

import (
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app/assist"
	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// assistantField is one field of the form: its name, what is typed, and what
// is wrong with that.
type assistantField struct {
	id     assist.Field
	field  *field
	wrong  *paragraph
	object *fyne.Container
}

// show says what is wrong, if anything is.
func (f *assistantField) show(wrong string) {
	f.wrong.set(wrong, f.wrong.look)
	f.wrong.Hidden = wrong == ""
	f.field.setWrong(wrong != "")
}

// assistantFields are the fields that are typed, in their order.
var assistantFields = []assist.Field{
	assist.Name, assist.Title, assist.Icon, assist.Description, assist.Container, assist.Sandbox,
	assist.Program, assist.Arguments, assist.Workspace, assist.LifecycleFolder, assist.Create, assist.Stop, assist.Remove,
}

// value is where the form keeps what a field holds.
func (a *assistant) value(id assist.Field) *string {
	f := &a.form
	return map[assist.Field]*string{
		assist.Name: &f.Name, assist.Title: &f.Title, assist.Icon: &f.Icon, assist.Description: &f.Description,
		assist.Container: &f.Container, assist.Sandbox: &f.Sandbox, assist.Program: &f.Program, assist.Arguments: &f.Arguments,
		assist.Workspace: &f.Workspace, assist.LifecycleFolder: &f.LifecycleFolder,
		assist.Create: &f.Create, assist.Stop: &f.Stop, assist.Remove: &f.Remove,
	}[id]
}

// makeFields makes what is typed into, once: it keeps the focus and the caret
// when others come and go around it.
func (a *assistant) makeFields() {
	w := a.w
	for _, id := range assistantFields {
		row := &assistantField{id: id, field: newField(*a.value(id)), wrong: newParagraph("", faint().in(tokens.Error))}
		row.wrong.Hide()
		input := fyne.CanvasObject(row.field)
		if id == assist.Program {
			a.offers = newButton(w.text("assistant.FoundPrograms"), quiet, a.offerPrograms)
			w.mark("assistant/programs", a.offers)
			input = newLine(4, row.field, row.field, a.offers)
		}
		row.object = newColumn(3, insets{}, input, row.wrong)
		row.field.onEscape = func() { a.shown.leave() }
		row.field.OnSubmitted = func(string) { a.shown.finish() }
		row.field.OnChanged = func(text string) { a.typed(id, text) }
		w.mark("assistant/"+string(id), row.field)
		a.rows[id] = row
	}
	a.where = newSegments(w, "assistant/where", []alternative{
		{value: config.Local, title: w.text("assistant.Local")},
		{value: config.Container, title: w.text("assistant.InContainer")},
		{value: config.Sbx, title: w.text("assistant.InSandbox")},
	}, config.Local, func(where string) {
		f := a.form
		f.Where = where
		a.fill(f)
	})
}

// typed takes over what is typed. A program brings its arguments along.
func (a *assistant) typed(id assist.Field, text string) {
	if *a.value(id) == text {
		return
	}
	f := a.form
	if id == assist.Program {
		f = f.WithProgram(assist.Candidate{Program: text})
		a.form.Program = text
		a.fill(f)
		return
	}
	*a.value(id) = text
	a.changed()
}

// fill shows another form, which has a name that is not taken.
func (a *assistant) fill(f assist.Form) {
	if a.form.Name == "" && f.Name != "" {
		f.Name = assist.SuggestName(f.Name, a.takenNames())
	}
	a.form = f
	for _, row := range a.rows {
		if text := *a.value(row.id); row.field.Text != text {
			row.field.SetText(text)
		}
	}
	a.draw()
	a.changed()
}

func (a *assistant) takenNames() (names []string) {
	for _, one := range a.w.backend.Agents() {
		names = append(names, one.Name)
	}
	return names
}

// draw puts the fields that there are now below one another.
func (a *assistant) draw() {
	where := a.form.Where
	if where == "" {
		where = config.Local
	}
	a.where.set(where)
	a.offers.Hidden = len(a.programs) == 0
	a.body.Objects = []fyne.CanvasObject{a.dropZone()}
	add := func(id string, o fyne.CanvasObject) { a.body.Add(a.named(a.w.text(id), o)) }
	fields := func(ids ...assist.Field) {
		for _, id := range ids {
			name := "assistant.Field." + string(id)
			if where == config.Container && slices.Contains([]assist.Field{assist.Create, assist.Stop, assist.Remove}, id) {
				name += "Container"
			}
			add(name, a.rows[id].object)
		}
	}
	for _, warning := range a.warnings {
		a.body.Add(edged(tokens.Warn, newParagraph(a.w.printer.Error(warning), muted().in(tokens.Text))))
	}
	for _, v := range a.asked {
		a.body.Add(a.named(v.name, v.object))
	}
	if a.compose != nil && len(a.compose.Services) > 0 {
		add("assistant.Service", a.services())
	}
	fields(assist.Name, assist.Title, assist.Icon, assist.Description)
	add("assistant.Where", a.where.object)
	switch where {
	case config.Container:
		fields(assist.Container)
	case config.Sbx:
		fields(assist.Sandbox)
	}
	if a.form.Program == "" && len(a.programs) > 0 {
		add("assistant.Offers", a.quickOffers())
	}
	fields(assist.Program, assist.Arguments, assist.Workspace)
	if where != config.Local {
		fields(assist.LifecycleFolder, assist.Create, assist.Stop, assist.Remove)
	}
}

func (a *assistant) named(text string, o fyne.CanvasObject) fyne.CanvasObject {
	name := framed(insets{8, 0, 0, 0}, newParagraph(text, muted()))
	return &fyne.Container{Layout: named{assistantNames - 12}, Objects: []fyne.CanvasObject{name, o}}
}

// offerPrograms is a menu of the programs that were found.
func (a *assistant) offerPrograms() {
	var items []menuItem
	for _, c := range a.programs {
		items = append(items, menuItem{id: "program/" + c.Program, text: c.Title, detail: short(c.File), do: func() { a.choose(c) }})
	}
	a.w.popUp(a.offers, items)
}

// mostOffers is how many programs are offered in one click.
const mostOffers = 6

func (a *assistant) quickOffers() fyne.CanvasObject {
	row := newWrap(6, 6)
	for _, c := range a.programs[:min(mostOffers, len(a.programs))] {
		b := newButton(c.Program, ordinary, func() { a.choose(c) })
		a.w.mark("assistant/offer/"+c.Program, b)
		row.Add(b)
	}
	return row
}

// choose fills in a program, and what can be guessed of an empty name.
func (a *assistant) choose(c assist.Candidate) {
	f := a.form.WithProgram(c)
	if f.Name == "" {
		f.Name = assist.SuggestName(c.Program, nil)
		if f.Title == "" {
			f.Title = c.Title
		}
	}
	a.fill(f)
}

// dropZone says that a file may be dropped, and which one was.
func (a *assistant) dropZone() fyne.CanvasObject {
	w := a.w
	text := newLabel(w.text("assistant.Drop"), muted())
	zone := newLine(6, nil, text)
	if a.source != "" {
		forget := newButton("✕", quiet, a.forget)
		forget.name = w.text("assistant.Forget")
		w.help(forget)
		w.mark("assistant/forget", forget)
		name := newCutLabel(filepath.Base(a.source), look{tokens.Text, tokens.Secondary, bold})
		name.least = 160
		zone.Add(name)
		zone.Add(forget)
	}
	b := newPressable(text.text, ordinary, inset(8, 12), newMiddle(zone), a.chooseFile)
	w.mark("assistant/drop", b)
	return b
}
