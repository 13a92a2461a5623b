package app

import (
	"slices"
)

// passOn delivers an agent's answer to the members it addresses, when the
// channel allows it. Beyond the limit the person is asked: the delivery
// waits for a Retry.
func (a *App) passOn(m Message) {
	c, ok := a.Channel(m.Channel)
	if !ok || c.Hops == 0 {
		return
	}
	w := a.audience(m.Channel)
	for _, name := range named(m.Text(), w, m.Author) {
		d := Delivery{Agent: name, State: Queued, Since: now()}
		if m.Hop+1 > c.Hops {
			d.State, d.Fix = Failed, FixRetry
			d.Reason = phrase("app.HopLimit", "Agent", a.title(m.Author), "Other", a.title(name), "Limit", c.Hops)
		}
		record := d.record(m.ID)
		if err := a.store.AddDelivery(a.disk, &record); err != nil {
			a.noticeTrouble(err)
			continue
		}
		d.ID = record.ID
		if d.State == Queued {
			a.enqueue(d, m, m.Text(), m.Hop+1)
		}
		a.publish(Event{Kind: MessageChanged, Channel: m.Channel, Message: m.ID})
	}
}

// named are the members that an agent's text mentions, itself left out.
func named(text string, w audience, author string) []string {
	var a Addressing
	a.mentions(text, audience{members: w.members, agents: w.members})
	return slices.DeleteFunc(a.To, func(n string) bool { return n == author || !slices.Contains(w.agents, n) })
}
