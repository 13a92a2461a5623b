package ui

import (
	"context"
	"fmt"
	"io"
	"time"
)

// lateFrame is how long a frame may take before it is seen to be late.
const lateFrame = 25 * time.Millisecond

// pulse measures, for a test from outside, how long the window's goroutine
// takes to answer: it is asked 50 times a second, and the longest answer of
// each second is printed in milliseconds, with how many took longer than a frame
// may.
func (b *bridge) pulse(ctx context.Context, out io.Writer) {
	ticker := time.NewTicker(time.Second / 50)
	defer ticker.Stop()
	var longest time.Duration
	late := 0
	for n := 1; ; n++ {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		asked := time.Now()
		if !b.wait(ctx, func() {}) {
			return
		}
		took := time.Since(asked)
		longest = max(longest, took)
		if took > lateFrame {
			late++
		}
		if n%50 == 0 {
			fmt.Fprintln(out, "pulse", longest.Milliseconds(), late)
			longest, late = 0, 0
		}
	}
}
