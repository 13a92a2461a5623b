package ui

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	mostRows    = 10
	draftPause  = 500 * time.Millisecond
	composerPad = 12
)

// composer is where the person writes: the text, who will get it, Stop and
// Send.
type composer struct {
	w      *window
	object *fyne.Container

	channel app.ChannelID
	to      []string      // chosen by hand
	editing app.MessageID // a queued message that is being changed; 0: none
	sending bool
	draft   *time.Timer // until the draft is kept
	saved   string      // the draft when the channel was opened, or left

	input    *textInput
	ruler    *widget.Label // measures how many rows the text takes
	hint     *paragraph    // what is wrong with who will get it
	fix      *button       // what can be done about it
	hintRow  *fyne.Container
	whom     *button
	commands *button
	stop     *button
	send     *button
}

func newComposer(w *window) *composer {
	c := &composer{w: w, draft: time.AfterFunc(0, func() {})}
	c.input = newTextInput(c)
	c.ruler = widget.NewLabel("")
	c.ruler.Wrapping = fyne.TextWrapWord
	c.hint = newParagraph("", muted().in(tokens.Warn))
	c.fix = newButton("", ordinary, nil)
	c.hintRow = framed(insets{0, 0, 8, 0}, newLine(8, c.hint, c.hint, c.fix))
	to := newCutLabel("", muted())
	to.least = 60
	c.whom = newPressable("", quiet, inset(4, 6), newFittingLine(4, to, to, newLabel("⌄", muted())), c.chooseWhom)
	c.whom.label = to
	c.commands = newButton("/ "+w.text("ui.Commands"), quiet, func() { c.insert("/") })
	c.stop = newButton("■ "+w.text("ui.Stop"), ordinary, c.stopAgents)
	c.stop.label.look.color = tokens.Muted
	c.send = newButton(w.text("ui.Send")+" ↵", primary, c.submit)
	for id, o := range map[string]fyne.CanvasObject{
		"composer": c.input, "to": c.whom, "commands": c.commands, "stop": c.stop, "send": c.send, "to/fix": c.fix,
	} {
		w.mark(id, o)
	}
	left := newFittingLine(8, c.whom, c.whom, c.commands)
	bar := newEnds(8, left, newLine(8, nil, c.stop, c.send))
	text := container.NewThemeOverride(c.input, bare{current{}})
	inner := newColumn(8, inset(10, composerPad), c.hintRow, text, bar)
	c.object = framed(insets{4, rowMargin, 16, rowMargin},
		newLayers(newSurface(tokens.Panel, tokens.Line, dialogRadius), inner))
	return c
}

// open shows the draft of a channel.
func (c *composer) open(id app.ChannelID) {
	c.channel, c.to, c.editing = id, nil, 0
	ch, ok := c.w.backend.Channel(id)
	c.object.Hidden, c.saved = !ok, ""
	if ok {
		c.saved = c.w.backend.Draft(id).Text
	}
	c.input.replace(c.saved)
	c.input.SetPlaceHolder(c.w.text("ui.MessageTo", "Channel", ch.Name))
	c.refresh()
}

// leave keeps the draft before another channel is shown.
func (c *composer) leave() {
	c.draft.Stop()
	if text := c.input.Text; c.channel != 0 && c.editing == 0 && text != c.saved {
		c.saved = text
		c.w.backend.SetDraft(c.channel, app.Draft{Text: text})
	}
}

// changed follows what is typed.
func (c *composer) changed(text string) {
	c.draft.Stop()
	if channel := c.channel; c.editing == 0 {
		c.draft = time.AfterFunc(draftPause, func() { c.w.backend.SetDraft(channel, app.Draft{Text: text}) })
	}
	c.refresh()
	c.w.relayout()
}

// refresh shows who will get the text, and what can be pressed.
func (c *composer) refresh() {
	c.grow()
	text := c.input.Text
	a := c.w.backend.Preview(c.channel, text, c.to)
	c.showWhom(a)
	c.showHint(a)
	c.stop.Hidden = !c.w.conversation.busy()
	c.send.setDisabled(strings.TrimSpace(text) == "" || c.sending || c.channel == 0)
	send := c.w.text("ui.Send") + " ↵"
	if c.editing != 0 {
		send = c.w.text("ui.Save") + " ↵"
	}
	c.send.setText(send)
	c.commands.Hidden = len(c.w.commands(c.channel)) == 0
	c.w.picker.refresh()
	relayout(c.object)
}

func (c *composer) showWhom(a app.Addressing) {
	to := strings.Join(c.w.titles(a.To), ", ")
	switch {
	case a.All:
		to = c.w.wakes(a.To)
	case len(a.To) == 0:
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

func (c *composer) showHint(a app.Addressing) {
	c.hintRow.Show()
	c.fix.Show()
	switch {
	case len(a.NotMembers) > 0:
		name := a.NotMembers[0]
		c.hint.set(c.w.text("ui.NotMember", "Agent", c.w.agent(name).Title), c.hint.look)
		c.fix.setText(c.w.text("ui.Add"))
		c.fix.onTapped = func() {
			c.w.report(c.w.backend.AddMember(c.channel, name))
			c.focus()
		}
	case a.Unknown != "" && a.Near != "":
		c.hint.set(c.w.text("ui.UnknownNear", "Name", a.Unknown), c.hint.look)
		c.fix.setText("@" + a.Near)
		c.fix.onTapped = func() {
			c.input.replace(strings.Replace(c.input.Text, a.Unknown, a.Near, 1))
			c.focus()
		}
	case a.Unknown != "":
		c.hint.set(c.w.text("ui.Unknown", "Name", a.Unknown), c.hint.look)
		c.fix.Hide()
	case c.editing != 0:
		c.hint.set(c.w.text("ui.EditingQueued"), c.hint.look)
		c.fix.setText(c.w.text("ui.Cancel"))
		c.fix.onTapped = c.endEditing
	default:
		c.hintRow.Hide()
	}
}

// grow gives the text as many rows as it takes, up to ten.
func (c *composer) grow() {
	rows := 1 + strings.Count(c.input.Text, "\n")
	if width := c.input.Size().Width; rows < mostRows && width > 0 {
		c.ruler.SetText(c.input.Text)
		pad := 2 * theme.InnerPadding()
		c.ruler.Resize(fyne.NewSize(width+pad-4, 10))
		line := fyne.MeasureText("M", theme.TextSize(), fyne.TextStyle{}).Height
		rows = max(rows, int((c.ruler.MinSize().Height-pad)/line+0.5))
	}
	c.input.setRows(min(max(1, rows), mostRows))
}

// chooseWhom offers the members; those chosen get the text whatever it says.
func (c *composer) chooseWhom() {
	ch, ok := c.w.backend.Channel(c.channel)
	if !ok {
		return
	}
	chosen := map[string]bool{}
	for _, n := range c.w.backend.Preview(c.channel, c.input.Text, c.to).To {
		chosen[n] = true
	}
	var items []menuItem
	for _, name := range ch.Members {
		a := c.w.agent(name)
		items = append(items, menuItem{
			id: name, text: a.Title, detail: "@" + name, agent: &a, checked: chosen[name],
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
	c.to = names
	c.refresh()
	c.focus()
}

// submit sends the text. It stays until it is in the history.
func (c *composer) submit() {
	text := strings.TrimSpace(c.input.Text)
	if text == "" || c.sending {
		return
	}
	c.w.picker.close()
	if c.editing != 0 {
		c.w.backend.EditQueued(c.editing, text)
		c.endEditing()
		return
	}
	channel := c.channel
	c.sending = true
	err := c.w.backend.Send(app.Outgoing{
		Channel: channel, Text: text, To: c.to,
		Sent: func(_ app.Message, err error) { c.w.bridge.later(func() { c.sent(channel, text, err) }) },
	})
	if err != nil {
		c.sending = false
		c.w.report(err)
	}
	c.refresh()
}

// sent empties the composer once the message is in the history.
func (c *composer) sent(channel app.ChannelID, text string, err error) {
	c.sending = false
	if err != nil {
		c.w.report(err)
		c.refresh()
		return
	}
	if channel == c.channel && strings.TrimSpace(c.input.Text) == text {
		c.draft.Stop()
		c.w.backend.SetDraft(channel, app.Draft{})
		c.saved, c.to = "", nil
		c.input.replace("")
		c.w.conversation.goToEnd()
	}
	c.refresh()
	c.w.relayout()
	c.focus()
}

// editQueued takes a message that waits back into the composer.
func (c *composer) editQueued(m app.Message) {
	c.leave()
	c.editing = m.ID
	c.input.replace(m.Text())
	c.refresh()
	c.w.relayout()
	c.focus()
}

func (c *composer) endEditing() {
	c.open(c.channel)
	c.w.relayout()
	c.focus()
}

// recall is the Up key on an empty composer: the last message again, or the
// one that still waits, to change it.
func (c *composer) recall() {
	m, ok := c.w.conversation.own()
	if !ok {
		return
	}
	for _, d := range m.Deliveries {
		if d.State != app.Queued {
			c.input.replace(m.Text())
			return
		}
	}
	c.editQueued(m)
}

func (c *composer) stopAgents() {
	c.w.backend.Stop(c.channel, "")
	c.focus()
}

// escape leaves what is going on, the smallest thing first.
func (c *composer) escape() {
	switch {
	case c.w.picker.isOpen():
		c.w.picker.close()
	case c.editing != 0:
		c.endEditing()
	case c.w.conversation.busy():
		c.stopAgents()
	}
}

// answer presses the nth option of the open question.
func (c *composer) answer(n int) bool {
	q, ok := c.w.conversation.question()
	if !ok || n >= len(q.Options) {
		return false
	}
	c.w.backend.Answer(q.ID, q.Options[n].ID)
	return true
}

// address begins a message to an agent.
func (c *composer) address(name string) {
	if !strings.Contains(c.input.Text, "@"+name) {
		c.input.replace(strings.TrimLeft("@"+name+" "+c.input.Text, " "))
	}
	c.focus()
}

// insert types at the caret.
func (c *composer) insert(text string) {
	c.focus()
	for _, r := range text {
		c.input.TypedRune(r)
	}
}

// focus goes to the text, unless something lies over the window.
func (c *composer) focus() {
	if c.w.fyne.Canvas().Overlays().Top() == nil {
		c.w.fyne.Canvas().Focus(c.input)
	}
}
