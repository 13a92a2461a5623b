package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-sqlite3"
)

// maxName is how long a channel's name may be, in characters.
const maxName = 64

// Channels returns all channels, by Position.
func (s *Store) Channels(ctx context.Context) ([]Channel, error) {
	type row struct {
		Channel
		member sql.NullString
	}
	rows, err := collect(ctx, s.read, func(rows *sql.Rows, r *row) error {
		return rows.Scan(&r.ID, &r.Name, &r.Description, &r.Hops, &r.ReadUpTo, (*instant)(&r.CreatedAt), &r.member)
	}, `SELECT c.id, c.name, c.description, c.hops, c.read_up_to, c.created_at, m.agent
		FROM channels c LEFT JOIN members m ON m.channel = c.id
		ORDER BY c.position, c.id, m.position`)
	if err != nil {
		return nil, s.fail("read the channels", err)
	}
	var all []Channel
	for _, r := range rows {
		if len(all) == 0 || all[len(all)-1].ID != r.ID {
			r.Position = len(all)
			all = append(all, r.Channel)
		}
		if last := &all[len(all)-1]; r.member.Valid {
			last.Members = append(last.Members, r.member.String)
		}
	}
	return all, nil
}

// CreateChannel adds c at the end of the list. It fills in ID, Position and, when
// zero, CreatedAt. It fails with ErrNameTaken or ErrBadName.
func (s *Store) CreateChannel(ctx context.Context, c *Channel) error {
	made := *c
	err := s.changeChannels(ctx, "create the channel", func(t *tx) error {
		if err := checkName(c.Name); err != nil {
			return err
		}
		made.CreatedAt = orNow(c.CreatedAt)
		id, err := t.insert(`INSERT INTO channels (name, folded, description, hops, position, read_up_to, created_at)
			VALUES (?, ?, ?, ?, (SELECT coalesce(max(position) + 1, 0) FROM channels), ?, ?)`,
			c.Name, fold(c.Name), c.Description, c.Hops, c.ReadUpTo, instant(made.CreatedAt))
		if err != nil {
			return nameError(c.Name, err)
		}
		made.ID = ChannelID(id)
		for _, agent := range c.Members {
			if err := t.addMember(made.ID, agent); err != nil && err != errUnchanged {
				return err
			}
		}
		return t.row("SELECT count(*) - 1 FROM channels").Scan(&made.Position)
	})
	if err == nil {
		*c = made
	}
	return err
}

// RenameChannel fails with ErrNameTaken, ErrBadName or ErrNotFound.
func (s *Store) RenameChannel(ctx context.Context, id ChannelID, name string) error {
	return s.changeChannels(ctx, "rename the channel", func(t *tx) error {
		if err := checkName(name); err != nil {
			return err
		}
		return nameError(name, t.must("UPDATE channels SET name = ?, folded = ? WHERE id = ?", name, fold(name), id))
	})
}

// DescribeChannel changes the description.
func (s *Store) DescribeChannel(ctx context.Context, id ChannelID, description string) error {
	return s.changeChannels(ctx, "describe the channel", func(t *tx) error {
		return t.must("UPDATE channels SET description = ? WHERE id = ?", description, id)
	})
}

// SetHops changes how many times in a row agents may address agents; 0 is off.
func (s *Store) SetHops(ctx context.Context, id ChannelID, hops int) error {
	return s.changeChannels(ctx, "limit the hops of the channel", func(t *tx) error {
		return t.must("UPDATE channels SET hops = ? WHERE id = ?", hops, id)
	})
}

// MoveChannel gives the channel a new Position. One beyond the ends is the end.
func (s *Store) MoveChannel(ctx context.Context, id ChannelID, position int) error {
	return s.changeChannels(ctx, "move the channel", func(t *tx) error {
		scan := func(rows *sql.Rows, id *ChannelID) error { return rows.Scan(id) }
		order, err := collect(ctx, t.conn, scan, "SELECT id FROM channels ORDER BY position, id")
		if err != nil {
			return err
		}
		at := slices.Index(order, id)
		if at < 0 {
			return ErrNotFound
		}
		order = slices.Delete(order, at, at+1)
		order = slices.Insert(order, min(max(position, 0), len(order)), id)
		for i, id := range order {
			if _, err := t.exec("UPDATE channels SET position = ? WHERE id = ?", i, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// DeleteChannel deletes the channel with everything in it.
func (s *Store) DeleteChannel(ctx context.Context, id ChannelID) error {
	if err := s.unindex(ctx, id); err != nil {
		return err
	}
	return s.changeChannels(ctx, "delete the channel", func(t *tx) error {
		_, err := t.exec("DELETE FROM search WHERE docid IN (SELECT id FROM messages WHERE channel = ? AND indexed = 1)", id)
		if err != nil {
			return err
		}
		return t.must("DELETE FROM channels WHERE id = ?", id)
	})
}

// AddMember adds the agent at the end of the members, or does nothing when it is one.
func (s *Store) AddMember(ctx context.Context, id ChannelID, agent string) error {
	return s.changeChannels(ctx, "add a member", func(t *tx) error { return t.addMember(id, agent) })
}

func (t *tx) addMember(id ChannelID, agent string) error {
	return changed(t.exec(`INSERT INTO members (channel, agent, position)
		VALUES (?1, ?2, (SELECT coalesce(max(position) + 1, 0) FROM members WHERE channel = ?1))
		ON CONFLICT DO NOTHING`, id, agent))
}

// RemoveMember does nothing when the agent is not a member.
func (s *Store) RemoveMember(ctx context.Context, id ChannelID, agent string) error {
	return s.changeChannels(ctx, "remove a member", func(t *tx) error {
		return changed(t.exec("DELETE FROM members WHERE channel = ? AND agent = ?", id, agent))
	})
}

// SetRead says that the channel has been read up to the message. It never goes back.
func (s *Store) SetRead(ctx context.Context, id ChannelID, upTo MessageID) error {
	return s.changeChannels(ctx, "mark the channel as read", func(t *tx) error {
		var before MessageID
		if err := t.row("SELECT read_up_to FROM channels WHERE id = ?", id).Scan(&before); err != nil {
			return found(err)
		}
		if upTo <= before {
			return errUnchanged
		}
		return t.must("UPDATE channels SET read_up_to = ? WHERE id = ?", upTo, id)
	})
}

// Unread counts, in each channel that has any, the messages after ReadUpTo that are
// not the person's own.
func (s *Store) Unread(ctx context.Context) (map[ChannelID]int, error) {
	type count struct {
		channel ChannelID
		n       int
	}
	counts, err := collect(ctx, s.read, func(rows *sql.Rows, c *count) error {
		return rows.Scan(&c.channel, &c.n)
	}, `SELECT c.id, count(*) FROM channels c JOIN messages m ON m.channel = c.id AND m.id > c.read_up_to
		WHERE m.kind <> ? GROUP BY c.id`, FromPerson)
	if err != nil {
		return nil, s.fail("count unread messages", err)
	}
	unread := make(map[ChannelID]int, len(counts))
	for _, c := range counts {
		unread[c.channel] = c.n
	}
	return unread, nil
}

// A Draft is what is being written in a channel and was not sent yet.
type Draft struct {
	Text  string
	Files []string // paths of what is attached
}

// Draft returns what was being written in the channel.
func (s *Store) Draft(ctx context.Context, id ChannelID) (d Draft, err error) {
	var files document
	err = s.read.QueryRowContext(ctx, "SELECT draft, draft_files FROM channels WHERE id = ?", id).Scan(&d.Text, &files)
	if err == nil && len(files) > 0 {
		err = json.Unmarshal(files, &d.Files)
	}
	return d, s.fail("read the draft", found(err))
}

// SetDraft keeps what is being written in the channel.
func (s *Store) SetDraft(ctx context.Context, id ChannelID, d Draft) error {
	var files document
	if len(d.Files) > 0 {
		list, err := json.Marshal(d.Files)
		if err != nil {
			return s.fail("keep the draft", err)
		}
		files = list
	}
	return s.update(ctx, "keep the draft", func(t *tx) error {
		return t.must("UPDATE channels SET draft = ?, draft_files = ? WHERE id = ?", d.Text, files, id)
	})
}

// errUnchanged says that the channels are already as they should be.
var errUnchanged = errors.New("unchanged")

// changed makes errUnchanged of a statement that changed no row.
func changed(rows int64, err error) error {
	if err == nil && rows == 0 {
		err = errUnchanged
	}
	return err
}

// changeChannels makes a write that other processes see as a change of the
// channels, unless f returns errUnchanged: two windows that follow each other
// would never come to rest.
func (s *Store) changeChannels(ctx context.Context, doing string, f func(*tx) error) error {
	return s.update(ctx, doing, func(t *tx) error {
		switch err := f(t); err {
		case nil:
		case errUnchanged:
			return nil
		default:
			return err
		}
		t.channels = t.revision
		_, err := t.exec("UPDATE clock SET channels = revision")
		return err
	})
}

func checkName(name string) error {
	if strings.TrimSpace(name) == "" || utf8.RuneCountInString(name) > maxName {
		return &Error{Reason: ErrBadName, Name: name}
	}
	return nil
}

// nameError makes ErrNameTaken of the error that giving a taken name causes.
func nameError(name string, err error) error {
	var failure sqlite3.Error
	if errors.As(err, &failure) && failure.ExtendedCode == sqlite3.ErrConstraintUnique {
		return &Error{Reason: ErrNameTaken, Name: name}
	}
	return err
}

// fold returns a text that two names share when they differ in case only
// (strings.EqualFold).
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		// SimpleFold goes from one case to the next greater, and at last to the least.
		for {
			next := unicode.SimpleFold(r)
			if next <= r {
				return next
			}
			r = next
		}
	}, name)
}
