package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"math"
	"slices"
	"time"
)

// AddMessage writes m with its parts and deliveries. It fills in ID, the Seq of the
// parts (from 0, in their order) and all of CreatedAt and the deliveries' ID,
// Message, State, Since and Owner that are empty.
func (s *Store) AddMessage(ctx context.Context, m *Message) error {
	added := *m
	added.Parts = slices.Clone(m.Parts)
	added.Deliveries = slices.Clone(m.Deliveries)
	err := s.update(ctx, "add a message", func(t *tx) error {
		added.CreatedAt = orNow(m.CreatedAt)
		id, err := t.insert(`INSERT INTO messages
			(channel, author, kind, hop, delivery, created_at, ended_at, meta, revision)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			m.Channel, m.Author, m.Kind, m.Hop, m.Delivery,
			instant(added.CreatedAt), instant(m.EndedAt), document(m.Meta), t.revision)
		if err != nil {
			return err
		}
		added.ID = MessageID(id)
		for i := range added.Parts {
			added.Parts[i].Seq = i
			if err := t.savePart(added.ID, added.Parts[i]); err != nil {
				return err
			}
		}
		for i := range added.Deliveries {
			added.Deliveries[i].Message = added.ID
			if err := t.addDelivery(&added.Deliveries[i], s.owner); err != nil {
				return err
			}
		}
		if m.EndedAt.IsZero() {
			return nil
		}
		return t.index(added.ID)
	})
	if err == nil {
		*m = added
	}
	return err
}

// SaveParts writes the given parts of a message, new or changed; the others stay
// as they are.
func (s *Store) SaveParts(ctx context.Context, id MessageID, parts []Part) error {
	return s.update(ctx, "save a part of a message", func(t *tx) error {
		ended, err := t.touch(id)
		if err != nil {
			return err
		}
		for _, p := range parts {
			if err := t.savePart(id, p); err != nil {
				return err
			}
		}
		if !ended {
			return nil
		}
		return t.index(id)
	})
}

func (t *tx) savePart(id MessageID, p Part) error {
	_, err := t.exec(`INSERT INTO parts (message, seq, kind, started_at, ended_at, data, text)
		VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET kind = excluded.kind, started_at = excluded.started_at,
			ended_at = excluded.ended_at, data = excluded.data, text = excluded.text`,
		id, p.Seq, p.Kind, instant(p.StartedAt), instant(p.EndedAt), document(p.Data), p.Text)
	return err
}

// EndMessage says that the message is complete; from then on it can be found. A nil
// meta leaves the one that the message has.
func (s *Store) EndMessage(ctx context.Context, id MessageID, at time.Time, meta json.RawMessage) error {
	return s.update(ctx, "end a message", func(t *tx) error {
		err := t.must(`UPDATE messages SET ended_at = ?1, meta = CASE ?2 WHEN '' THEN meta ELSE ?2 END, revision = ?3
			WHERE id = ?4`, instant(orNow(at)), document(meta), t.revision, id)
		if err != nil {
			return err
		}
		return t.index(id)
	})
}

// SetMeta replaces the message's Meta.
func (s *Store) SetMeta(ctx context.Context, id MessageID, meta json.RawMessage) error {
	return s.update(ctx, "note something about a message", func(t *tx) error {
		return t.must("UPDATE messages SET meta = ?, revision = ? WHERE id = ?", document(meta), t.revision, id)
	})
}

// EditMessage replaces the text of a message whose deliveries are all Queued, else
// it fails with ErrNotQueued. Parts that are not Text stay.
func (s *Store) EditMessage(ctx context.Context, id MessageID, text string) error {
	return s.update(ctx, "edit a message", func(t *tx) error {
		if _, err := t.touch(id); err != nil {
			return err
		}
		var begun bool
		if err := t.row("SELECT EXISTS (SELECT 1 FROM deliveries WHERE message = ? AND state <> ?)", id, Queued).
			Scan(&begun); err != nil {
			return err
		}
		if begun {
			return ErrNotQueued
		}
		// The text takes the place of the first one, or else comes last.
		var seq int
		if err := t.row(`SELECT coalesce(min(seq) FILTER (WHERE kind = ?), max(seq) + 1, 0)
			FROM parts WHERE message = ?`, Text, id).Scan(&seq); err != nil {
			return err
		}
		if _, err := t.exec("DELETE FROM parts WHERE message = ? AND kind = ? AND seq > ?", id, Text, seq); err != nil {
			return err
		}
		if _, err := t.exec(`INSERT INTO parts (message, seq, kind, started_at, ended_at, data, text)
			VALUES (?, ?, ?, 0, 0, '', ?)
			ON CONFLICT DO UPDATE SET text = excluded.text`, id, seq, Text, text); err != nil {
			return err
		}
		return t.index(id)
	})
}

// DeleteMessage deletes the message with its parts and deliveries.
func (s *Store) DeleteMessage(ctx context.Context, id MessageID) error {
	return s.update(ctx, "delete a message", func(t *tx) error {
		if err := t.must("DELETE FROM messages WHERE id = ?", id); err != nil {
			return err
		}
		if _, err := t.exec("DELETE FROM search WHERE docid = ?", id); err != nil {
			return err
		}
		_, err := t.exec("INSERT INTO removed VALUES (?, ?)", id, t.revision)
		return err
	})
}

// Message returns one message, or ErrNotFound.
func (s *Store) Message(ctx context.Context, id MessageID) (Message, error) {
	all, err := s.messages(ctx, "id = ?", id)
	if err == nil && len(all) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Message{}, s.fail("read a message", err)
	}
	return all[0], nil
}

// Messages returns the last limit messages of the channel before the given one, or
// of all when that is 0. The oldest is first.
func (s *Store) Messages(ctx context.Context, channel ChannelID, before MessageID, limit int) ([]Message, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	all, err := s.messages(ctx, "channel = ? AND id < ? ORDER BY id DESC LIMIT ?", channel, before, max(limit, 0))
	slices.Reverse(all)
	return all, s.fail("read messages", err)
}

// MessagesAfter returns the first limit messages of the channel after the given
// one. The oldest is first.
func (s *Store) MessagesAfter(ctx context.Context, channel ChannelID, after MessageID, limit int) ([]Message, error) {
	all, err := s.messages(ctx, "channel = ? AND id > ? ORDER BY id LIMIT ?", channel, after, max(limit, 0))
	return all, s.fail("read messages", err)
}

// Count returns how many messages the channel has.
func (s *Store) Count(ctx context.Context, channel ChannelID) (n int, err error) {
	err = s.read.QueryRowContext(ctx, "SELECT count(*) FROM messages WHERE channel = ?", channel).Scan(&n)
	return n, s.fail("count messages", err)
}

// messages reads the messages that a condition selects, in three queries that see
// the same moment. The condition selects neighbours of one channel.
func (s *Store) messages(ctx context.Context, condition string, args ...any) (all []Message, err error) {
	moment, err := s.read.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = moment.Rollback() }()

	all, err = collect(ctx, moment, scanMessage, `SELECT id, channel, author, kind, hop, delivery,
		created_at, ended_at, meta FROM messages WHERE `+condition, args...)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	at := make(map[MessageID]*Message, len(all))
	first, last := all[0].ID, all[0].ID
	for i := range all {
		m := &all[i]
		at[m.ID] = m
		first, last = min(first, m.ID), max(last, m.ID)
	}
	const neighbours = " WHERE message IN (SELECT id FROM messages WHERE channel = ? AND id BETWEEN ? AND ?) ORDER BY message, "

	parts, err := collect(ctx, moment, scanPart,
		"SELECT message, seq, kind, text, data, started_at, ended_at FROM parts"+neighbours+"seq",
		all[0].Channel, first, last)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		at[p.message].Parts = append(at[p.message].Parts, p.Part)
	}
	deliveries, err := collect(ctx, moment, scanDelivery,
		"SELECT "+deliveryColumns+" FROM deliveries"+neighbours+"id", all[0].Channel, first, last)
	if err != nil {
		return nil, err
	}
	for _, d := range deliveries {
		at[d.Message].Deliveries = append(at[d.Message].Deliveries, d)
	}
	return all, nil
}

func scanMessage(rows *sql.Rows, m *Message) error {
	return rows.Scan(&m.ID, &m.Channel, &m.Author, &m.Kind, &m.Hop, &m.Delivery,
		(*instant)(&m.CreatedAt), (*instant)(&m.EndedAt), (*document)(&m.Meta))
}

// A messagePart is a part with the message it belongs to.
type messagePart struct {
	Part
	message MessageID
}

func scanPart(rows *sql.Rows, p *messagePart) error {
	return rows.Scan(&p.message, &p.Seq, &p.Kind, &p.Text, (*document)(&p.Data),
		(*instant)(&p.StartedAt), (*instant)(&p.EndedAt))
}
