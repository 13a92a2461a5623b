package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
	"git.rickub.com/bots-garden/sidekicks/store"
)

// stampEnv makes the test binary an agent that says the time, once a
// millisecond, as often as the prompt says.
const stampEnv = "SIDEKICKS_TEST_STAMP"

// stampMain is that agent, as small as it can be.
func stampMain() {
	if os.Getenv(stampEnv) == "" {
		return
	}
	out := os.Stdout
	in := newScanner(os.Stdin)
	for in.Scan() {
		line := in.Text()
		id := between(line, `"id":`, `,`)
		switch between(line, `"method":"`, `"`) {
		case "initialize":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}`+"\n", id)
		case "session/new":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s"}}`+"\n", id)
		case "session/prompt":
			n, _ := strconv.Atoi(between(line, `"text":"`, `"`))
			for range n {
				time.Sleep(time.Millisecond) // the rhythm of an agent; nothing waits for it
				fmt.Fprintf(out, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%d "}}}}`+"\n", time.Now().UnixNano())
			}
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`+"\n", id)
		}
	}
	os.Exit(0)
}

func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}

// From an agent's line to the event that a window gets: the median of how
// long that takes, in microseconds.
func BenchmarkLineToEvent(b *testing.B) {
	w := &world{t: b, folder: b.TempDir()}
	w.configure(cast{"alice": {}}, []string{"alice"}, settings{agents: map[string]map[string]any{"alice": {"env": map[string]string{stampEnv: "1"}}}})
	w.open(settings{})
	var took []time.Duration
	id := w.send(strconv.Itoa(max(b.N, 200)))
	seen := 0
	for !w.message(id).Deliveries[0].State.Final() {
		events, more := w.sub.Next(context.Background())
		if !more {
			b.Fatal("closed")
		}
		at := time.Now()
		for _, e := range events {
			if e.Kind != MessageChanged && e.Kind != MessageAdded || e.Message == id {
				continue
			}
			stamps := strings.Fields(w.message(e.Message).Text())
			for _, s := range stamps[min(seen, len(stamps)):] {
				n, _ := strconv.ParseInt(s, 10, 64)
				if sent := time.Unix(0, n); sent.Before(at) {
					took = append(took, at.Sub(sent))
				}
			}
			seen = max(seen, len(stamps))
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-median")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-p99")
}

// A burst of 100,000 updates, all kept.
func BenchmarkFlood(b *testing.B) {
	w := newWorld(b, cast{"alice": {}}, []string{"alice"}, settings{})
	w.say("hello")
	for b.Loop() {
		id := w.send("go !repeat 100000 text word$i ")
		for !w.message(id).Deliveries[0].State.Final() {
			if _, more := w.sub.Next(context.Background()); !more {
				b.Fatal("closed")
			}
		}
		if n := strings.Count(w.answer(w.message(id)), "word"); n != 100_000 {
			b.Fatalf("%d of 100000 kept", n)
		}
	}
	b.ReportMetric(float64(b.N)*100_000/b.Elapsed().Seconds(), "updates/s")
}

// fill puts n messages into a history, half of them answers.
func fill(tb testing.TB, path string, channel string, n int) {
	tb.Helper()
	s, _, err := store.Open(context.Background(), path)
	if err != nil {
		tb.Fatal(err)
	}
	defer s.Close()
	c := store.Channel{Name: channel, Members: []string{"alice"}}
	if err := s.CreateChannel(context.Background(), &c); err != nil {
		tb.Fatal(err)
	}
	at := time.Now().Add(-time.Duration(n) * time.Second)
	for i := range n {
		m := store.Message{Channel: c.ID, Kind: store.FromPerson, CreatedAt: at, EndedAt: at}
		if i%2 == 1 {
			m.Kind, m.Author = store.FromAgent, "alice"
		}
		m.Parts = []store.Part{{Kind: store.Text, Text: fmt.Sprintf("message %d about **retries**, `limits` and the rest\n\n- one\n- two", i), StartedAt: at, EndedAt: at}}
		if err := s.AddMessage(context.Background(), &m); err != nil {
			tb.Fatal(err)
		}
		at = at.Add(time.Second)
	}
}

// A channel of 10,000 messages opened as a window does: the configuration,
// the history, the newest messages.
func BenchmarkOpen10000(b *testing.B) {
	w := &world{t: b, folder: b.TempDir()}
	w.configure(cast{"alice": fakeagent.Script{}}, []string{"alice"}, settings{})
	fill(b, filepath.Join(w.folder, "history", "history.db"), "general", 10_000)
	for b.Loop() {
		w.open(settings{})
		if list, err := w.Messages(w.general(), 0, 60); err != nil || len(list) != 60 {
			b.Fatal(len(list), err)
		}
		b.StopTimer()
		w.close()
		b.StartTimer()
	}
}
