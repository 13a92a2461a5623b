package ui

import (
	"context"
	"fmt"
	"io"
	"time"
)

// pulse measures, for a test from outside, how long the window's goroutine
// takes to answer: it is asked 50 times a second, and the longest answer of
// each second is printed in milliseconds.
func (b *bridge) pulse(ctx context.Context, out io.Writer) {
	ticker := time.NewTicker(time.Second / 50)
	defer ticker.Stop()
	var longest time.Duration
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
		longest = max(longest, time.Since(asked))
		if n%50 == 0 {
			fmt.Fprintln(out, "pulse", longest.Milliseconds())
			longest = 0
		}
	}
}
