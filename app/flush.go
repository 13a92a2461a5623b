package app

import (
	"errors"
	"maps"
	"slices"
	"time"

	"git.rickub.com/bots-garden/sidekicks/store"
)

const (
	// flushEvery is how long streamed text waits for the disk. Design: 250 ms
	// at most, the write included.
	flushEvery = 150 * time.Millisecond
	// flushShare keeps the disk free for others while a text of megabytes, each
	// time written whole, streams in: that many times as long as it took.
	flushShare = 4
	// lateEnd is how long a message that was added to after its turn stays open.
	lateEnd = time.Second
)

// flushSoon has what is new written within flushEvery.
func (a *App) flushSoon() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.flushTime == nil && !a.closing {
		wait := max(flushEvery, min(flushShare*a.flushTook, time.Second))
		if a.flushFailed {
			wait = time.Second
		}
		a.flushTime = time.AfterFunc(wait, a.flush)
	}
}

// flush writes the changed parts of every message, and ends those that grew
// after their turn and have been quiet.
func (a *App) flush() {
	a.mu.Lock()
	if a.flushTime != nil {
		a.flushTime.Stop()
		a.flushTime = nil
	}
	lives := slices.Collect(maps.Values(a.lives))
	deliveries := slices.Collect(maps.Values(a.unwritten))
	a.flushFailed = false
	a.mu.Unlock()
	begun := time.Now()
	again := false
	for _, d := range deliveries {
		a.rewrite(d)
	}
	for _, l := range lives {
		a.write(l)
		again = a.rest(l) || again
	}
	a.mu.Lock()
	a.flushTook = time.Since(begun)
	a.mu.Unlock()
	if again {
		a.flushSoon()
	}
}

// rest lets go of a message that is complete and written. It tells whether
// the message has to be looked at again.
func (a *App) rest(l *live) bool {
	a.mu.Lock()
	ended := false
	if l.late && (a.closing || time.Since(l.touched) > lateEnd && !l.asking()) {
		l.end(now(), false)
		l.late, ended = false, true
	}
	again := l.endDirty
	a.mu.Unlock()
	if ended || again {
		a.complete(l)
	}
	if ended {
		a.publish(Event{Kind: MessageChanged, Channel: l.Channel, Message: l.ID})
		a.countUnread()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	pending := l.late || len(l.dirty) > 0 || l.metaDirty || l.endDirty
	if l.ID > 0 && !l.Live() && !pending {
		delete(a.lives, l.ID)
	}
	return pending
}

// complete writes the rest of a message that has ended, and that it has. What
// fails is done again by flush.
func (a *App) complete(l *live) {
	a.write(l)
	if l.ID < 0 {
		return
	}
	a.mu.Lock()
	at, extra := l.EndedAt, l.Message.meta()
	a.mu.Unlock()
	err := a.store.EndMessage(a.disk, l.ID, at, extra)
	a.mu.Lock()
	l.endDirty = err != nil && !errors.Is(err, store.ErrNotFound)
	if l.endDirty {
		a.lives[l.ID] = l
	}
	failed := l.endDirty
	a.mu.Unlock()
	if failed {
		a.failed(err)
	}
}

// rewrite tries again to write a delivery.
func (a *App) rewrite(d store.Delivery) {
	a.mu.Lock()
	j := a.jobs[d.ID]
	if j != nil {
		d = j.Delivery.record(j.message)
	}
	a.mu.Unlock()
	if a.saveDelivery(d) && j != nil && DeliveryState(d.State).Final() {
		a.forget(j)
	}
}

// failed notes that the history could not be written: what was to be written
// is tried again, more slowly.
func (a *App) failed(err error) {
	a.noticeTrouble(err)
	a.mu.Lock()
	a.flushFailed = true
	a.mu.Unlock()
	a.flushSoon()
}

// write saves the changed parts of one message. What fails stays dirty.
func (a *App) write(l *live) {
	a.flushing.Lock()
	defer a.flushing.Unlock()
	a.mu.Lock()
	if l.ID < 0 {
		clear(l.dirty)
	}
	var parts []store.Part
	seqs := make([]int, 0, len(l.dirty))
	for seq := range l.dirty {
		p := l.Parts[seq]
		if b := l.texts[seq]; b != nil {
			p.Text = b.String()
		}
		parts = append(parts, p.record())
		seqs = append(seqs, seq)
	}
	clear(l.dirty)
	id, meta, extra := l.ID, l.metaDirty && l.ID > 0, l.Message.meta()
	l.metaDirty = false
	a.mu.Unlock()
	if len(parts) > 0 {
		err := a.store.SaveParts(a.disk, id, parts)
		if errors.Is(err, store.ErrNotFound) { // its channel was deleted
			a.mu.Lock()
			delete(a.lives, id)
			l.late = false
			a.mu.Unlock()
			return
		}
		if err != nil {
			a.mu.Lock()
			for _, seq := range seqs {
				l.dirty[seq] = true
			}
			a.mu.Unlock()
			a.failed(err)
		}
	}
	if meta {
		if err := a.store.SetMeta(a.disk, id, extra); err != nil && !errors.Is(err, store.ErrNotFound) {
			a.mu.Lock()
			l.metaDirty = true
			a.mu.Unlock()
			a.failed(err)
		}
	}
}
