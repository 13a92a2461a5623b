package store

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// chatter returns n words as a talk has them: few that come often, many that are rare.
func chatter(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("%c%x", 'a'+rune(r.IntN(26)), int(r.ExpFloat64()*2000))
	}
	return strings.Join(words, " ")
}

// talkative makes a history with a channel of n messages of 40 words.
func talkative(b *testing.B, n int) (*Store, ChannelID) {
	b.Helper()
	s, c := fresh(b)
	r := rand.New(rand.NewPCG(1, 2))
	const batch = 500
	for range n / batch {
		must(b, s.update(b.Context(), "fill", func(t *tx) error {
			for range batch {
				id := ok(t.insert(`INSERT INTO messages (channel, author, kind, hop, delivery, created_at, ended_at, meta, revision)
					VALUES (?, 'alice', 'agent', 0, 0, 1, 1, '', ?)`, c, t.revision))
				ok(t.exec("INSERT INTO parts VALUES (?, 0, 'text', 0, 0, '', ?)", id, chatter(r, 40)))
				ok(t.exec("INSERT INTO deliveries VALUES (NULL, ?, 'bob', 'answered', '', '', '', 1, 0, '')", id))
				must(b, t.index(MessageID(id)))
			}
			return nil
		}))
	}
	return s, c
}

func BenchmarkAddMessage(b *testing.B) {
	s, c := fresh(b)
	for b.Loop() {
		m := said(c, "a question of an ordinary length, as people write them")
		m.Deliveries = []Delivery{{Agent: "alice"}}
		must(b, s.AddMessage(b.Context(), m))
	}
}

// An answer that has grown to a size, saved once more.
func BenchmarkSaveParts(b *testing.B) {
	for _, size := range []int{1 << 10, 16 << 10, 256 << 10, 4 << 20} {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			s, c := fresh(b)
			m := &Message{Channel: c, Author: "alice", Kind: FromAgent}
			must(b, s.AddMessage(b.Context(), m))
			text := strings.Repeat("x", size)
			for b.Loop() {
				text += "y"
				must(b, s.SaveParts(b.Context(), m.ID, []Part{{Kind: Text, Text: text}}))
			}
		})
	}
}

func BenchmarkMessages(b *testing.B) {
	s, c := talkative(b, 10_000)
	for b.Loop() {
		if len(ok(s.Messages(b.Context(), c, 5_000, 50))) != 50 {
			b.Fatal("not 50 messages")
		}
	}
}

func BenchmarkUnread(b *testing.B) {
	s, c := talkative(b, 10_000)
	for b.Loop() {
		if n := ok(s.Unread(b.Context()))[c]; n != 10_000 {
			b.Fatal(n)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	s, _ := talkative(b, 100_000)
	for _, query := range []string{"a", "a1", "a1 b2", "a b c d e", "a12f", "a1 nothing"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				ok(s.Search(b.Context(), query, 50))
			}
		})
	}
}

func BenchmarkDeleteChannel(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		s, c := talkative(b, 10_000)
		b.StartTimer()
		must(b, s.DeleteChannel(b.Context(), c))
	}
}

func BenchmarkOpen(b *testing.B) {
	s, _ := talkative(b, 10_000)
	for b.Loop() {
		s, _, err := Open(b.Context(), s.path)
		must(b, err)
		must(b, s.Close())
	}
}

func BenchmarkOpenNew(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		s, _, err := Open(b.Context(), filepath.Join(dir, fmt.Sprint(time.Now().UnixNano())))
		must(b, err)
		must(b, s.Close())
	}
}
