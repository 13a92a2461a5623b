package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func names(channels []Channel) (all []string) {
	for i, c := range channels {
		if c.Position != i {
			panic(fmt.Sprintf("%q has the position %d at place %d", c.Name, c.Position, i))
		}
		all = append(all, c.Name)
	}
	return all
}

func TestChannels(t *testing.T) {
	s, general := fresh(t)
	ctx := t.Context()
	c := Channel{
		Name: "Été à Paris", Description: "d", Members: []string{"zoe", "alice", "zoe"}, Hops: 3,
		CreatedAt: time.UnixMicro(1_700_000_000_000_001),
	}
	must(t, s.CreateChannel(ctx, &c))
	c.Members = c.Members[:2]
	equal(t, []any{c.ID > general, c.Position}, []any{true, 1})
	equal(t, ok(s.Channels(ctx))[1], c)

	must(t, s.AddMember(ctx, c.ID, "bob"))
	must(t, s.AddMember(ctx, c.ID, "alice"))
	must(t, s.RemoveMember(ctx, c.ID, "zoe"))
	must(t, s.RemoveMember(ctx, c.ID, "nobody"))
	must(t, s.RenameChannel(ctx, c.ID, "ÉTÉ"))
	must(t, s.DescribeChannel(ctx, c.ID, "e"))
	must(t, s.SetHops(ctx, c.ID, 0))
	m := say(t, s, c.ID, "x")
	must(t, s.SetRead(ctx, c.ID, m.ID))
	must(t, s.SetRead(ctx, c.ID, m.ID-1))
	c.Name, c.Description, c.Hops, c.Members, c.ReadUpTo = "ÉTÉ", "e", 0, []string{"alice", "bob"}, m.ID
	equal(t, ok(s.Channels(ctx))[1], c)
}

func TestChannelNames(t *testing.T) {
	s, general := fresh(t)
	ctx := t.Context()
	addChannel(t, s, "Été")
	for _, test := range []struct {
		name string
		want error
	}{
		{"GENERAL", ErrNameTaken},
		{"éTÉ", ErrNameTaken},
		{"ete", nil}, // an accent makes another name
		{"ſtraße", nil},
		{"STRAßE", ErrNameTaken},
		{"", ErrBadName},
		{" \t", ErrBadName},
		{strings.Repeat("é", 64), nil},
		{strings.Repeat("e", 65), ErrBadName},
		{"'; DROP TABLE channels; --", nil},
	} {
		err := s.CreateChannel(ctx, &Channel{Name: test.name})
		if !errors.Is(err, test.want) {
			t.Errorf("create %q: got %v, want %v", test.name, err, test.want)
		}
		if test.want == nil {
			continue
		}
		if test.name == "GENERAL" {
			must(t, s.RenameChannel(ctx, general, test.name)) // its own
			continue
		}
		if err := s.RenameChannel(ctx, general, test.name); !errors.Is(err, test.want) {
			t.Errorf("rename to %q: got %v, want %v", test.name, err, test.want)
		}
	}
}

func TestMoveChannel(t *testing.T) {
	for _, test := range []struct {
		from, to int
		want     string
	}{
		{0, 2, "[b c a d]"},
		{3, 0, "[d a b c]"},
		{1, 1, "[a b c d]"},
		{0, 99, "[b c d a]"},
		{2, -1, "[c a b d]"},
	} {
		s := open(t, t.TempDir()+"/h.db")
		var ids []ChannelID
		for _, name := range []string{"x", "a", "b", "c", "d"} {
			ids = append(ids, addChannel(t, s, name))
		}
		must(t, s.DeleteChannel(t.Context(), ids[0])) // leaves no gap
		must(t, s.MoveChannel(t.Context(), ids[test.from+1], test.to))
		if got := fmt.Sprint(names(ok(s.Channels(t.Context())))); got != test.want {
			t.Errorf("move %d to %d: got %s, want %s", test.from, test.to, got, test.want)
		}
	}
}

func TestDeleteChannel(t *testing.T) {
	s, general := fresh(t)
	ctx := t.Context()
	kept := say(t, s, general, "same words")
	doomed := addChannel(t, s, "doomed", "alice")
	m := said(doomed, "same words")
	m.Deliveries = []Delivery{{Agent: "alice"}}
	must(t, s.AddMessage(ctx, m))
	for range indexBatch {
		say(t, s, doomed, "more words")
	}
	must(t, s.SaveSession(ctx, Session{Channel: doomed, Agent: "alice", ID: "1"}))

	must(t, s.DeleteChannel(ctx, doomed))
	equal(t, names(ok(s.Channels(ctx))), []string{"general"})
	equal(t, len(ok(s.Pending(ctx))), 0)
	equal(t, len(ok(s.Sessions(ctx, "alice"))), 0)
	hits := ok(s.Search(ctx, "words", 9))
	equal(t, []any{len(hits), hits[0].Message}, []any{1, kept.ID})
	for _, table := range []string{"messages", "parts", "deliveries", "members", "search"} {
		var n int
		must(t, s.read.QueryRow("SELECT count(*) FROM "+table+"").Scan(&n))
		want := map[string]int{"messages": 1, "parts": 1, "search": 1}[table]
		equal(t, fmt.Sprint(table, n), fmt.Sprint(table, want))
	}
	addChannel(t, s, "Doomed") // the name is free again
}

func TestUnread(t *testing.T) {
	s, general := fresh(t)
	ctx := t.Context()
	other := addChannel(t, s, "other")
	say(t, s, general, "mine")
	answer := &Message{Channel: general, Author: "alice", Kind: FromAgent}
	must(t, s.AddMessage(ctx, answer))
	must(t, s.AddMessage(ctx, &Message{Channel: general, Kind: Notice}))
	say(t, s, other, "mine")
	equal(t, ok(s.Unread(ctx)), map[ChannelID]int{general: 2})
	must(t, s.SetRead(ctx, general, answer.ID))
	equal(t, ok(s.Unread(ctx)), map[ChannelID]int{general: 1})
	must(t, s.SetRead(ctx, general, answer.ID+1))
	equal(t, ok(s.Unread(ctx)), map[ChannelID]int{})
}

func TestDraft(t *testing.T) {
	s, c := fresh(t)
	equal(t, ok(s.Draft(t.Context(), c)), Draft{})
	for _, d := range []Draft{{Text: "half a though", Files: []string{"/a b/é.txt", "/c"}}, {Files: []string{"/c"}}, {}} {
		must(t, s.SetDraft(t.Context(), c, d))
		equal(t, ok(s.Draft(t.Context(), c)), d)
	}
}
