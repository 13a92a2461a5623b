package ui

import (
	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// What is new in a conversation, whether it was seen, and the ways to it.

// firstUnread is the first message of another that was not read.
func (c *conversation) firstUnread(ch app.Channel) app.MessageID {
	list, err := c.w.backend.MessagesAfter(ch.ID, ch.ReadUpTo, page)
	c.check(err)
	for _, m := range list {
		if m.Kind != app.FromPerson {
			return m.ID
		}
	}
	return 0
}

// see takes note of what the person has in front of them.
func (c *conversation) see() {
	if !c.w.front {
		return
	}
	first, end := c.list.InView()
	if i, known := locate(c.messages, c.news); known && first <= i && i < end {
		c.reached = true
	}
	if c.atEnd() {
		c.unseen, c.reached = 0, true
		c.markRead()
	}
}

// atEnd tells whether the channel's end is in view, and stays there.
func (c *conversation) atEnd() bool { return c.latest && c.list.AtEnd() }

func (c *conversation) markRead() {
	for i := len(c.messages) - 1; i >= 0; i-- {
		if id := c.messages[i].ID; id > 0 {
			if id != c.read {
				c.read = id
				c.w.backend.MarkRead(c.channel, id)
			}
			return
		}
	}
}

// side is where the first new message is: above the view, in it or below.
func (c *conversation) side() int {
	i, known := locate(c.messages, c.news)
	first, end := c.list.InView()
	switch {
	case c.news == 0:
		return 0
	case i < first || !known && i == 0:
		return -1
	case i >= end:
		return 1
	}
	return 0
}

// showPills offers ways to what is new, and back to the end.
func (c *conversation) showPills() {
	c.back.Hidden = c.reached || c.side() >= 0
	c.back.setText("↑ " + c.w.text("find.FirstNew"))
	text := ""
	switch {
	case c.unseen > 0 && !c.atEnd():
		text = c.w.printer.Count("ui.NewMessages", c.unseen) + " ↓"
	case c.far():
		text = c.w.text("find.ToEnd") + " ↓"
	}
	c.pill.Hidden = text == ""
	c.pill.setText(text)
	for i, b := range []*button{c.pill, c.back} {
		relayout(c.object.Objects[2+i])
		b.Refresh()
	}
}

// far tells whether the end is more than a view away.
func (c *conversation) far() bool {
	_, end := c.list.InView()
	return !c.latest || !c.list.AtEnd() && len(c.messages)-end > nearEnds
}

// goOn goes down to what is new, or to the end.
func (c *conversation) goOn() {
	if c.unseen > 0 && c.side() > 0 {
		c.goToNews()
		return
	}
	c.goToEnd()
}

// goToNews shows the first message that is new.
func (c *conversation) goToNews() {
	if c.news != 0 {
		c.goTo(c.news, leadIn)
		c.reached = true
		c.showPills()
	}
}

// arrived counts a message that was not there before, and draws the line
// before it when it is the first that the person does not see.
func (c *conversation) arrived(m app.Message) {
	switch {
	case m.Kind == app.FromPerson:
	case c.w.front && c.atEnd():
	default:
		if c.unseen == 0 {
			before := c.news
			c.news, c.reached = m.ID, false
			c.list.RefreshRow(key(before))
		}
		c.unseen++
	}
}

// atBottom puts its object above the lower edge, in the middle; atTop below the
// upper one.
type (
	atBottom struct{}
	atTop    struct{}
)

func (atBottom) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		min := o.MinSize()
		o.Resize(min)
		o.Move(fyne.NewPos((size.Width-min.Width)/2, size.Height-min.Height-8))
	}
}

func (atBottom) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (atTop) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		min := o.MinSize()
		o.Resize(min)
		o.Move(fyne.NewPos((size.Width-min.Width)/2, 8))
	}
}

func (atTop) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
