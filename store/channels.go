package store

import "context"

// Channels returns all channels, by Position.
func (s *Store) Channels(ctx context.Context) ([]Channel, error) { panic("todo") }

// CreateChannel adds c at the end of the list and fills in its ID, Position and (when zero)
// CreatedAt. It fails with ErrNameTaken or ErrBadName.
func (s *Store) CreateChannel(ctx context.Context, c *Channel) error { panic("todo") }

// RenameChannel fails with ErrNameTaken, ErrBadName or ErrNotFound.
func (s *Store) RenameChannel(ctx context.Context, id ChannelID, name string) error { panic("todo") }

// DescribeChannel changes the description.
func (s *Store) DescribeChannel(ctx context.Context, id ChannelID, description string) error {
	panic("todo")
}

// SetHops changes how many times in a row agents may address agents; 0 is off.
func (s *Store) SetHops(ctx context.Context, id ChannelID, hops int) error { panic("todo") }

// MoveChannel puts the channel at the given place, counted from 0 without it; a
// place beyond the end is the end.
func (s *Store) MoveChannel(ctx context.Context, id ChannelID, position int) error { panic("todo") }

// DeleteChannel deletes the channel with everything in it.
func (s *Store) DeleteChannel(ctx context.Context, id ChannelID) error { panic("todo") }

// AddMember adds the agent at the end of the members, or does nothing when it is one.
func (s *Store) AddMember(ctx context.Context, id ChannelID, agent string) error { panic("todo") }

// RemoveMember does nothing when the agent is not a member.
func (s *Store) RemoveMember(ctx context.Context, id ChannelID, agent string) error { panic("todo") }

// SetRead says that everything up to the message has been read. It never goes back.
func (s *Store) SetRead(ctx context.Context, id ChannelID, upTo MessageID) error { panic("todo") }

// Unread counts, for each channel that has any, the messages after ReadUpTo that are not the person's own.
func (s *Store) Unread(ctx context.Context) (map[ChannelID]int, error) { panic("todo") }

// Draft returns the text that was being typed in the channel.
func (s *Store) Draft(ctx context.Context, id ChannelID) (string, error) { panic("todo") }

// SetDraft keeps the text that is being typed in the channel.
func (s *Store) SetDraft(ctx context.Context, id ChannelID, text string) error { panic("todo") }
