package ui

import (
	"context"
	"sync"
)

// errands are jobs too long for the window's goroutine, such as colouring code
// or decoding a picture. They are done one at a time, in order, which leaves
// the other processors to the agents.
type errands struct {
	mu    sync.Mutex
	queue []func() func()
	come  chan struct{} // tells that the queue is not empty any more; nil: nobody waits
}

// outside has work done on another goroutine and then what it returns, if
// anything, on the window's.
func (b *bridge) outside(work func() (show func())) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(b.queue, work)
	if b.come != nil {
		close(b.come)
		b.come = nil
	}
}

// beside is outside for what takes as long as a disk or a container does: it
// waits for no other errand, and none waits for it.
func (b *bridge) beside(work func(ctx context.Context) (show func())) {
	if b.ctx == nil {
		b.outside(func() func() { return work(context.Background()) })
		return
	}
	b.done.Go(func() {
		if show := work(b.ctx); show != nil {
			b.wait(b.ctx, show)
		}
	})
}

// work does errands until the bridge is closed.
func (b *bridge) work(ctx context.Context) {
	for {
		job, come := b.nextErrand()
		if job == nil {
			select {
			case <-come:
				continue
			case <-ctx.Done():
				return
			}
		}
		if show := job(); ctx.Err() != nil || show != nil && !b.wait(ctx, show) {
			return
		}
	}
}

// nextErrand takes the oldest errand, or returns what is closed when there is
// one.
func (b *bridge) nextErrand() (job func() func(), come <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.queue) == 0 {
		if b.come == nil {
			b.come = make(chan struct{})
		}
		return nil, b.come
	}
	job, b.queue = b.queue[0], b.queue[1:]
	return job, nil
}
