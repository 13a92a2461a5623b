package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// adviceRow is a line above the text of the composer: something to know before
// it is sent, with a button that does something about it.
type adviceRow struct {
	object *fyne.Container
	text   *paragraph
	fix    *button
}

// advice is what the line says.
type advice struct {
	text string
	calm bool   // nothing is wrong
	fix  string // on the button; empty: none
	do   func()
}

func newAdviceRow() *adviceRow {
	r := &adviceRow{text: newParagraph("", muted()), fix: newButton("", ordinary, nil)}
	r.object = framed(insets{0, 0, 2, 0}, newLine(8, r.text, r.text, r.fix))
	return r
}

func (r *adviceRow) show(a advice) {
	r.object.Hidden, r.fix.Hidden = a.text == "", a.fix == ""
	color := tokens.Warn
	if a.calm {
		color = tokens.Muted
	}
	r.text.set(a.text, r.text.look.in(color))
	r.fix.setText(a.fix)
	r.fix.onTapped = a.do
}

func (c *composer) showAdvice(a app.Addressing) {
	q, o, answers := c.chosen()
	c.asked = ""
	switch {
	case c.editing != 0:
		c.advice.show(advice{text: c.w.text("ui.EditingQueued"), calm: true, fix: c.w.text("ui.Cancel"), do: c.endEditing})
	case answers:
		c.asked = q.ID
		c.advice.show(c.aboutQuestion(q, o.Name))
	case c.pasted != "":
		c.advice.show(c.aboutPaste())
	case len(a.NotMembers) > 0:
		c.advice.show(c.aboutStrangers(a))
	case a.Unknown != "":
		c.advice.show(c.aboutUnknown(a))
	default:
		c.advice.show(advice{})
	}
}

func (c *composer) aboutQuestion(q app.Question, option string) advice {
	title := oneLine(q.Title)
	if title == "" {
		title = c.w.text("ui.Permission", "Agent", c.w.agent(q.Agent).Title)
	}
	return advice{
		text: c.w.text("compose.EnterAnswers", "Question", title, "Option", oneLine(option)),
		fix:  c.w.text("compose.SendAsText", "Text", c.input.Text),
		do:   func() { c.deliver(c.input.Text) },
	}
}

func (c *composer) aboutPaste() advice {
	text, paths := c.pasted, c.pastedAs
	if len(text) > maxTyped {
		return advice{text: c.w.text("compose.PastedLong"), calm: true}
	}
	return advice{
		text: c.w.text("compose.PastedFiles"), calm: true, fix: c.w.text("compose.PasteText"),
		do: func() {
			c.pasted = ""
			c.files.take(paths)
			c.insert(text)
		},
	}
}

// aboutStrangers is about agents that are named and are no members: those that
// were picked become members with the message, the others when the person
// says so.
func (c *composer) aboutStrangers(a app.Addressing) advice {
	joining := c.join(a)
	if len(joining) == len(a.NotMembers) {
		return advice{
			text: c.w.printer.Count("compose.Joins", len(joining), "Agents", c.listed(joining)),
			calm: true, fix: c.w.text("compose.DontAdd"),
			do: func() {
				c.joining = nil
				c.refresh()
				c.focus()
			},
		}
	}
	left := slices.DeleteFunc(slices.Clone(a.NotMembers), func(n string) bool { return slices.Contains(joining, n) })
	return advice{
		text: c.w.printer.Count("compose.NotMembers", len(left), "Agents", c.listed(left)), fix: c.w.text("ui.Add"),
		do: func() {
			for _, name := range left {
				c.w.report(c.w.backend.AddMember(c.channel, name))
			}
			c.focus()
		},
	}
}

func (c *composer) listed(names []string) string { return strings.Join(c.w.titles(names), ", ") }

func (c *composer) aboutUnknown(a app.Addressing) advice {
	if a.Near == "" {
		return advice{text: c.w.text("ui.Unknown", "Name", a.Unknown)}
	}
	return advice{
		text: c.w.text("ui.UnknownNear", "Name", a.Unknown), fix: "@" + a.Near,
		do: func() {
			c.input.replace(strings.Replace(c.input.Text, a.Unknown, a.Near, 1))
			c.changed()
			c.focus()
		},
	}
}
