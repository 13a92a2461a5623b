package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"gopkg.in/yaml.v3"

	"git.rickub.com/bots-garden/sidekicks/agent"
	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
	"git.rickub.com/bots-garden/sidekicks/app/config"
)

func TestMain(m *testing.M) {
	fakeagent.Main()
	childMain()
	stampMain()
	os.Setenv("SHELL", "/bin/sh") // the login shell of whoever tests may be slow
	goleak.VerifyTestMain(m)
}

// patience bounds every wait; a test that needs it has failed.
const patience = 2 * time.Minute

// world is an open configuration with fake agents.
type world struct {
	*App
	t      testing.TB
	folder string
	sub    *Subscription
}

// cast are the agents of a world, by name.
type cast map[string]fakeagent.Script

// settings change the configuration file of a world.
type settings struct {
	limits   map[string]any
	members  []string                  // of #general, in order; nil: every agent
	agents   map[string]map[string]any // more keys of an agent's entry
	channels []map[string]any          // instead of #general
	times    *agent.Times
}

// quick are times that let a test wait for what takes long.
func quick() *agent.Times {
	t := agent.DefaultTimes()
	t.Initialize, t.Session, t.Cancel = 20*time.Second, 20*time.Second, 2*time.Second
	return &t
}

func newWorld(t testing.TB, agents cast, names []string, s settings) *world {
	t.Helper()
	w := &world{t: t, folder: t.TempDir()}
	w.configure(agents, names, s)
	w.open(s)
	return w
}

// configure writes the configuration file.
func (w *world) configure(agents cast, names []string, s settings) {
	w.t.Helper()
	var list []map[string]any
	for _, name := range names {
		path, args, env := fakeagent.Command(agents[name])
		vars := map[string]string{"GORACE": "atexit_sleep_ms=0"}
		for _, v := range env {
			k, v, _ := strings.Cut(v, "=")
			vars[k] = v
		}
		entry := map[string]any{"name": name, "title": strings.ToUpper(name[:1]) + name[1:], "command": path, "args": args, "env": vars}
		for k, v := range s.agents[name] {
			entry[k] = v
		}
		list = append(list, entry)
	}
	if s.members == nil {
		s.members = names
	}
	if s.channels == nil {
		s.channels = []map[string]any{{"name": "general", "agents": s.members}}
	}
	file := map[string]any{"version": 1, "agents": list, "channels": s.channels}
	if s.limits != nil {
		file["limits"] = s.limits
	}
	data, err := yaml.Marshal(file)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.config(), data, 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) config() string { return filepath.Join(w.folder, "config.yaml") }

func (w *world) open(s settings) {
	w.t.Helper()
	if s.times == nil {
		s.times = quick()
	}
	a, err := Open(context.Background(), Options{Config: w.config(), History: filepath.Join(w.folder, "history", "history.db"), Times: s.times})
	if err != nil {
		w.t.Fatal(err)
	}
	w.App, w.sub = a, a.Subscribe()
	for _, p := range a.Problems() {
		if p.Severity == config.Warning {
			continue
		}
		w.t.Fatal("configuration: ", p.Text(a.Printer()))
	}
	w.t.Cleanup(w.close)
}

// close is the program quitting; reopen, starting it again.
func (w *world) close() {
	if w.App == nil {
		return
	}
	if err := w.App.Close(context.Background()); err != nil {
		w.t.Error(err)
	}
	w.App = nil
}

func (w *world) reopen(s settings) { w.close(); w.open(s) }

// general is the channel that tests talk in.
func (w *world) general() ChannelID {
	w.t.Helper()
	list := w.Channels()
	if len(list) == 0 {
		w.t.Fatal("no channels")
	}
	return list[0].ID
}

// until waits for a condition, looking again whenever something changed.
func (w *world) until(what string, ok func() bool) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for !ok() {
		if _, more := w.sub.Next(ctx); !more {
			w.t.Fatalf("waited in vain for: %s\n%s", what, w.dump())
		}
	}
}

// send sends a text and returns the message as soon as it is in the channel.
func (w *world) send(text string, to ...string) MessageID {
	w.t.Helper()
	return w.sendIn(w.general(), text, to...)
}

func (w *world) sendIn(channel ChannelID, text string, to ...string) MessageID {
	w.t.Helper()
	sent := make(chan MessageID, 1)
	err := w.Send(Outgoing{Channel: channel, Text: text, To: to, Sent: func(m Message, err error) {
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

// say sends a text and waits until every delivery of it is over.
func (w *world) say(text string, to ...string) Message {
	w.t.Helper()
	id := w.send(text, to...)
	w.over(id)
	return w.message(id)
}

func (w *world) over(id MessageID) {
	w.t.Helper()
	w.until(fmt.Sprintf("the end of the deliveries of message %d", id), func() bool {
		for _, d := range w.message(id).Deliveries {
			if !d.State.Final() {
				return false
			}
		}
		return true
	})
}

func (w *world) message(id MessageID) Message {
	w.t.Helper()
	m, err := w.Message(id)
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

// state waits for a state of the first delivery of a message.
func (w *world) state(id MessageID, s DeliveryState) Delivery {
	w.t.Helper()
	w.until("state "+string(s), func() bool { return w.message(id).Deliveries[0].State == s })
	return w.message(id).Deliveries[0]
}

// answer is the text that answers the first delivery of a message.
func (w *world) answer(m Message) string {
	w.t.Helper()
	d := m.Deliveries[0]
	if d.State != Answered {
		w.t.Fatalf("delivery is %s (%v), want answered\n%s", d.State, d.Reason, w.dump())
	}
	return w.message(d.Answer).Text()
}

func (w *world) all() []Message {
	w.t.Helper()
	list, err := w.Messages(w.general(), 0, 1000)
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// dump shows the channel for a test that fails.
func (w *world) dump() string {
	var b strings.Builder
	list, _ := w.Messages(w.general(), 0, 20)
	for _, m := range list {
		fmt.Fprintf(&b, "%d %s %q live=%v\n", m.ID, m.Author, shorten(m.Text(), 200), m.Live())
		for _, p := range m.Parts {
			fmt.Fprintf(&b, "    part %d %s %q\n", p.Seq, p.Kind, shorten(p.Text, 200))
		}
		for _, d := range m.Deliveries {
			fmt.Fprintf(&b, "    → %s %s place=%d %v\n", d.Agent, d.State, d.Place, d.Reason)
		}
	}
	for _, one := range w.Agents() {
		fmt.Fprintf(&b, "agent %s: %s %v\n  %s\n", one.Name, one.State, one.Reason, strings.Join(w.AgentLog(one.Name), "\n  "))
	}
	return b.String()
}

// prompts are the texts of the prompts that a recording agent received, each
// with its blocks.
func (w *world) prompts(record string) [][]string {
	w.t.Helper()
	data, err := os.ReadFile(record)
	if err != nil {
		w.t.Fatal(err)
	}
	var all [][]string
	for line := range strings.Lines(string(data)) {
		var m struct {
			Method string
			Params struct{ Prompt []struct{ Text string } }
		}
		if err := yaml.Unmarshal([]byte(line), &m); err != nil || m.Method != "session/prompt" {
			continue
		}
		var blocks []string
		for _, b := range m.Params.Prompt {
			blocks = append(blocks, b.Text)
		}
		all = append(all, blocks)
	}
	return all
}
