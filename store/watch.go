package store

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"
)

// A clock is how far a history has come: the number of its last write, and of the
// last that changed a channel.
type clock struct{ revision, channels int64 }

// missed is what other processes wrote and Watch has not told yet.
type missed struct {
	messages, removed map[MessageID]bool
	channels          bool
}

// Watch looks every so often for what other processes wrote since the history was
// opened, and calls changed with it; changed may call the Store. It returns when ctx
// is done, or the Store closed. Each change is told once, so one Watch at a time.
func (s *Store) Watch(ctx context.Context, every time.Duration, changed func(Changes)) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.closed:
			return
		case <-ticker.C:
		}
		// A history that cannot be read now may be later: the next look tells all.
		if c, err := s.changes(ctx); err == nil && (c.Channels || len(c.Messages)+len(c.Removed) > 0) {
			changed(c)
		}
	}
}

// changes takes what was missed.
func (s *Store) changes(ctx context.Context) (Changes, error) {
	if err := s.acquire(ctx); err != nil {
		return Changes{}, err
	}
	defer s.release()
	t := &tx{ctx: context.WithoutCancel(ctx), conn: s.conn}

	var version int64
	if err := t.row("PRAGMA data_version").Scan(&version); err != nil {
		return Changes{}, err
	}
	if version != s.dataVersion {
		var now clock
		if err := t.row("SELECT revision, channels FROM clock").Scan(&now.revision, &now.channels); err != nil {
			return Changes{}, err
		}
		if err := s.notice(t, now); err != nil {
			return Changes{}, err
		}
		s.seen, s.dataVersion = now, version
	}
	c := Changes{
		Messages: slices.Sorted(maps.Keys(s.missed.messages)),
		Removed:  slices.Sorted(maps.Keys(s.missed.removed)),
		Channels: s.missed.channels,
	}
	s.missed = missed{}
	return c, nil
}

// notice adds to s.missed what others wrote between s.seen and now. Each write
// calls it first, so that all it finds are writes of others.
func (s *Store) notice(t *tx, now clock) error {
	if now.channels != s.seen.channels {
		s.missed.channels = true
	}
	if now.revision == s.seen.revision {
		return nil
	}
	for _, look := range []struct {
		query string
		into  *map[MessageID]bool
	}{
		{"SELECT id FROM messages WHERE revision > ? AND revision <= ?", &s.missed.messages},
		{"SELECT message FROM removed WHERE revision > ? AND revision <= ?", &s.missed.removed},
	} {
		ids, err := collect(t.ctx, t.conn, scanMessageID, look.query, s.seen.revision, now.revision)
		if err != nil {
			return err
		}
		if *look.into == nil {
			*look.into = map[MessageID]bool{}
		}
		for _, id := range ids {
			(*look.into)[id] = true
		}
	}
	for id := range s.missed.removed {
		delete(s.missed.messages, id)
	}
	return nil
}

func scanMessageID(rows *sql.Rows, id *MessageID) error { return rows.Scan(id) }
