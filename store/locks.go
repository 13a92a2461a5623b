package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// locks is the folder of lock files beside a history. The system gives a lock back
// when the process that holds it ends, however it ends.
type locks string

// Names of locks. The others are the owners', each held as long as its Store is open.
const (
	openingLock = "opening" // held for a moment, while stores are opened and looked for
	windowLock  = "window"
)

// A heldLock is given back by release, or by the end of the process.
type heldLock struct{ file *os.File }

func (l locks) path(name string) string { return filepath.Join(string(l), name+".lock") }

// try takes the lock, or returns nil when somebody has it.
func (l locks) try(name string) (*heldLock, error) {
	f, err := os.OpenFile(l.path(name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if !lockFile(f) {
		return nil, f.Close()
	}
	return &heldLock{f}, nil
}

// wait takes the lock as soon as it is free.
func (l locks) wait(ctx context.Context, name string) (*heldLock, error) {
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for {
		held, err := l.try(name)
		if held != nil || err != nil {
			return held, err
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// alive reports whether a process holds the lock, and cleans up when none does.
func (l locks) alive(name string) bool {
	f, err := os.OpenFile(l.path(name), os.O_RDWR, 0)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	if !lockFile(f) {
		_ = f.Close()
		return true
	}
	(&heldLock{f}).remove()
	return false
}

func (h *heldLock) release() { _ = h.file.Close() }

// remove releases the lock and deletes its file. A file that stays is harmless.
func (h *heldLock) remove() {
	h.release() // first, since Windows deletes no open file
	_ = os.Remove(h.file.Name())
}
