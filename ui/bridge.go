package ui

import (
	"context"
	"io"
	"sync"
	"time"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// beat is the shortest time between two updates of the window: a person sees
// no more than 30 a second, and each costs a drawing.
const beat = time.Second / 30

// bridge carries what happens elsewhere to the window's goroutine: the events
// of the backend in batches, the results of work done outside, and a tick a
// second for the clocks in the window.
type bridge struct {
	do    func(func()) // runs a function on the window's goroutine, later
	apply func([]app.Event)
	tick  func()
	look  func()    // optional: what a test from outside wants, ten times a second
	out   io.Writer // optional: where the pulse is printed

	ctx      context.Context // ends when the bridge is closed
	stop     context.CancelFunc
	unfollow context.CancelFunc // ends the reading of the events
	done     sync.WaitGroup
	errands
}

// start reads events until the bridge is closed.
func (b *bridge) start(source events) {
	ctx, cancel := context.WithCancel(context.Background())
	b.ctx, b.stop, b.unfollow = ctx, cancel, func() {}
	b.follow(source)
	b.done.Go(func() { b.clock(ctx, time.Second, b.tick) })
	if b.out != nil {
		b.done.Go(func() { b.pulse(ctx, b.out) })
	}
	if b.look != nil {
		b.done.Go(func() { b.clock(ctx, time.Second/10, b.look) })
	}
	b.done.Go(func() { b.work(ctx) })
}

// follow reads events, and no others any more.
func (b *bridge) follow(source events) {
	b.unfollow()
	var ctx context.Context
	ctx, b.unfollow = context.WithCancel(b.ctx)
	b.done.Go(func() {
		defer source.Close()
		b.carry(ctx, source)
	})
}

// close returns when its goroutines have ended.
func (b *bridge) close() {
	b.stop()
	b.done.Wait()
}

// carry hands over one batch at a time. What happens while the window is busy
// gathers in the subscription, which keeps each change once.
func (b *bridge) carry(ctx context.Context, source events) {
	for {
		batch, ok := source.Next(ctx)
		if !ok {
			return
		}
		pause := time.NewTimer(beat)
		if !b.wait(ctx, func() { b.apply(batch) }) {
			return
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return
		}
	}
}

// clock does something again and again.
func (b *bridge) clock(ctx context.Context, every time.Duration, do func()) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if !b.wait(ctx, do) {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// wait runs f on the window's goroutine and waits for its end. It reports
// false when the bridge was closed first.
func (b *bridge) wait(ctx context.Context, f func()) bool {
	ran := make(chan struct{})
	b.do(func() {
		defer close(ran)
		if ctx.Err() == nil {
			f()
		}
	})
	select {
	case <-ran:
		return true
	case <-ctx.Done():
		return false
	}
}

// after runs f on the window's goroutine when some time has passed, unless it
// is stopped before.
func (b *bridge) after(d time.Duration, f func()) (stop func()) {
	stopped := false
	t := time.AfterFunc(d, func() {
		b.do(func() {
			if !stopped {
				f()
			}
		})
	})
	return func() {
		stopped = true
		t.Stop()
	}
}

// later runs f on the window's goroutine: for the results of work that was
// done on another one.
func (b *bridge) later(f func()) { b.do(f) }

// frontPatience is how long a window may take to come to the front.
const frontPatience = time.Second

// ToFront brings the program's window before all others, from any goroutine.
// It reports false when there is none yet, or it does not react.
func ToFront() bool {
	running := fyne.CurrentApp()
	if running == nil {
		return false
	}
	raised := make(chan bool, 1)
	fyne.Do(func() {
		all := running.Driver().AllWindows() // ours is the first: a tray has one too, which is never seen
		if len(all) > 0 {
			toFront(all[0])
		}
		raised <- len(all) > 0
	})
	select {
	case ok := <-raised:
		return ok
	case <-time.After(frontPatience):
		return false
	}
}
