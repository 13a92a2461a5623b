package store

import (
	"context"
	"encoding/json"
	"time"
)

// AddMessage writes m with its parts and deliveries. It fills in the ids, the Seq of the parts
// (from 0, in order), CreatedAt and each delivery's Message, Since, State (Queued) and Owner where they are empty.
func (s *Store) AddMessage(ctx context.Context, m *Message) error { panic("todo") }

// SaveParts writes the given parts of a message, new or changed; the others stay as they are.
func (s *Store) SaveParts(ctx context.Context, id MessageID, parts []Part) error { panic("todo") }

// EndMessage says that the message is complete. A nil meta leaves the message's own.
func (s *Store) EndMessage(ctx context.Context, id MessageID, at time.Time, meta json.RawMessage) error {
	panic("todo")
}

// SetMeta replaces the message's Meta.
func (s *Store) SetMeta(ctx context.Context, id MessageID, meta json.RawMessage) error { panic("todo") }

// EditMessage replaces the text of a message that nobody has begun to answer; else
// it fails with ErrNotQueued. Parts of other kinds stay.
func (s *Store) EditMessage(ctx context.Context, id MessageID, text string) error { panic("todo") }

// DeleteMessage deletes the message with its parts and deliveries.
func (s *Store) DeleteMessage(ctx context.Context, id MessageID) error { panic("todo") }

// Message returns one message, or ErrNotFound.
func (s *Store) Message(ctx context.Context, id MessageID) (Message, error) { panic("todo") }

// Messages returns the last limit messages of the channel before the given one (0: the newest), oldest first.
func (s *Store) Messages(ctx context.Context, channel ChannelID, before MessageID, limit int) ([]Message, error) {
	panic("todo")
}

// MessagesAfter returns the first limit messages of the channel after the given one, oldest first.
func (s *Store) MessagesAfter(ctx context.Context, channel ChannelID, after MessageID, limit int) ([]Message, error) {
	panic("todo")
}

// Count returns how many messages the channel has.
func (s *Store) Count(ctx context.Context, channel ChannelID) (int, error) { panic("todo") }
