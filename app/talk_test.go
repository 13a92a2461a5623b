package app

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

func TestAMessageIsAnswered(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	m := w.say("hello")
	if got := w.answer(m); got != "echo: hello" {
		t.Errorf("answer %q", got)
	}
	list := w.all()
	if len(list) != 2 || list[0].Kind != FromPerson || list[1].Author != "alice" || list[1].Live() {
		t.Error(w.dump())
	}
	w.reopen(settings{})
	if again := w.all(); len(again) != 2 || again[1].Text() != "echo: hello" || again[0].Deliveries[0].State != Answered {
		t.Error("not kept:\n", w.dump())
	}
}

func TestPartsKeepTheirOrder(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	m := w.say("go !thought hm; text before; tool t1 in_progress List files; tool t1 completed; text after; thought then; text end")
	var kinds []string
	for _, p := range w.message(m.Deliveries[0].Answer).Parts {
		kinds = append(kinds, string(p.Kind)+" "+p.Text)
	}
	want := []string{"thought hm", "text before", "tool ", "text after", "thought then", "text end"}
	if !slices.Equal(kinds, want) {
		t.Errorf("parts %q, want %q", kinds, want)
	}
}

// The prompt holds what others said since the agent's last turn (design §4).
func TestTheRoomIsShared(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record")
	agents := cast{"alice": {Prompt: []string{"text the answer is 42"}}, "bob": {Record: record}}
	w := newWorld(t, agents, []string{"alice", "bob"}, settings{})
	w.say("@alice what is the answer?")
	w.say("@bob do you agree?")
	w.say("@bob and now?")
	w.say("@alice again?")
	w.say("@bob last one")
	got := w.prompts(record)
	if len(got) != 3 {
		t.Fatalf("prompts %q", got)
	}
	if len(got[0]) != 2 || !strings.Contains(got[0][0], "@alice: the answer is 42") || got[0][1] != "@bob do you agree?" {
		t.Errorf("first prompt %q", got[0])
	}
	if len(got[1]) != 1 || got[1][0] != "@bob and now?" {
		t.Errorf("nothing new was said, yet the second prompt is %q", got[1])
	}
	if c := got[2][0]; !strings.Contains(c, "@alice again?") || strings.Count(c, "the answer is 42") != 1 || strings.Contains(c, "and now?") {
		t.Errorf("third prompt %q", got[2])
	}
}

func TestARestartContinuesTheSession(t *testing.T) {
	for name, script := range map[string]fakeagent.Script{
		"resume": {Resume: true}, "load": {Load: true}, "neither": {},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			script.State, script.Record = filepath.Join(folder, "state"), filepath.Join(folder, "record")
			w := newWorld(t, cast{"alice": script}, []string{"alice"}, settings{})
			w.say("remember 7")
			w.reopen(settings{})
			w.say("what was it?")
			var texts []string
			for _, m := range w.all() {
				if m.Kind != FromApp {
					texts = append(texts, m.Text())
				}
			}
			if len(texts) != 4 || texts[1] != "echo: remember 7" {
				t.Fatalf("messages %q", texts)
			}
			last := w.prompts(script.Record)[1]
			if name != "neither" {
				if len(last) != 1 {
					t.Errorf("a continued session was told the talk again: %q", last)
				}
				return
			}
			if len(last) != 2 || !strings.Contains(last[0], "remember 7") || !strings.Contains(last[0], "You (@alice): echo") {
				t.Errorf("a new session was not told the talk: %q", last)
			}
		})
	}
}

func TestASlashCommandGoesAlone(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record")
	w := newWorld(t, cast{"alice": {Record: record}, "bob": {}}, []string{"alice", "bob"}, settings{})
	w.say("@bob hi")
	m := w.say("/alice:review all of it")
	if w.answer(m) != "echo: /review all of it" {
		t.Error(w.dump())
	}
	if got := w.prompts(record)[0]; len(got) != 1 || got[0] != "/review all of it" {
		t.Errorf("prompt %q", got)
	}
}

// The commands that an agent announced stay known while it does not run.
func TestCommandsAreKept(t *testing.T) {
	w := newWorld(t, cast{"alice": {On: map[string][]string{"session/new": {"commands review plan"}}}}, []string{"alice"}, settings{})
	w.say("hello")
	w.reopen(settings{})
	a, _ := w.Agent("alice")
	if len(a.Commands) != 2 || a.Commands[0].Name != "review" {
		t.Errorf("commands %v", a.Commands)
	}
}

func TestAnEmptyAnswerPostsNothing(t *testing.T) {
	w := newWorld(t, cast{"alice": {Prompt: []string{"text"}}}, []string{"alice"}, settings{})
	m := w.say("say nothing")
	if m.Deliveries[0].State != Silent || len(w.all()) != 1 {
		t.Error(w.dump())
	}
}

// Updates may come after the turn: they belong to its message.
func TestLateTextIsKept(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	m := w.say("go !text first; late text second")
	id := m.Deliveries[0].Answer
	w.until("the late text", func() bool { return strings.Contains(w.message(id).Text(), "second") })
	w.reopen(settings{})
	if got := w.message(id).Text(); got != "first\n\nsecond" && got != "firstsecond" {
		t.Errorf("kept %q", got)
	}
	if len(w.all()) != 2 {
		t.Error(w.dump())
	}
}

// Whoever was chosen in the composer gets the text, unless it is a command of
// an agent.
func TestAChoiceCounts(t *testing.T) {
	w := newWorld(t, cast{"alice": {}, "bob": {}}, []string{"alice", "bob"}, settings{})
	for text, want := range map[string][]string{
		"hello":           {"bob"},
		"@alice hello":    {"bob"},
		"/alice:review x": {"alice"},
	} {
		if a := w.Preview(w.general(), text, []string{"bob"}); !slices.Equal(a.To, want) {
			t.Errorf("%q goes to %q, want %q", text, a.To, want)
		}
	}
}
