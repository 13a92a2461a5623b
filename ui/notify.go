package ui

import (
	"fmt"
	"sync"
	"time"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// news is a kind of thing that the desktop is told of while the person works
// in another window.
type news string

const (
	newsFinished news = "finished" // an agent answered
	newsQuestion news = "question" // an agent needs the person
	newsFailed   news = "failed"   // a message could not be delivered
)

var allNews = []news{newsFinished, newsQuestion, newsFailed}

// mutedKey is what the kinds that are switched off are remembered under.
const mutedKey = "mutedNotifications"

// mostNews is how many notifications one batch of events may make: when a
// whole room answers at once, the badge in the title says the rest.
const mostNews = 4

// notifier tells the desktop what happened while the window was not in front.
type notifier struct {
	w     *window
	send  func(title, text string) // must not wait; nil: there is no desktop to tell
	since time.Time                // when the window was last in front
	told  map[app.DeliveryID]bool  // since then
	asked map[app.QuestionID]bool  // that are open
	muted map[news]bool
}

func newNotifier(w *window) *notifier {
	n := &notifier{w: w, since: w.now(), told: map[app.DeliveryID]bool{}, asked: map[app.QuestionID]bool{}, muted: map[news]bool{}}
	w.remembered.Get(mutedKey, &n.muted)
	n.questions()
	return n
}

// apply looks for news in what happened.
func (n *notifier) apply(batch []app.Event) {
	fresh := n.questions()
	if n.w.front {
		n.since = n.w.now()
		clear(n.told)
		return
	}
	sent := 0
	tell := func(kind news, agent, channel, text string) {
		if sent++; sent <= mostNews {
			n.tell(kind, agent, channel, text)
		}
	}
	for _, q := range fresh {
		tell(newsQuestion, q.Agent, n.channel(q.Channel), q.Title)
	}
	for _, e := range batch {
		if e.Kind != app.MessageChanged && e.Kind != app.MessageAdded {
			continue
		}
		m, err := n.w.backend.Message(e.Message)
		if err != nil || m.Kind == app.FromAgent {
			continue
		}
		for _, d := range m.Deliveries {
			if n.told[d.ID] || !d.Since.After(n.since) {
				continue
			}
			switch d.State {
			case app.Answered:
				n.told[d.ID] = true
				tell(newsFinished, d.Agent, n.channel(m.Channel), n.answer(d.Answer))
			case app.Failed:
				n.told[d.ID] = true
				tell(newsFailed, d.Agent, n.channel(m.Channel), n.w.failure(d))
			}
		}
	}
}

// questions takes over the open questions and returns those that are new.
func (n *notifier) questions() (fresh []app.Question) {
	open := map[app.QuestionID]bool{}
	for _, q := range n.w.backend.Questions() {
		open[q.ID] = true
		if !n.asked[q.ID] {
			fresh = append(fresh, q)
		}
	}
	n.asked = open
	return fresh
}

func (n *notifier) channel(id app.ChannelID) string {
	c, ok := n.w.backend.Channel(id)
	if !ok {
		return ""
	}
	return "#" + c.Name
}

// answer is the beginning of what an agent said.
func (n *notifier) answer(id app.MessageID) string {
	m, err := n.w.backend.Message(id)
	if err != nil {
		return ""
	}
	return oneLine(m.Text())
}

// failure says why a delivery failed.
func (w *window) failure(d app.Delivery) string {
	if d.Reason == nil {
		return w.text("ui.UnknownReason")
	}
	return w.printer.Error(d.Reason)
}

func (n *notifier) tell(kind news, agent, where, text string) {
	if n.send == nil || n.muted[kind] {
		return
	}
	title := n.w.text("system.News."+string(kind), "Agent", n.w.agent(agent).Title, "Channel", where)
	n.send(title, text)
}

func (n *notifier) toggle(k news) {
	n.muted[k] = !n.muted[k]
	n.w.remembered.Set(mutedKey, n.muted)
}

// waiting is how many things wait for the person: messages not read, and
// questions.
func (w *window) waiting() (n int) {
	for _, c := range w.backend.Channels() {
		n += c.Unread + c.Questions
	}
	return n
}

// badged puts how many things wait in front of a title.
func (w *window) badged(title string) string {
	if n := w.waiting(); n > 0 {
		return fmt.Sprintf("(%d) %s", n, title)
	}
	return title
}

// courier does what waits for the desktop, which may take its time, in order
// and apart from everything else.
type courier struct{ jobs chan func() }

func newCourier() courier {
	c := courier{make(chan func(), 16)}
	go func() {
		for job := range c.jobs {
			job()
		}
	}()
	return c
}

// do hands a job over, or drops it when too many wait.
func (c courier) do(job func()) {
	select {
	case c.jobs <- job:
	default:
	}
}

// close lets it end without waiting for the desktop.
func (c courier) close() { close(c.jobs) }

// notifications returns what sends a notification. Before the first one it
// asks whether there is anybody to show it; if not, all are dropped, and
// report is told why, once.
func (c courier) notifications(send func(*fyne.Notification), reachable func() error, report func(error)) func(title, text string) {
	lost := sync.OnceValue(func() error {
		err := reachable()
		if err != nil {
			report(err)
		}
		return err
	})
	return func(title, text string) {
		c.do(func() {
			if lost() == nil {
				send(fyne.NewNotification(title, text))
			}
		})
	}
}
