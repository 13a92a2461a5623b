package ui

import (
	"slices"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// direct is the agent that the person alone talks to in a channel, if it is
// such a conversation. One with an agent that is gone is a channel like any
// other, so that it can still be read, and deleted.
func (w *window) direct(c app.Channel) (app.Agent, bool) {
	name := c.Direct()
	if name == "" {
		return app.Agent{}, false
	}
	a, known := w.backend.Agent(name)
	return a, known && !a.Removed
}

// titleOf is how a channel is called: "# general", or as the agent that is
// talked to in it.
func (w *window) titleOf(c app.Channel) string {
	if a, ok := w.direct(c); ok {
		return oneLine(w.agent(a.Name).Title)
	}
	return "# " + oneLine(c.Name)
}

// listed are the channels of the sidebar: without the direct conversations,
// which are reached by their agents.
func (w *window) listed() []app.Channel {
	return slices.DeleteFunc(w.backend.Channels(), func(c app.Channel) bool {
		_, direct := w.direct(c)
		return direct
	})
}

// talks are the direct conversations, by agent.
func (w *window) talks() map[string]app.Channel {
	all := map[string]app.Channel{}
	for _, c := range w.backend.Channels() {
		if a, ok := w.direct(c); ok {
			all[a.Name] = c
		}
	}
	return all
}

// order is every channel in the order of the sidebar.
func (w *window) order() []app.Channel {
	all, talks := w.listed(), w.talks()
	for _, a := range w.backend.Agents() {
		if c, ok := talks[a.Name]; ok {
			all = append(all, c)
		}
	}
	return all
}

// talkTo opens the direct conversation with an agent or, when it is open, the
// agent's panel.
func (w *window) talkTo(name string) {
	id, err := w.backend.Direct(name)
	switch {
	case err != nil:
		w.report(err)
	case id == w.channel:
		w.openAgent(name)
	default:
		w.show(id)
	}
}

// showMessage opens the channel of a message at it, and marks it.
func (w *window) showMessage(channel app.ChannelID, id app.MessageID) {
	if _, ok := w.backend.Channel(channel); !ok {
		return
	}
	if channel != w.channel {
		w.conversation.spots[channel] = spot{id, leadIn}
		w.show(channel)
	}
	w.conversation.find(id)
}

// promptIn is the text of the empty composer.
func (w *window) promptIn(c app.Channel) string {
	if _, ok := w.direct(c); ok {
		return w.text("find.MessageTo", "Agent", w.titleOf(c))
	}
	return w.text("ui.MessageTo", "Channel", oneLine(c.Name))
}

// showUnread opens the next channel, that many places below, in which
// something waits.
func (w *window) showUnread(step int) {
	all := w.order()
	n := len(all)
	at := slices.IndexFunc(all, func(c app.Channel) bool { return c.ID == w.channel })
	for k := 1; k < n; k++ {
		if c := all[((at+k*step)%n+n)%n]; c.Unread > 0 || c.Questions > 0 {
			w.show(c.ID)
			return
		}
	}
}

// agentItems are what can be done with an agent.
func (w *window) agentItems(name string) []menuItem {
	items := []menuItem{
		{id: "talk", text: w.text("find.Talk"), do: func() { w.openTalk(name) }},
		{id: "panel", text: w.text("find.Panel"), do: func() { w.showAgent(name) }},
		{},
	}
	if !isRunning(w.agent(name).State) {
		return append(items, menuItem{id: "start", text: w.text("find.Start"), do: func() { w.backend.StartAgent(name) }})
	}
	return append(items,
		menuItem{id: "restart", text: w.text("find.Restart"), do: func() { w.backend.RestartAgent(name) }},
		menuItem{id: "stop", text: w.text("find.Stop"), do: func() { w.backend.StopAgent(name) }})
}
