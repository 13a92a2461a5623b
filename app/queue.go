package app

import (
	"cmp"
	"slices"
	"strings"
)

// Withdraw takes a delivery back that has not started.
func (a *App) Withdraw(id DeliveryID) {
	a.tasks.do(func() {
		a.mu.Lock()
		j := a.jobs[id]
		if j == nil {
			a.mu.Unlock()
			return
		}
		r := a.room(roomKey{j.channel, j.Agent})
		i := slices.Index(r.queue, j)
		if i < 0 {
			waits := j.State == Queued || j.State == Starting // for the agent's process
			a.mu.Unlock()
			if waits {
				j.cancel(errStopped)
			}
			return
		}
		r.queue = slices.Delete(r.queue, i, i+1)
		r.number()
		j.State, j.Place, j.Since = Cancelled, 0, now()
		record := j.Delivery.record(j.message)
		if j.ID > 0 {
			delete(a.jobs, id)
		}
		rest := slices.Clone(r.queue)
		a.mu.Unlock()
		j.cancel(errStopped)
		a.saveDelivery(record)
		close(j.over)
		a.changed(j)
		for _, other := range rest {
			a.changed(other)
		}
	})
}

// Waiting is a message with deliveries that have not started.
type Waiting struct {
	Message    MessageID
	Deliveries []Delivery // those that wait
}

// Queue lists what waits in a channel, the message that was sent first before
// the others.
func (a *App) Queue(channel ChannelID) []Waiting {
	a.mu.Lock()
	defer a.mu.Unlock()
	var list []Waiting
	for _, j := range a.jobs {
		if j.channel != channel || j.State != Queued {
			continue
		}
		i := slices.IndexFunc(list, func(q Waiting) bool { return q.Message == j.message })
		if i < 0 {
			i, list = len(list), append(list, Waiting{Message: j.message})
		}
		list[i].Deliveries = append(list[i].Deliveries, j.Delivery)
	}
	for _, q := range list {
		slices.SortFunc(q.Deliveries, func(x, y Delivery) int { return sent(MessageID(x.ID), MessageID(y.ID)) })
	}
	slices.SortFunc(list, func(x, y Waiting) int { return sent(x.Message, y.Message) })
	return list
}

// sent orders by what came first: those that the history could not take have
// ids that fall from -1, and came last.
func sent(x, y MessageID) int {
	if (x < 0) != (y < 0) || x < 0 {
		return cmp.Compare(y, x)
	}
	return cmp.Compare(x, y)
}

// EditQueued changes a message that nobody has begun to answer. Who gets it
// stays the same.
func (a *App) EditQueued(id MessageID, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	a.tasks.do(func() {
		if id > 0 { // the history knows whether somebody has begun to answer
			if err := a.store.EditMessage(a.disk, id, text); err != nil {
				a.noticeTrouble(err)
				return
			}
		}
		a.mu.Lock()
		for _, j := range a.jobs {
			if j.message == id && j.State == Queued {
				j.text = address(text, audience{}).Text
			}
		}
		if m := a.unsaved[id]; m != nil && len(m.Parts) > 0 {
			m.Parts = slices.Clone(m.Parts)
			m.Parts[0].Text = text
		}
		a.mu.Unlock()
		m, err := a.Message(id)
		if err == nil {
			a.publish(Event{Kind: MessageChanged, Channel: m.Channel, Message: id})
		}
	})
}

// Retry delivers again what failed or was cancelled: the same message, to the
// same agent.
func (a *App) Retry(id DeliveryID) {
	a.tasks.do(func() { a.retry(id) })
}

func (a *App) retry(id DeliveryID) {
	a.mu.Lock()
	j := a.jobs[id]
	ending := j != nil && j.State.Final()
	a.mu.Unlock()
	if ending {
		<-j.over // its outcome is just being written
	}
	d, m, ok := a.delivery(id)
	if !ok || d.State != Failed && d.State != Cancelled || d.Agent == "" {
		return
	}
	hop := m.Hop
	if m.Kind == FromAgent {
		hop++
	}
	d.State, d.Reason, d.Fix, d.Since, d.Answer = Queued, nil, FixNone, now(), 0
	a.saveDelivery(d.record(m.ID))
	a.enqueue(d, m, address(m.Text(), audience{agents: []string{d.Agent}}).Text, hop)
}

// delivery finds a delivery with its message.
func (a *App) delivery(id DeliveryID) (Delivery, Message, bool) {
	a.mu.Lock()
	j := a.jobs[id]
	a.mu.Unlock()
	var owner MessageID
	if j != nil {
		owner = j.message
	} else {
		stored, err := a.store.Delivery(a.disk, id)
		if err != nil {
			return Delivery{}, Message{}, false
		}
		owner = stored.Message
	}
	m, err := a.Message(owner)
	if err != nil {
		return Delivery{}, Message{}, false
	}
	for _, d := range m.Deliveries {
		if d.ID == id {
			return d, m, true
		}
	}
	return Delivery{}, Message{}, false
}
