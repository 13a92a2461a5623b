package ui

import (
	"reflect"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/list"
)

const (
	page      = 60 // messages read at once
	nearStart = 8  // rows from the oldest one read, where older ones are read
)

// conversation is the messages of the channel that is shown. It holds a
// stretch of them, up to the newest, that grows backwards as it is scrolled.
type conversation struct {
	w      *window
	object *fyne.Container

	channel  app.ChannelID
	messages []app.Message // in order
	whole    bool          // there are none before
	loading  bool
	read     app.MessageID // up to which the channel was marked as read
	unseen   int           // messages that came while older ones were being read

	list  *list.List
	rows  map[fyne.CanvasObject]*messageRow // of each widget of the list
	opens map[string]bool                   // what was folded or unfolded by hand
	pill  *button
	empty *fyne.Container
	about emptyAbout // what empty was drawn for
}

func newConversation(w *window) *conversation {
	c := &conversation{w: w, rows: map[fyne.CanvasObject]*messageRow{}, opens: map[string]bool{}}
	c.pill = newButton("", primary, func() { c.list.ScrollToEnd() })
	c.empty = &fyne.Container{Layout: centred{}}
	c.object = newLayers()
	w.mark("new-messages", c.pill)
	return c
}

// open shows a channel from its end.
func (c *conversation) open(id app.ChannelID) {
	c.channel, c.read, c.unseen = id, 0, 0
	c.messages, c.whole = nil, true
	if id != 0 {
		c.messages = c.before(0)
		c.whole = len(c.messages) < page
	}
	clear(c.rows)
	c.list = list.New(list.Rows{
		Length: func() int { return len(c.messages) },
		Key:    func(i int) string { return key(c.messages[i].ID) },
		Create: c.newRow,
		Update: func(i int, o fyne.CanvasObject) { c.rows[o].show(c.messages[i]) },
	})
	c.list.OnScrolled = c.scrolled
	c.object.Objects = []fyne.CanvasObject{c.list, c.empty, &fyne.Container{Layout: atBottom{}, Objects: []fyne.CanvasObject{c.pill}}}
	c.w.mark("conversation", c.list)
	c.refreshEmpty()
	c.object.Refresh()
	c.scrolled()
}

func key(id app.MessageID) string { return strconv.FormatInt(int64(id), 10) }

func (c *conversation) newRow(string) fyne.CanvasObject {
	r := newMessageRow(c)
	c.rows[r.object] = r
	return r.object
}

// before reads the page of messages before one; 0 is the newest page.
func (c *conversation) before(id app.MessageID) []app.Message {
	m, err := c.w.backend.Messages(c.channel, id, page)
	if err != nil {
		c.w.alerts.add(c.w.printer.Error(err))
	}
	return m
}

// scrolled reads older messages when the start comes near, and what was read.
func (c *conversation) scrolled() {
	if c.loading {
		return
	}
	c.loading = true
	defer func() { c.loading = false }()
	if first, _ := c.list.InView(); !c.whole && first < nearStart && len(c.messages) > 0 {
		older := c.before(c.messages[0].ID)
		c.whole = len(older) < page
		c.messages = append(older, c.messages...)
		c.list.Reload()
	}
	if c.list.AtEnd() {
		c.unseen = 0
		c.markRead()
	}
	c.pill.Hidden = c.unseen == 0
	if c.unseen > 0 {
		c.pill.setText(c.w.printer.Count("ui.NewMessages", c.unseen) + " ↓")
	}
	relayout(c.object.Objects[2])
	c.pill.Refresh()
}

func (c *conversation) markRead() {
	if n := len(c.messages); n > 0 && c.messages[n-1].ID != c.read {
		c.read = c.messages[n-1].ID
		c.w.backend.MarkRead(c.channel, c.read)
	}
}

// apply takes over what changed in the channel.
func (c *conversation) apply(batch []app.Event) {
	moved, changed := false, map[app.MessageID]bool{}
	for _, e := range batch {
		if e.Channel != c.channel {
			continue
		}
		i, known := c.find(e.Message)
		switch e.Kind {
		case app.MessageRemoved:
			if known {
				c.messages = slices.Delete(c.messages, i, i+1)
				moved = true
			}
		case app.MessageAdded, app.MessageChanged:
			m, err := c.w.backend.Message(e.Message)
			switch {
			case err != nil: // gone already; its removal is an event too
			case known:
				c.messages[i] = m
				changed[m.ID] = true
			case i > 0 || c.whole:
				c.messages = slices.Insert(c.messages, i, m)
				moved = true
				if e.Kind == app.MessageAdded && m.Kind != app.FromPerson {
					c.unseen++
				}
			}
		}
	}
	switch {
	case moved:
		c.list.Reload()
		c.refreshEmpty()
	default:
		for id := range changed {
			c.list.RefreshRow(key(id))
		}
	}
	if moved || len(changed) > 0 {
		c.scrolled()
	}
}

// find is the place of a message, or where it belongs: ids grow, but for those
// below zero, of messages that the history could not take yet.
func (c *conversation) find(id app.MessageID) (i int, known bool) {
	i = len(c.messages)
	for k, m := range slices.Backward(c.messages) {
		if m.ID == id {
			return k, true
		}
		if id > 0 && m.ID > id {
			i = k
		}
	}
	return i, false
}

// busy tells whether an agent works in the channel, so that Stop has a sense.
func (c *conversation) busy() bool {
	for _, m := range c.messages[max(0, len(c.messages)-page):] {
		if m.Kind == app.FromAgent && m.Live() {
			return true
		}
		for _, d := range m.Deliveries {
			if !d.State.Final() {
				return true
			}
		}
	}
	return false
}

// own is the person's latest message, if any.
func (c *conversation) own() (app.Message, bool) {
	for _, m := range slices.Backward(c.messages) {
		if m.Kind == app.FromPerson {
			return m, true
		}
	}
	return app.Message{}, false
}

// question is the oldest open permission of the channel: the one that the
// keys 1 to 9 answer.
func (c *conversation) question() (app.Question, bool) {
	for _, q := range c.w.backend.Questions() {
		if q.Channel == c.channel && q.State == app.QuestionOpen && len(q.Options) > 0 {
			return q, true
		}
	}
	return app.Question{}, false
}

// tick moves the clocks of the rows in view on.
func (c *conversation) tick() {
	first, end := c.list.InView()
	for i := first; i < end; i++ {
		if r := c.rows[c.list.Row(key(c.messages[i].ID))]; r != nil && r.ticks() {
			c.list.RefreshRow(key(c.messages[i].ID))
		}
	}
}

// atBottom puts its object above the lower edge, in the middle.
type atBottom struct{}

func (atBottom) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		min := o.MinSize()
		o.Resize(min)
		o.Move(fyne.NewPos((size.Width-min.Width)/2, size.Height-min.Height-8))
	}
}

func (atBottom) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// refreshEmpty says what to do next while there is no message. It is drawn
// anew only when what it says changed.
func (c *conversation) refreshEmpty() {
	agents := c.w.backend.Agents()
	unusable := len(agents) == 0 && fileErrors(c.w.backend.Problems()) > 0 // said above already
	c.empty.Hidden = len(c.messages) > 0 || unusable
	if c.empty.Hidden {
		return
	}
	channel, _ := c.w.backend.Channel(c.channel)
	channel.ReadUpTo = 0
	if now := (emptyAbout{channel, agents}); len(c.empty.Objects) == 0 || !reflect.DeepEqual(now, c.about) {
		c.about = now
		c.empty.Objects = []fyne.CanvasObject{c.w.emptyState()}
		c.empty.Refresh()
	}
	relayout(c.object)
}

// emptyAbout is what an empty state is made of.
type emptyAbout struct {
	channel app.Channel
	agents  []app.Agent
}
