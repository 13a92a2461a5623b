package ui

import (
	"slices"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// formWidth is how wide what is filled in may be: longer lines are hard to
// follow.
const formWidth = 460

// formView is a form that an agent asks to be filled in.
type formView struct {
	r      *messageRow
	card   *fyne.Container
	body   *fyne.Container
	inputs []*input
	tried  bool // to send it: what is wrong is said as it is typed
	drawn  app.QuestionState
}

// input is one field of a form: how its value is read, and what is wrong with
// it.
type input struct {
	field acp.Field
	value func() (any, bool) // nil when it is empty, false when it can't be read
	frame *field             // of what is typed; nil: nothing is
	wrong *paragraph
}

func newFormView(r *messageRow) *formView {
	v := &formView{r: r, body: newColumn(10, inset(12, 14))}
	v.body.Layout.(*column).limit = formWidth
	v.card = newLayers(newSurface(tokens.Panel, tokens.Line, cardRadius), v.body)
	return v
}

func (v *formView) object() fyne.CanvasObject { return v.card }

// show draws the form once, so that what was filled in stays.
func (v *formView) show(_ app.Message, p app.Part) {
	q := p.Question
	if v.drawn == q.State || q.Form == nil {
		return
	}
	v.drawn = q.State
	v.body.Objects, v.inputs = nil, nil
	form := q.Form.Form()
	for _, text := range []string{form.Title, q.Form.Message, form.Description} {
		if text != "" {
			v.body.Add(newParagraph(text, muted().in(tokens.Text)))
		}
	}
	if q.State != app.QuestionOpen {
		v.body.Add(v.outcome(q))
		return
	}
	for _, f := range form.Fields {
		v.addField(f)
	}
	send := newButton(v.r.w.text("ui.SendForm"), primary, func() { v.send(q.ID) })
	decline := newButton(v.r.w.text("ui.Decline"), danger, func() { v.r.w.backend.AnswerForm(q.ID, nil, false) })
	v.r.mark("form/send", send)
	v.r.mark("form/decline", decline)
	v.body.Add(framed(insets{4, 0, 0, 0}, newWrap(8, 8, send, decline)))
}

func (v *formView) outcome(q *app.Question) *label {
	switch {
	case q.State == app.QuestionCancelled:
		return newLabel(v.r.w.text("ui.QuestionCancelled"), footnote(tokens.Muted))
	case q.Chosen == "accept":
		return newLabel(v.r.w.text("ui.FormSent"), footnote(tokens.OK))
	}
	return newLabel(v.r.w.text("ui.FormDeclined"), footnote(tokens.Muted))
}

// send answers with what was filled in, or says what is wrong with it, at each
// field.
func (v *formView) send(id app.QuestionID) {
	v.tried = true
	values, first := v.check()
	if first == nil {
		v.r.w.backend.AnswerForm(id, values, true)
		return
	}
	if first.frame != nil {
		v.r.w.fyne.Canvas().Focus(first.frame)
	}
	v.r.c.list.RefreshRow(key(v.r.message.ID))
}

// check reads the form and shows what is wrong; first is the first such field.
func (v *formView) check() (values map[string]any, first *input) {
	values = map[string]any{}
	for _, in := range v.inputs {
		value, ok := in.value()
		wrong := v.r.w.wrong(in.field, value, ok)
		in.show(wrong)
		switch {
		case wrong != "" && first == nil:
			first = in
		case wrong == "" && value != nil:
			values[in.field.Name] = value
		}
	}
	return values, first
}

func (in *input) show(wrong string) {
	in.wrong.set(wrong, in.wrong.look)
	in.wrong.Hidden = wrong == ""
	if in.frame != nil {
		in.frame.setWrong(wrong != "")
	}
}

// changed looks again at a form that could not be sent.
func (v *formView) changed() {
	if v.tried {
		v.check()
		v.r.c.list.RefreshRow(key(v.r.message.ID))
	}
}

func (v *formView) addField(f acp.Field) {
	name := oneLine(f.Title)
	if f.Required {
		name += " *"
	}
	box := newColumn(4, insets{})
	if f.Type != acp.FieldBoolean {
		box.Add(newParagraph(name, muted()))
	}
	if f.Description != "" && f.Description != f.Title && f.Type != acp.FieldBoolean {
		box.Add(newParagraph(f.Description, faint()))
	}
	in := &input{field: f, wrong: newParagraph("", faint().in(tokens.Error))}
	in.wrong.Hide()
	var shown fyne.CanvasObject
	switch {
	case f.Type == acp.FieldBoolean:
		shown, in.value = v.tick(f, name)
	case f.Type == acp.FieldArray:
		shown, in.value = v.ticks(f)
	case len(f.Choices) > 0:
		shown, in.value = v.oneOf(f)
	default:
		in.frame = newField(defaultText(f.Default))
		in.frame.OnChanged = func(string) { v.changed() }
		shown, in.value = in.frame, func() (any, bool) { return parse(f.Type, in.frame.Text) }
	}
	box.Add(shown)
	box.Add(in.wrong)
	v.r.mark("form/"+f.Name, shown)
	v.inputs = append(v.inputs, in)
	v.body.Add(box)
}

// tick is a yes or no.
func (v *formView) tick(f acp.Field, name string) (fyne.CanvasObject, func() (any, bool)) {
	text := newColumn(0, insets{}, newParagraph(name, muted().in(tokens.Text)))
	if f.Description != "" && f.Description != f.Title {
		text.Add(newParagraph(f.Description, faint()))
	}
	on, _ := f.Default.(bool)
	c := newCheck(f.Title, on, text, func(bool) { v.changed() })
	return c, func() (any, bool) { return c.on, true }
}

// ticks are any number of choices.
func (v *formView) ticks(f acp.Field) (fyne.CanvasObject, func() (any, bool)) {
	chosen, _ := f.Default.([]string)
	list, all := newColumn(6, insets{}), []*check{}
	for _, choice := range f.Choices {
		text := newParagraph(oneLine(choice.Title), muted().in(tokens.Text))
		c := newCheck(choice.Title, slices.Contains(chosen, choice.Value), text, func(bool) { v.changed() })
		v.r.mark("form/"+f.Name+"/"+choice.Value, c)
		all = append(all, c)
		list.Add(c)
	}
	return list, func() (any, bool) {
		values := []string{}
		for i, c := range all {
			if c.on {
				values = append(values, f.Choices[i].Value)
			}
		}
		return values, true
	}
}

// oneOf is one of several choices.
func (v *formView) oneOf(f acp.Field) (fyne.CanvasObject, func() (any, bool)) {
	var offers []alternative
	for _, c := range f.Choices {
		offers = append(offers, alternative{value: c.Value, title: c.Title, detail: c.Description})
	}
	first, _ := f.Default.(string)
	s := newSelector(v.r.w, f.Title, offers, first, func(string) { v.changed() })
	return s.button, func() (any, bool) {
		if s.value == "" {
			return nil, true
		}
		return s.value, true
	}
}
