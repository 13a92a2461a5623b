package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
)

const sessionColumns = "channel, agent, id, seen, updated_at"

func scanSession(rows *sql.Rows, s *Session) error {
	return rows.Scan(&s.Channel, &s.Agent, &s.ID, &s.Seen, (*instant)(&s.UpdatedAt))
}

// Session returns the agent's session in the channel, or ErrNotFound.
func (s *Store) Session(ctx context.Context, channel ChannelID, agent string) (Session, error) {
	all, err := collect(ctx, s.read, scanSession,
		"SELECT "+sessionColumns+" FROM sessions WHERE channel = ? AND agent = ?", channel, agent)
	if err == nil && len(all) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Session{}, s.fail("read a session", err)
	}
	return all[0], nil
}

// Sessions returns all sessions of the agent, by channel.
func (s *Store) Sessions(ctx context.Context, agent string) ([]Session, error) {
	all, err := collect(ctx, s.read, scanSession,
		"SELECT "+sessionColumns+" FROM sessions WHERE agent = ? ORDER BY channel", agent)
	return all, s.fail("read sessions", err)
}

// SaveSession keeps the session in the place of the one that the agent had in the
// channel.
func (s *Store) SaveSession(ctx context.Context, session Session) error {
	return s.update(ctx, "save a session", func(t *tx) error {
		_, err := t.exec("REPLACE INTO sessions ("+sessionColumns+") VALUES (?, ?, ?, ?, ?)",
			session.Channel, session.Agent, session.ID, session.Seen, instant(orNow(session.UpdatedAt)))
		return err
	})
}

// DeleteSession forgets the session, if there is one.
func (s *Store) DeleteSession(ctx context.Context, channel ChannelID, agent string) error {
	return s.update(ctx, "forget a session", func(t *tx) error {
		_, err := t.exec("DELETE FROM sessions WHERE channel = ? AND agent = ?", channel, agent)
		return err
	})
}

// Commands returns the commands that the agent offered last, nil when none are known.
func (s *Store) Commands(ctx context.Context, agent string) (commands json.RawMessage, err error) {
	err = s.read.QueryRowContext(ctx, "SELECT list FROM commands WHERE agent = ?", agent).
		Scan((*document)(&commands))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return commands, s.fail("read the commands of an agent", err)
}

// SaveCommands keeps the commands that the agent offers.
func (s *Store) SaveCommands(ctx context.Context, agent string, commands json.RawMessage) error {
	return s.update(ctx, "save the commands of an agent", func(t *tx) error {
		_, err := t.exec("REPLACE INTO commands (agent, list) VALUES (?, ?)", agent, document(commands))
		return err
	})
}
