package ui

import (
	"slices"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
)

// submit is Enter: it sends the message, saves the one that is being changed,
// or answers the question that the advice names.
func (c *composer) submit() {
	text := strings.TrimSpace(c.input.Text)
	if c.sending || text == "" && (len(c.files.files) == 0 || c.editing != 0) {
		return
	}
	c.w.picker.close()
	switch {
	case c.editing != 0:
		c.w.backend.EditQueued(c.editing, text)
		c.endEditing()
	case c.asked != "":
		c.answer()
	default:
		c.deliver(text)
	}
}

// deliver sends the message. It stays in the composer until it is in the
// history.
func (c *composer) deliver(text string) {
	a := c.w.backend.Preview(c.channel, c.input.Text, c.to)
	for _, name := range c.join(a) {
		if err := c.w.backend.AddMember(c.channel, name); err != nil {
			c.w.report(err)
			return
		}
	}
	channel, d := c.channel, c.written()
	c.sending = true
	err := c.w.backend.Send(app.Outgoing{
		Channel: channel, Text: text, To: c.to, Files: d.Files,
		Sent: func(_ app.Message, err error) { c.w.bridge.later(func() { c.sent(channel, d, err) }) },
	})
	if err != nil {
		c.sending = false
		c.w.report(err)
	}
	c.refresh()
}

// sent empties the composer once the message is in the history, or takes it
// out of the draft of a channel that was left meanwhile.
func (c *composer) sent(channel app.ChannelID, d app.Draft, err error) {
	c.sending = false
	switch {
	case err != nil:
		if !c.files.refused(err) {
			c.w.report(err)
		}
	case channel == c.channel && same(d, c.written()):
		c.clear()
		c.w.conversation.list.ScrollToEnd()
	case channel != c.channel && same(d, c.w.backend.Draft(channel)):
		c.w.backend.SetDraft(channel, app.Draft{})
	}
	c.refresh()
	c.focus()
}

// clear begins another message.
func (c *composer) clear() {
	c.draft.Stop()
	c.w.backend.SetDraft(c.channel, app.Draft{})
	c.saved = app.Draft{}
	c.forget()
	c.input.replace("")
	c.files.set(nil)
}

// join is who becomes a member when the message is sent: agents that were
// picked as such and that it still names.
func (c *composer) join(a app.Addressing) []string {
	return slices.DeleteFunc(slices.Clone(a.NotMembers), func(n string) bool { return !slices.Contains(c.joining, n) })
}

// editQueued takes a message that waits back into the composer.
func (c *composer) editQueued(m app.Message) {
	if c.tooLong(m) {
		return
	}
	c.leave()
	c.forget()
	c.editing = m.ID
	c.files.show()
	c.input.replace(m.Text())
	c.refresh()
	c.focus()
}

// tooLong says so of a message that cannot be changed here.
func (c *composer) tooLong(m app.Message) bool {
	if len(m.Text()) <= 4*maxTyped {
		return false
	}
	c.w.tell(c.w.text("compose.TooLong"))
	return true
}

func (c *composer) endEditing() {
	c.open(c.channel)
	c.focus()
}

// recall is the Up key on an empty composer: the last message that still
// waits, to change it, or else the last message again.
func (c *composer) recall() {
	if m, ok := c.queue.last(); ok {
		c.editQueued(m)
		return
	}
	m, ok := c.w.conversation.own()
	if !ok || c.tooLong(m) {
		return
	}
	c.input.replace(m.Text())
	var paths []string
	for _, p := range m.Parts {
		if p.Kind != app.AttachmentPart || p.Content == nil {
			continue
		}
		if path, ok := app.FilePath(p.Content.URI); ok {
			paths = append(paths, path)
		}
	}
	c.files.set(append(c.files.paths(), paths...))
	c.changed()
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

// chosen is the option of the channel's oldest question that a digit alone in
// the composer means. Nothing is answered by typing it: Enter does, after the
// advice has said what.
func (c *composer) chosen() (q app.Question, o acp.PermissionOption, ok bool) {
	text := c.input.Text
	if len(text) != 1 || text < "1" || text > "9" || c.editing != 0 || len(c.files.files) > 0 {
		return q, o, false
	}
	n := int(text[0] - '1')
	q, ok = c.w.conversation.question()
	if !ok || n >= len(q.Options) {
		return q, o, false
	}
	return q, q.Options[n], true
}

// answer settles the question that the advice named. If it is another one by
// now, or none, nothing happens but that the advice says so.
func (c *composer) answer() {
	q, o, ok := c.chosen()
	if ok && q.ID == c.asked {
		c.w.backend.Answer(q.ID, o.ID)
		c.input.replace("")
	}
	c.asked = ""
	c.changed()
}
