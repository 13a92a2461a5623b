package app

import (
	"sync"
)

// tasks does the person's commands one after the other, so that messages keep
// their order while the window goes on.
type tasks struct {
	mu     sync.Mutex
	queue  []func()
	wake   chan struct{}
	closed bool
}

func newTasks() *tasks { return &tasks{wake: make(chan struct{}, 1)} }

func (t *tasks) do(task func()) {
	t.mu.Lock()
	t.queue = append(t.queue, task)
	t.mu.Unlock()
	t.poke()
}

func (t *tasks) poke() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

func (t *tasks) close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.poke()
}

func (t *tasks) work() {
	for range t.wake {
		for {
			t.mu.Lock()
			if len(t.queue) == 0 {
				closed := t.closed
				t.mu.Unlock()
				if closed {
					return
				}
				break
			}
			task := t.queue[0]
			t.queue = t.queue[1:]
			t.mu.Unlock()
			task()
		}
	}
}
