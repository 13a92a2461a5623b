package agent

import "slices"

// waiter is one place in the line for a place in memory.
type waiter struct{ agent string }

func (p *Pool) enter(w *waiter) {
	if !slices.Contains(p.queue, w) {
		p.queue = append(p.queue, w)
	}
}

func (p *Pool) leave(w *waiter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leaveLocked(w)
}

func (p *Pool) leaveLocked(w *waiter) {
	if i := slices.Index(p.queue, w); i >= 0 {
		p.queue = slices.Delete(p.queue, i, i+1)
		p.wake()
	}
}

// head is the first in line for a place. Who waits for an agent that is on its
// way out waits for that one alone, and holds up nobody.
func (p *Pool) head() *waiter {
	for _, w := range p.queue {
		if !p.members[w.agent].stopping {
			return w
		}
	}
	return nil
}
