package app

import (
	"context"
	"sync"
)

// EventKind says what changed.
type EventKind string

const (
	ChannelsChanged  EventKind = "channels"   // the list, a name, members, unread, order
	AgentsChanged    EventKind = "agents"     // Event.Agent: state, modes, commands, log; empty: the list
	MessageAdded     EventKind = "added"      // Event.Channel, Event.Message
	MessageChanged   EventKind = "changed"    // parts, deliveries, end
	MessageRemoved   EventKind = "removed"    // a queued message was withdrawn
	QuestionsChanged EventKind = "questions"  // one was asked or settled
	ConfigChanged    EventKind = "config"     // the file was read again: theme, language, problems
	TroublesChanged  EventKind = "troubles"   // App.Troubles has something new to say
	Everything       EventKind = "everything" // more changed than could be told: read all anew
)

// Event tells that something changed, not what it is now: the reader asks
// [App] for that, so that a slow reader skips what is already out of date.
type Event struct {
	Kind    EventKind
	Channel ChannelID
	Message MessageID
	Agent   string
}

// maxWaiting bounds a subscription: beyond it, Everything replaces the rest.
const maxWaiting = 4096

// Subscription is one reader's stream of events: in order, each kind of
// change once however often it happened since the last read, and bounded.
type Subscription struct {
	mu      sync.Mutex
	waiting []Event
	known   map[Event]bool
	wake    chan struct{}
	hub     *hub
}

// Next waits for events and returns all that wait. It returns false when the
// context ends or the app is closed and nothing is left.
func (s *Subscription) Next(ctx context.Context) ([]Event, bool) {
	for {
		if events := s.take(); len(events) > 0 {
			return events, true
		}
		select {
		case <-s.wake:
		case <-s.hub.closed:
			events := s.take()
			return events, len(events) > 0
		case <-ctx.Done():
			return nil, false
		}
	}
}

// Close ends the subscription.
func (s *Subscription) Close() { s.hub.remove(s) }

func (s *Subscription) take() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	events := s.waiting
	s.waiting = nil
	clear(s.known)
	return events
}

func (s *Subscription) put(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known[e] || s.known[Event{Kind: Everything}] {
		return
	}
	if len(s.waiting) >= maxWaiting {
		e = Event{Kind: Everything}
		s.waiting = s.waiting[:0]
		clear(s.known)
	}
	s.known[e] = true
	s.waiting = append(s.waiting, e)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// hub hands events to every subscription.
type hub struct {
	mu     sync.Mutex
	subs   map[*Subscription]bool
	closed chan struct{}
	once   sync.Once
}

func newHub() *hub {
	return &hub{subs: map[*Subscription]bool{}, closed: make(chan struct{})}
}

func (h *hub) subscribe() *Subscription {
	s := &Subscription{known: map[Event]bool{}, wake: make(chan struct{}, 1), hub: h}
	h.mu.Lock()
	h.subs[s] = true
	h.mu.Unlock()
	return s
}

func (h *hub) remove(s *Subscription) {
	h.mu.Lock()
	delete(h.subs, s)
	h.mu.Unlock()
}

func (h *hub) publish(e Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.subs {
		s.put(e)
	}
}

func (h *hub) close() { h.once.Do(func() { close(h.closed) }) }
