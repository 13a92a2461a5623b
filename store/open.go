package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// A Store is an open history.
type Store struct {
	path  string
	uri   string // the same as SQLite is told
	owner string
	locks locks     // "" in memory
	lock  *heldLock // says that owner is alive

	read  *sql.DB
	write *sql.DB // of one connection, conn

	writing     chan struct{} // held (acquire) to use what follows
	conn        *sql.Conn
	seen        clock // up to where missed is complete
	missed      missed
	dataVersion int64 // SQLite's count of the commits of others, at the last look

	closing sync.Once
	closed  chan struct{}
}

// Opening says how a history was opened.
type Opening struct {
	Fresh    bool    // nothing was ever written in it
	SetAside string  // where a file that could not be read was moved, "" when there was none
	InMemory bool    // nothing will be kept; Warnings says why
	Warnings []error // what a person must be told; each is an *Error
}

// Open opens the history at path, and creates it (mode 0600, its folder 0700) when
// there is none. A file that is not a history is moved beside it, never
// overwritten. When the history cannot be kept there (read-only, full, written by a
// newer version) what is there is left alone and the Store lives in memory. The
// error is for the rest: ctx is done, no memory.
func Open(ctx context.Context, path string) (*Store, Opening, error) {
	s := &Store{
		path:    path,
		owner:   rand.Text(),
		writing: make(chan struct{}, 1),
		closed:  make(chan struct{}),
	}
	var o Opening
	err := s.openFile(ctx, &o)
	if ctx.Err() != nil {
		return nil, o, s.fail("open the history", ctx.Err())
	}
	if err != nil {
		o.InMemory = true
		o.Warnings = append(o.Warnings,
			s.fail("open the history", err),
			s.fail("open the history", ErrInMemory))
		if err := s.openMemory(ctx); err != nil {
			return nil, o, s.fail("open a history in memory", err)
		}
	}
	o.Fresh = s.seen.revision == 0
	return s, o, nil
}

// openFile opens the history where it is kept, alone: no other process opens,
// creates or moves it meanwhile.
func (s *Store) openFile(ctx context.Context, o *Opening) (err error) {
	if s.path, err = filepath.Abs(s.path); err != nil {
		return err
	}
	folder := locks(s.path + ".locks")
	if err := os.MkdirAll(string(folder), 0o700); err != nil {
		return err
	}
	opening, err := folder.wait(ctx, openingLock)
	if err != nil {
		return err
	}
	defer opening.release()

	lock, err := folder.try(s.owner)
	if err != nil {
		return err
	}
	err = s.openDatabase(ctx, o)
	if why := err; reason(why) == ErrDamaged {
		if o.SetAside, err = setAside(s.path); err == nil {
			o.Warnings = append(o.Warnings,
				&Error{Doing: "open the history", Reason: ErrSetAside, Name: o.SetAside, Err: why})
			err = s.openDatabase(ctx, o)
		}
	}
	if err != nil {
		lock.remove()
		return err
	}
	s.locks, s.lock = folder, lock
	return nil
}

// openDatabase opens the file with a write-ahead log, which lets readers and a
// writer of several processes work at once, or without where the file system
// cannot share memory.
func (s *Store) openDatabase(ctx context.Context, o *Opening) error {
	if err := checkFile(s.path); err != nil {
		return err
	}
	s.uri = fileURI(s.path)
	folder := filepath.Dir(s.path)
	var err error
	if !onNetwork(folder) {
		if err = s.connect(ctx, true); err == nil || reason(err) != ErrUnwritable {
			return err
		}
	}
	if s.connect(ctx, false) != nil && err != nil {
		return err
	}
	o.Warnings = append(o.Warnings, &Error{Doing: "open the history", Reason: ErrNoWAL, Name: folder, Err: err})
	return nil
}

// openMemory opens an empty history that ends with the Store.
func (s *Store) openMemory(ctx context.Context) error {
	s.uri = "file:/" + s.owner + "?vfs=memdb"
	return s.connect(ctx, false)
}

// header begins every SQLite file.
const header = "SQLite format 3\x00"

// checkFile creates the file when there is none, and makes sure that SQLite would
// neither overwrite nor empty what is there.
func checkFile(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return &fs.PathError{Op: "open", Path: path, Err: errors.New("not a file")}
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	start := make([]byte, len(header))
	n, err := f.Read(start)
	if n == 0 {
		// SQLite deletes the log of an empty file.
		if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
			return ErrDamaged
		}
		return nil
	}
	if err != nil {
		return err
	}
	if string(start[:n]) != header {
		return ErrDamaged
	}
	return nil
}

// setAside moves the history out of the way and returns its new name.
func setAside(path string) (string, error) {
	name := path + ".unreadable-" + time.Now().Format("20060102-150405")
	aside := name
	for n := 2; exists(aside); n++ {
		aside = fmt.Sprintf("%s-%d", name, n)
	}
	// The file comes last: while it is there, the next Open finds it unreadable.
	for _, suffix := range []string{"-wal", "-shm", "-journal", ""} {
		err := os.Rename(path+suffix, aside+suffix)
		if err != nil && (suffix == "" || !errors.Is(err, fs.ErrNotExist)) {
			return "", err
		}
	}
	return aside, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Owner is the name of this Store among those that have the same history open: the
// Owner of the deliveries it works on.
func (s *Store) Owner() string { return s.owner }

// Close gives the history back. Its deliveries that are not final are Abandoned
// from then on.
func (s *Store) Close() error {
	var err error
	s.closing.Do(func() {
		close(s.closed)
		s.writing <- struct{}{}
		defer s.release()
		err = s.fail("close the history", errors.Join(s.conn.Close(), s.read.Close(), s.write.Close()))
		if s.lock != nil {
			s.lock.remove()
		}
	})
	return err
}

// LockWindow marks the history as the one of a window. held is false when another
// window has it already. release is never nil and may be called twice.
func (s *Store) LockWindow() (release func(), held bool) {
	if s.locks == "" {
		return func() {}, true
	}
	lock, err := s.locks.try(windowLock)
	if lock == nil {
		return func() {}, err != nil
	}
	return lock.release, true
}
