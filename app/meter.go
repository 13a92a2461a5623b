package app

import (
	"context"
	"time"

	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// Usage is what an agent's processes take of the computer, those in its
// container or sandbox too.
type Usage struct {
	Memory int64   // in bytes
	CPU    float64 // in processors: 1 is one that does nothing else
}

// How often processes are looked at, while somebody asks, and how long that
// may take.
const (
	meterEvery = 2 * time.Second
	meterLimit = 10 * time.Second
)

// reading is what was last seen of an agent's processes.
type reading struct {
	Usage
	known   bool
	busy    bool // it is being looked at
	at      time.Time
	process process.Usage
}

// AgentUsage gives what an agent took when that was last looked at; false when
// it is not known. Asking makes it be looked at again: nothing is while nobody
// asks.
func (a *App) AgentUsage(name string) (Usage, bool) {
	g := a.pool.Agent(name)
	if g == nil {
		return Usage{}, false
	}
	a.mu.Lock()
	r := a.meter[name]
	if r == nil {
		r = &reading{}
		a.meter[name] = r
	}
	u, known := r.Usage, r.known
	look := !r.busy && time.Since(r.at) >= meterEvery && !a.closing
	r.busy = r.busy || look
	a.mu.Unlock()
	if look {
		a.spawn(func() {
			ctx, cancel := context.WithTimeout(a.ctx, meterLimit)
			defer cancel()
			now, ok := g.Usage(ctx)
			a.mu.Lock()
			r.take(now, ok, time.Now())
			a.mu.Unlock()
		})
	}
	return u, known
}

// take notes what was seen. The use of the processor is that since the time
// before; of new processes it is not known yet.
func (r *reading) take(now process.Usage, ok bool, at time.Time) {
	r.CPU = 0
	if used := now.Time - r.process.Time; r.known && used > 0 {
		r.CPU = used.Seconds() / at.Sub(r.at).Seconds()
	}
	r.busy, r.known, r.at = false, ok, at
	r.process, r.Memory = now, now.Memory
}

// Memory is what the running agents take together, as [App.AgentUsage] knows
// it, and what the computer has; both in bytes.
func (a *App) Memory() (used, installed int64) {
	for _, name := range a.pool.Running() {
		u, _ := a.AgentUsage(name)
		used += u.Memory
	}
	return used, process.Installed()
}
