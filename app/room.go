package app

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent"
	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/store"
)

// Why a turn is cancelled.
var (
	errStopped = errors.New("stopped by the person")
	errDeleted = errors.New("the channel was deleted")
)

// roomKey names a room: one agent in one channel.
type roomKey struct {
	channel ChannelID
	agent   string
}

// room is one agent in one channel: its session there, one turn at a time,
// and the queue of what it has yet to answer.
type room struct {
	app *App
	roomKey

	// writing is held while a message of the room is begun or added to, so
	// that updates and questions find the same message.
	writing sync.Mutex

	// Guarded by App.mu.
	queue    []*job
	current  *job // nil when nothing is being delivered
	speaking *job // the one whose turn is in progress: what comes outside of turns is nobody's answer
	session  *agent.Session
	seen     MessageID  // up to where that session knows the talk
	live     *live      // what the turn in progress says
	last     *live      // what the last turn said, for what still comes
	usage    *acp.Usage // told before the turn said anything
}

// job is a delivery on its way.
type job struct {
	Delivery
	channel ChannelID
	message MessageID
	text    string // what the agent gets
	hop     int    // agents in a row before the answer
	ctx     context.Context
	cancel  context.CancelCauseFunc
	over    chan struct{} // closed when its outcome is written
}

// room gives the room of an agent in a channel; a.mu is held.
func (a *App) room(k roomKey) *room {
	r := a.rooms[k]
	if r == nil {
		r = &room{app: a, roomKey: k}
		a.rooms[k] = r
	}
	return r
}

// key is the room's name for the package agent.
func (k roomKey) key() string { return strconv.FormatInt(int64(k.channel), 10) }

// enqueue hands a delivery to its room.
func (a *App) enqueue(d Delivery, m Message, text string, hop int) {
	ctx, cancel := context.WithCancelCause(a.ctx)
	j := &job{Delivery: d, channel: m.Channel, message: m.ID, text: text, hop: hop, ctx: ctx, cancel: cancel, over: make(chan struct{})}
	a.mu.Lock()
	if a.closing || a.deleted[m.Channel] { // nobody takes it any more
		a.mu.Unlock()
		cancel(errQuit)
		j.State, j.Since, j.Reason, j.Fix = Failed, now(), phrase("app.Interrupted"), FixRetry
		a.saveDelivery(j.Delivery.record(m.ID))
		return
	}
	r := a.room(roomKey{m.Channel, d.Agent})
	a.jobs[d.ID] = j
	r.queue = append(r.queue, j)
	r.number()
	idle := r.current == nil && len(r.queue) == 1
	if idle {
		r.take()
		a.background.Go(r.work)
	}
	a.mu.Unlock()
	a.publish(Event{Kind: MessageChanged, Channel: m.Channel, Message: m.ID})
}

// number gives the waiting jobs their places; App.mu is held.
func (r *room) number() {
	for i, j := range r.queue {
		j.Place = i + 1
	}
}

// take moves the next job from the queue to current; App.mu is held.
func (r *room) take() {
	r.current = nil
	if len(r.queue) > 0 {
		r.current, r.queue = r.queue[0], r.queue[1:]
		r.current.Place = 0
		r.number()
	}
}

// work delivers what is queued, one after the other.
func (r *room) work() {
	a := r.app
	for {
		a.mu.Lock()
		j := r.current
		if j == nil {
			a.mu.Unlock()
			return
		}
		waiting := slices.Clone(r.queue)
		a.mu.Unlock()
		for _, w := range waiting { // their places changed
			a.changed(w)
		}
		answer := r.deliver(j)
		a.mu.Lock()
		r.take()
		a.mu.Unlock()
		if answer != nil {
			a.passOn(*answer)
		}
	}
}

// deliver takes one message to the agent and its answer into the channel. It
// returns the answer when there is one.
func (r *room) deliver(j *job) *Message {
	stop, err := r.turn(j)
	var p *agent.Problem
	if errors.As(err, &p) && p.Code == agent.SignIn && r.app.startAfresh(j.ctx, r.agent) {
		stop, err = r.turn(j)
	}
	return r.finish(j, stop, err)
}

// turn opens the session and sends the prompt.
func (r *room) turn(j *job) (acp.StopReason, error) {
	a := r.app
	if context.Cause(j.ctx) != nil {
		return "", context.Cause(j.ctx)
	}
	r.set(j, Starting, 0)
	lease, err := a.pool.Acquire(j.ctx, r.agent, func(place int) { r.set(j, Queued, place) })
	if err != nil {
		return "", err
	}
	defer lease.Release()
	r.set(j, Starting, 0)
	saved, err := a.store.Session(a.disk, r.channel, r.agent)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		a.noticeTrouble(err)
	}
	session, how, err := lease.Open(j.ctx, r.key(), saved.ID)
	if err != nil {
		return "", err
	}
	anew := how != agent.Continued
	a.mu.Lock()
	switch {
	case anew:
		saved.Seen = 0
	case saved.ID != session.ID(): // another process talked in a session of its own
		saved.Seen, anew = r.seen, true
	}
	r.session, r.seen = session, saved.Seen
	a.mu.Unlock()
	saved.Channel, saved.Agent, saved.ID = r.channel, r.agent, session.ID()
	saved.UpdatedAt = time.Time{}
	a.noticeTrouble(a.store.SaveSession(a.disk, saved))
	if how == agent.Lost {
		a.remark(r.channel, phrase("app.SessionLost", "Agent", a.title(r.agent)))
	}
	blocks, seen := r.prompt(j, saved.Seen, anew, session.Takes())
	r.set(j, Working, 0)
	a.mu.Lock()
	r.speaking = j
	a.mu.Unlock()
	stop, err := session.Prompt(j.ctx, blocks)
	if err == nil && !j.command() {
		saved.Seen = seen
		a.mu.Lock()
		r.seen = seen
		a.mu.Unlock()
		a.noticeTrouble(a.store.SaveSession(a.disk, saved))
	}
	return stop, err
}

// command tells whether the message runs a slash command, which goes alone.
func (j *job) command() bool { return len(j.text) > 0 && j.text[0] == '/' }

// prompt gathers what the agent has not been told yet. A new session is told
// the recent talk, the agent's own words included. It returns up to where the
// agent then knows the talk: not beyond a message that is still being written.
func (r *room) prompt(j *job, seen MessageID, anew bool, takes acp.PromptCapabilities) ([]acp.ContentBlock, MessageID) {
	a := r.app
	c, _ := a.Channel(r.channel)
	m, err := a.Message(j.message)
	if err != nil {
		m = Message{ID: j.message, Channel: r.channel}
	}
	recent, err := a.Messages(r.channel, max(0, j.message), maxTalkMessages+1)
	a.noticeTrouble(err)
	known := max(0, j.message)
	var talk []Message
	for _, t := range recent {
		told := t.ID > 0 && t.ID <= seen || t.Author == r.agent && !anew
		if told || sent(t.ID, j.message) >= 0 {
			continue
		}
		if t.Live() && t.ID > 0 && t.Author != r.agent {
			known = min(known, t.ID-1)
		}
		talk = append(talk, t)
	}
	return prompt(r.agent, c, talk, m, j.text, attached(m, takes)), max(known, seen)
}

// set changes the state of a delivery.
func (r *room) set(j *job, state DeliveryState, place int) {
	a := r.app
	a.mu.Lock()
	if j.State != state {
		j.Since = now()
	}
	j.State, j.Place, j.Heard = state, place, time.Now()
	record := j.Delivery.record(j.message)
	a.mu.Unlock()
	a.saveDelivery(record)
	a.changed(j)
}

// saveDelivery writes a delivery. It reports false when that has to be done
// again: flush does.
func (a *App) saveDelivery(d store.Delivery) bool {
	if d.ID < 0 {
		return false
	}
	err := a.store.SaveDelivery(a.disk, d)
	saved := err == nil || errors.Is(err, store.ErrNotFound)
	a.mu.Lock()
	if saved {
		delete(a.unwritten, d.ID)
	} else {
		a.unwritten[d.ID] = d
	}
	a.mu.Unlock()
	if !saved {
		a.noticeTrouble(err)
		a.flushSoon()
	}
	return saved
}

// forget drops a job whose outcome the history has.
func (a *App) forget(j *job) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.jobs[j.ID] == j {
		delete(a.jobs, j.ID)
	}
}

// changed tells that a delivery looks different.
func (a *App) changed(j *job) {
	a.publish(Event{Kind: MessageChanged, Channel: j.channel, Message: j.message})
}

// finish ends the turn: the message is complete, the delivery has its
// outcome. It returns the answer if others may be addressed by it.
func (r *room) finish(j *job, stop acp.StopReason, err error) *Message {
	a := r.app
	r.writing.Lock()
	defer r.writing.Unlock()
	at := now()
	a.mu.Lock()
	outcome, err := j.outcome(stop, err)
	l := r.live
	if l != nil {
		if n := stopNotice(stop); n != nil && outcome == Answered {
			l.add(Part{Kind: NoticePart, Notice: n, EndedAt: at}, at)
		}
		l.end(at, outcome == Cancelled)
		r.last, r.live = l, nil
	}
	r.speaking = nil
	if outcome == Answered && (l == nil || !l.spoke) {
		outcome = Silent
	}
	if j.State == Working {
		j.Taken = at.Sub(j.Since)
	}
	j.State, j.Place, j.Since, j.Doing, j.Asking = outcome, 0, at, "", false
	if err != nil {
		j.Reason, j.Fix = a.because(err), fix(err)
	}
	a.waiting[r.agent] = slices.DeleteFunc(a.waiting[r.agent], func(id DeliveryID) bool { return id == j.ID })
	if j.Fix == FixSignIn {
		a.waiting[r.agent] = append(a.waiting[r.agent], j.ID)
	}
	record := j.Delivery.record(j.message)
	var answer *Message
	if l != nil {
		m := l.snapshot()
		if c := a.channel(r.channel); outcome == Answered && c != nil && c.Hops > 0 {
			answer = &m
		}
		if !a.deleted[r.channel] {
			a.newest[m.Channel] = max(a.newest[m.Channel], m.ID)
			a.answered[m.Channel] = r.agent
		}
	}
	a.mu.Unlock()
	if l != nil {
		a.complete(l)
	}
	if a.saveDelivery(record) {
		a.forget(j)
	}
	close(j.over)
	j.cancel(nil)
	if l != nil {
		a.publish(Event{Kind: MessageChanged, Channel: l.Channel, Message: l.ID})
	}
	a.changed(j)
	a.publish(Event{Kind: AgentsChanged, Agent: r.agent})
	a.countUnread()
	return answer
}

// outcome is the state that a delivery ends in; App.mu is held. A turn that
// somebody stopped is cancelled, whatever its agent made of that.
func (j *job) outcome(stop acp.StopReason, err error) (DeliveryState, error) {
	cause := context.Cause(j.ctx)
	var p *agent.Problem
	switch {
	case errors.Is(cause, errQuit) && j.State != Working:
		return Failed, phrase("app.Interrupted")
	case cause != nil, stop == acp.StopCancelled,
		errors.As(err, &p) && (p.Code == agent.StoppedByHand || p.Code == agent.Closed):
		return Cancelled, nil
	case err != nil:
		return Failed, err
	}
	return Answered, nil
}

// stopNotice says why an agent ended its turn before it was done.
func stopNotice(stop acp.StopReason) *Notice {
	switch stop {
	case acp.StopMaxTokens:
		return &Notice{Severity: Warning, Phrase: phrase("app.StopMaxTokens")}
	case acp.StopMaxTurnRequests:
		return &Notice{Severity: Warning, Phrase: phrase("app.StopMaxTurnRequests")}
	case acp.StopRefusal:
		return &Notice{Severity: Warning, Phrase: phrase("app.StopRefusal")}
	}
	return nil
}

// fix is what a click can do about a failure.
func fix(err error) DeliveryFix {
	var p *agent.Problem
	if errors.As(err, &p) {
		switch p.Code {
		case agent.SignIn:
			return FixSignIn
		case agent.UnknownAgent:
			return FixNone
		}
	}
	return FixRetry
}
