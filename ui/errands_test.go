package ui

import (
	"testing"
	"testing/synctest"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// runErrands does all errands at once, in a test whose bridge is not started.
func (b *bridge) runErrands() {
	for job, _ := b.nextErrand(); job != nil; job, _ = b.nextErrand() {
		if show := job(); show != nil {
			show()
		}
	}
}

func TestErrandsAreDoneOutsideInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		queue := make(chan func(), 8)
		b := &bridge{do: func(f func()) { queue <- f }, apply: func([]app.Event) {}, tick: func() {}}
		var shown []int
		errand := func(n int) {
			b.outside(func() func() { return func() { shown = append(shown, n) } })
		}
		errand(1) // before it starts
		b.start(&feed{})
		errand(2)
		b.outside(func() func() { return nil })
		for len(shown) < 2 {
			(<-queue)()
		}
		synctest.Wait() // until it waits for more
		errand(3)
		for len(shown) < 3 {
			(<-queue)()
		}
		b.close()
		if shown[0] != 1 || shown[1] != 2 || shown[2] != 3 {
			t.Errorf("done in the order %v", shown)
		}
	})
}
