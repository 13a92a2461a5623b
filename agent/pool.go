package agent

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Limits are those of the configuration file (specification, `limits`).
type Limits struct {
	Running int           // agents running at the same time, at least 1
	Idle    time.Duration // an agent unused for this long is stopped; 0 never
}

// Pool keeps agents within the limits: it starts them when they are needed,
// stops the least recently used idle one to make room, lets the rest wait in
// line, and stops those that nobody uses.
type Pool struct {
	env   Environment
	times Times
	obs   Observer

	mu      sync.Mutex
	limits  Limits
	members map[string]*member
	queue   []*waiter
	changed chan struct{} // closed and replaced whenever somebody waiting should look again
	closed  bool
	ending  sync.WaitGroup
}

// member is an agent with what the pool knows of its use.
type member struct {
	agent    *Agent
	running  bool // holds a place: from its start to the end of afterStop
	stopping bool
	starting *start                  // the start in progress, or the one that succeeded
	end      context.CancelCauseFunc // ends the process, with the reason
	leases   int
	usedAt   time.Time
	idle     *time.Timer
	removed  bool // from the configuration: it ends once nobody uses it
}

// start is one attempt to start an agent, shared by all who wait for it, and
// the life that comes of it.
type start struct {
	done chan struct{}
	run  *run
	err  error
	slow bool // takes its time to leave: nobody counts on its place
}

// leaving tells whether the process is ending, also by itself.
func (s *start) leaving() bool {
	if s == nil {
		return false
	}
	select {
	case <-s.done:
	default:
		return false
	}
	return s.err == nil && s.run.isLeaving()
}

// NewPool makes a pool of the given agents, none of them running.
func NewPool(specs []Spec, limits Limits, env Environment, times Times, obs Observer) *Pool {
	p := &Pool{
		env: env, times: times, obs: obs, limits: limits,
		members: map[string]*member{}, changed: make(chan struct{}),
	}
	for _, s := range specs {
		p.members[s.Name] = &member{agent: newAgent(s, env, times, obs)}
	}
	return p
}

// Agent gives an agent by its name, nil when there is none.
func (p *Pool) Agent(name string) *Agent {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m := p.members[name]; m != nil {
		return m.agent
	}
	return nil
}

// Lease is the use of a running agent: while somebody holds one, the agent is
// not stopped to make room or for being idle.
type Lease struct {
	run     *run
	release func()
	once    sync.Once
}

// Open opens the agent's session in a room, saved being the id of the last
// one, if any. It says how much of the talk the session knows.
func (l *Lease) Open(ctx context.Context, room, saved string) (*Session, Continuity, error) {
	return l.run.open(ctx, room, saved)
}

// Authenticate asks the agent to sign in by one of its methods. Only the
// person starts this.
func (l *Lease) Authenticate(ctx context.Context, method string) error {
	return l.run.authenticate(ctx, method)
}

// Release gives the agent back. It may be called more than once.
func (l *Lease) Release() { l.once.Do(l.release) }

// Acquire gives a running agent, starting it when needed. When all places
// are taken by agents at work it waits in line and tells its place (1 = next)
// through waiting each time it changes. It fails with the reason when the
// agent cannot be started.
func (p *Pool) Acquire(ctx context.Context, name string, waiting func(place int)) (*Lease, error) {
	w := &waiter{agent: name}
	defer p.leave(w)
	told := 0
	for {
		p.mu.Lock()
		m := p.members[name]
		switch {
		case p.closed:
			p.mu.Unlock()
			return nil, problem(name, Closed, nil)
		case m == nil || m.removed:
			p.mu.Unlock()
			return nil, problem(name, UnknownAgent, nil)
		}
		p.enter(w)
		if s := p.admit(w, m); s != nil {
			p.leaveLocked(w)
			p.mu.Unlock()
			return p.lease(ctx, m, s)
		}
		place, changed := slices.Index(p.queue, w)+1, p.changed
		p.mu.Unlock()
		if place != told && waiting != nil {
			told = place
			waiting(place)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// admit gives the start to wait for when the agent may run now, and counts
// the lease. Otherwise it makes room if that is possible.
func (p *Pool) admit(w *waiter, m *member) *start {
	switch {
	case m.stopping || m.starting.leaving(): // its place is free once it has ended
		return nil
	case m.running:
	case p.head() != w:
		return nil
	case p.places() >= p.limits.Running:
		p.makeRoom(w.agent)
		return nil
	default:
		p.start(m)
	}
	m.leases++
	m.usedAt = time.Now()
	if m.idle != nil {
		m.idle.Stop()
	}
	return m.starting
}

// places counts the agents that hold a place.
func (p *Pool) places() int {
	n := 0
	for _, m := range p.members {
		if m.running {
			n++
		}
	}
	return n
}

// makeRoom stops the least recently used idle agent, unless one is already
// on its way out and about to be gone.
func (p *Pool) makeRoom(other string) {
	var idle []*member
	for _, m := range p.members {
		switch {
		case m.stopping && !m.starting.slow:
			return
		case m.running && !m.stopping && m.leases == 0:
			idle = append(idle, m)
		}
	}
	if len(idle) == 0 {
		return
	}
	oldest := slices.MinFunc(idle, func(a, b *member) int { return a.usedAt.Compare(b.usedAt) })
	p.stop(oldest, problem(oldest.agent.Name(), MadeRoom, nil, "Other", other))
}

// start starts the agent in the background and takes its place until the
// process has ended.
func (p *Pool) start(m *member) {
	s := &start{done: make(chan struct{})}
	// Not the context of who asked first: others may wait for the same start.
	ctx, end := context.WithCancelCause(context.Background())
	m.running, m.starting, m.end = true, s, end
	p.ending.Go(func() {
		defer end(nil)
		s.run, s.err = m.agent.start(ctx)
		close(s.done)
		if s.err == nil {
			select {
			case <-ctx.Done():
				s.run.end(context.Cause(ctx))
			case <-s.run.leaving:
				p.mu.Lock()
				p.leaves(m)
				p.mu.Unlock()
			}
			<-s.run.ended
		}
		p.mu.Lock()
		m.running, m.stopping, m.starting = false, false, nil
		if m.idle != nil {
			m.idle.Stop()
		}
		p.wake()
		p.mu.Unlock()
	})
}

// lease waits for the start. A person who stops waiting does not stop an
// agent that others wait for.
func (p *Pool) lease(ctx context.Context, m *member, s *start) (*Lease, error) {
	release := func() { p.release(m) }
	select {
	case <-s.done:
	case <-ctx.Done():
		release()
		return nil, context.Cause(ctx)
	}
	if s.err != nil {
		release()
		return nil, s.err
	}
	return &Lease{run: s.run, release: release}, nil
}

func (p *Pool) release(m *member) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m.leases--
	m.usedAt = time.Now()
	if m.leases == 0 && m.running {
		p.unused(m)
	}
	p.wake()
}

// unused decides what becomes of an agent that runs and that nobody uses.
func (p *Pool) unused(m *member) {
	switch {
	case m.removed:
		p.stop(m, problem(m.agent.Name(), Removed, nil))
	case p.remaining() > p.limits.Running:
		p.stop(m, problem(m.agent.Name(), OverLimit, nil, "Limit", p.limits.Running))
	default:
		p.watchIdle(m)
	}
}

// remaining counts the agents that hold a place and are not on their way out.
func (p *Pool) remaining() int {
	n := 0
	for _, m := range p.members {
		if m.running && !m.stopping {
			n++
		}
	}
	return n
}

// watchIdle stops an agent that stays unused for the limit.
func (p *Pool) watchIdle(m *member) {
	if m.idle != nil {
		m.idle.Stop()
	}
	limit := p.limits.Idle
	if limit <= 0 {
		return
	}
	m.idle = time.AfterFunc(max(0, limit-time.Since(m.usedAt)), func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if m.leases == 0 && p.limits.Idle == limit && time.Since(m.usedAt) >= limit {
			p.stop(m, problem(m.agent.Name(), Idle, nil, "Minutes", int(limit.Round(time.Minute)/time.Minute), "Time", limit.String()))
		}
	})
}

// SetLimits changes the limits. Agents that are too many now end, those at
// work when they have finished, the least recently used first.
func (p *Pool) SetLimits(limits Limits) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limits = limits
	var unused []*member
	for _, m := range p.members {
		if m.running && !m.stopping && m.leases == 0 {
			unused = append(unused, m)
		}
	}
	slices.SortFunc(unused, func(a, b *member) int { return a.usedAt.Compare(b.usedAt) })
	for _, m := range unused {
		p.unused(m)
	}
	p.wake()
}

// SetSpecs changes which agents there are and how they are started. One that
// runs goes on as it was started, see [Status]; one that is not among them any
// more ends when it has finished, and keeps its log.
func (p *Pool) SetSpecs(specs []Spec, language string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.env.Language = language
	for _, m := range p.members {
		m.removed = true
	}
	for _, s := range specs {
		m := p.members[s.Name]
		if m == nil {
			m = &member{agent: newAgent(s, p.env, p.times, p.obs)}
			p.members[s.Name] = m
		}
		m.removed = false
		m.agent.change(s, language)
	}
	for _, m := range p.members {
		if m.removed && m.running && m.leases == 0 {
			p.unused(m)
		}
	}
	p.wake()
}

// stop ends the agent's process, also one that is just starting.
func (p *Pool) stop(m *member, reason error) {
	if !m.running || m.stopping {
		return
	}
	p.leaves(m)
	m.end(reason)
}

// leaves notes that an agent is on its way out, and when that takes long.
func (p *Pool) leaves(m *member) {
	if m.stopping {
		return
	}
	m.stopping = true
	s := m.starting
	time.AfterFunc(p.times.Leave, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		s.slow = true
		p.wake()
	})
	p.wake()
}

// Start starts an agent without giving it anything to do; it counts as used
// now. It waits for a place like anybody else.
func (p *Pool) Start(ctx context.Context, name string) error {
	lease, err := p.Acquire(ctx, name, nil)
	if err != nil {
		return err
	}
	lease.Release()
	return nil
}

// Stop ends an agent, its turns included, and waits until its afterStop
// command has run.
func (p *Pool) Stop(ctx context.Context, name string) error {
	p.mu.Lock()
	m := p.members[name]
	if m == nil {
		p.mu.Unlock()
		return problem(name, UnknownAgent, nil)
	}
	p.stop(m, problem(name, StoppedByHand, nil))
	// Not for the end of a next life: somebody may wait for that one.
	for life := m.starting; life != nil && m.starting == life; {
		changed := p.changed
		p.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		p.mu.Lock()
	}
	p.mu.Unlock()
	return nil
}

// Running lists the agents that hold a place, by name.
func (p *Pool) Running() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var names []string
	for name, m := range p.members {
		if m.running {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Close ends every agent and waits until all are gone and their afterStop
// commands have run.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	for name, m := range p.members {
		p.stop(m, problem(name, Closed, nil))
	}
	p.wake()
	p.mu.Unlock()
	p.ending.Wait()
}

// wake makes everybody who waits look again.
func (p *Pool) wake() {
	close(p.changed)
	p.changed = make(chan struct{})
}
