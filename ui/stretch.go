package ui

import (
	"slices"

	"git.rickub.com/bots-garden/sidekicks/app"
)

const (
	page = 60        // messages read at once
	most = 10 * page // kept: what is far from the view is let go
)

// stretch is the part of a channel's messages that was read, in order. It
// grows at both ends.
type stretch struct {
	backend  backend
	channel  app.ChannelID
	messages []app.Message
	whole    bool          // there are none before
	latest   bool          // there are none after
	recent   []app.Message // the newest page while it is elsewhere: latest is false
}

// toEnd reads the newest page.
func (s *stretch) toEnd() (err error) {
	s.messages, err = s.backend.Messages(s.channel, 0, page)
	s.whole, s.latest, s.recent = len(s.messages) < page, true, nil
	return err
}

// around reads the messages on both sides of one, which may be gone.
func (s *stretch) around(id app.MessageID) error {
	list, err := s.backend.MessagesAround(s.channel, id, page)
	if err != nil {
		return err
	}
	before := 0
	for before < len(list) && list[before].ID > 0 && list[before].ID < id {
		before++
	}
	recent := s.newest()
	s.messages, s.recent = list, nil
	s.whole, s.latest = before < page/2, len(list)-before < page-page/2
	if !s.latest {
		if s.recent = recent; len(recent) == 0 {
			s.recent, err = s.backend.Messages(s.channel, 0, page)
		}
	}
	return err
}

// older reads the page before, newer the one after.
func (s *stretch) older() error {
	if s.whole || len(s.messages) == 0 {
		return nil
	}
	list, err := s.backend.Messages(s.channel, s.messages[0].ID, page)
	if err != nil {
		return err
	}
	s.whole = len(list) < page
	s.messages = append(list, s.messages...)
	if len(s.messages) > most {
		if s.latest {
			s.recent, s.latest = slices.Clone(s.newest()), false
		}
		s.messages = slices.Clip(s.messages[:most])
	}
	return nil
}

func (s *stretch) newer() error {
	if s.latest || len(s.messages) == 0 {
		return nil
	}
	list, err := s.backend.MessagesAfter(s.channel, s.messages[len(s.messages)-1].ID, page)
	if err != nil {
		return err
	}
	s.messages = append(s.messages, list...)
	if s.latest = len(list) < page; s.latest {
		s.recent = nil
	}
	if n := len(s.messages) - most; n > 0 {
		s.messages, s.whole = slices.Clone(s.messages[n:]), false
	}
	return nil
}

// newest are the last messages of the channel.
func (s *stretch) newest() []app.Message {
	if s.latest {
		return s.messages[max(0, len(s.messages)-page):]
	}
	return s.recent
}

// remove takes a message out and reports whether it was in.
func (s *stretch) remove(id app.MessageID) bool {
	if i, known := locate(s.recent, id); known {
		s.recent = slices.Delete(s.recent, i, i+1)
	}
	i, known := locate(s.messages, id)
	if known {
		s.messages = slices.Delete(s.messages, i, i+1)
	}
	return known
}

// put takes a message in, or over as it is now. It reports whether the message
// is new, and where it is, -1 being outside of the stretch.
func (s *stretch) put(m app.Message) (at int, added bool) {
	if !s.latest {
		i, known := locate(s.recent, m.ID)
		switch {
		case known:
			s.recent[i] = m
		case i > 0:
			s.recent, added = slices.Insert(s.recent, i, m), true
			s.recent = s.recent[max(0, len(s.recent)-page):]
		}
	}
	i, known := locate(s.messages, m.ID)
	switch {
	case known:
		s.messages[i] = m
		return i, false
	case i == 0 && !s.whole, i == len(s.messages) && !s.latest:
		return -1, added
	}
	s.messages = slices.Insert(s.messages, i, m)
	return i, true
}

// locate is where a message is, or where it belongs: ids grow, but for those
// below zero, of messages that the history could not take yet.
func locate(list []app.Message, id app.MessageID) (i int, known bool) {
	i = len(list)
	for k, m := range slices.Backward(list) {
		if m.ID == id {
			return k, true
		}
		if id > 0 && m.ID > id {
			i = k
		}
	}
	return i, false
}
