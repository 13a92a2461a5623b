package agent

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// EntryKind says what an entry of an agent's log is.
type EntryKind string

const (
	Stderr   EntryKind = "stderr"    // a line of the agent's error output, or of its afterStop command
	Remark   EntryKind = "sidekicks" // what happened to its process, and what of it was not understood
	Sent     EntryKind = "sent"      // a message to the agent, as JSON
	Received EntryKind = "received"  // a line from the agent: a message as JSON, or else text
)

// Entry is one thing in an agent's log.
type Entry struct {
	Seq  int64 // grows by one
	Time time.Time
	Kind EntryKind
	Text string // without the values of the agent's env
	Left int    // bytes that were left out at the end of a long message
}

const (
	maxLog     = 1 << 20  // of lines and remarks, in bytes
	maxTraffic = 2 << 20  // of messages, so that many of them push out no line
	maxMessage = 32 << 10 // kept of one message
	entryCost  = 64       // of an entry beside its text, so that many empty ones count
)

// trace is the log of one agent over all its processes. Adding to it is cheap:
// what is shown is made when somebody looks.
type trace struct {
	agent string
	debug io.Writer // gets the traffic too, if not nil

	mu      sync.Mutex
	last    int64
	words   shelf
	traffic shelf
}

// shelf keeps the latest records up to a limit.
type shelf struct {
	limit, size int
	records     []record
}

// record is an entry as it came, with what has to be hidden of it.
type record struct {
	Entry
	mask *mask
}

func newTrace(agent string, debug io.Writer) *trace {
	return &trace{agent: agent, debug: debug, words: shelf{limit: maxLog}, traffic: shelf{limit: maxTraffic}}
}

// add keeps a line.
func (t *trace) add(kind EntryKind, text string, m *mask) {
	t.keep(&t.words, record{Entry{Kind: kind, Text: text}, m})
}

// tap keeps a message. It runs on the way of every message.
func (t *trace) tap(sent bool, line []byte, m *mask) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
	kept := line[:min(len(line), maxMessage+m.longest)]
	r := record{Entry{Kind: Received, Text: string(kept), Left: len(line) - len(kept)}, m}
	if sent {
		r.Kind = Sent
	}
	t.keep(&t.traffic, r)
	if t.debug != nil {
		arrow := map[EntryKind]string{Sent: "->", Received: "<-"}[r.Kind]
		// Nobody is told when the terminal is gone.
		_, _ = fmt.Fprintf(t.debug, "%s %s %s\n", t.agent, arrow, r.entry().Text)
	}
}

func (t *trace) keep(s *shelf, r record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	r.Seq, r.Time = t.last, time.Now()
	s.records = append(s.records, r)
	s.size += len(r.Text) + entryCost
	for s.size > s.limit && len(s.records) > 1 {
		s.size -= len(s.records[0].Text) + entryCost
		s.records[0] = record{}
		s.records = s.records[1:]
	}
}

// after returns the entries that came after one, oldest first; 0 is all.
func (t *trace) after(seq int64) []Entry {
	t.mu.Lock()
	if seq >= t.last {
		t.mu.Unlock()
		return nil
	}
	records := append(t.words.after(seq), t.traffic.after(seq)...)
	t.mu.Unlock()
	slices.SortFunc(records, func(a, b record) int { return cmp.Compare(a.Seq, b.Seq) })
	entries := make([]Entry, len(records))
	for i, r := range records {
		entries[i] = r.entry()
	}
	return entries
}

func (s *shelf) after(seq int64) []record {
	i, _ := slices.BinarySearchFunc(s.records, seq+1, func(r record, seq int64) int { return cmp.Compare(r.Seq, seq) })
	return slices.Clone(s.records[i:])
}

// lines returns the last n lines and remarks, all of them when n is negative.
func (t *trace) lines(n int) []string {
	t.mu.Lock()
	records := t.words.after(0)
	t.mu.Unlock()
	if n >= 0 {
		records = records[max(0, len(records)-n):]
	}
	lines := make([]string, len(records))
	for i, r := range records {
		if lines[i] = r.entry().Text; r.Kind == Remark {
			lines[i] = "sidekicks: " + lines[i]
		}
	}
	return lines
}

// entry is the record as it may be shown. A value of env that was cut in two
// is not found, so that the end of what was kept goes.
func (r record) entry() Entry {
	e := r.Entry
	text := r.mask.hide(e.Text)
	if e.Left > 0 {
		end := max(0, len(text)-r.mask.longest)
		e.Left += len(text) - end
		text = text[:end]
	}
	e.Text = strings.ToValidUTF8(text, "\uFFFD")
	return e
}

// Hidden stands for a value of env.
const Hidden = "•••"

// shortestSecret is how long a value of env must be to be looked for: in a
// shorter one everything would be hidden that happens to look like it.
const shortestSecret = 4

// mask hides the values of an agent's env.
type mask struct {
	replacer *strings.Replacer
	longest  int // of the texts it looks for, in bytes
}

// newMask looks for each value, for each line of one that has several, and for
// the way they are written in JSON.
func newMask(envs ...map[string]string) *mask {
	secrets := map[string]bool{}
	for _, env := range envs {
		for _, value := range env {
			for _, part := range append(strings.Split(value, "\n"), value) {
				if part = strings.TrimSpace(part); len(part) >= shortestSecret {
					secrets[part], secrets[quoted(part, true)], secrets[quoted(part, false)] = true, true, true
				}
			}
		}
	}
	m := &mask{}
	var pairs []string
	// The longest first: one may be part of another.
	for _, s := range slices.SortedFunc(maps.Keys(secrets), func(a, b string) int { return cmp.Compare(len(b), len(a)) }) {
		m.longest = max(m.longest, len(s))
		pairs = append(pairs, s, Hidden)
	}
	m.replacer = strings.NewReplacer(pairs...)
	return m
}

// Hide returns a text without the values of the env of agents.
func Hide(text string, envs ...map[string]string) string { return newMask(envs...).hide(text) }

func (m *mask) hide(text string) string { return m.replacer.Replace(text) }

// quoted is a text as JSON writes it, without its quotes.
func quoted(text string, html bool) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(html)
	if e.Encode(text) != nil {
		return text
	}
	return strings.Trim(strings.TrimSpace(b.String()), `"`)
}
