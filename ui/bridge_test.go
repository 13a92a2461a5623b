package ui

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// steady is a source that always has something to tell.
type steady struct{ closed bool }

func (s *steady) Next(ctx context.Context) ([]app.Event, bool) {
	return []app.Event{{Kind: app.AgentsChanged}}, ctx.Err() == nil
}

func (s *steady) Close() { s.closed = true }

func TestBridgeUpdatesThirtyTimesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		updates, ticks := 0, 0
		queue := make(chan func(), 8)
		b := &bridge{
			do:    func(f func()) { queue <- f },
			apply: func([]app.Event) { updates++ },
			tick:  func() { ticks++ },
		}
		source := &steady{}
		b.start(source)
		end := time.After(2*time.Second + beat/2)
		for running := true; running; {
			select {
			case f := <-queue:
				f()
			case <-end:
				running = false
			}
		}
		b.close()
		if updates < 59 || updates > 62 || ticks != 2 {
			t.Errorf("%d updates and %d ticks in two seconds", updates, ticks)
		}
		if !source.closed {
			t.Error("the subscription is left open")
		}
	})
}

// A window's goroutine that is gone runs nothing any more: closing must not
// wait for it.
func TestBridgeClosesWithoutItsWindow(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	given := make(chan struct{}, 8)
	b := &bridge{do: func(func()) { given <- struct{}{} }, apply: func([]app.Event) {}, tick: func() {}}
	b.start(&steady{})
	<-given
	b.close()
}
