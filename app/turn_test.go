package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// question waits for the one open question.
func (w *world) question() Question {
	w.t.Helper()
	w.until("a question", func() bool { return len(w.Questions()) == 1 })
	return w.Questions()[0]
}

func TestAPermissionIsAnsweredWithTheAgentsOwnOption(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	id := w.send("go !ask t1 yes=allow_once yes-all=allow_always no=reject_once odd=odd")
	q := w.question()
	var options []string
	for _, o := range q.Options {
		options = append(options, o.ID)
	}
	if !slices.Equal(options, []string{"yes", "yes-all", "no", "odd"}) {
		t.Errorf("options %q", options)
	}
	if c, _ := w.Channel(q.Channel); c.Questions != 1 {
		t.Errorf("badge %d", c.Questions)
	}
	if d := w.message(id).Deliveries[0]; !d.Asking {
		t.Errorf("delivery %+v", d)
	}
	w.Answer(q.ID, "not-offered") // ignored
	w.Answer(q.ID, "odd")
	w.over(id)
	if got := w.answer(w.message(id)); got != "chose odd" {
		t.Errorf("answer %q", got)
	}
	if c, _ := w.Channel(q.Channel); c.Questions != 0 {
		t.Errorf("badge %d", c.Questions)
	}
	answer := w.message(w.message(id).Deliveries[0].Answer)
	i := slices.IndexFunc(answer.Parts, func(p Part) bool { return p.Question != nil })
	if i < 0 || answer.Parts[i].Question.State != QuestionAnswered || answer.Parts[i].Question.Chosen != "odd" {
		t.Errorf("the question is not kept: %+v", answer.Parts)
	}
}

// Stop ends a turn whatever the agent does: a question is answered
// "cancelled", an agent that does not listen loses its process, and the next
// message works (design §4; cases P10, acp.md §3.7 and no. 17).
func TestStopAlwaysEnds(t *testing.T) {
	for name, steps := range map[string]string{
		"working":             "text working; wait",
		"asking":              "text working; ask t1",
		"deaf":                "text working; hang",
		"never reads":         "text working; deaf; hang",
		"ends with an error":  "text working; sleep 10m; error -32603 aborted",
		"ends as if finished": "text working; wait; stop end_turn",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
			id := w.send("go !" + steps)
			w.until("the agent at work", func() bool {
				list := w.all()
				return strings.HasPrefix(list[len(list)-1].Text(), "working")
			})
			if name == "asking" {
				w.question()
			}
			w.Stop(w.general(), "")
			if d := w.state(id, Cancelled); d.Reason != nil {
				t.Errorf("reason %v", d.Reason)
			}
			if len(w.Questions()) != 0 {
				t.Error("the question is still open")
			}
			if got := w.answer(w.say("next !echo")); !strings.HasSuffix(got, "next !echo") {
				t.Errorf("answer %q", got)
			}
		})
	}
}

func TestTheQueueIsSeenEditedAndWithdrawn(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	first := w.send("go !text working; wait")
	w.state(first, Working)
	second, third, fourth := w.send("two !echo"), w.send("three !echo"), w.send("four !echo")
	place := func(id MessageID) int { return w.message(id).Deliveries[0].Place }
	if place(second) != 1 || place(third) != 2 || place(fourth) != 3 {
		t.Error(w.dump())
	}
	w.Withdraw(w.message(second).Deliveries[0].ID)
	w.EditQueued(third, "three, edited !echo")
	w.until("new places", func() bool {
		return place(third) == 1 && place(fourth) == 2 && w.message(third).Text() == "three, edited !echo"
	})
	w.Stop(w.general(), "alice")
	w.over(fourth)
	if s := w.message(second).Deliveries[0].State; s != Cancelled {
		t.Errorf("withdrawn: %s", s)
	}
	if got := w.answer(w.message(third)); !strings.HasSuffix(got, "three, edited !echo") {
		t.Errorf("edited: %q", got)
	}
}

func TestAFormIsAnswered(t *testing.T) {
	form := `call elicitation/create {"sessionId":"$sid","mode":"form","message":"Which port?","requestedSchema":{"type":"object","properties":{"port":{"type":"integer"}}}}`
	w := newWorld(t, cast{"alice": {Prompt: []string{form}}}, []string{"alice"}, settings{})
	id := w.send("ask me")
	q := w.question()
	if q.Form == nil || q.Title != "Which port?" || len(q.Form.Form().Fields) != 1 {
		t.Fatalf("question %+v", q)
	}
	w.AnswerForm(q.ID, map[string]any{"port": 8080}, true)
	w.over(id)
	if got := w.answer(w.message(id)); !strings.Contains(got, "accept") || !strings.Contains(got, "8080") {
		t.Errorf("answer %q", got)
	}
}

// fs/* is served inside the agent's folder although it is not advertised
// (docker agent calls it unasked).
func TestFilesOfTheAgentsFolder(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{agents: map[string]map[string]any{"alice": {"workspace": "."}}})
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(secret), filepath.Join(w.folder, "out")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ steps, want string }{
		{"write $cwd/new/notes.txt one two", "wrote"},
		{"read $cwd/new/notes.txt", "one two"},
		{"read $cwd/missing.txt", "-32002"},
		{"read " + secret, "error"},
		{"read $cwd/out/secret", "error"},
		{"write $cwd/out/other hello", "error"},
		{"write $cwd/../other hello", "error"},
	} {
		got := w.answer(w.say("go !" + c.steps))
		if !strings.Contains(got, c.want) || strings.Contains(got, "secret") && c.want == "error" && !strings.Contains(got, "secret:") && !strings.Contains(got, "outside") && !strings.Contains(got, "escapes") {
			t.Errorf("%s: %q, want %q", c.steps, got, c.want)
		}
	}
	if data, err := os.ReadFile(filepath.Join(w.folder, "new", "notes.txt")); err != nil || string(data) != "one two" {
		t.Errorf("file %q, %v", data, err)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(secret), "other")); err == nil {
		t.Error("written outside")
	}
}

// afterStop runs at every end of the process, in workspace with env.
func TestAfterStop(t *testing.T) {
	for name, end := range map[string]func(w *world){
		"stopped":  func(w *world) { w.StopAgent("alice") },
		"crashed":  func(w *world) { w.say("go !exit 1") },
		"idle":     func(*world) {},
		"quitting": func(w *world) { w.close() },
		"made room": func(w *world) {
			w.say("@bob hello")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := settings{agents: map[string]map[string]any{"alice": {"afterStop": []string{"sh", "-c", "pwd > done; echo $ACP_FAKE_AGENT | wc -c >> done"}}}}
			if name == "idle" {
				s.limits = map[string]any{"stopIdleAgentsAfter": "300ms"}
			}
			if name == "made room" {
				s.limits = map[string]any{"maxRunningAgents": 1}
			}
			w := newWorld(t, cast{"alice": {}, "bob": {}}, []string{"alice", "bob"}, s)
			done := filepath.Join(w.folder, "done")
			w.say("@alice hello")
			if _, err := os.Stat(done); err == nil {
				t.Fatal("ran before the end")
			}
			end(w)
			if w.App != nil {
				w.until("the end of alice", func() bool {
					a, _ := w.Agent("alice")
					return a.State == AgentStopped || a.State == AgentError
				})
			}
			data, err := os.ReadFile(done)
			if err != nil {
				t.Fatal(err)
			}
			real, _ := filepath.EvalSymlinks(w.folder)
			lines := strings.Fields(string(data))
			if len(lines) != 2 || lines[0] != real || lines[1] == "1" {
				t.Errorf("afterStop printed %q, want the folder %s and its env", lines, real)
			}
		})
	}
}

// No more agents run than the file allows; the least recently used idle one
// makes room; when all are at work the rest wait where it can be seen.
func TestTheLimitOfRunningAgents(t *testing.T) {
	names := []string{"alice", "bob", "carol"}
	w := newWorld(t, cast{"alice": {}, "bob": {}, "carol": {}}, names, settings{limits: map[string]any{"maxRunningAgents": 2}})
	a := w.send("@alice go !text working; wait")
	b := w.send("@bob go !text working; wait")
	w.state(a, Working)
	w.state(b, Working)
	c := w.send("@carol hello !echo")
	w.until("carol's place", func() bool { d := w.message(c).Deliveries[0]; return d.State == Queued && d.Place == 1 })
	w.Stop(w.general(), "bob")
	w.over(c)
	w.answer(w.message(c))
	w.until("bob stopped", func() bool { one, _ := w.Agent("bob"); return one.State == AgentStopped })
	if one, _ := w.Agent("alice"); one.State != AgentWorking {
		t.Errorf("alice is %s", one.State)
	}
	w.Stop(w.general(), "")
	w.state(a, Cancelled)
}

// Case C1: agents that always answer each other stop at the channel's limit,
// and the person is asked; off, nothing is passed on.
func TestAgentsAddressingAgents(t *testing.T) {
	agents := cast{"alice": {Prompt: []string{"text @bob noted"}}, "bob": {Prompt: []string{"text @carol noted"}}, "carol": {Prompt: []string{"text @alice noted"}}}
	w := newWorld(t, agents, []string{"alice", "bob", "carol"}, settings{limits: map[string]any{"maxRunningAgents": 3}})
	w.say("@alice go")
	if n := len(w.all()); n != 2 {
		t.Fatalf("%d messages with hops off\n%s", n, w.dump())
	}
	if err := w.SetHops(w.general(), 3); err != nil {
		t.Fatal(err)
	}
	w.say("@alice go")
	var last Message
	w.until("the limit", func() bool {
		list := w.all()
		last = list[len(list)-1]
		return len(list) == 7 && !last.Live() && len(last.Deliveries) == 1
	})
	limited := last.Deliveries[0]
	if last.Author != "alice" || limited.Agent != "bob" || limited.State != Failed || limited.Fix != FixRetry {
		t.Fatalf("after the limit:\n%s", w.dump())
	}
	w.reason(last)
}

func TestASignInIsOnlyDoneWhenAsked(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record")
	w := newWorld(t, cast{"alice": {Auth: true, Record: record}}, []string{"alice"}, settings{})
	m := w.say("hello")
	if d := m.Deliveries[0]; d.State != Failed || d.Fix != FixSignIn {
		t.Fatal(w.dump())
	}
	w.reason(m)
	if data, err := os.ReadFile(record); err != nil || strings.Contains(string(data), "authenticate") {
		t.Errorf("authenticate was called unasked (%v)", err)
	}
	a, _ := w.Agent("alice")
	if len(a.AuthMethods) == 0 {
		t.Fatal("no methods shown")
	}
	w.Authenticate("alice", a.AuthMethods[0].ID)
	w.state(m.ID, Answered)
}

func TestModesAreShownAndSet(t *testing.T) {
	w := newWorld(t, cast{"alice": {Modes: []string{"ask", "auto"}}}, []string{"alice"}, settings{})
	m := w.say("hello")
	list := w.Controls(w.general(), "alice")
	if len(list) != 1 || list[0].Kind != ModeControl || list[0].Current != "ask" || len(list[0].Values) != 2 {
		t.Fatalf("controls %+v", list)
	}
	if got := w.message(m.Deliveries[0].Answer).Mode; got != "ask" {
		t.Errorf("mode %q under the name", got)
	}
	w.SetControl(w.general(), "alice", list[0], "auto")
	w.until("the mode", func() bool { return w.Controls(w.general(), "alice")[0].Current == "auto" })
}

// Two agents work at the same time, each in its own message.
func TestAllAreWokenAtOnce(t *testing.T) {
	w := newWorld(t, cast{"alice": {}, "bob": {}}, []string{"alice", "bob"}, settings{})
	m := w.say("@all hello")
	if len(m.Deliveries) != 2 || m.Deliveries[0].State != Answered || m.Deliveries[1].State != Answered || len(w.all()) != 3 {
		t.Error(w.dump())
	}
}

// What streams in is on the disk soon, for a program that is killed.
func TestStreamedTextReachesTheDisk(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	id := w.send("go !text streamed; wait")
	w.until("the text", func() bool {
		d := w.message(id).Deliveries[0]
		return d.Answer != 0 && w.message(d.Answer).Text() == "streamed"
	})
	answer := w.message(id).Deliveries[0].Answer
	deadline := time.Now().Add(patience)
	for {
		stored, err := w.store.Message(t.Context(), answer)
		if err == nil && len(stored.Parts) == 1 && stored.Parts[0].Text == "streamed" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("on the disk: %+v, %v", stored, err)
		}
		<-time.After(10 * time.Millisecond)
	}
	w.Stop(w.general(), "")
	w.state(id, Cancelled)
}
