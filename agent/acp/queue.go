package acp

import (
	"errors"
	"sync"
)

// errFull is what offer answers when the queue holds all it may.
var errFull = errors.New("queue is full")

// A queue is a first-in first-out list bounded by the bytes of its items.
// An empty queue accepts an item of any size.
type queue[T any] struct {
	limit int

	mu      sync.Mutex
	changed sync.Cond
	items   []sized[T]
	bytes   int
	closed  error
}

type sized[T any] struct {
	value T
	bytes int
}

func newQueue[T any](limit int) *queue[T] {
	q := &queue[T]{limit: limit}
	q.changed.L = &q.mu
	return q
}

// put appends v, waiting for room. It fails once the queue is closed.
func (q *queue[T]) put(v T, bytes int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.closed == nil && !q.fits(bytes) {
		q.changed.Wait()
	}
	return q.add(v, bytes)
}

// offer appends v, or fails with errFull at once.
func (q *queue[T]) offer(v T, bytes int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed == nil && !q.fits(bytes) {
		return errFull
	}
	return q.add(v, bytes)
}

func (q *queue[T]) fits(bytes int) bool {
	return len(q.items) == 0 || q.bytes+bytes <= q.limit
}

func (q *queue[T]) add(v T, bytes int) error {
	if q.closed != nil {
		return q.closed
	}
	q.items = append(q.items, sized[T]{v, bytes})
	q.bytes += bytes
	q.changed.Broadcast()
	return nil
}

// get waits for the next item. Once the queue is closed and empty it returns
// the error that close was given.
func (q *queue[T]) get() (T, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && q.closed == nil {
		q.changed.Wait()
	}
	if len(q.items) == 0 {
		var none T
		return none, q.closed
	}
	first := q.items[0]
	q.items[0] = sized[T]{} // or the array keeps it alive
	q.items = q.items[1:]
	q.bytes -= first.bytes
	q.changed.Broadcast()
	return first.value, nil
}

// close refuses further items; those queued can still be got.
func (q *queue[T]) close(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed == nil {
		q.closed = err
	}
	q.changed.Broadcast()
}

// drop closes the queue and returns the items nobody will get.
func (q *queue[T]) drop(err error) []T {
	q.close(err)
	q.mu.Lock()
	defer q.mu.Unlock()
	rest := make([]T, len(q.items))
	for i, item := range q.items {
		rest[i] = item.value
	}
	q.items, q.bytes = nil, 0
	return rest
}
