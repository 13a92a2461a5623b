package store

import (
	"encoding/json"
	"testing"
	"time"
)

func TestSessions(t *testing.T) {
	s, general := fresh(t)
	ctx := t.Context()
	other := addChannel(t, s, "other")
	at := time.UnixMicro(1_700_000_000_000_001)
	a := Session{Channel: general, Agent: "alice", ID: "one", Seen: 3, UpdatedAt: at}
	b := Session{Channel: other, Agent: "alice", ID: "two", UpdatedAt: at}
	for _, session := range []Session{a, b, {Channel: other, Agent: "bob", ID: "three"}} {
		must(t, s.SaveSession(ctx, session))
	}
	equal(t, ok(s.Sessions(ctx, "alice")), []Session{a, b})
	a.ID, a.Seen = "four", 9
	must(t, s.SaveSession(ctx, a))
	equal(t, ok(s.Session(ctx, general, "alice")), a)
	must(t, s.DeleteSession(ctx, general, "alice"))
	must(t, s.DeleteSession(ctx, general, "alice"))
	equal(t, ok(s.Sessions(ctx, "alice")), []Session{b})
	equal(t, ok(s.Session(ctx, other, "bob")).UpdatedAt.IsZero(), false)
}

func TestCommands(t *testing.T) {
	s, _ := fresh(t)
	equal(t, ok(s.Commands(t.Context(), "alice")), json.RawMessage(nil))
	for _, list := range []string{`[{"name":"review"}]`, `[]`} {
		must(t, s.SaveCommands(t.Context(), "alice", json.RawMessage(list)))
		equal(t, string(ok(s.Commands(t.Context(), "alice"))), list)
	}
}
