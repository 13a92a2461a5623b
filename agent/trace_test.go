package agent

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

// Neither lines nor messages push the others out, and numbers go on.
func TestTraceForgets(t *testing.T) {
	tr := newTrace("a", nil)
	none := newMask(nil)
	tr.add(Remark, "started", none)
	const n = 100_000
	for i := range n {
		tr.tap(false, fmt.Appendf(nil, "message %d\n", i), none)
	}
	tr.tap(false, []byte(" \n"), none) // nothing
	tr.add(Stderr, "the end", none)
	all := tr.after(0)
	size := 0
	for _, e := range all {
		size += len(e.Text)
	}
	if size > maxLog+maxTraffic || all[0].Text != "started" || all[len(all)-1].Text != "the end" || all[len(all)-1].Seq != n+2 {
		t.Fatalf("%d entries of %d bytes, from %v to %v", len(all), size, all[0], all[len(all)-1])
	}
	if !slices.IsSortedFunc(all, func(a, b Entry) int { return int(a.Seq - b.Seq) }) {
		t.Error("the entries are not in order")
	}
	if got := tr.after(n); len(got) != 2 || got[0].Text != fmt.Sprint("message ", n-1) {
		t.Errorf("after %d: %v", n, got)
	}
	if got := tr.after(n + 2); got != nil {
		t.Errorf("after the last: %v", got)
	}
	if got := tr.lines(-1); !slices.Equal(got, []string{"sidekicks: started", "the end"}) {
		t.Errorf("lines: %q", got)
	}
	if got := tr.lines(1); !slices.Equal(got, []string{"the end"}) {
		t.Errorf("the last line: %q", got)
	}
}

func TestMask(t *testing.T) {
	m := newMask(map[string]string{
		"KEY": "s3cret", "LONGER": "s3cret-and-more", "SHORT": "1", "EMPTY": "",
		"ODD": "a\"b\\<c>", "LINES": "-----BEGIN\nMIIabc\nx\n-----END", "ACCENT": "clé é",
	})
	for text, want := range map[string]string{
		"no such thing, 1 of 1":            "no such thing, 1 of 1",
		"s3cret":                           Hidden,
		"as3crets":                         "a" + Hidden + "s",
		"s3cret-and-more":                  Hidden,
		`{"k":"a\"b\\<c>"}`:                `{"k":"` + Hidden + `"}`,
		`{"k":"a\"b\\\u003cc\u003e"}`:      `{"k":"` + Hidden + `"}`,
		`a"b\<c>`:                          Hidden,
		"MIIabc":                           Hidden,
		`"-----BEGIN\nMIIabc\nx\n-----END`: `"` + Hidden,
		"clé é":                            Hidden,
	} {
		if got := m.hide(text); got != want {
			t.Errorf("%s is shown as %s, want %s", text, got, want)
		}
	}
}

// A secret that the end of a long message cuts in two is not shown either.
func TestLongMessageHidesSecrets(t *testing.T) {
	const secret = "0123456789abcdef"
	for shift := range len(secret) + 2 {
		tr := newTrace("a", nil)
		m := newMask(map[string]string{"KEY": secret})
		text := strings.Repeat("x", maxMessage+shift) + secret + strings.Repeat("y", 1000)
		tr.tap(false, []byte(text), m)
		e := tr.after(0)[0]
		for n := 4; n <= len(secret); n++ {
			if strings.Contains(e.Text, secret[:n]) {
				t.Fatalf("shift %d: %q is shown", shift, secret[:n])
			}
		}
		if e.Left < 1000 || len(e.Text) < maxMessage-len(secret) {
			t.Errorf("shift %d: %d bytes kept, %d left out", shift, len(e.Text), e.Left)
		}
	}
	tr := newTrace("a", nil)
	tr.tap(true, []byte(strings.Repeat("é", maxMessage)), newMask(nil))
	if e := tr.after(0)[0]; len(e.Text) != maxMessage || e.Left != maxMessage {
		t.Errorf("%d bytes kept, %d left out", len(e.Text), e.Left)
	}
}

// What an agent's log holds of a whole life, and no value of env in it.
func TestTraceOfAgent(t *testing.T) {
	script := fakeagent.Script{Start: []string{"log the key is swordfish"}}
	p, _ := newTestPool(t, map[string]fakeagent.Script{"a": script}, Limits{Running: 1})
	a := p.Agent("a")
	a.spec.Env["KEY"] = "swordfish"
	var debug safeBuffer
	a.trace.debug = &debug
	lease := acquire(t, p, "a")
	s, _, err := lease.Open(t.Context(), "1", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Prompt(t.Context(), []acp.ContentBlock{acp.Text("it is swordfish")}); err != nil {
		t.Fatal(err)
	}
	lease.Release()
	if err := p.Stop(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	kinds := map[EntryKind]string{}
	for _, e := range a.Trace(0) {
		kinds[e.Kind] += e.Text + "\n"
		if e.Time.IsZero() {
			t.Errorf("%q has no time", e.Text)
		}
	}
	for kind, want := range map[EntryKind][]string{
		Remark: {"started ", "ended: "}, Stderr: {"the key is " + Hidden},
		Sent:     {`"method":"initialize"`, `"method":"session/prompt"`, "it is " + Hidden},
		Received: {`"sessionUpdate":"agent_message_chunk"`, "it is " + Hidden, `"stopReason":"end_turn"`},
	} {
		for _, text := range want {
			if !strings.Contains(kinds[kind], text) {
				t.Errorf("%s lacks %q:\n%s", kind, text, kinds[kind])
			}
		}
	}
	shown := fmt.Sprint(kinds, a.Log(), a.Status(), debug.String())
	if strings.Contains(shown, "swordfish") {
		t.Errorf("a value of env is shown:\n%s", shown)
	}
	for _, want := range []string{`a -> {"jsonrpc":"2.0","id":1,"method":"initialize"`, `a <- {"`} {
		if !strings.Contains(debug.String(), want) {
			t.Errorf("the traffic lacks %q:\n%s", want, debug.String())
		}
	}
}

// safeBuffer is a buffer that several goroutines write to.
type safeBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

// What a message costs on its way.
func BenchmarkTap(b *testing.B) {
	tr := newTrace("a", nil)
	m := newMask(map[string]string{"KEY": "a key that is not in it"})
	line := []byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"word "}}}}` + "\n")
	b.ReportAllocs()
	for b.Loop() {
		tr.tap(false, line, m)
	}
}
