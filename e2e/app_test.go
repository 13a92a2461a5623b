package e2e

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/e2e/fakellm"
)

// talk is a configuration of real agents, open in app.App as a window would
// have it.
type talk struct {
	*app.App
	t      *testing.T
	folder string
	events *app.Subscription
}

// newTalk writes a configuration file with the agents, all members of one
// channel, and opens it.
func newTalk(t *testing.T, agents []RealAgent) *talk {
	t.Helper()
	w := &talk{t: t, folder: t.TempDir()}
	var entries []map[string]any
	var names []string
	for _, a := range agents {
		if err := os.Mkdir(w.workspace(a), 0o700); err != nil {
			t.Fatal(err)
		}
		entries = append(entries, map[string]any{"name": a.Name, "command": a.Command, "args": a.Args, "env": a.Env, "workspace": a.Name})
		names = append(names, a.Name)
	}
	file, err := yaml.Marshal(map[string]any{
		"version": 1, "limits": map[string]any{"maxRunningAgents": len(agents)},
		"agents": entries, "channels": []map[string]any{{"name": "général", "agents": names}},
	})
	if err == nil {
		err = os.WriteFile(w.config(), file, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.open()
	t.Cleanup(w.close)
	return w
}

func (w *talk) config() string               { return filepath.Join(w.folder, "config.yaml") }
func (w *talk) workspace(a RealAgent) string { return filepath.Join(w.folder, a.Name) }
func (w *talk) channel() app.ChannelID       { return w.Channels()[0].ID }

func (w *talk) open() {
	w.t.Helper()
	a, err := app.Open(context.Background(), app.Options{Config: w.config(), History: filepath.Join(w.folder, "history.db")})
	if err != nil {
		w.t.Fatal(err)
	}
	w.App, w.events = a, a.Subscribe()
}

func (w *talk) close() {
	if w.App == nil {
		return
	}
	if err := w.Close(context.Background()); err != nil {
		w.t.Error(err)
	}
	w.App = nil
}

// until waits for something to be so.
func (w *talk) until(what string, so func() bool) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for !so() {
		if _, more := w.events.Next(ctx); !more {
			for _, a := range w.Agents() {
				w.t.Logf("%s: %s %v\n%s", a.Name, a.State, a.Reason, strings.Join(w.AgentLog(a.Name), "\n"))
			}
			w.t.Fatal("waited in vain for ", what)
		}
	}
}

// send sends a text and returns its id.
func (w *talk) send(text string) app.MessageID {
	w.t.Helper()
	sent := make(chan app.MessageID, 1)
	err := w.Send(app.Outgoing{Channel: w.channel(), Text: text, Sent: func(m app.Message, err error) {
		if err != nil {
			w.t.Error(err)
		}
		sent <- m.ID
	}})
	if err != nil {
		w.t.Fatal(err)
	}
	return <-sent
}

func (w *talk) delivery(id app.MessageID) app.Delivery {
	w.t.Helper()
	m, err := w.Message(id)
	if err != nil {
		w.t.Fatal(err)
	}
	return m.Deliveries[0]
}

// answer waits for the end of a delivery and returns the message that answers.
func (w *talk) answer(id app.MessageID) app.Message {
	w.t.Helper()
	w.until("an answer", func() bool { return w.delivery(id).State.Final() })
	d := w.delivery(id)
	if d.State != app.Answered {
		w.t.Fatalf("delivery to %s: %s, %v", d.Agent, d.State, d.Reason)
	}
	m, err := w.Message(d.Answer)
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

// TestApp goes through all the layers with published agents: an answer, a
// tool call with its permission, cancelling, a restart that goes on with the
// same session, and the history.
func TestApp(t *testing.T) {
	model := &fakellm.Server{}
	server := httptest.NewServer(model)
	defer server.Close()
	for _, agent := range RealAgents(t, server.URL) {
		t.Run(agent.Name, func(t *testing.T) {
			w := newTalk(t, []RealAgent{agent})
			if got := w.answer(w.send("Who are you? SCENARIO:text")); got.Text() != fakellm.Reply {
				t.Fatalf("answer %q, want %q", got.Text(), fakellm.Reply)
			}

			id := w.send(agent.RunPrompt("echo ran > out.txt && cat out.txt"))
			w.until("the question", func() bool { return len(w.Questions()) == 1 })
			for _, option := range w.Questions()[0].Options {
				if option.Kind == acp.AllowOnce {
					w.Answer(w.Questions()[0].ID, option.ID)
					break
				}
			}
			m := w.answer(id)
			tools := 0
			for _, p := range m.Parts {
				if p.Kind == app.ToolPart && p.Tool.Status == acp.ToolCompleted {
					tools++
				}
			}
			if out, err := os.ReadFile(filepath.Join(w.workspace(agent), "out.txt")); tools != 1 || string(out) != "ran\n" {
				t.Errorf("%d tool calls completed, out.txt holds %q, %v", tools, out, err)
			}

			id = w.send("SCENARIO:slow")
			w.until("the first words", func() bool {
				m, err := w.Message(w.delivery(id).Answer)
				return err == nil && strings.Contains(m.Text(), "word3")
			})
			w.Stop(w.channel(), agent.Name)
			w.until("the end of the turn", func() bool { return w.delivery(id).State == app.Cancelled })

			before, err := w.Messages(w.channel(), 0, 100)
			if err != nil {
				t.Fatal(err)
			}
			w.close()
			w.open()
			after, err := w.Messages(w.channel(), 0, 100)
			if err != nil || len(after) != len(before) {
				t.Fatalf("%d messages after the restart, %d before, %v", len(after), len(before), err)
			}
			for i := range after {
				if after[i].Text() != before[i].Text() || len(after[i].Parts) != len(before[i].Parts) {
					t.Errorf("message %d: %q after the restart, %q before", after[i].ID, after[i].Text(), before[i].Text())
				}
			}
			told := w.answer(w.send("What do you know? SCENARIO:echo")).Text()
			list, err := w.Messages(w.channel(), 0, 100)
			if err != nil {
				t.Fatal(err)
			}
			remarks := list[len(before):]
			remarks = slices.DeleteFunc(remarks, func(m app.Message) bool { return m.Kind != app.FromApp })
			switch {
			case len(remarks) == 0: // it goes on with its session
			case !agent.Forgetful:
				t.Errorf("the session was not continued:\n%s", strings.Join(w.AgentLog(agent.Name), "\n"))
			case !strings.Contains(told, "Who are you?") || !strings.Contains(told, fakellm.Reply):
				t.Errorf("the new session was told %q, not what was said before", told)
			}
		})
	}
}

// TestSharedRoom has two published agents talk in one channel: the second
// knows what the first said.
func TestSharedRoom(t *testing.T) {
	server := httptest.NewServer(&fakellm.Server{})
	defer server.Close()
	agents := RealAgents(t, server.URL)
	w := newTalk(t, agents)
	w.answer(w.send("@" + agents[0].Name + " Who are you? SCENARIO:text"))
	got := w.answer(w.send("@" + agents[1].Name + " What did it say? SCENARIO:echo")).Text()
	if want := "@" + agents[0].Name + ": " + fakellm.Reply; !strings.Contains(got, want) {
		t.Errorf("the second agent was told %q, want %q in it", got, want)
	}
}
