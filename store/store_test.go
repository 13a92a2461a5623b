package store

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if isChild() {
		return
	}
	goleak.VerifyTestMain(m)
}

// open opens a history that must need no warning, and closes it with the test.
func open(t testing.TB, path string) *Store {
	t.Helper()
	s, o, err := Open(context.Background(), path)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	if o.InMemory || o.SetAside != "" || len(o.Warnings) > 0 {
		t.Fatalf("opened with %+v", o)
	}
	return s
}

// fresh opens a new history with one channel.
func fresh(t testing.TB) (*Store, ChannelID) {
	t.Helper()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	return s, addChannel(t, s, "general")
}

func addChannel(t testing.TB, s *Store, name string, members ...string) ChannelID {
	t.Helper()
	c := Channel{Name: name, Members: members}
	must(t, s.CreateChannel(t.Context(), &c))
	return c.ID
}

// said is a complete message of the person.
func said(c ChannelID, text string) *Message {
	return &Message{Channel: c, Kind: FromPerson, EndedAt: time.Now(), Parts: []Part{{Kind: Text, Text: text}}}
}

func say(t testing.TB, s *Store, c ChannelID, text string) *Message {
	t.Helper()
	m := said(c, text)
	must(t, s.AddMessage(t.Context(), m))
	return m
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ok returns v; there must be no error.
func ok[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func equal(t testing.TB, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("\ngot  %+v\nwant %+v", got, want)
	}
}

func textsOf(messages []Message) (all []string) {
	for _, m := range messages {
		for _, p := range m.Parts {
			all = append(all, p.Text)
		}
	}
	return all
}
