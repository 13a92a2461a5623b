package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestMessageRoundTrip(t *testing.T) {
	s, c := fresh(t)
	ctx := t.Context()
	at := time.UnixMicro(1_700_000_000_123_456)
	m := &Message{
		Channel: c, Author: "alice", Kind: FromAgent, Hop: 2, Delivery: 7, CreatedAt: at,
		Meta: json.RawMessage(`{"mode":"plan"}`),
		Parts: []Part{
			{Kind: Thought, Text: "a\x00b \xff…", StartedAt: at, EndedAt: at.Add(time.Second)},
			{Kind: Tool, Data: json.RawMessage(`{"id":1}`), StartedAt: at},
			{Kind: "unheard of", Text: "x"},
		},
		Deliveries: []Delivery{
			{Agent: "bob"},
			{Agent: "carol", State: Failed, Reason: "agent.Gone", ReasonArgs: json.RawMessage(`{"Code":3}`),
				Command: "review", Since: at, Answer: 9, Owner: "somebody"},
		},
	}
	given := m.Parts
	must(t, s.AddMessage(ctx, m))
	equal(t, []int{given[1].Seq, m.Parts[1].Seq, m.Parts[2].Seq}, []int{0, 1, 2})
	if m.ID == 0 || m.Deliveries[0].ID == 0 || m.Deliveries[1].ID <= m.Deliveries[0].ID {
		t.Fatalf("ids were not filled in: %+v", m)
	}
	d := m.Deliveries[0]
	equal(t, []any{d.State, d.Owner, d.Message, d.Since.IsZero()}, []any{Queued, s.Owner(), m.ID, false})
	equal(t, ok(s.Message(ctx, m.ID)), *m)
	equal(t, ok(s.Delivery(ctx, m.Deliveries[1].ID)), m.Deliveries[1])

	// A part that changes and one that is new; the others stay.
	m.Parts[1].EndedAt = at.Add(time.Minute)
	m.Parts = append(m.Parts, Part{Seq: 9, Kind: Text, Text: "é"})
	must(t, s.SaveParts(ctx, m.ID, []Part{m.Parts[3], m.Parts[1]}))
	m.EndedAt = at.Add(time.Hour)
	must(t, s.EndMessage(ctx, m.ID, m.EndedAt, nil))
	equal(t, ok(s.Message(ctx, m.ID)), *m)

	m.Meta = json.RawMessage(`{"tokens":5}`)
	must(t, s.EndMessage(ctx, m.ID, m.EndedAt, m.Meta))
	equal(t, ok(s.Message(ctx, m.ID)), *m)
	m.Meta = nil
	must(t, s.SetMeta(ctx, m.ID, nil))
	equal(t, ok(s.Message(ctx, m.ID)), *m)
}

func TestMessagesByPage(t *testing.T) {
	s, c := fresh(t)
	ctx := t.Context()
	other := addChannel(t, s, "other")
	var ids []MessageID
	for i := range 10 {
		ids = append(ids, say(t, s, c, fmt.Sprint(i)).ID)
		say(t, s, other, "between")
	}
	for _, test := range []struct {
		name string
		got  []Message
		want string
	}{
		{"newest", ok(s.Messages(ctx, c, 0, 3)), "[7 8 9]"},
		{"before", ok(s.Messages(ctx, c, ids[7], 3)), "[4 5 6]"},
		{"beginning", ok(s.Messages(ctx, c, ids[2], 3)), "[0 1]"},
		{"before all", ok(s.Messages(ctx, c, ids[0], 3)), "[]"},
		{"none wanted", ok(s.Messages(ctx, c, 0, 0)), "[]"},
		{"fewer than none", ok(s.Messages(ctx, c, 0, -1)), "[]"},
		{"after", ok(s.MessagesAfter(ctx, c, ids[4], 3)), "[5 6 7]"},
		{"after, to the end", ok(s.MessagesAfter(ctx, c, ids[7], 9)), "[8 9]"},
		{"from the beginning", ok(s.MessagesAfter(ctx, c, 0, 2)), "[0 1]"},
		{"after all", ok(s.MessagesAfter(ctx, c, ids[9], 2)), "[]"},
		{"no such channel", ok(s.Messages(ctx, 99, 0, 2)), "[]"},
	} {
		if got := fmt.Sprint(textsOf(test.got)); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
	equal(t, ok(s.Count(ctx, c)), 10)
	equal(t, ok(s.Count(ctx, 99)), 0)
}

func TestEditMessage(t *testing.T) {
	s, c := fresh(t)
	ctx := t.Context()
	m := said(c, "first")
	m.Parts = append(m.Parts, Part{Kind: Attachment, Text: "a.go"}, Part{Kind: Text, Text: "second"})
	m.Deliveries = []Delivery{{Agent: "alice"}}
	must(t, s.AddMessage(ctx, m))

	must(t, s.EditMessage(ctx, m.ID, "changed"))
	equal(t, textsOf([]Message{ok(s.Message(ctx, m.ID))}), []string{"changed", "a.go"})
	equal(t, len(ok(s.Search(ctx, "changed", 9))), 1)
	equal(t, len(ok(s.Search(ctx, "second", 9))), 0)

	m.Deliveries[0].State = Starting
	must(t, s.SaveDelivery(ctx, m.Deliveries[0]))
	if err := s.EditMessage(ctx, m.ID, "too late"); !errors.Is(err, ErrNotQueued) {
		t.Fatalf("got %v, want ErrNotQueued", err)
	}
	equal(t, textsOf([]Message{ok(s.Message(ctx, m.ID))}), []string{"changed", "a.go"})

	bare := &Message{Channel: c, Kind: FromPerson, Parts: []Part{{Kind: Attachment, Text: "b.go"}}}
	must(t, s.AddMessage(ctx, bare))
	must(t, s.EditMessage(ctx, bare.ID, "look"))
	equal(t, textsOf([]Message{ok(s.Message(ctx, bare.ID))}), []string{"b.go", "look"})
}

func TestDeleteMessage(t *testing.T) {
	s, c := fresh(t)
	ctx := t.Context()
	m := said(c, "gone soon")
	m.Deliveries = []Delivery{{Agent: "alice"}}
	must(t, s.AddMessage(ctx, m))
	must(t, s.DeleteMessage(ctx, m.ID))
	equal(t, len(ok(s.Search(ctx, "gone", 9))), 0)
	equal(t, len(ok(s.Pending(ctx))), 0)
	if later := say(t, s, c, "later"); later.ID <= m.ID {
		t.Errorf("message %d has the id of a deleted one", later.ID)
	}
}

// What is not there is said to be not there, whichever way it is asked for.
func TestNotFound(t *testing.T) {
	s, c := fresh(t)
	ctx := t.Context()
	gone := say(t, s, c, "x").ID
	must(t, s.DeleteMessage(ctx, gone))
	for name, err := range map[string]error{
		"Message":         second(s.Message(ctx, gone)),
		"SaveParts":       s.SaveParts(ctx, gone, []Part{{Text: "x"}}),
		"EndMessage":      s.EndMessage(ctx, gone, time.Now(), nil),
		"SetMeta":         s.SetMeta(ctx, gone, nil),
		"EditMessage":     s.EditMessage(ctx, gone, "x"),
		"DeleteMessage":   s.DeleteMessage(ctx, gone),
		"AddMessage":      s.AddMessage(ctx, said(99, "x")),
		"AddDelivery":     s.AddDelivery(ctx, &Delivery{Message: gone, Agent: "a"}),
		"Delivery":        second(s.Delivery(ctx, 99)),
		"SaveDelivery":    s.SaveDelivery(ctx, Delivery{ID: 99, State: Failed}),
		"RenameChannel":   s.RenameChannel(ctx, 99, "x"),
		"DescribeChannel": s.DescribeChannel(ctx, 99, "x"),
		"SetHops":         s.SetHops(ctx, 99, 1),
		"MoveChannel":     s.MoveChannel(ctx, 99, 0),
		"DeleteChannel":   s.DeleteChannel(ctx, 99),
		"AddMember":       s.AddMember(ctx, 99, "a"),
		"SetRead":         s.SetRead(ctx, 99, 1),
		"SetDraft":        s.SetDraft(ctx, 99, Draft{Text: "x"}),
		"Draft":           second(s.Draft(ctx, 99)),
		"Session":         second(s.Session(ctx, c, "a")),
		"SaveSession":     s.SaveSession(ctx, Session{Channel: 99, Agent: "a"}),
	} {
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: got %v, want ErrNotFound", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
