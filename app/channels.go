package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"git.rickub.com/bots-garden/sidekicks/store"
)

// HistoryPath is where the history of a configuration file is kept: each has
// its own (specification, "A channel"), in a folder of the user that is not
// the configuration's, which may be shared.
func HistoryPath(configFile string) (string, error) {
	base, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("find the user's configuration folder: %w", err)
	}
	path, err := filepath.Abs(configFile)
	if err != nil {
		return "", fmt.Errorf("locate %s: %w", configFile, err)
	}
	sum := sha256.Sum256([]byte(path))
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return filepath.Join(base, "sidekicks", "history", name+"-"+hex.EncodeToString(sum[:4]), "history.db"), nil
}

// Channels lists the channels in their order.
func (a *App) Channels() []Channel {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := make([]Channel, 0, len(a.channels))
	for _, c := range a.channels {
		list = append(list, a.view(c))
	}
	return list
}

// Channel gives one channel.
func (a *App) Channel(id ChannelID) (Channel, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.channel(id)
	if c == nil {
		return Channel{}, false
	}
	return a.view(*c), true
}

func (a *App) view(c Channel) Channel {
	c.Members = slices.Clone(c.Members)
	for _, q := range a.questions {
		if q.Channel == c.ID {
			c.Questions++
		}
	}
	return c
}

// channel finds a channel; a.mu is held.
func (a *App) channel(id ChannelID) *Channel {
	for i := range a.channels {
		if a.channels[i].ID == id {
			return &a.channels[i]
		}
	}
	return nil
}

// loadChannels reads the channels anew.
func (a *App) loadChannels(ctx context.Context) error {
	a.loading.Lock() // an older list must not replace a newer one
	defer a.loading.Unlock()
	stored, err := a.store.Channels(ctx)
	if err != nil {
		return fmt.Errorf("read the channels: %w", err)
	}
	unread, err := a.store.Unread(ctx)
	a.noticeTrouble(err)
	list := make([]Channel, 0, len(stored))
	for _, c := range stored {
		list = append(list, Channel{
			ID: c.ID, Name: c.Name, Description: c.Description, Members: c.Members,
			Hops: c.Hops, Unread: unread[c.ID], ReadUpTo: c.ReadUpTo,
		})
		a.learn(ctx, c.ID)
	}
	a.mu.Lock()
	before := a.channels
	a.channels = list
	a.mu.Unlock()
	for _, c := range before {
		if !slices.ContainsFunc(list, func(k Channel) bool { return k.ID == c.ID }) {
			a.leave(c.ID)
		}
	}
	return nil
}

// learn finds out, once, who answered last in a channel and what its newest
// message is.
func (a *App) learn(ctx context.Context, id ChannelID) {
	a.mu.Lock()
	_, known := a.newest[id]
	a.mu.Unlock()
	if known {
		return
	}
	recent, err := a.store.Messages(ctx, id, 0, 50)
	a.noticeTrouble(err)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.newest[id] = 0
	for _, m := range recent {
		a.newest[id] = m.ID
		if m.Kind == store.FromAgent {
			a.answered[id] = string(m.Author)
		}
	}
}

// declare makes the channels of the file that do not exist yet, and adds the
// listed agents that are no members yet. Nothing is ever removed
// (specification, "A channel").
func (a *App) declare(ctx context.Context) {
	for _, c := range a.Config().Channels {
		a.mu.Lock()
		i := slices.IndexFunc(a.channels, func(k Channel) bool { return sameName(k.Name, c.Name) })
		var known Channel
		if i >= 0 {
			known = a.channels[i]
		}
		a.mu.Unlock()
		if i < 0 {
			a.noticeTrouble(a.store.CreateChannel(ctx, &store.Channel{Name: c.Name, Description: c.Description, Members: c.Agents}))
			continue
		}
		for _, name := range c.Agents {
			if !slices.Contains(known.Members, name) {
				a.noticeTrouble(a.store.AddMember(ctx, known.ID, name))
			}
		}
	}
	a.noticeTrouble(a.loadChannels(ctx))
}

// CreateChannel makes a channel. The error tells of a name that is taken or
// not allowed.
func (a *App) CreateChannel(name, description string, agents []string) (ChannelID, error) {
	c := store.Channel{Name: strings.TrimSpace(name), Description: strings.TrimSpace(description), Members: agents}
	err := a.change(a.store.CreateChannel(a.disk, &c))
	return c.ID, err
}

// RenameChannel gives a channel another name.
func (a *App) RenameChannel(id ChannelID, name string) error {
	return a.change(a.store.RenameChannel(a.disk, id, strings.TrimSpace(name)))
}

// DescribeChannel changes what a channel is for.
func (a *App) DescribeChannel(id ChannelID, text string) error {
	return a.change(a.store.DescribeChannel(a.disk, id, strings.TrimSpace(text)))
}

// SetHops lets agents address agents, so many times in a row; 0 is off.
func (a *App) SetHops(id ChannelID, hops int) error {
	return a.change(a.store.SetHops(a.disk, id, max(0, hops)))
}

// AddMember adds an agent to a channel.
func (a *App) AddMember(id ChannelID, name string) error {
	return a.change(a.store.AddMember(a.disk, id, name))
}

// RemoveMember takes an agent out of a channel; its messages stay.
func (a *App) RemoveMember(id ChannelID, name string) error {
	a.mu.Lock()
	for _, j := range a.jobs {
		if j.channel == id && j.Agent == name {
			j.cancel(errStopped) // those that wait end as soon as it is their turn
		}
	}
	a.mu.Unlock()
	return a.change(a.store.RemoveMember(a.disk, id, name))
}

// DeleteChannel deletes a channel with its whole history. Turns in it are
// stopped, and their questions cancelled.
func (a *App) DeleteChannel(id ChannelID) error {
	a.leave(id)
	err := a.store.DeleteChannel(a.disk, id)
	if err != nil {
		a.mu.Lock()
		delete(a.deleted, id)
		a.mu.Unlock()
	}
	return a.change(err)
}

// leave ends everything that goes on in a channel that is deleted, here or by
// another process, and forgets it.
func (a *App) leave(id ChannelID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.deleted[id] = true
	for _, j := range a.jobs {
		if j.channel == id {
			j.cancel(errDeleted)
		}
	}
	maps.DeleteFunc(a.rooms, func(k roomKey, _ *room) bool { return k.channel == id })
	maps.DeleteFunc(a.lives, func(_ MessageID, l *live) bool { return l.Channel == id })
	maps.DeleteFunc(a.unsaved, func(_ MessageID, m *Message) bool { return m.Channel == id })
	delete(a.newest, id)
	delete(a.answered, id)
	delete(a.drafts, id)
}

// change takes up a change of the channels, or gives its error.
func (a *App) change(err error) error {
	if err != nil {
		return err
	}
	err = a.loadChannels(a.ctx)
	a.publish(Event{Kind: ChannelsChanged})
	return err
}

// MarkRead says that the person has seen a channel up to a message.
func (a *App) MarkRead(id ChannelID, upTo MessageID) {
	if upTo <= 0 {
		return
	}
	a.mu.Lock()
	c := a.channel(id)
	news := c != nil && upTo > c.ReadUpTo
	if news {
		c.ReadUpTo = upTo
	}
	a.mu.Unlock()
	if news {
		a.tasks.do(func() {
			a.noticeTrouble(a.store.SetRead(a.disk, id, upTo))
			a.countUnread()
		})
	}
}

// countUnread takes the unread counts up.
func (a *App) countUnread() {
	unread, err := a.store.Unread(a.disk)
	if err != nil {
		a.noticeTrouble(err)
		return
	}
	changed := false
	a.mu.Lock()
	for i := range a.channels {
		c := &a.channels[i]
		if n := unread[c.ID]; n != c.Unread {
			c.Unread, changed = n, true
		}
	}
	a.mu.Unlock()
	if changed {
		a.publish(Event{Kind: ChannelsChanged})
	}
}

// Draft is what is being written in a channel and was not sent yet.
type Draft = store.Draft

// Draft is what was being written in a channel.
func (a *App) Draft(id ChannelID) Draft {
	a.mu.Lock()
	d, known := a.drafts[id]
	exists := a.channel(id) != nil
	a.mu.Unlock()
	if known || !exists {
		return d
	}
	d, err := a.store.Draft(a.disk, id)
	a.noticeTrouble(err)
	return d
}

// SetDraft keeps what is being written in a channel.
func (a *App) SetDraft(id ChannelID, d Draft) {
	a.mu.Lock()
	a.drafts[id] = d
	exists := a.channel(id) != nil
	a.mu.Unlock()
	if !exists {
		return
	}
	a.tasks.do(func() { a.noticeTrouble(a.store.SetDraft(a.disk, id, d)) })
}

// audience is who can be addressed in a channel now.
func (a *App) audience(id ChannelID) audience {
	a.mu.Lock()
	defer a.mu.Unlock()
	w := audience{agents: a.present(), last: a.answered[id]}
	if c := a.channel(id); c != nil {
		w.members = slices.Clone(c.Members)
	}
	return w
}

// Preview says who would get a text: the composer shows it.
func (a *App) Preview(id ChannelID, text string, to []string) Addressing {
	return a.addressed(id, text, to)
}

// addressed is who gets a text: those chosen in the composer, whatever it
// says, unless it runs a command, which only its own agent has.
func (a *App) addressed(id ChannelID, text string, to []string) Addressing {
	if _, _, command := slashCommand(text); len(to) == 0 || command {
		return address(text, a.audience(id))
	}
	chosen := Addressing{To: to, Text: text}
	if rest, ok := strings.CutPrefix(text, "/"); ok {
		chosen.Command = firstWord(rest)
	}
	return chosen
}

// now is when something happens; the history keeps microseconds.
func now() time.Time { return time.Now().Truncate(time.Microsecond) }
