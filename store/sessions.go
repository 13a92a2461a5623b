package store

import (
	"context"
	"encoding/json"
)

// Session returns the agent's session in the channel, or ErrNotFound.
func (s *Store) Session(ctx context.Context, channel ChannelID, agent string) (Session, error) {
	panic("todo")
}

// Sessions returns all sessions of the agent.
func (s *Store) Sessions(ctx context.Context, agent string) ([]Session, error) { panic("todo") }

// SaveSession keeps the session, in the place of the one of the same channel and agent.
func (s *Store) SaveSession(ctx context.Context, session Session) error { panic("todo") }

// DeleteSession forgets the session, if there is one.
func (s *Store) DeleteSession(ctx context.Context, channel ChannelID, agent string) error {
	panic("todo")
}

// Commands returns the commands that the agent offered last, nil when none are known.
func (s *Store) Commands(ctx context.Context, agent string) (json.RawMessage, error) { panic("todo") }

// SaveCommands keeps the commands that the agent offers.
func (s *Store) SaveCommands(ctx context.Context, agent string, commands json.RawMessage) error {
	panic("todo")
}
