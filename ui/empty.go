package ui

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/assist"
)

// emptyState is what a channel without messages shows, or the window without
// a channel.
func (w *window) emptyState() fyne.CanvasObject {
	c, ok := w.backend.Channel(w.channel)
	agents := slices.DeleteFunc(w.backend.Agents(), func(a app.Agent) bool { return a.Removed })
	heading, hint := w.titleOf(c), c.Description
	body := newColumn(12, inset(0, 0))
	switch {
	case len(agents) == 0:
		if !ok {
			heading = w.text("ui.NoAgentsTitle")
		}
		hint = w.text("ui.NoAgentsHint")
		add := newButton(w.text("assistant.Title"), primary, w.addAgent)
		w.mark("add-agent", add)
		body.Add(newMiddle(add))
	case !ok:
		heading, hint = w.text("ui.NoChannelTitle"), w.text("ui.NoChannelHint")
		body.Add(newMiddle(newButton(w.text("ui.NewChannel"), primary, w.createChannel)))
	case len(c.Members) == 0:
		next := w.text("ui.NoMembersHint")
		body.Add(centredParagraph(next, muted()))
		for _, a := range agents[:min(6, len(agents))] {
			body.Add(w.candidate(c, a))
		}
	default:
		body.Add(centredParagraph(w.text("ui.EmptyHint"), muted()))
		for _, name := range c.Members[:min(6, len(c.Members))] {
			body.Add(w.greeting(w.agent(name)))
		}
		if len(agents) == 1 {
			w.offerMore(body)
		}
	}
	top := newColumn(8, insets{}, centredParagraph(heading, title()))
	if hint != "" {
		top.Add(centredParagraph(hint, muted()))
	}
	top.Add(framed(insets{4, 0, 0, 0}, body))
	return top
}

func centredParagraph(text string, l look) *paragraph {
	p := newParagraph(text, l)
	p.centre = true
	return p
}

// candidate offers to make an agent a member.
func (w *window) candidate(c app.Channel, a app.Agent) fyne.CanvasObject {
	add := newButton(w.text("ui.Add"), ordinary, func() { w.report(w.backend.AddMember(c.ID, a.Name)) })
	w.mark("add/"+a.Name, add)
	text := newCutLabel(a.Description, muted())
	return card(inset(8, 12), newLine(8, text, newAvatar(a, 22), newLabel(a.Title, strong()), text, add))
}

// offerMore leads from a first agent, most often the guide, to others: the
// programs of this computer that speak ACP, each one press away.
func (w *window) offerMore(body *fyne.Container) {
	offer := func(id, name, detail, add string, do func()) {
		b := newButton(add, ordinary, do)
		w.mark("offer/"+id, b)
		text := newCutLabel(detail, muted())
		row := newLine(8, text, text, b)
		if name != "" {
			row.Objects = append([]fyne.CanvasObject{newLabel(name, strong())}, row.Objects...)
		}
		body.Add(card(inset(8, 12), row))
	}
	for _, c := range w.programs[:min(mostOffers, len(w.programs))] {
		offer(c.Program, c.Program, w.text("assistant.Found"), w.text("ui.Add"), func() { w.openAssistant(assist.Form{}).choose(c) })
	}
	offer("other", "", w.text("assistant.SomethingElse"), w.text("assistant.Title"), w.addAgent)
}

// lookForPrograms finds the programs to offer, apart from everything else.
func (w *window) lookForPrograms() {
	w.bridge.beside(func(context.Context) func() {
		found := w.backend.Programs()
		return func() {
			w.programs = found
			w.conversation.refreshEmpty()
		}
	})
}

// greeting is a member of an empty channel: pressing addresses it.
func (w *window) greeting(a app.Agent) fyne.CanvasObject {
	text := newCutLabel("@"+a.Name+describe(a), muted())
	row := newLine(8, text, newAvatar(a, 22), newLabel(a.Title, strong()), text, newDot(a.State))
	b := newPressable(a.Title, ordinary, inset(8, 12), row, func() { w.composer.address(a.Name) })
	w.mark("greet/"+a.Name, b)
	return b
}

// describe continues a name with what the agent does.
func describe(a app.Agent) string {
	if a.Description == "" {
		return ""
	}
	return " · " + a.Description
}

// centred gives its object at most 440 of the width, in the middle.
type centred struct{}

func (centred) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		w := min(440, size.Width-40)
		h := heightFor(o, w)
		o.Resize(fyne.NewSize(w, h))
		o.Move(fyne.NewPos((size.Width-w)/2, max(0, (size.Height-h)/2)))
	}
}

func (centred) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// newMiddle centres an object in the width.
func newMiddle(o fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: middle{}, Objects: []fyne.CanvasObject{o}}
}

type middle struct{}

func (middle) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	o := objects[0]
	o.Resize(o.MinSize())
	o.Move(fyne.NewPos((size.Width-o.MinSize().Width)/2, 0))
}

func (middle) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }
