package ui

import (
	"reflect"
	"strconv"
	"time"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/assist"
	"git.rickub.com/bots-garden/sidekicks/ui/list"
)

const (
	nearEnds  = 8               // rows from the ends of what was read, where more is read
	leadIn    = 2 * faceSize    // of what was read before, above what is new
	foundFor  = 2 * time.Second // a message that was looked for is marked
	foundPart = 0.25            // of the view is above it
)

// conversation is the messages of the channel that is shown, with what is new
// in it and where the person stands.
type conversation struct {
	w      *window
	object *fyne.Container

	stretch
	loading bool
	read    app.MessageID // up to which the channel was marked as read
	unseen  int           // messages that came and were not seen
	news    app.MessageID // the first that was not read when it came; 0: none
	reached bool          // it was seen
	found   app.MessageID // marked, because it was looked for
	until   time.Time     // it is
	today   time.Time
	spots   map[app.ChannelID]spot // where channels were left

	list  *list.List
	rows  map[fyne.CanvasObject]*entry // of each widget of the list
	opens map[string]bool              // what was folded or unfolded by hand
	pill  *button                      // to what is new
	back  *button                      // up to what is new
	empty *fyne.Container
	about emptyAbout // what empty was drawn for
}

// spot is a place in a channel: a message, and how far below the upper edge.
type spot struct {
	message app.MessageID
	y       float32
}

func newConversation(w *window) *conversation {
	c := &conversation{
		w: w, stretch: stretch{backend: w.backend}, opens: map[string]bool{}, spots: map[app.ChannelID]spot{},
	}
	c.pill = newButton("", primary, c.goOn)
	c.back = newButton("", primary, c.goToNews)
	for _, b := range []*button{c.pill, c.back} {
		b.radius(16)
	}
	c.empty = &fyne.Container{Layout: centred{}}
	c.object = newLayers()
	w.mark("new-messages", c.pill)
	w.mark("first-new", c.back)
	return c
}

// open shows a channel: where it was left, else from what is new, else at its
// end.
func (c *conversation) open(id app.ChannelID) {
	c.keepSpot()
	c.stretch = stretch{backend: c.w.backend, channel: id, whole: true, latest: true}
	c.read, c.unseen, c.news, c.reached, c.found = 0, 0, 0, false, 0
	at := spot{y: leadIn}
	if id != 0 {
		at = c.enter()
	}
	c.showRows()
	if at.message != 0 {
		c.list.ScrollTo(key(at.message), at.y)
	}
	c.scrolled()
}

// enter reads what is to be shown first of the channel, and says where to
// stand in it.
func (c *conversation) enter() spot {
	ch, _ := c.w.backend.Channel(c.channel)
	if c.unseen = ch.Unread; c.unseen > 0 {
		c.news = c.firstUnread(ch)
	}
	at, left := c.spots[c.channel]
	if !left {
		at = spot{c.news, leadIn}
	}
	if at.message <= 0 {
		c.check(c.stretch.toEnd())
	} else {
		c.check(c.around(at.message))
	}
	return at
}

// keepSpot remembers where the channel is left, unless that is its end.
func (c *conversation) keepSpot() {
	if c.list == nil || c.channel == 0 || len(c.messages) == 0 {
		return
	}
	if first, _ := c.list.InView(); !c.atEnd() && first < len(c.messages) {
		_, y := c.list.Place()
		c.spots[c.channel] = spot{c.messages[first].ID, y}
	} else {
		delete(c.spots, c.channel)
	}
}

func (c *conversation) check(err error) {
	if err != nil {
		c.w.alerts.add(c.w.printer.Error(err))
	}
}

// showRows makes the list of the messages.
func (c *conversation) showRows() {
	c.rows = map[fyne.CanvasObject]*entry{}
	c.list = list.New(list.Rows{
		Length: func() int { return len(c.messages) },
		Key:    func(i int) string { return key(c.messages[i].ID) },
		Create: c.newRow,
		Update: func(i int, o fyne.CanvasObject) { c.rows[o].show(i) },
		More:   func() bool { return !c.latest },
	})
	c.list.OnScrolled, c.list.Low = c.scrolled, true
	c.object.Objects = []fyne.CanvasObject{
		c.list, c.empty,
		&fyne.Container{Layout: atBottom{}, Objects: []fyne.CanvasObject{c.pill}},
		&fyne.Container{Layout: atTop{}, Objects: []fyne.CanvasObject{c.back}},
	}
	c.w.mark("conversation", c.list)
	c.today = c.w.now()
	c.loading = true // nothing is seen before the person stands where they should
	c.refreshEmpty()
	c.object.Refresh()
	c.loading = false
}

func key(id app.MessageID) string { return strconv.FormatInt(int64(id), 10) }

func (c *conversation) newRow(string) fyne.CanvasObject {
	e := newEntry(c)
	c.rows[e.object] = e
	return e.object
}

// scrolled reads on when an end of what was read comes near, and takes note of
// what is seen.
func (c *conversation) scrolled() {
	if c.loading {
		return
	}
	c.loading = true
	defer func() { c.loading = false }()
	first, end := c.list.InView()
	if first < nearEnds && !c.whole {
		c.check(c.older())
		c.list.Reload()
	} else if end > len(c.messages)-nearEnds && !c.latest {
		c.check(c.newer())
		c.list.Reload()
	}
	c.see()
	c.showPills()
}

// goToEnd shows the newest message.
func (c *conversation) goToEnd() {
	if !c.latest {
		c.check(c.stretch.toEnd())
		c.reload()
	}
	c.list.ScrollToEnd()
}

// goTo brings a message so far below the upper edge, wherever in the channel
// it is.
func (c *conversation) goTo(id app.MessageID, y float32) {
	if _, known := locate(c.messages, id); !known {
		c.check(c.around(id))
		c.reload()
	}
	c.list.ScrollTo(key(id), y)
}

// find shows a message and marks it for a moment.
func (c *conversation) find(id app.MessageID) {
	before := c.found
	c.found, c.until = id, c.w.now().Add(foundFor)
	c.goTo(id, c.list.Size().Height*foundPart)
	for _, id := range []app.MessageID{before, id} {
		c.list.RefreshRow(key(id))
	}
}

// reload shows the messages after other ones were read; what is seen of them
// is not seen before the person stands where they should.
func (c *conversation) reload() {
	c.loading = true
	c.list.Reload()
	c.loading = false
}

// apply takes over what changed in the channel.
func (c *conversation) apply(batch []app.Event) {
	moved, touched, changed := false, false, map[app.MessageID]bool{}
	for _, e := range batch {
		switch {
		case e.Kind == app.MessageRemoved:
			moved = c.remove(e.Message) || moved
		case e.Channel == c.channel && (e.Kind == app.MessageAdded || e.Kind == app.MessageChanged):
			m, err := c.w.backend.Message(e.Message)
			if err != nil {
				continue // gone already; its removal is an event too
			}
			touched = true
			at, added := c.put(m)
			if added && e.Kind == app.MessageAdded {
				c.arrived(m)
			}
			switch {
			case at < 0:
			case added:
				moved = true
			default:
				changed[m.ID] = true
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
	if moved || touched {
		c.scrolled()
	}
}

// busy tells whether an agent works in the channel, so that Stop has a sense.
func (c *conversation) busy() bool {
	for _, m := range c.newest() {
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
	list := c.newest()
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Kind == app.FromPerson {
			return list[i], true
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
	if now := c.w.now(); !sameDay(now, c.today) {
		c.today = now
		c.list.Reload()
	}
	if found := c.found; found != 0 && c.w.now().After(c.until) {
		c.found = 0
		c.list.RefreshRow(key(found))
	}
	first, end := c.list.InView()
	for i := first; i < end; i++ {
		if r := c.rows[c.list.Row(key(c.messages[i].ID))]; r != nil && r.ticks() {
			c.list.RefreshRow(key(c.messages[i].ID))
		}
	}
}

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
	if now := (emptyAbout{channel, agents, c.w.programs}); len(c.empty.Objects) == 0 || !reflect.DeepEqual(now, c.about) {
		c.about = now
		c.empty.Objects = []fyne.CanvasObject{c.w.emptyState()}
		c.empty.Refresh()
	}
	relayout(c.object)
}

// emptyAbout is what an empty state is made of.
type emptyAbout struct {
	channel  app.Channel
	agents   []app.Agent
	programs []assist.Candidate
}
