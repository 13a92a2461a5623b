package store

import (
	"context"
	"database/sql"
	"errors"
)

// A tx is a write in progress.
type tx struct {
	ctx      context.Context
	conn     *sql.Conn
	revision int64 // the number of this write
	channels int64 // the revision of the last change of a channel
}

// update makes one write: f runs in a transaction that no other process can
// interleave, and all or nothing of it stays.
func (s *Store) update(ctx context.Context, doing string, f func(*tx) error) error {
	if err := s.acquire(ctx); err != nil {
		return s.fail(doing, err)
	}
	defer s.release()
	return s.fail(doing, s.transact(context.WithoutCancel(ctx), f))
}

// acquire waits for the writing connection.
func (s *Store) acquire(ctx context.Context) error {
	select {
	case s.writing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Store) release() { <-s.writing }

func (s *Store) transact(ctx context.Context, f func(*tx) error) error {
	t := &tx{ctx: ctx, conn: s.conn}
	if _, err := t.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	committed := false
	defer func() {
		if !committed {
			// SQLite may have rolled back already, and says so.
			_, _ = t.exec("ROLLBACK")
		}
	}()
	err := t.row("UPDATE clock SET revision = revision + 1 RETURNING revision, channels").
		Scan(&t.revision, &t.channels)
	if err != nil {
		return err
	}
	if err := s.notice(t, clock{t.revision - 1, t.channels}); err != nil {
		return err
	}
	if err := f(t); err != nil {
		return err
	}
	if _, err := t.exec("COMMIT"); err != nil {
		return err
	}
	committed = true
	s.seen = clock{t.revision, t.channels}
	return nil
}

// exec runs a statement and returns how many rows it changed.
func (t *tx) exec(query string, args ...any) (int64, error) {
	result, err := t.conn.ExecContext(t.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// must runs a statement that fails with ErrNotFound when it changes no row.
func (t *tx) must(query string, args ...any) error {
	n, err := t.exec(query, args...)
	if err == nil && n == 0 {
		err = ErrNotFound
	}
	return err
}

// insert runs a statement that adds a row, and returns the row's id.
func (t *tx) insert(query string, args ...any) (int64, error) {
	result, err := t.conn.ExecContext(t.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

func (t *tx) row(query string, args ...any) *sql.Row {
	return t.conn.QueryRowContext(t.ctx, query, args...)
}

// touch tells the other processes that the message changed, and reports whether it
// is complete.
func (t *tx) touch(id MessageID) (ended bool, err error) {
	err = t.row("UPDATE messages SET revision = ? WHERE id = ? RETURNING ended_at <> 0", t.revision, id).
		Scan(&ended)
	return ended, found(err)
}

// found makes ErrNotFound of the error of a row that is not there.
func found(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}

// queryer is a place to read from: a connection, a transaction or the readers.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// collect reads all rows of a query, each with scan.
func collect[T any](ctx context.Context, from queryer, scan func(*sql.Rows, *T) error, query string, args ...any) ([]T, error) {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var one T
		if err := scan(rows, &one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}
