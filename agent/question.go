package agent

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

// Question is something an agent wants to know before it goes on: a
// permission with its own options, or a form.
type Question struct {
	ID      string
	Agent   string
	Room    string
	Tool    acp.ToolCallPatch // what a permission is about
	Options []acp.PermissionOption
	Form    *acp.ElicitationRequest
}

// reply to a question. The zero value is "cancelled", so that nothing is
// ever allowed by default.
type reply struct {
	option string
	form   bool
	accept bool
	values map[string]any
}

// lastQuestion makes the ids of questions unique in the whole program.
var lastQuestion atomic.Int64

type question struct {
	Question
	session string
	replies chan reply
}

// questions are the open questions of one process.
type questions struct {
	mu   sync.Mutex
	open map[string]*question
}

// ask tells the observer and waits for the reply. The question is cancelled
// when ctx ends: the agent withdrew it, or is gone.
func (qs *questions) ask(ctx context.Context, obs Observer, session string, q Question) reply {
	q.ID = fmt.Sprint(lastQuestion.Add(1))
	open := &question{Question: q, session: session, replies: make(chan reply, 1)}
	qs.mu.Lock()
	qs.open[q.ID] = open
	qs.mu.Unlock()
	obs.Asked(q)
	var r reply
	select {
	case r = <-open.replies:
	case <-ctx.Done():
		if !qs.remove(q.ID) {
			r = <-open.replies // answered at the same moment: the answer counts
		}
	}
	obs.Settled(q, chosen(r))
	return r
}

func chosen(r reply) string {
	if !r.form {
		return r.option
	}
	if r.accept {
		return "accept"
	}
	return "decline"
}

func (qs *questions) remove(id string) bool {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	_, open := qs.open[id]
	delete(qs.open, id)
	return open
}

// answer gives the reply; an option that was not offered is refused.
func (qs *questions) answer(id string, r reply) bool {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	q := qs.open[id]
	if q == nil || r.form && q.Form == nil || !offered(q, r.option) {
		return false
	}
	delete(qs.open, id)
	q.replies <- r
	return true
}

func offered(q *question, option string) bool {
	if option == "" {
		return true
	}
	for _, o := range q.Options {
		if o.ID == option {
			return true
		}
	}
	return false
}

// cancel cancels every open question of a session.
func (qs *questions) cancel(session string) {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	for id, q := range qs.open {
		if q.session == session {
			delete(qs.open, id)
			q.replies <- reply{}
		}
	}
}
