package app

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent"
	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/store"
)

// observer takes what agents say into the channels.
type observer struct{ *App }

var _ agent.Observer = observer{}

// Changed implements [agent.Observer].
func (o observer) Changed(name string) { o.publish(Event{Kind: AgentsChanged, Agent: name}) }

// Updated implements [agent.Observer].
func (o observer) Updated(name, key string, u acp.Update) {
	switch u.Kind {
	case acp.KindCommands:
		o.keepCommands(name, u.Commands)
		return
	case acp.KindMode, acp.KindConfigOptions, acp.KindSessionInfo:
		o.publish(Event{Kind: AgentsChanged, Agent: name})
		return
	}
	r := o.roomOf(name, key)
	if r == nil {
		return
	}
	r.writing.Lock()
	defer r.writing.Unlock()
	l := r.timeline(u)
	if l == nil {
		return
	}
	o.mu.Lock()
	changed := l.apply(u, now())
	r.touch(l)
	o.mu.Unlock()
	if changed {
		o.wrote(r, l)
	}
}

// Asked implements [agent.Observer].
func (o observer) Asked(q agent.Question) {
	r := o.roomOf(q.Agent, q.Room)
	if r == nil {
		o.decline(q)
		return
	}
	r.writing.Lock()
	defer r.writing.Unlock()
	l := r.open()
	if l == nil {
		o.decline(q)
		return
	}
	question := newQuestion(q, l.Message)
	o.mu.Lock()
	l.ask(question, q.Tool, now())
	o.questions = append(o.questions, question)
	r.touch(l)
	o.mu.Unlock()
	o.publish(Event{Kind: QuestionsChanged, Channel: l.Channel}, Event{Kind: ChannelsChanged})
	o.wrote(r, l)
}

// decline answers a question that has no channel to be shown in: nothing is
// ever allowed by default.
func (o observer) decline(q agent.Question) { o.pool.Agent(q.Agent).Answer(q.ID, "") }

// Settled implements [agent.Observer].
func (o observer) Settled(q agent.Question, chosen string) {
	state := QuestionAnswered
	if chosen == "" {
		state = QuestionCancelled
	}
	o.mu.Lock()
	var channel ChannelID
	var asked MessageID
	for i, open := range o.questions {
		if open.ID == QuestionID(q.ID) {
			channel, asked = open.Channel, open.Message
			o.questions = append(o.questions[:i:i], o.questions[i+1:]...)
			break
		}
	}
	r := o.rooms[roomKey{channel, q.Agent}]
	o.mu.Unlock()
	if r == nil {
		return
	}
	r.writing.Lock()
	defer r.writing.Unlock()
	o.mu.Lock()
	l := o.lives[asked]
	if l == nil && r.last != nil && r.last.ID == asked {
		l = r.last
	}
	if l != nil {
		l.settle(QuestionID(q.ID), state, chosen, now())
		r.touch(l)
	}
	o.mu.Unlock()
	o.publish(Event{Kind: QuestionsChanged, Channel: channel}, Event{Kind: ChannelsChanged})
	if l != nil {
		o.wrote(r, l)
	}
}

// roomOf finds the room that the package agent names; without a name, the
// first channel in which the agent is.
func (a *App) roomOf(name, key string) *room {
	a.mu.Lock()
	defer a.mu.Unlock()
	id, err := strconv.ParseInt(key, 10, 64)
	if err == nil {
		if a.channel(ChannelID(id)) == nil || a.deleted[ChannelID(id)] {
			return nil
		}
		return a.room(roomKey{ChannelID(id), name})
	}
	for _, c := range a.channels {
		for _, m := range c.Members {
			if m == name {
				return a.room(roomKey{c.ID, name})
			}
		}
	}
	return nil
}

// timeline is the message that an update belongs to: that of the turn in
// progress, begun when there is something to read; after the turn, the last
// one if it may still grow. Nil when the update has no place.
func (r *room) timeline(u acp.Update) *live {
	a := r.app
	a.mu.Lock()
	l, last, working, deleted := r.live, r.last, r.speaking != nil, a.deleted[r.channel]
	if l == nil && u.Kind == acp.KindUsage && (working || last == nil) {
		r.usage = u.Usage
	}
	a.mu.Unlock()
	switch {
	case deleted:
		return nil
	case last.knows(u) && !l.knows(u):
		return last
	case l != nil:
		return l
	case last != nil && !working && u.Kind == acp.KindUsage:
		return last
	case !content(u):
		return nil
	case last != nil && !working && r.isNewest(last):
		return last
	}
	return r.open()
}

// knows tells whether an update is about a tool call of this message.
func (l *live) knows(u acp.Update) bool {
	if l == nil || u.ToolCall == nil {
		return false
	}
	_, known := l.tools[u.ToolCall.ID]
	return known
}

func (r *room) isNewest(l *live) bool {
	r.app.mu.Lock()
	defer r.app.mu.Unlock()
	return r.app.newest[l.Channel] == l.ID
}

// open gives the message of the turn in progress, beginning it when it is not
// there. Outside a turn it begins one that ends by itself. Nil when the channel
// was deleted. The room's writing lock is held.
func (r *room) open() *live {
	a := r.app
	a.mu.Lock()
	if l := r.live; l != nil {
		a.mu.Unlock()
		return l
	}
	m := Message{Channel: r.channel, Kind: FromAgent, Author: r.agent, CreatedAt: now(), Usage: r.usage}
	r.usage = nil
	if r.session != nil {
		m.Mode = r.session.Mode()
	}
	var answers DeliveryID
	j := r.speaking
	if j != nil {
		m.Hop, answers = j.hop, j.ID
	}
	a.mu.Unlock()

	a.keep(&m, answers)
	l := newLive(m)
	l.metaDirty = m.Usage != nil
	a.mu.Lock()
	if a.deleted[m.Channel] {
		a.mu.Unlock()
		return nil
	}
	a.newest[m.Channel] = max(a.newest[m.Channel], m.ID)
	a.lives[m.ID] = l
	if j == nil {
		l.late, r.last = true, l
	} else {
		r.live, j.Answer = l, m.ID
	}
	a.mu.Unlock()
	if j != nil {
		a.mu.Lock()
		record := j.Delivery.record(j.message)
		a.mu.Unlock()
		a.saveDelivery(record)
	}
	a.publish(Event{Kind: MessageAdded, Channel: m.Channel, Message: m.ID})
	return l
}

// touch notes that the agent was heard, and reopens a message that grows
// after its turn; App.mu is held.
func (r *room) touch(l *live) {
	a := r.app
	if a.deleted[r.channel] {
		return
	}
	a.lives[l.ID] = l
	if j := r.speaking; j == nil || l != r.live {
		l.late = true
	} else {
		j.Heard, j.Doing, j.Asking = time.Now(), l.doing(), l.asking()
	}
}

// wrote tells of the change and sees to it that it reaches the disk.
func (a *App) wrote(r *room, l *live) {
	a.flushSoon()
	a.publish(Event{Kind: MessageChanged, Channel: l.Channel, Message: l.ID})
	a.mu.Lock()
	j := r.speaking
	a.mu.Unlock()
	if j != nil {
		a.changed(j)
	}
}

// keep puts a message into the history. One that cannot be written stays in
// memory, with an id below zero, so that the talk goes on; but not one of a
// channel that another process deleted.
func (a *App) keep(m *Message, answers DeliveryID) {
	record := store.Message{
		Channel: m.Channel, Author: store.Author(m.Author), Kind: store.MessageKind(m.Kind), Hop: m.Hop,
		Delivery: answers, CreatedAt: m.CreatedAt, EndedAt: m.EndedAt, Meta: m.meta(),
	}
	for _, p := range m.Parts {
		record.Parts = append(record.Parts, p.record())
	}
	for _, d := range m.Deliveries {
		record.Deliveries = append(record.Deliveries, d.record(0))
	}
	err := a.store.AddMessage(a.disk, &record)
	if err == nil {
		m.ID = record.ID
		for i := range m.Deliveries {
			m.Deliveries[i].ID = record.Deliveries[i].ID
		}
		return
	}
	if errors.Is(err, store.ErrNotFound) {
		a.mu.Lock()
		a.deleted[m.Channel] = true
		a.mu.Unlock()
		return
	}
	a.noticeTrouble(err)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.lastTemp--
	m.ID = MessageID(a.lastTemp)
	for i := range m.Deliveries {
		a.lastTemp--
		m.Deliveries[i].ID = DeliveryID(a.lastTemp)
	}
	kept := *m
	kept.Deliveries = slices.Clone(m.Deliveries)
	a.unsaved[m.ID] = &kept
}

// remark puts a notice of Sidekicks itself into a channel.
func (a *App) remark(channel ChannelID, p *Phrase) {
	at := now()
	m := Message{
		Channel: channel, Kind: FromApp, CreatedAt: at, EndedAt: at,
		Parts: []Part{{Kind: NoticePart, Notice: &Notice{Severity: Info, Phrase: p}, StartedAt: at, EndedAt: at}},
	}
	a.keep(&m, 0)
	a.publish(Event{Kind: MessageAdded, Channel: channel, Message: m.ID})
}
