package app

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent"
	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
	"git.rickub.com/bots-garden/sidekicks/app/config"
)

// save gives the configuration file another content, as it is.
func (w *world) save(text string) {
	w.t.Helper()
	if err := os.WriteFile(w.config(), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) saved() string {
	w.t.Helper()
	data, err := os.ReadFile(w.config())
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// names are those of the agents in force.
func (w *world) names() (list []string) {
	for _, a := range w.Agents() {
		if !a.Removed {
			list = append(list, a.Name)
		}
	}
	return list
}

// While the file is wrong the last good one is in force, and what is wrong is
// told for as long as it is.
func TestAWrongFile(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	w.say("hello")
	good := w.saved()
	running, _ := w.Agent("alice")
	for name, text := range map[string]string{
		"an error":     strings.Replace(good, "command:", "comand:", 1),
		"not YAML":     "agents: [",
		"empty":        "",
		"not UTF-8":    "\xff\xfe\x00",
		"another file": "hello: world\n",
	} {
		t.Run(name, func(t *testing.T) {
			w.save(text)
			w.until("the errors", func() bool { return !config.Valid(w.Problems()) })
			if now, ok := w.Agent("alice"); !ok || now.State != AgentReady || now.Since != running.Since || now.Outdated {
				t.Errorf("alice is now %+v", now)
			}
			w.answer(w.say("still there?"))
			w.save(good)
			w.until("no errors", func() bool { return len(w.Problems()) == 0 })
		})
	}
	if err := os.Remove(w.config()); err != nil {
		t.Fatal(err)
	}
	w.until("that the file is away", func() bool { return w.Unreadable() != nil })
	w.answer(w.say("still there?"))
	w.save(good)
	w.until("that it is back", func() bool { return w.Unreadable() == nil })
	if now, _ := w.Agent("alice"); now.Since != running.Since {
		t.Error("alice was started again")
	}
}

// A file that was wrong when it was opened is in force once it is right.
func TestAFileThatIsMended(t *testing.T) {
	w := &world{t: t, folder: t.TempDir()}
	w.configure(cast{"alice": {}}, []string{"alice"}, settings{})
	good := w.saved()
	w.open(settings{})
	w.save(good + "oops: 1\n")
	w.until("the errors", func() bool { return !config.Valid(w.Problems()) })
	w.close()
	a, err := Open(t.Context(), Options{Config: w.config(), History: w.folder + "/history/history.db", Times: quick()})
	if err != nil {
		t.Fatal(err)
	}
	w.App, w.sub = a, a.Subscribe()
	if len(w.names()) != 0 {
		t.Error("agents of a file with errors: ", w.names())
	}
	w.save(good)
	w.until("the agent", func() bool { return slices.Equal(w.names(), []string{"alice"}) })
	w.answer(w.say("hello"))
}

// What a truncated save goes through is never seen.
func TestATruncatedSave(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	w.say("hello")
	running, _ := w.Agent("alice")
	good := w.saved()
	for i := range 3 {
		next := strings.Replace(good, "title: Alice", fmt.Sprint("title: Alice ", i), 1)
		began := time.Now()
		w.save("")
		time.Sleep(50 * time.Millisecond) // what editors do; nothing is waited for
		w.save(next)
		quick := time.Since(began) < 300*time.Millisecond // else the computer is too busy for this
		w.until("the new title", func() bool {
			if quick && (len(w.Problems()) > 0 || w.Unreadable() != nil) {
				t.Error("errors flash: ", w.Problems(), w.Unreadable())
			}
			a, _ := w.Agent("alice")
			return a.Title == fmt.Sprint("Alice ", i)
		})
	}
	if now, _ := w.Agent("alice"); now.State != AgentReady || now.Since != running.Since {
		t.Errorf("alice was ended: %+v", now)
	}
}

// What changed is taken up as narrowly as possible.
func TestReload(t *testing.T) {
	agents := cast{"alice": {}, "bob": {}, "carol": {}}
	w := newWorld(t, agents, []string{"alice", "bob"}, settings{members: []string{"alice"}})
	w.say("hello", "alice")
	running, _ := w.Agent("alice")

	// Another theme, language, title, channel and member; a new agent.
	w.configure(agents, []string{"alice", "bob", "carol"}, settings{
		limits: map[string]any{"maxRunningAgents": 3},
		agents: map[string]map[string]any{"alice": {"title": "Alice (assistante)", "icon": "👩"}},
		channels: []map[string]any{
			{"name": "General", "agents": []string{"carol"}}, {"name": "new", "description": "made later", "agents": []string{"bob"}},
		},
	})
	w.save(w.saved() + "ui: {theme: dark, language: fr}\n")
	w.until("the new agent, and another theme", func() bool {
		return slices.Contains(w.names(), "carol") && len(w.Channels()) == 2 && w.Config().UI.Theme == "dark"
	})
	if ui := w.Config().UI; ui.Theme != "dark" || ui.Language != "fr" || w.Printer().Language() != "fr" {
		t.Errorf("the interface is %+v", ui)
	}
	now, _ := w.Agent("alice")
	if now.Since != running.Since || now.Outdated || now.Title != "Alice (assistante)" || now.Icon != "👩" {
		t.Errorf("alice, whose title changed, is %+v", now)
	}
	general, added := w.Channels()[0], w.Channels()[1]
	if general.Name != "general" || !slices.Equal(general.Members, []string{"alice", "carol"}) {
		t.Errorf("#general is %+v: members are added, nothing else", general)
	}
	if added.Name != "new" || added.Description != "made later" || !slices.Equal(added.Members, []string{"bob"}) {
		t.Errorf("the new channel is %+v", added)
	}
	if got := w.answer(w.say("hello", "carol")); got == "" {
		t.Error("the new agent does not answer")
	}

	// A channel that is not in the file any more stays.
	w.configure(agents, []string{"alice", "bob", "carol"}, settings{channels: []map[string]any{}})
	w.until("the file without channels", func() bool { return len(w.Config().Channels) == 0 })
	if len(w.Channels()) != 2 {
		t.Error("channels were removed: ", w.Channels())
	}
}

// The entry of an agent that runs counts from its next start, and until then
// what is shown is what it runs with.
func TestReloadOfARunningAgent(t *testing.T) {
	w := newWorld(t, cast{"alice": {}, "bob": {}}, []string{"alice", "bob"}, settings{limits: map[string]any{"maxRunningAgents": 2}})
	w.say("hello", "alice")
	before, _ := w.Agent("alice")
	other := t.TempDir()
	changed := map[string]any{"workspace": other}
	w.configure(cast{"alice": {}, "bob": {}}, []string{"alice", "bob"}, settings{
		limits: map[string]any{"maxRunningAgents": 2},
		agents: map[string]map[string]any{"alice": changed, "bob": changed},
	})
	w.until("alice to have another entry", func() bool { a, _ := w.Agent("alice"); return a.Outdated })
	alice, _ := w.Agent("alice")
	if alice.Since != before.Since || alice.Workspace != before.Workspace || alice.Entry.Workspace != before.Workspace || alice.Command != before.Command {
		t.Errorf("what it runs with is said to be %+v", alice)
	}
	if bob, _ := w.Agent("bob"); bob.Outdated || bob.Workspace != other {
		t.Errorf("bob, who does not run, is %+v", bob)
	}
	w.answer(w.say("still there?", "alice"))

	// Once more, back to what it runs with: there is nothing to apply.
	w.configure(cast{"alice": {}, "bob": {}}, []string{"alice", "bob"}, settings{limits: map[string]any{"maxRunningAgents": 2}})
	w.until("the first entry again", func() bool { a, _ := w.Agent("alice"); return !a.Outdated })
	w.configure(cast{"alice": {}, "bob": {}}, []string{"alice", "bob"}, settings{agents: map[string]map[string]any{"alice": changed}})
	w.until("another entry again", func() bool { a, _ := w.Agent("alice"); return a.Outdated })
	w.RestartAgent("alice")
	w.until("the restart", func() bool {
		a, _ := w.Agent("alice")
		return a.State == AgentReady && a.Since != before.Since
	})
	if alice, _ = w.Agent("alice"); alice.Outdated || alice.Workspace != other {
		t.Errorf("after a restart it is %+v", alice)
	}
}

// An agent that is taken out of the file while it answers finishes that; then
// it is gone, what it said is not, and it gets no more messages.
func TestReloadWithoutAWorkingAgent(t *testing.T) {
	agents := cast{"alice": {}, "bob": {}}
	w := newWorld(t, agents, []string{"alice", "bob"}, settings{members: []string{"alice"}})
	id := w.send("!text one; ask t1; text two")
	w.until("the question", func() bool { return len(w.Questions()) == 1 })
	queued := w.send("and this?")

	w.configure(agents, []string{"bob"}, settings{channels: []map[string]any{}})
	w.until("the file without alice", func() bool { return slices.Equal(w.names(), []string{"bob"}) })
	q := w.Questions()[0]
	w.Answer(q.ID, q.Options[0].ID)
	w.over(id)
	if got := w.answer(w.message(id)); !strings.Contains(got, "one") || !strings.Contains(got, "two") {
		t.Errorf("what it was doing ended as %q", got)
	}
	w.over(queued)
	if m := w.message(queued); m.Deliveries[0].State != Failed || !strings.Contains(w.reason(m), "alice") {
		t.Error("the message that waited: ", w.dump())
	}
	w.until("its end", func() bool { return w.pool.Agent("alice").Status().State == agent.Stopped })
	if m := w.say("hello?"); m.Deliveries[0].State != Failed {
		t.Error(w.dump())
	}
	if len(w.AgentLog("alice")) == 0 {
		t.Error("its log is gone")
	}

	// Put back, it answers again.
	w.configure(agents, []string{"alice", "bob"}, settings{members: []string{"alice"}})
	w.until("alice", func() bool { return len(w.names()) == 2 })
	w.answer(w.say("hello again !text fine"))
}

// From a save, once the file is left alone, to what the window gets: for a
// file of a hundred agents.
func BenchmarkReload(b *testing.B) {
	agents, names := cast{}, []string{}
	for i := range 100 {
		name := fmt.Sprint("agent", i)
		agents[name], names = fakeagent.Script{}, append(names, name)
	}
	w := newWorld(b, agents, names, settings{})
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		w.configure(agents, names, settings{agents: map[string]map[string]any{"agent0": {"title": fmt.Sprint("Number ", i)}}})
		b.StartTimer()
		w.reread()
		if a, _ := w.Agent("agent0"); a.Title != fmt.Sprint("Number ", i) {
			b.Fatal("not taken up")
		}
	}
}
