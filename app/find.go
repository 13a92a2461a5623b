package app

import (
	"errors"
	"slices"

	"git.rickub.com/bots-garden/sidekicks/store"
)

// MessagesAfter gives the first limit messages of a channel after one, oldest
// first, as they are at this moment. Messages that the history could not take
// come after all others.
func (a *App) MessagesAfter(channel ChannelID, after MessageID, limit int) ([]Message, error) {
	var list []Message
	if after >= 0 {
		var err error
		list, err = a.read(func() ([]store.Message, error) { return a.store.MessagesAfter(a.disk, channel, after, limit) })
		if err != nil {
			return nil, err
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, m := range a.inMemory(channel) {
		if len(list) < limit && (after >= 0 || m.ID < after) {
			list = append(list, m)
		}
	}
	return list, nil
}

// MessagesAround gives up to limit messages of a channel with one of them in
// the middle, oldest first: those before it, itself, those after it. Where it
// is gone, its neighbours come all the same.
func (a *App) MessagesAround(channel ChannelID, id MessageID, limit int) ([]Message, error) {
	if id <= 0 {
		return a.Messages(channel, 0, limit)
	}
	before, err := a.Messages(channel, id, limit/2)
	if err != nil {
		return nil, err
	}
	after, err := a.MessagesAfter(channel, id-1, limit-limit/2)
	return slices.Concat(before, after), err
}

// MoveChannel gives a channel another place in the list, from 0.
func (a *App) MoveChannel(id ChannelID, place int) error {
	return a.change(a.store.MoveChannel(a.disk, id, place))
}

// Direct is the agent that the person alone talks to in the channel, which is
// then named after it, "@alice", and has no other member: so the history keeps
// what the conversation is, and one that is renamed, or gets another member,
// becomes a channel like any other. Else it is empty.
func (c Channel) Direct() string {
	if len(c.Members) == 1 && sameName(c.Name, directName(c.Members[0])) {
		return c.Members[0]
	}
	return ""
}

func directName(agent string) string { return "@" + agent }

// Direct gives the direct conversation with an agent, which begins with the
// first call.
func (a *App) Direct(agent string) (ChannelID, error) {
	if c, ok := a.named(directName(agent)); ok {
		return c.ID, nil
	}
	id, err := a.CreateChannel(directName(agent), "", []string{agent})
	if errors.Is(err, store.ErrNameTaken) { // by another window, a moment ago
		if err := a.loadChannels(a.ctx); err != nil {
			return 0, err
		}
		if c, ok := a.named(directName(agent)); ok {
			return c.ID, nil
		}
	}
	return id, err
}

// named finds a channel by its name.
func (a *App) named(name string) (Channel, bool) {
	for _, c := range a.Channels() {
		if sameName(c.Name, name) {
			return c, true
		}
	}
	return Channel{}, false
}
