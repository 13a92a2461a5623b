package ui

import (
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	mostRows    = 10
	draftPause  = 500 * time.Millisecond
	composerPad = 12
)

// composer is where the person writes: what waits already, the text with its
// files, who will get it, Stop and Send. It is the message that is being
// written; sending.go has what is done with it.
type composer struct {
	w      *window
	object *fyne.Container
	high   float32 // as it was laid out

	channel  app.ChannelID
	draft    *time.Timer   // until the draft is kept
	saved    app.Draft     // as it is kept
	to       []string      // chosen by hand
	toNames  []string      // that the text had then
	joining  []string      // agents picked that become members when it is sent
	editing  app.MessageID // a queued message that is being changed; 0: none
	sending  bool
	pasted   string         // a text that was attached instead
	pastedAs []string       // its files
	asked    app.QuestionID // the question that Enter answers, as the advice says
	folder   string         // that files were chosen in

	queue    *queue
	files    *attachments
	input    *textInput
	advice   *adviceRow
	whom     *button
	file     *button
	commands *button
	stop     *button
	send     *button
}

func newComposer(w *window) *composer {
	c := &composer{w: w, draft: time.AfterFunc(0, func() {}), queue: newQueue(w)}
	c.input, c.files, c.advice = newTextInput(c), newAttachments(c), newAdviceRow()
	to := newCutLabel("", muted())
	to.least = 60
	c.whom = newPressable("", quiet, inset(4, 6), newFittingLine(4, to, to, newLabel("⌄", muted())), c.chooseWhom)
	c.whom.label = to
	c.file = newButton("+ "+w.text("compose.File"), quiet, c.chooseFiles)
	c.commands = newButton("/ "+w.text("ui.Commands"), quiet, func() { c.insert("/") })
	c.stop = newButton("■ "+w.text("ui.Stop"), ordinary, c.stopAgents)
	c.stop.label.look.color = tokens.Muted
	c.send = newButton("", primary, c.submit)
	for id, o := range map[string]fyne.CanvasObject{
		"composer": c.input, "to": c.whom, "file": c.file, "commands": c.commands, "stop": c.stop, "send": c.send, "to/fix": c.advice.fix,
	} {
		w.mark(id, o)
	}
	w.fyne.SetOnDropped(c.dropped)
	text := container.NewThemeOverride(c.input, inked{current{}})
	left := newFittingLine(4, c.whom, c.whom, c.file, c.commands)
	inner := newColumn(8, inset(10, composerPad), c.advice.object, c.files.object,
		framed(insets{left: -caretWidth}, &fyne.Container{Layout: growing{c.input}, Objects: []fyne.CanvasObject{text}}),
		newEnds(8, framed(insets{left: -6}, left), newLine(8, nil, c.stop, c.send))) // the words of the buttons begin where the text does
	c.object = newColumn(0, insets{4, rowMargin, 16, rowMargin}, c.queue.object,
		newLayers(newSurface(tokens.Panel, tokens.Line, dialogRadius), inner))
	return c
}

// open shows the draft of a channel.
func (c *composer) open(id app.ChannelID) {
	c.channel, c.editing, c.saved = id, 0, app.Draft{}
	c.forget()
	ch, ok := c.w.backend.Channel(id)
	c.object.Hidden = !ok
	if ok {
		c.saved = c.w.backend.Draft(id)
	}
	c.input.replace(c.saved.Text)
	c.files.set(c.saved.Files)
	c.queue.open(id)
	c.input.SetPlaceHolder(c.w.promptIn(ch))
	if a, direct := c.w.direct(ch); direct {
		c.input.SetPlaceHolder(c.w.text("compose.MessageAgent", "Agent", oneLine(a.Title)))
	}
	c.refresh()
}

// forget lets go of what was decided about one message.
func (c *composer) forget() {
	c.to, c.toNames, c.joining, c.pasted, c.pastedAs, c.asked = nil, nil, nil, "", nil, ""
}

// written is the message as it stands.
func (c *composer) written() app.Draft {
	return app.Draft{Text: c.input.Text, Files: c.files.paths()}
}

// leave keeps the draft before another channel is shown.
func (c *composer) leave() {
	c.draft.Stop()
	if d := c.written(); c.channel != 0 && c.editing == 0 && !same(d, c.saved) {
		c.saved = d
		c.w.backend.SetDraft(c.channel, d)
	}
}

func same(a, b app.Draft) bool { return a.Text == b.Text && slices.Equal(a.Files, b.Files) }

// typed follows what the person types.
func (c *composer) typed() {
	c.pasted = ""
	c.changed()
}

// changed follows what is in the composer.
func (c *composer) changed() {
	c.draft.Stop()
	if channel, d := c.channel, c.written(); c.editing == 0 {
		c.draft = time.AfterFunc(draftPause, func() { c.w.backend.SetDraft(channel, d) })
	}
	c.refresh()
}

// refresh shows who will get the text, and what can be pressed. What is around
// the composer moves only when its height changed.
func (c *composer) refresh() {
	names := c.names()
	c.keepTo(names)
	a := c.w.backend.Preview(c.channel, c.input.Text, c.to)
	c.showWhom(a)
	c.showAdvice(a)
	c.showButtons()
	c.w.picker.refresh()
	c.input.mark(c.spans(names))
	if high := heightFor(c.object, c.object.Size().Width); high != c.high {
		c.high = high
		c.w.relayout()
		return
	}
	relayout(c.object)
}

func (c *composer) showButtons() {
	empty := strings.TrimSpace(c.input.Text) == "" && (len(c.files.files) == 0 || c.editing != 0)
	c.stop.Hidden = !c.w.conversation.busy()
	c.send.setDisabled(empty || c.sending || c.channel == 0)
	send := "ui.Send"
	switch {
	case c.editing != 0:
		send = "ui.Save"
	case c.asked != "":
		send = "compose.Answer"
	}
	c.send.setText(c.w.text(send) + " ↵")
	c.file.Hidden = c.editing != 0
	c.commands.Hidden = !c.w.hasCommands(c.channel)
}

func (c *composer) showWhom(a app.Addressing) {
	to := strings.Join(c.w.titles(append(slices.Clone(a.To), c.join(a)...)), ", ")
	switch {
	case a.All && len(a.To) > 1:
		to = c.w.wakes(a.To)
	case to == "":
		to = c.w.text("ui.Nobody")
	}
	c.whom.setText(oneLine(c.w.text("ui.To", "Names", to)))
}

// wakes says how many agents @all reaches, and how many of them must start.
func (w *window) wakes(members []string) string {
	stopped := 0
	for _, m := range members {
		if !isRunning(w.agent(m).State) {
			stopped++
		}
	}
	if stopped == 0 {
		return w.printer.Count("ui.All", len(members))
	}
	return w.printer.Count("ui.All", len(members)) + ", " + w.printer.Count("ui.OfThemStopped", stopped)
}

// chooseWhom offers the members; those chosen get the text, until it names
// somebody else.
func (c *composer) chooseWhom() {
	ch, ok := c.w.backend.Channel(c.channel)
	if !ok {
		return
	}
	to := c.w.backend.Preview(c.channel, c.input.Text, c.to).To
	var items []menuItem
	for _, name := range ch.Members {
		a := c.w.agent(name)
		items = append(items, menuItem{
			id: name, text: a.Title, detail: "@" + name, agent: &a, checked: slices.Contains(to, name),
			do: func() { c.setTo([]string{name}) },
		})
	}
	if len(ch.Members) > 1 {
		items = append(items, menuItem{text: c.w.wakes(ch.Members), do: func() { c.setTo(ch.Members) }})
	}
	if len(c.to) > 0 {
		items = append(items, menuItem{}, menuItem{text: c.w.text("ui.TextDecides"), do: func() { c.setTo(nil) }})
	}
	if len(items) == 0 {
		items = append(items, menuItem{text: c.w.text("ui.NoMembers")})
	}
	c.w.popUp(c.whom, items)
}

func (c *composer) setTo(names []string) {
	c.to, c.toNames = names, nil
	for _, n := range c.names() {
		c.toNames = append(c.toNames, n.name)
	}
	c.refresh()
	c.focus()
}

// keepTo drops the choice made by hand once the text names somebody new: what
// was done last counts.
func (c *composer) keepTo(names []mentioned) {
	if slices.ContainsFunc(names, func(n mentioned) bool { return !slices.Contains(c.toNames, n.name) }) {
		c.to = nil
	}
}

// address begins a message to an agent.
func (c *composer) address(name string) {
	if !strings.Contains(c.input.Text, "@"+name) {
		c.input.replace(strings.TrimLeft("@"+name+" "+c.input.Text, " "))
		c.changed()
	}
	c.focus()
}

// insert types at the caret.
func (c *composer) insert(text string) {
	c.focus()
	c.input.insert(text)
}

// focus goes to the text, unless something lies over the window.
func (c *composer) focus() {
	if c.w.fyne.Canvas().Overlays().Top() == nil && !c.w.finder.isOpen() {
		c.w.fyne.Canvas().Focus(c.input)
	}
}
