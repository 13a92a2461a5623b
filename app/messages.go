package app

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/store"
)

// Messages gives the last limit messages of a channel before one (0: the
// newest), oldest first, as they are at this moment.
func (a *App) Messages(channel ChannelID, before MessageID, limit int) ([]Message, error) {
	var list []Message
	if before >= 0 {
		var err error
		list, err = a.read(func() ([]store.Message, error) { return a.store.Messages(a.disk, channel, before, limit) })
		if err != nil {
			return nil, err
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if before == 0 {
		list = append(list, a.inMemory(channel)...)
	}
	return list, nil
}

// read gives what the history answers, as it is at this moment.
func (a *App) read(ask func() ([]store.Message, error)) ([]Message, error) {
	flight := a.inFlight()
	stored, err := ask()
	if err != nil {
		return nil, fmt.Errorf("read the messages: %w", err)
	}
	var list []Message
	for _, m := range stored {
		list = append(list, message(m))
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range list {
		a.current(&list[i], flight)
	}
	return list, nil
}

// inMemory are the messages that the history could not take; a.mu is held.
func (a *App) inMemory(channel ChannelID) []Message {
	var list []Message
	for _, m := range a.unsaved {
		if m.Channel == channel {
			copied := *m
			copied.Deliveries = slices.Clone(m.Deliveries)
			a.current(&copied, flight{})
			list = append(list, copied)
		}
	}
	slices.SortFunc(list, func(x, y Message) int { return int(y.ID - x.ID) }) // -1 came first
	return list
}

// flight is what the history may not know yet. It is taken before the history
// is read: what lands meanwhile is then in one of the two.
type flight struct {
	jobs  map[DeliveryID]*job
	lives map[MessageID]*live
}

func (a *App) inFlight() flight {
	a.mu.Lock()
	defer a.mu.Unlock()
	return flight{maps.Clone(a.jobs), maps.Clone(a.lives)}
}

// current replaces what the history knows of a message by what is known now;
// a.mu is held.
func (a *App) current(m *Message, before flight) {
	l := a.lives[m.ID]
	if l == nil {
		l = before.lives[m.ID]
	}
	if l != nil {
		deliveries := m.Deliveries
		*m = l.snapshot()
		if len(deliveries) > 0 {
			m.Deliveries = deliveries
		}
	}
	for i, d := range m.Deliveries {
		j := a.jobs[d.ID]
		if j == nil {
			j = before.jobs[d.ID]
		}
		if j != nil {
			m.Deliveries[i] = j.Delivery
		}
	}
}

// Message gives one message as it is at this moment.
func (a *App) Message(id MessageID) (Message, error) {
	a.mu.Lock()
	if l := a.lives[id]; l != nil && l.Live() { // all there is: its text may be megabytes on the disk
		defer a.mu.Unlock()
		return l.snapshot(), nil
	}
	m, temporary := a.unsaved[id]
	a.mu.Unlock()
	flight := a.inFlight()
	var found Message
	if temporary {
		found = *m
	} else {
		stored, err := a.store.Message(a.disk, id)
		if err != nil {
			return Message{}, fmt.Errorf("read message %d: %w", id, err)
		}
		found = message(stored)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	found.Deliveries = slices.Clone(found.Deliveries)
	a.current(&found, flight)
	return found, nil
}

// Count says how many messages a channel has.
func (a *App) Count(channel ChannelID) (int, error) {
	n, err := a.store.Count(a.disk, channel)
	a.mu.Lock()
	defer a.mu.Unlock()
	return n + len(a.inMemory(channel)), err
}

// Search finds messages by their words, newest first, accents ignored.
func (a *App) Search(query string, limit int) ([]Hit, error) {
	hits, err := a.store.Search(a.disk, query, limit)
	if err != nil {
		return nil, fmt.Errorf("search the history: %w", err)
	}
	return hits, nil
}

// Questions are the open ones, oldest first.
func (a *App) Questions() []Question {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := make([]Question, len(a.questions))
	for i, q := range a.questions {
		list[i] = *q
	}
	return list
}

// Answer settles a question with exactly one of its options; "" cancels it.
func (a *App) Answer(id QuestionID, optionID string) {
	if q := a.question(id); q != nil {
		a.pool.Agent(q.Agent).Answer(string(id), optionID)
	}
}

// AnswerForm accepts a form with its values, or declines it.
func (a *App) AnswerForm(id QuestionID, values map[string]any, accept bool) {
	if q := a.question(id); q != nil {
		a.pool.Agent(q.Agent).AnswerForm(string(id), values, accept)
	}
}

func (a *App) question(id QuestionID) *Question {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, q := range a.questions {
		if q.ID == id {
			return q
		}
	}
	return nil
}

// Outgoing is what a person sends.
type Outgoing struct {
	Channel ChannelID
	Text    string
	To      []string             // chosen in the composer; empty: the text decides
	Files   []string             // absolute paths of what is attached, at most MaxFiles
	Sent    func(Message, error) // optional; called once, from another goroutine, when the message is in the channel
}

// Send puts a message into a channel and delivers it to whom it addresses.
// The error is about the call: nothing to send, no such channel. A message that
// reaches nobody stays in the channel and says so. One with a file that cannot
// be read is not sent: Sent gets a [FileError].
func (a *App) Send(o Outgoing) error {
	if strings.TrimSpace(o.Text) == "" && len(o.Files) == 0 {
		return phrase("app.NoText")
	}
	if _, ok := a.Channel(o.Channel); !ok {
		return phrase("app.NoChannel")
	}
	a.tasks.do(func() {
		m, err := a.send(o)
		if o.Sent != nil {
			o.Sent(m, err)
		}
	})
	return nil
}

func (a *App) send(o Outgoing) (Message, error) {
	c, ok := a.Channel(o.Channel)
	if !ok { // deleted meanwhile: the text is kept where it can be seen
		return Message{}, phrase("app.NoChannel")
	}
	files, err := attachments(o.Files)
	if err != nil {
		return Message{}, err
	}
	to := a.addressed(o.Channel, o.Text, o.To)
	at := now()
	m := Message{Channel: o.Channel, Kind: FromPerson, CreatedAt: at, EndedAt: at, Deliveries: a.deliveries(to, c)}
	if strings.TrimSpace(o.Text) != "" {
		m.Parts = append(m.Parts, Part{Kind: TextPart, Text: o.Text})
	}
	m.Parts = append(m.Parts, files...)
	for i := range m.Parts {
		m.Parts[i].Seq, m.Parts[i].StartedAt, m.Parts[i].EndedAt = i, at, at
	}
	a.keep(&m, 0)
	a.mu.Lock()
	gone := a.deleted[m.Channel]
	if !gone {
		a.newest[m.Channel] = max(a.newest[m.Channel], m.ID)
	}
	a.mu.Unlock()
	if gone {
		return Message{}, phrase("app.NoChannel")
	}
	a.publish(Event{Kind: MessageAdded, Channel: m.Channel, Message: m.ID})
	a.MarkRead(m.Channel, m.ID)
	for _, d := range m.Deliveries {
		if d.State == Queued {
			a.enqueue(d, m, to.Text, 0)
		}
	}
	return m, nil
}

// deliveries are one for each addressee, and one that failed for each name
// that cannot be reached: a message never reaches nobody in silence.
func (a *App) deliveries(to Addressing, c Channel) []Delivery {
	var list []Delivery
	failed := func(name string, fix DeliveryFix, why *Phrase) {
		list = append(list, Delivery{Agent: name, State: Failed, Since: now(), Reason: why, Fix: fix})
	}
	for _, name := range to.To {
		if !slices.Contains(a.present(), name) {
			failed(name, FixNone, phrase("app.AgentRemoved", "Agent", name))
			continue
		}
		list = append(list, Delivery{Agent: name, State: Queued, Since: now()})
	}
	for _, name := range to.NotMembers {
		failed(name, FixAdd, phrase("app.NotMember", "Agent", a.title(name), "Channel", c.Name))
	}
	switch {
	case to.Unknown != "" && to.Near != "":
		failed(to.Unknown, FixNone, phrase("app.UnknownAgentNear", "Name", to.Unknown, "Near", to.Near))
	case to.Unknown != "":
		failed(to.Unknown, FixNone, phrase("app.UnknownAgent", "Name", to.Unknown))
	case len(list) == 0:
		failed("", FixNone, phrase("app.Nobody", "Channel", c.Name))
	}
	return list
}

// Stop cancels what an agent does in a channel; "" means every agent there.
// Messages that wait in a queue stay there.
func (a *App) Stop(channel ChannelID, agent string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for k, r := range a.rooms {
		if k.channel == channel && (agent == "" || k.agent == agent) && r.current != nil {
			r.current.cancel(errStopped)
		}
	}
}
