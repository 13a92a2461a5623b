package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mattn/go-sqlite3"
	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Options of every connection. The timeout is how long a write waits for the one of
// another process; the cache keeps the statements prepared.
const options = "_busy_timeout=10000&_foreign_keys=on&_synchronous=NORMAL&_stmt_cache_size=64"

// readers is how many reads may go on at once.
const readers = 4

// tables are those that a history of this version has.
var tables = []string{
	"clock", "channels", "members", "messages", "removed", "parts", "deliveries", "sessions", "commands", "search",
}

// connect opens the database at s.uri, brings it to this version, and makes sure
// that it can be written.
func (s *Store) connect(ctx context.Context, wal bool) (err error) {
	locking := "_locking_mode=EXCLUSIVE" // until setJournal
	if wal {
		locking = "_locking_mode=NORMAL"
	}
	if s.write, err = s.open(locking); err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	if s.read, err = s.open("_query_only=true"); err != nil {
		return errors.Join(err, s.write.Close())
	}
	s.read.SetMaxOpenConns(readers)
	s.read.SetMaxIdleConns(readers)
	defer func() {
		if err != nil {
			_, _ = s.read.Close(), s.write.Close()
		}
	}()

	migrate, err := migrator(s.write)
	if err != nil {
		return err
	}
	sources := migrate.ListSources()
	if err := checkSchema(ctx, s.write, sources[len(sources)-1].Version); err != nil {
		return err
	}
	if err := setJournal(ctx, s.write, wal); err != nil {
		return err
	}
	// Writes the number that is there, to know before migrating whether it can be.
	if _, err := s.write.ExecContext(ctx, "PRAGMA user_version = 0"); err != nil {
		return err
	}
	if _, err := migrate.Up(ctx); err != nil {
		return err
	}
	if err := checkComplete(ctx, s.write); err != nil {
		return err
	}
	if s.conn, err = s.write.Conn(ctx); err != nil {
		return err
	}
	err = s.conn.QueryRowContext(ctx, "SELECT revision, channels FROM clock").Scan(&s.seen.revision, &s.seen.channels)
	if err != nil {
		return errors.Join(err, s.conn.Close())
	}
	if err := s.indexMissing(ctx); err != nil {
		return errors.Join(err, s.conn.Close())
	}
	return nil
}

func (s *Store) open(option string) (*sql.DB, error) {
	separator := "?"
	if strings.Contains(s.uri, "?") {
		separator = "&"
	}
	return sql.Open("sqlite3", s.uri+separator+options+"&"+option)
}

// fileURI names the file to SQLite, whatever characters its path has.
func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/…
	}
	return "file://" + (&url.URL{Path: path}).EscapedPath()
}

func migrator(db *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
}

// checkSchema fails with ErrNewer when the database is of a version above latest,
// and with ErrDamaged when it is none of ours. It changes nothing.
func checkSchema(ctx context.Context, db *sql.DB, latest int64) error {
	names, err := tableNames(ctx, db)
	if err != nil || len(names) == 0 {
		return err
	}
	var version int64
	err = db.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM goose_db_version").Scan(&version)
	var failure sqlite3.Error
	switch {
	case errors.As(err, &failure) && failure.Code == sqlite3.ErrError: // no such table or column
		return ErrDamaged
	case err != nil:
		return err
	case version > latest:
		return ErrNewer
	case version == latest:
		return checkComplete(ctx, db)
	}
	return nil
}

// checkComplete fails with ErrDamaged when a database of this version lacks what no
// history is without.
func checkComplete(ctx context.Context, db *sql.DB) error {
	names, err := tableNames(ctx, db)
	if err != nil {
		return err
	}
	for _, table := range tables {
		if !slices.Contains(names, table) {
			return ErrDamaged
		}
	}
	var clocks int
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM clock").Scan(&clocks); err != nil {
		return err
	}
	if clocks != 1 {
		return ErrDamaged
	}
	return nil
}

func tableNames(ctx context.Context, db *sql.DB) ([]string, error) {
	scan := func(rows *sql.Rows, name *string) error { return rows.Scan(name) }
	return collect(ctx, db, scan, "SELECT name FROM sqlite_master WHERE type = 'table'")
}

// setJournal chooses how writes are made safe. Without a write-ahead log the
// connection must have been opened with exclusive locking: SQLite then reads a log
// that is there without sharing memory, and can put it into the file.
func setJournal(ctx context.Context, db *sql.DB, wal bool) error {
	if wal {
		var mode string
		if err := db.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
			return err
		}
		if mode != "wal" {
			return ErrUnwritable
		}
		return nil
	}
	for _, pragma := range []string{"journal_mode = DELETE", "locking_mode = NORMAL", "synchronous = FULL"} {
		if _, err := db.ExecContext(ctx, "PRAGMA "+pragma); err != nil {
			return err
		}
	}
	return nil
}
