package store

import (
	"context"
	"time"
)

// A Store is an open history.
type Store struct{}

// Opening says how a history was opened.
type Opening struct {
	Fresh    bool    // there is nothing in it yet
	SetAside string  // where the file that could not be read was moved, "" when it was fine
	InMemory bool    // nothing will be kept; Warnings says why
	Warnings []error // what a person must be told; each has a Localize method
}

// Open opens the history at path, and creates it (mode 0600, its folder 0700) when
// there is none. A file that is not a history is moved beside it, never
// overwritten. When the history cannot be kept there (read-only, full, written by a
// newer version) it is left alone and the Store lives in memory. The error is for
// the rest: a cancelled context, no memory.
func Open(ctx context.Context, path string) (*Store, Opening, error) { panic("todo") }

// Close gives the history back. Deliveries that are not final are then Abandoned.
func (s *Store) Close() error { panic("todo") }

// Owner is the name of this Store among those that have the same history open: the
// Owner of the deliveries it works on.
func (s *Store) Owner() string { panic("todo") }

// Abandoned takes over the unfinished deliveries whose owner is gone, and returns
// them: this Store is their owner from then on.
func (s *Store) Abandoned(ctx context.Context) ([]Delivery, error) { panic("todo") }

// LockWindow marks the history as the one of a window. held is false when another
// window has it already. release is never nil and may be called twice.
func (s *Store) LockWindow() (release func(), held bool) { panic("todo") }

// Watch looks every so often for what other processes wrote, and calls changed with
// it. It returns when ctx is done.
func (s *Store) Watch(ctx context.Context, every time.Duration, changed func(Changes)) { panic("todo") }
