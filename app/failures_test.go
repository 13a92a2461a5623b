package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

// reason is what the person reads about the first delivery, in both languages.
func (w *world) reason(m Message) string {
	w.t.Helper()
	d := m.Deliveries[0]
	if d.Reason == nil {
		w.t.Fatalf("delivery %s gives no reason\n%s", d.State, w.dump())
	}
	english, french := i18n.For("en").Error(d.Reason), i18n.For("fr").Error(d.Reason)
	for _, text := range []string{english, french} {
		if strings.HasPrefix(text, "agent.") || strings.HasPrefix(text, "app.") || strings.Contains(text, "<no value>") || strings.Contains(text, "{{") {
			w.t.Errorf("not in the catalogue: %q", text)
		}
	}
	if english == french {
		w.t.Errorf("same text in both languages: %q", english)
	}
	return english
}

// An agent that cannot work says why where the person looks, and the next
// message finds it again.
func TestAgentsThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		script fakeagent.Script
		agent  map[string]any
		text   string
		want   []string // in the reason
		stderr string
	}{
		"no such program":          {agent: map[string]any{"command": "no-such-program"}, want: []string{"no-such-program", "/bin"}},
		"no such file":             {agent: map[string]any{"command": "./no/such/file"}, want: []string{"no/such/file"}},
		"no such folder":           {agent: map[string]any{"workspace": "./nowhere"}, want: []string{"nowhere"}},
		"exits at once":            {script: fakeagent.Script{Start: []string{"log model not loaded", "exit 3"}}, want: []string{"3"}, stderr: "model not loaded"},
		"never answers initialize": {script: fakeagent.Script{On: map[string][]string{"initialize": {"hang"}}}, want: []string{"initialize"}},
		"another protocol":         {script: fakeagent.Script{On: map[string][]string{"initialize": {`result {"protocolVersion":7}`}}}, want: []string{"7"}},
		"no session":               {script: fakeagent.Script{On: map[string][]string{"session/new": {"error -32603 no backend"}}}, want: []string{"no backend"}},
		"dies in a turn":           {text: "go !text partial; log out of memory; exit 9", want: []string{"9"}, stderr: "out of memory"},
		"answers with an error":    {text: "go !error -32603 quota exceeded", want: []string{"quota exceeded"}},
		"closes its output":        {text: "go !mute; hang", want: []string{"Alice ended"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			times := quick()
			times.Initialize = 3 * time.Second
			w := newWorld(t, cast{"alice": c.script}, []string{"alice"},
				settings{times: times, agents: map[string]map[string]any{"alice": c.agent}})
			if c.text == "" {
				c.text = "hello"
			}
			m := w.say(c.text)
			if d := m.Deliveries[0]; d.State != Failed || d.Fix != FixRetry {
				t.Fatalf("delivery %s, fix %q\n%s", d.State, d.Fix, w.dump())
			}
			text := w.reason(m)
			for _, part := range c.want {
				if !strings.Contains(text, part) {
					t.Errorf("reason %q does not name %q", text, part)
				}
			}
			if c.stderr != "" {
				w.until("the agent's error", func() bool { a, _ := w.Agent("alice"); return a.State == AgentError })
				if a, _ := w.Agent("alice"); !strings.Contains(strings.Join(a.Stderr, "\n"), c.stderr) {
					t.Errorf("stderr %q", a.Stderr)
				}
			}
		})
	}
}

func TestAfterACrashTheNextMessageWorks(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	m := w.say("go !text partial; exit 9")
	if got := w.message(m.Deliveries[0].Answer); got.Text() != "partial" || got.Live() {
		t.Errorf("what was said before the crash: %q, live %v", got.Text(), got.Live())
	}
	if got := w.answer(w.say("and now? !echo")); !strings.HasPrefix(got, "echo: ") {
		t.Errorf("answer %q", got)
	}
	w.Retry(m.Deliveries[0].ID)
	w.until("the retried delivery", func() bool { return w.message(m.ID).Deliveries[0].State == Failed })
}

// Noise on stdout and a flood on stderr are no reason to fail.
func TestNoise(t *testing.T) {
	w := newWorld(t, cast{"alice": {Start: []string{"raw Welcome!", `raw "a string"`, "raw [1]", "err 1000000"}}}, []string{"alice"}, settings{})
	if got := w.answer(w.say("hello")); got != "echo: hello" {
		t.Errorf("answer %q", got)
	}
}

func TestAFloodIsKeptWhole(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	m := w.say("go !repeat 100000 text word$i ")
	got := w.answer(m)
	if n := strings.Count(got, "word"); n != 100_000 || !strings.HasSuffix(strings.TrimSpace(got), "word99999") {
		t.Errorf("%d words, end %q", n, got[max(0, len(got)-20):])
	}
}

func TestALongLineIsKeptWhole(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	if got := w.answer(w.say("go !line 20000000")); len(got) != 20_000_000 {
		t.Errorf("%d bytes", len(got))
	}
}

func TestAMessageForNobodySaysSo(t *testing.T) {
	w := newWorld(t, cast{"alice": {}, "bob": {}}, []string{"alice", "bob"},
		settings{members: []string{"alice"}, channels: []map[string]any{{"name": "general", "agents": []string{"alice"}}, {"name": "empty"}}})
	m := w.say("@bob hello")
	if d := m.Deliveries[0]; d.Agent != "bob" || d.State != Failed || d.Fix != FixAdd || !strings.Contains(w.reason(m), "Bob") {
		t.Error(w.dump())
	}
	if err := w.AddMember(w.general(), "bob"); err != nil {
		t.Fatal(err)
	}
	w.Retry(m.Deliveries[0].ID)
	w.state(m.ID, Answered)
	m = w.say("@alise hello")
	if d := m.Deliveries[0]; d.State != Failed || !strings.Contains(w.reason(m), "alice") {
		t.Error(w.dump())
	}
	empty := w.Channels()[1].ID
	id := w.sendIn(empty, "hello")
	if m := w.message(id); m.Deliveries[0].State != Failed || !strings.Contains(w.reason(m), "empty") {
		t.Error(w.dump())
	}
	for _, text := range []string{"", "  \n"} {
		if w.Send(Outgoing{Channel: empty, Text: text}) == nil {
			t.Errorf("%q was sent", text)
		}
	}
	if w.Send(Outgoing{Channel: 999, Text: "x"}) == nil {
		t.Error("sent to no channel")
	}
}

// A channel whose only agent was removed from the file says so.
func TestAnAgentRemovedFromTheFile(t *testing.T) {
	w := newWorld(t, cast{"alice": {}, "bob": {}}, []string{"alice", "bob"}, settings{members: []string{"alice"}})
	w.say("hello")
	w.close()
	w.configure(cast{"bob": {}}, []string{"bob"}, settings{channels: []map[string]any{}})
	w.open(settings{})
	m := w.say("hello?")
	if m.Deliveries[0].State != Failed || !strings.Contains(w.reason(m), "alice") {
		t.Error(w.dump())
	}
	if len(w.all()) != 3 {
		t.Error("history lost:\n", w.dump())
	}
	list := w.Agents()
	if len(list) != 2 || list[1].Name != "alice" || !list[1].Removed {
		t.Errorf("agents %+v", list)
	}
}

// Whatever the history file is, the window lives, nothing is overwritten, and
// the person is told.
func TestABadHistory(t *testing.T) {
	for name, content := range map[string]string{"empty": "", "garbage": strings.Repeat("garbage ", 1000)} {
		t.Run(name, func(t *testing.T) {
			w := &world{t: t, folder: t.TempDir()}
			w.configure(cast{"alice": {}}, []string{"alice"}, settings{})
			path := filepath.Join(w.folder, "history", "history.db")
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			w.open(settings{})
			if told := len(w.Troubles()) > 0; told != (content != "") {
				t.Errorf("troubles %v", w.Troubles())
			}
			w.answer(w.say("hello"))
			if content == "" {
				return
			}
			aside, err := filepath.Glob(path + ".unreadable-*")
			if err != nil || len(aside) != 1 {
				t.Fatalf("set aside: %v, %v", aside, err)
			}
			if kept, err := os.ReadFile(aside[0]); err != nil || string(kept) != content {
				t.Error("what was set aside is not what was there")
			}
		})
	}
}

// A history that cannot be written goes on in memory, and says so. A folder
// stands where the file should be: that stops root too.
func TestAnUnwritableHistory(t *testing.T) {
	w := &world{t: t, folder: t.TempDir()}
	w.configure(cast{"alice": {}}, []string{"alice"}, settings{})
	if err := os.WriteFile(filepath.Join(w.folder, "history"), []byte("a file, not a folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.open(settings{})
	if len(w.Troubles()) == 0 {
		t.Error("nothing is said")
	}
	w.answer(w.say("hello"))
}
