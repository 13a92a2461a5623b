package agent

import (
	"sync"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

// maxEarly bounds the updates that are kept for a session whose id is not
// known yet.
const maxEarly = 10_000

// rooms knows which session belongs to which room, and hands updates on in
// order, also those that an agent sends before it has told the session's id.
type rooms struct {
	// order is held while updates are handed on, so that those kept for a
	// session come before those that arrive while it becomes known.
	order sync.Mutex

	mu       sync.Mutex
	sessions map[string]*Session // by ACP session id
	rooms    map[string]*Session
	opening  int          // sessions being opened
	early    []acp.Update // for sessions not known yet
	lastRoom string       // where the agent last got a prompt
}

func newRooms() rooms {
	return rooms{sessions: map[string]*Session{}, rooms: map[string]*Session{}}
}

// deliver hands an update on to its room. During session/load the history
// that the agent replays is left out: Sidekicks has it already.
func (rs *rooms) deliver(u acp.Update, hand func(room string, u acp.Update)) {
	rs.order.Lock()
	defer rs.order.Unlock()
	rs.mu.Lock()
	s := rs.sessions[u.SessionID]
	if s == nil && rs.opening > 0 && len(rs.early) < maxEarly {
		rs.early = append(rs.early, u)
	}
	rs.mu.Unlock()
	if s != nil && s.take(u) {
		hand(s.room, u)
	}
}

// known registers a session and hands on what came before its id.
func (rs *rooms) known(s *Session, hand func(room string, u acp.Update)) {
	rs.order.Lock()
	defer rs.order.Unlock()
	rs.mu.Lock()
	rs.sessions[s.id], rs.rooms[s.room] = s, s
	var mine []acp.Update
	rest := rs.early[:0]
	for _, u := range rs.early {
		if u.SessionID == s.id {
			mine = append(mine, u)
		} else {
			rest = append(rest, u)
		}
	}
	rs.early = rest
	rs.mu.Unlock()
	for _, u := range mine {
		if s.take(u) {
			hand(s.room, u)
		}
	}
}

// forget drops a session that could not be opened.
func (rs *rooms) forget(s *Session) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	delete(rs.sessions, s.id)
	delete(rs.rooms, s.room)
}

// expect says that a session is being opened; the returned function, that it
// is done.
func (rs *rooms) expect() (done func()) {
	rs.mu.Lock()
	rs.opening++
	rs.mu.Unlock()
	return func() {
		rs.mu.Lock()
		defer rs.mu.Unlock()
		if rs.opening--; rs.opening == 0 {
			rs.early = nil
		}
	}
}

// of gives the open session of a room.
func (rs *rooms) of(room string) *Session {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return rs.rooms[room]
}

// asking gives the session that a question belongs to, with which it ends. One
// of a session that nobody opened, a sub-agent's say, belongs where the agent
// works. It is nil when there is nobody to ask: before the first session, and
// while the session is being cancelled.
func (rs *rooms) asking(session string) *Session {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	s := rs.sessions[session]
	if s == nil {
		s = rs.rooms[rs.lastRoom]
	}
	if s == nil || s.cancelling() {
		return nil
	}
	return s
}

func (rs *rooms) prompting(room string) {
	rs.mu.Lock()
	rs.lastRoom = room
	rs.mu.Unlock()
}
