package app

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
	"git.rickub.com/bots-garden/sidekicks/store"
)

func ids(list []Message) []MessageID {
	var all []MessageID
	for _, m := range list {
		all = append(all, m.ID)
	}
	return all
}

func TestMessagesAround(t *testing.T) {
	w := newWorld(t, cast{}, nil, settings{})
	other, err := w.CreateChannel("other", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var sent []MessageID
	for range 20 {
		sent = append(sent, w.send("hello"))
		w.sendIn(other, "elsewhere")
	}
	for _, test := range []struct {
		id       MessageID
		limit    int
		from, to int // of what was sent
	}{
		{sent[10], 6, 7, 13},
		{sent[0], 6, 0, 3},
		{sent[19], 6, 16, 20},
		{sent[10] + 1, 6, 8, 14}, // in the other channel
		{0, 4, 16, 20},
		{sent[19] + 100, 4, 18, 20},
	} {
		list, err := w.MessagesAround(w.general(), test.id, test.limit)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := ids(list), sent[test.from:test.to]; !slices.Equal(got, want) {
			t.Errorf("%d around %d: %v, want %v", test.limit, test.id, got, want)
		}
	}
	after, err := w.MessagesAfter(w.general(), sent[4], 3)
	if err != nil || !slices.Equal(ids(after), sent[5:8]) {
		t.Errorf("after %d: %v, %v; want %v", sent[4], ids(after), err, sent[5:8])
	}
}

// What the history could not take comes last, and once.
func TestMessagesAfterUnsaved(t *testing.T) {
	w := newWorld(t, cast{}, nil, settings{})
	first, last := w.send("one"), w.send("two")
	w.mu.Lock()
	for _, id := range []MessageID{-2, -1} {
		w.unsaved[id] = &Message{ID: id, Channel: w.channels[0].ID, Kind: FromPerson}
	}
	w.mu.Unlock()
	for after, want := range map[MessageID][]MessageID{first: {last, -1, -2}, last: {-1, -2}, -1: {-2}, -2: nil} {
		list, err := w.MessagesAfter(w.general(), after, 10)
		if err != nil || !slices.Equal(ids(list), want) {
			t.Errorf("after %d: %v, %v; want %v", after, ids(list), err, want)
		}
	}
	if list, _ := w.MessagesAfter(w.general(), 0, 2); !slices.Equal(ids(list), []MessageID{first, last}) {
		t.Errorf("the first two: %v", ids(list))
	}
}

func TestMoveChannel(t *testing.T) {
	w := newWorld(t, cast{}, nil, settings{})
	for _, name := range []string{"b", "c"} {
		if _, err := w.CreateChannel(name, "", nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.MoveChannel(w.general(), 1); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range w.Channels() {
		names = append(names, c.Name)
	}
	if want := []string{"b", "general", "c"}; !slices.Equal(names, want) {
		t.Errorf("channels %v, want %v", names, want)
	}
	if err := w.MoveChannel(99, 0); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a channel that is not there: %v", err)
	}
}

func TestDirect(t *testing.T) {
	w := newWorld(t, cast{"alice": fakeagent.Script{}, "bob": fakeagent.Script{}}, []string{"alice", "bob"}, settings{})
	id, err := w.Direct("alice")
	if err != nil {
		t.Fatal(err)
	}
	c, _ := w.Channel(id)
	if c.Direct() != "alice" {
		t.Errorf("%q with %v is not direct", c.Name, c.Members)
	}
	if again, err := w.Direct("alice"); again != id || err != nil {
		t.Errorf("the second time: channel %d, %v; want %d", again, err, id)
	}
	if general, _ := w.Channel(w.general()); general.Direct() != "" {
		t.Errorf("%q is direct", general.Name)
	}
	w.reopen(settings{})
	if again, err := w.Direct("alice"); again != id || err != nil {
		t.Errorf("after a restart: channel %d, %v; want %d", again, err, id)
	}
	if err := w.AddMember(id, "bob"); err != nil {
		t.Fatal(err)
	}
	if c, _ := w.Channel(id); c.Direct() != "" {
		t.Errorf("with %v it is still direct", c.Members)
	}
}

// What a jump to a message in the middle of 10,000 reads, and a search in
// them.
func BenchmarkFind10000(b *testing.B) {
	w := &world{t: b, folder: b.TempDir()}
	w.configure(cast{"alice": fakeagent.Script{}}, []string{"alice"}, settings{})
	fill(b, filepath.Join(w.folder, "history", "history.db"), "general", 10_000)
	w.open(settings{})
	b.Run("around", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if list, err := w.MessagesAround(w.general(), MessageID(1000+i*777%8000), 60); err != nil || len(list) != 60 {
				b.Fatal(len(list), err)
			}
		}
	})
	for _, query := range []string{"m", "message 77", "retries one"} {
		b.Run("search "+query, func(b *testing.B) {
			for b.Loop() {
				if hits, err := w.Search(query, 100); err != nil || len(hits) == 0 {
					b.Fatal(len(hits), err)
				}
			}
		})
	}
}
