package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Two processes and this one stream into one history: nothing is lost, and this
// one is told of all that the others wrote.
func TestProcessesStreamAtOnce(t *testing.T) {
	s, c := fresh(t)
	ctx, cancel := context.WithCancel(t.Context())
	var (
		told    = map[MessageID]bool{}
		tellers sync.WaitGroup
	)
	tellers.Go(func() {
		s.Watch(ctx, time.Millisecond, func(changes Changes) {
			for _, id := range changes.Messages {
				told[id] = true
			}
		})
	})
	others := []*process{start(t, "stream", s.path), start(t, "stream", s.path)}
	for i := range streamed {
		m := &Message{Channel: c, Author: Author(fmt.Sprint(os.Getpid())), Kind: FromAgent}
		must(t, s.AddMessage(ctx, m))
		for step := range steps {
			must(t, s.SaveParts(ctx, m.ID, []Part{{Kind: Text, Text: streamedText(i, step+1)}}))
		}
		must(t, s.EndMessage(ctx, m.ID, time.Now(), nil))
	}
	for _, p := range others {
		must(t, p.cmd.Wait())
	}
	cancel()
	tellers.Wait()
	for _, id := range ok(s.changes(t.Context())).Messages {
		told[id] = true
	}

	count := map[Author]int{}
	for _, m := range ok(s.Messages(t.Context(), c, 0, 1000)) {
		i := count[m.Author]
		count[m.Author]++
		want := strings.Repeat(fmt.Sprintf("%d of %s ", i, m.Author), steps)
		if len(m.Parts) != 1 || m.Parts[0].Text != want || m.EndedAt.IsZero() {
			t.Errorf("message %d of %s: %+v", i, m.Author, m)
		}
		mine := m.Author == Author(fmt.Sprint(os.Getpid()))
		if told[m.ID] == mine {
			t.Errorf("message %d of %s (mine: %v) was told: %v", m.ID, m.Author, mine, told[m.ID])
		}
	}
	if len(count) != 3 {
		t.Errorf("authors %v", count)
	}
	for author, n := range count {
		if n != streamed {
			t.Errorf("%s has %d messages of %d", author, n, streamed)
		}
		if hits := ok(s.Search(t.Context(), string(author), 1000)); len(hits) != streamed {
			t.Errorf("%d messages of %s are found", len(hits), author)
		}
	}
}

// What a process was told to be written is there after kill -9.
func TestKilledWhileWriting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	s, _, err := Open(t.Context(), path)
	must(t, err)
	c := addChannel(t, s, "general")
	must(t, s.Close())

	var written []string
	for range 3 {
		p := start(t, "flood", path)
		for range 40 {
			written = append(written, p.line(t))
		}
		p.kill()
	}
	s = open(t, path)
	var integrity string
	must(t, s.read.QueryRow("PRAGMA integrity_check").Scan(&integrity))
	equal(t, integrity, "ok")
	all := ok(s.Messages(t.Context(), c, 0, 100_000))
	for _, id := range written {
		id := MessageID(ok(strconv.Atoi(id)))
		i := slices.IndexFunc(all, func(m Message) bool { return m.ID == id })
		if i < 0 || all[i].Parts[0].Text != strings.Repeat("flood ", 500) {
			t.Errorf("message %d is lost", id)
		}
	}
	equal(t, len(ok(s.Search(t.Context(), "flood", 100_000))), len(all))
}

func TestAbandoned(t *testing.T) {
	s, _ := fresh(t)
	ctx := t.Context()
	mine := said(1, "mine")
	mine.Deliveries = []Delivery{{Agent: "alice"}}
	must(t, s.AddMessage(ctx, mine))
	killed, quit := start(t, "hold", s.path), start(t, "hold", s.path)
	killed.line(t)
	quit.line(t)
	equal(t, len(ok(s.Pending(ctx))), 3)
	equal(t, len(ok(s.Abandoned(ctx))), 0)

	killed.kill()
	must(t, quit.stdin.Close())
	must(t, quit.cmd.Wait())
	second := open(t, s.path)
	abandoned := ok(s.Abandoned(ctx))
	equal(t, len(abandoned), 2)
	for _, d := range abandoned {
		equal(t, []any{d.Agent, d.State, d.Owner}, []any{"alice", Working, s.Owner()})
		equal(t, ok(s.Message(ctx, d.Message)).Deliveries[0], d)
	}
	equal(t, len(ok(second.Abandoned(ctx))), 0)
	equal(t, len(ok(filepath.Glob(s.path+".locks/*"))), 3+1) // two stores, the opening, the window
	// What the killed one left half written can be found since the next opening.
	equal(t, len(ok(second.Search(ctx, "halfway", 9))), 2)
}

func TestLockWindow(t *testing.T) {
	s, _ := fresh(t)
	p := start(t, "hold", s.path)
	equal(t, p.line(t), "held true")
	release, held := s.LockWindow()
	release()
	equal(t, held, false)
	p.kill()
	release, held = s.LockWindow()
	equal(t, held, true)
	release()
	release()
	release, held = s.LockWindow()
	equal(t, held, true)
	release()
}

// Many who create one history at once all get the same.
func TestOpenAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "history.db")
	var openers sync.WaitGroup
	for i := range 8 {
		openers.Go(func() {
			s, o, err := Open(t.Context(), path)
			if err != nil || o.InMemory || o.SetAside != "" {
				t.Errorf("opened with %+v: %v", o, err)
				return
			}
			if err := s.CreateChannel(t.Context(), &Channel{Name: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	openers.Wait()
	equal(t, len(ok(open(t, path).Channels(t.Context()))), 8)
}

func TestChanges(t *testing.T) {
	s, c := fresh(t)
	other := open(t, s.path)
	ctx := t.Context()
	changes := func() Changes { return ok(s.changes(ctx)) }
	equal(t, changes(), Changes{}) // its own channel is no news

	m := said(c, "x")
	m.Deliveries = []Delivery{{Agent: "alice"}}
	must(t, other.AddMessage(ctx, m))
	say(t, s, c, "mine, in between")
	equal(t, changes(), Changes{Messages: []MessageID{m.ID}})
	equal(t, changes(), Changes{})

	for name, write := range map[string]func() error{
		"part":         func() error { return other.SaveParts(ctx, m.ID, []Part{{Kind: Text, Text: "y"}}) },
		"end":          func() error { return other.EndMessage(ctx, m.ID, time.Now(), nil) },
		"meta":         func() error { return other.SetMeta(ctx, m.ID, nil) },
		"edit":         func() error { return other.EditMessage(ctx, m.ID, "z") },
		"delivery":     func() error { return other.SaveDelivery(ctx, m.Deliveries[0]) },
		"new delivery": func() error { return other.AddDelivery(ctx, &Delivery{Message: m.ID, Agent: "bob"}) },
	} {
		must(t, write())
		if got := changes(); !slices.Equal(got.Messages, []MessageID{m.ID}) || got.Channels {
			t.Errorf("%s: got %+v", name, got)
		}
		// The same message written by both.
		must(t, write())
		must(t, s.SetMeta(ctx, m.ID, nil))
		if got := changes(); !slices.Equal(got.Messages, []MessageID{m.ID}) {
			t.Errorf("%s, then own: got %+v", name, got)
		}
	}
	for name, write := range map[string]func() error{
		"read":     func() error { return other.SetRead(ctx, c, m.ID) },
		"describe": func() error { return other.DescribeChannel(ctx, c, "d") },
		"member":   func() error { return other.AddMember(ctx, c, "bob") },
		"create":   func() error { return other.CreateChannel(ctx, &Channel{Name: "new"}) },
	} {
		must(t, write())
		must(t, s.SetDraft(ctx, c, Draft{Text: name}))
		if got := changes(); !got.Channels || len(got.Messages) > 0 {
			t.Errorf("%s: got %+v", name, got)
		}
	}
	must(t, other.SetDraft(ctx, c, Draft{Text: "no news"}))
	must(t, other.SetRead(ctx, c, m.ID))
	must(t, other.AddMember(ctx, c, "bob"))
	must(t, other.RemoveMember(ctx, c, "nobody"))
	equal(t, changes(), Changes{})
	must(t, other.SetMeta(ctx, m.ID, nil))
	must(t, other.DeleteMessage(ctx, m.ID))
	equal(t, changes(), Changes{Removed: []MessageID{m.ID}})
	must(t, other.DeleteChannel(ctx, c))
	equal(t, changes(), Changes{Channels: true})
}

func TestWatchEnds(t *testing.T) {
	s, _, err := Open(t.Context(), filepath.Join(t.TempDir(), "history.db"))
	must(t, err)
	var watching sync.WaitGroup
	watching.Go(func() { s.Watch(t.Context(), time.Hour, func(Changes) {}) })
	must(t, s.Close())
	watching.Wait()
}

// A write waits for the one of another process, and for its turn in this one only
// as long as its context.
func TestWritesWait(t *testing.T) {
	s, c := fresh(t)
	other := open(t, s.path)
	ok(other.conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"))
	done := make(chan error)
	go func() { done <- s.AddMessage(t.Context(), said(c, "x")) }()
	for len(s.writing) == 0 { // until the write has its turn
		runtime.Gosched()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.AddMessage(ctx, said(c, "y")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	equal(t, ok(s.Count(t.Context(), c)), 0) // reading does not wait
	ok(other.conn.ExecContext(t.Context(), "COMMIT"))
	must(t, <-done)
	equal(t, ok(s.Count(t.Context(), c)), 1)
}
