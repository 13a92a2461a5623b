package ui

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// formView is a form that an agent asks to be filled in.
type formView struct {
	r      *messageRow
	card   *fyne.Container
	body   *fyne.Container
	inputs []input
	drawn  app.QuestionState
}

// input is one field of a form and how its value is read. An empty value that
// is not required is nil.
type input struct {
	field acp.Field
	value func() (any, bool)
}

func newFormView(r *messageRow) *formView {
	v := &formView{r: r, body: newColumn(8, inset(10, 12))}
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
	if q.Form.Message != "" {
		v.body.Add(newParagraph(q.Form.Message, muted().in(tokens.Text)))
	}
	if q.State != app.QuestionOpen {
		v.body.Add(v.outcome(q))
		return
	}
	for _, f := range form.Fields {
		v.addField(f)
	}
	trouble := newParagraph("", muted().in(tokens.Error))
	trouble.Hide()
	send := newButton(v.r.w.text("ui.SendForm"), primary, func() {
		values, wrong := v.values()
		if wrong == "" {
			v.r.w.backend.AnswerForm(q.ID, values, true)
			return
		}
		trouble.set(v.r.w.text("ui.FieldWrong", "Field", wrong), trouble.look)
		trouble.Show()
		v.r.c.list.RefreshRow(key(v.r.message.ID))
	})
	decline := newButton(v.r.w.text("ui.Decline"), danger, func() { v.r.w.backend.AnswerForm(q.ID, nil, false) })
	v.r.mark("form/send", send)
	v.r.mark("form/decline", decline)
	v.body.Add(trouble)
	v.body.Add(newWrap(8, 8, send, decline))
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

func (v *formView) addField(f acp.Field) {
	name := f.Title
	if f.Required {
		name += " *"
	}
	box := newColumn(4, insets{}, newParagraph(name, muted()))
	if f.Description != "" && f.Description != f.Title {
		box.Add(newParagraph(f.Description, faint()))
	}
	shown, value := newInput(f)
	box.Add(shown)
	v.r.mark("form/"+f.Name, shown)
	v.inputs = append(v.inputs, input{f, value})
	v.body.Add(box)
}

// newInput is the widget for a field and the reader of its value, which
// reports false when it can't be read.
func newInput(f acp.Field) (fyne.CanvasObject, func() (any, bool)) {
	switch {
	case f.Type == acp.FieldBoolean:
		check := widget.NewCheck("", nil)
		check.Checked, _ = f.Default.(bool)
		return check, func() (any, bool) { return check.Checked, true }
	case f.Type == acp.FieldArray:
		group := widget.NewCheckGroup(titles(f.Choices), nil)
		chosen, _ := f.Default.([]string)
		for _, c := range f.Choices {
			for _, value := range chosen {
				if value == c.Value {
					group.Selected = append(group.Selected, c.Title)
				}
			}
		}
		return group, func() (any, bool) { return values(f.Choices, group.Selected), true }
	case len(f.Choices) > 0:
		choice := widget.NewSelect(titles(f.Choices), nil)
		choice.PlaceHolder = " "
		for _, c := range f.Choices {
			if c.Value == f.Default {
				choice.Selected = c.Title
			}
		}
		return newLayers(choice, newSurface("", tokens.Line, controlRadius)), func() (any, bool) {
			if chosen := values(f.Choices, []string{choice.Selected}); len(chosen) > 0 {
				return chosen[0], true
			}
			return nil, true
		}
	}
	entry := newField(defaultText(f.Default))
	return entry, func() (any, bool) { return parse(f.Type, strings.TrimSpace(entry.Text)) }
}

func parse(t acp.FieldType, text string) (any, bool) {
	if text == "" {
		return nil, true
	}
	switch t {
	case acp.FieldInteger:
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil
	case acp.FieldNumber:
		n, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
		return n, err == nil
	}
	return text, true
}

func defaultText(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case int64:
		return strconv.FormatInt(value, 10)
	case float64:
		return strconv.FormatFloat(value, 'g', -1, 64)
	}
	return ""
}

func titles(choices []acp.FieldChoice) []string {
	var out []string
	for _, c := range choices {
		out = append(out, c.Title)
	}
	return out
}

func values(choices []acp.FieldChoice, chosen []string) []string {
	out := []string{}
	for _, c := range choices {
		for _, t := range chosen {
			if t == c.Title {
				out = append(out, c.Value)
				break
			}
		}
	}
	return out
}

// values reads the form. It names the first field that is wrong.
func (v *formView) values() (values map[string]any, wrong string) {
	values = map[string]any{}
	for _, in := range v.inputs {
		value, ok := in.value()
		if !ok || value == nil && in.field.Required || !within(in.field, value) {
			return nil, in.field.Title
		}
		if value != nil {
			values[in.field.Name] = value
		}
	}
	return values, ""
}

// within tells whether a value keeps the bounds of its field.
func within(f acp.Field, value any) bool {
	var size float64
	switch value := value.(type) {
	case string:
		size = float64(len([]rune(value)))
	case int64:
		size = float64(value)
	case float64:
		size = value
	case []string:
		size = float64(len(value))
	default:
		return true
	}
	return (f.Min == nil || size >= *f.Min) && (f.Max == nil || size <= *f.Max)
}
