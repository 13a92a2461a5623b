package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/assist"
	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/app/i18n"
	"git.rickub.com/bots-garden/sidekicks/runtime"
	"git.rickub.com/bots-garden/sidekicks/store"
)

// fake plays the backend: it keeps what the window tells it, and notes it.
type fake struct {
	mu         sync.Mutex
	config     config.Config
	problems   []config.Problem
	troubles   []error
	unreadable error
	programs   []assist.Candidate
	answer     assist.Answer // to a trial
	channels   []app.Channel
	agents     []app.Agent
	messages   []app.Message
	questions  []app.Question
	controls   []app.Control // of every agent that has a session
	sessions   map[string][]app.ChannelID
	drafts     map[app.ChannelID]app.Draft
	trace      []app.LogEntry
	calls      []string     // what the window asked for
	refuse     error        // of the next Send, in its callback
	filesOf    config.Agent // whose files are shown
	feed       *feed
	shells     []*playedShell
}

// Files are those of a folder of a test, for every agent.
func (f *fake) Files(string) (*app.Files, bool) {
	c := f.filesOf
	return app.NewFiles(runtime.NewLocalFiles(c.Workspace), c.Workspace, c), c.Workspace != ""
}

// feed is a stream of events for tests.
type feed struct{ events chan []app.Event }

func (f *feed) Next(ctx context.Context) ([]app.Event, bool) {
	select {
	case e, ok := <-f.events:
		return e, ok
	case <-ctx.Done():
		return nil, false
	}
}

func (f *feed) Close() {}

func newFake() *fake {
	at := time.Date(2026, 11, 30, 10, 2, 0, 0, time.Local)
	f := &fake{
		drafts: map[app.ChannelID]app.Draft{},
		feed:   &feed{events: make(chan []app.Event, 64)},
		config: config.Config{Path: "/home/me/agents/team.yaml", UI: config.UI{Theme: "light", Language: "en"}},
		agents: []app.Agent{
			{Name: "alice", Title: "Alice", Icon: "👩", Description: "Simple questions, no tools", State: app.AgentReady},
			{Name: "garfield", Title: "Garfield", Icon: "🐮", Description: "Translates, keeps Markdown", State: app.AgentReady},
			{Name: "scout", Title: "Scout", Description: "Finds files", State: app.AgentStopped},
			{Name: "traducteur", Title: "Traducteur", State: app.AgentError},
		},
		channels: []app.Channel{
			{ID: 1, Name: "general", Description: "Everyday questions", Members: []string{"alice", "garfield", "scout"}},
			{ID: 2, Name: "translations", Members: []string{"garfield"}},
			{ID: 3, Name: "empty"},
		},
	}
	f.add(app.Message{Channel: 1, Kind: app.FromPerson, CreatedAt: at, EndedAt: at, Parts: say("@alice hello")})
	f.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: at, EndedAt: at, Parts: say("Hello!")})
	return f
}

func say(text string) []app.Part {
	return []app.Part{{Kind: app.TextPart, Text: text}}
}

// add puts a message at the end and returns its event.
func (f *fake) add(m app.Message) app.Event {
	f.mu.Lock()
	defer f.mu.Unlock()
	m.ID = app.MessageID(len(f.messages) + 1)
	f.messages = append(f.messages, m)
	return app.Event{Kind: app.MessageAdded, Channel: m.Channel, Message: m.ID}
}

// change alters a message and returns its event.
func (f *fake) change(id app.MessageID, alter func(*app.Message)) app.Event {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := &f.messages[id-1]
	m.Parts = slices.Clone(m.Parts)
	alter(m)
	return app.Event{Kind: app.MessageChanged, Channel: m.Channel, Message: id}
}

func (f *fake) note(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, fmt.Sprintf(format, args...))
}

func (f *fake) called() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls)
}

func (f *fake) Config() config.Config      { return f.config }
func (f *fake) Problems() []config.Problem { return f.problems }
func (f *fake) Unreadable() error          { return f.unreadable }
func (f *fake) Troubles() []error          { return f.troubles }
func (f *fake) Printer() *i18n.Printer     { return i18n.For(f.config.UI.Language) }
func (f *fake) Questions() []app.Question  { return f.questions }
func (f *fake) StartAgent(name string)     { f.note("start %s", name) }
func (f *fake) StopAgent(name string)      { f.note("stop %s", name) }
func (f *fake) StopPlace(name string)      { f.note("stop place %s", name) }
func (f *fake) RemovePlace(name string)    { f.note("remove place %s", name) }
func (f *fake) KillLeftovers(name string)  { f.note("kill %s", name) }
func (f *fake) AgentUsage(string) (app.Usage, bool) {
	return app.Usage{Memory: 412 << 20, CPU: 0.034}, true
}
func (f *fake) Memory() (used, installed int64)   { return 2469 << 20, 32 << 30 }
func (f *fake) RestartAgent(name string)          { f.note("restart %s", name) }
func (f *fake) Authenticate(a, m string)          { f.note("sign in %s %s", a, m) }
func (f *fake) Retry(d app.DeliveryID)            { f.note("retry %d", d) }
func (f *fake) Withdraw(d app.DeliveryID)         { f.note("withdraw %d", d) }
func (f *fake) DeleteChannel(app.ChannelID) error { return errors.New("cannot be deleted") }

// AgentTrace is the same log for every agent.
func (f *fake) AgentTrace(_ string, after int64) []app.LogEntry {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.trace[min(int(after), len(f.trace)):])
}

// logs adds to it.
func (f *fake) logs(kind app.LogKind, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	seq := int64(len(f.trace) + 1)
	f.trace = append(f.trace, app.LogEntry{Seq: seq, Kind: kind, Text: text, Time: time.Date(2026, 11, 30, 10, 2, int(seq/2), 0, time.Local)})
}

func (f *fake) Dismiss(trouble error) {
	f.troubles = slices.DeleteFunc(f.troubles, func(e error) bool { return e == trouble })
}

func (f *fake) Channels() []app.Channel { return slices.Clone(f.channels) }

func (f *fake) Channel(id app.ChannelID) (app.Channel, bool) {
	for _, c := range f.channels {
		if c.ID == id {
			return c, true
		}
	}
	return app.Channel{}, false
}

func (f *fake) Agents() []app.Agent { return slices.Clone(f.agents) }

func (f *fake) Agent(name string) (app.Agent, bool) {
	for _, a := range f.agents {
		if a.Name == name {
			return a, true
		}
	}
	return app.Agent{}, false
}

func (f *fake) Messages(channel app.ChannelID, before app.MessageID, limit int) ([]app.Message, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []app.Message
	for _, m := range f.messages {
		if m.Channel == channel && (before == 0 || m.ID < before) {
			all = append(all, m)
		}
	}
	return all[max(0, len(all)-limit):], nil
}

func (f *fake) MessagesAfter(channel app.ChannelID, after app.MessageID, limit int) ([]app.Message, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []app.Message
	for _, m := range f.messages {
		if m.Channel == channel && m.ID > after {
			all = append(all, m)
		}
	}
	return all[:min(len(all), limit)], nil
}

func (f *fake) MessagesAround(channel app.ChannelID, id app.MessageID, limit int) ([]app.Message, error) {
	before, _ := f.Messages(channel, id, limit/2)
	after, _ := f.MessagesAfter(channel, id-1, limit-limit/2)
	return append(before, after...), nil
}

// Search finds the messages in which the query occurs as it is.
func (f *fake) Search(query string, limit int) ([]app.Hit, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var hits []app.Hit
	for _, m := range slices.Backward(f.messages) {
		text := strings.ReplaceAll(m.Text(), "\n", " ")
		at := strings.Index(text, query)
		if at < 0 || len(hits) == limit {
			continue
		}
		start := len([]rune(text[:at]))
		hits = append(hits, app.Hit{Message: m.ID, Channel: m.Channel, Author: store.Author(m.Author), CreatedAt: m.CreatedAt,
			Snippet: text, Marks: [][2]int{{start, start + len([]rune(query))}}})
	}
	return hits, nil
}

func (f *fake) MoveChannel(id app.ChannelID, place int) error {
	f.note("move %d %d", id, place)
	at := slices.IndexFunc(f.channels, func(c app.Channel) bool { return c.ID == id })
	c := f.channels[at]
	f.channels = slices.Insert(slices.Delete(f.channels, at, at+1), place, c)
	return nil
}

func (f *fake) Direct(agent string) (app.ChannelID, error) {
	for _, c := range f.channels {
		if c.Name == "@"+agent {
			return c.ID, nil
		}
	}
	return f.CreateChannel("@"+agent, "", []string{agent})
}

func (f *fake) Message(id app.MessageID) (app.Message, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if id < 1 || int(id) > len(f.messages) {
		return app.Message{}, errors.New("no such message")
	}
	return f.messages[id-1], nil
}

func (f *fake) Count(id app.ChannelID) (int, error) {
	all, err := f.Messages(id, 0, len(f.messages))
	return len(all), err
}

func (f *fake) Draft(id app.ChannelID) app.Draft {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.drafts[id]
}

func (f *fake) SetDraft(id app.ChannelID, d app.Draft) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drafts[id] = d
}

// Preview addresses the members whose names are in the text, else the first.
func (f *fake) Preview(id app.ChannelID, text string, to []string) app.Addressing {
	c, _ := f.Channel(id)
	a := app.Addressing{To: to, All: strings.Contains(text, "@all")}
	for _, agent := range f.agents {
		if !strings.Contains(text, "@"+agent.Name) {
			continue
		}
		if slices.Contains(c.Members, agent.Name) {
			a.To = append(a.To, agent.Name)
		} else {
			a.NotMembers = append(a.NotMembers, agent.Name)
		}
	}
	if a.All {
		a.To = c.Members
	}
	if len(a.To)+len(a.NotMembers) == 0 && len(c.Members) > 0 {
		a.To = c.Members[:1]
	}
	return a
}

func (f *fake) Queue(id app.ChannelID) []app.Waiting {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []app.Waiting
	for _, m := range f.messages {
		waiting := slices.DeleteFunc(slices.Clone(m.Deliveries), func(d app.Delivery) bool { return d.State != app.Queued })
		if m.Channel == id && len(waiting) > 0 {
			list = append(list, app.Waiting{Message: m.ID, Deliveries: waiting})
		}
	}
	return list
}

func (f *fake) Send(o app.Outgoing) error {
	f.note("send %d %q %v", o.Channel, o.Text, o.To)
	for _, path := range o.Files {
		f.note("with %s", path)
	}
	if err := f.refuse; err != nil {
		o.Sent(app.Message{}, err)
		return nil
	}
	m := app.Message{Channel: o.Channel, Kind: app.FromPerson, CreatedAt: time.Now(), EndedAt: time.Now(), Parts: say(o.Text)}
	f.feed.events <- []app.Event{f.add(m)}
	o.Sent(m, nil)
	return nil
}

func (f *fake) Stop(id app.ChannelID, agent string) { f.note("stop turns %d %q", id, agent) }

func (f *fake) Answer(q app.QuestionID, option string) { f.note("answer %s %s", q, option) }

func (f *fake) AnswerForm(q app.QuestionID, values map[string]any, accept bool) {
	f.note("form %s %v %v", q, values, accept)
}

func (f *fake) EditQueued(m app.MessageID, text string) { f.note("edit %d %q", m, text) }

func (f *fake) CreateChannel(name, description string, agents []string) (app.ChannelID, error) {
	f.note("create %s", name)
	id := app.ChannelID(len(f.channels) + 1)
	f.channels = append(f.channels, app.Channel{ID: id, Name: name, Description: description, Members: agents})
	return id, nil
}

func (f *fake) RenameChannel(id app.ChannelID, name string) error {
	f.note("rename %d %s", id, name)
	return nil
}

func (f *fake) DescribeChannel(id app.ChannelID, text string) error {
	f.note("describe %d %s", id, text)
	return nil
}

func (f *fake) AddMember(id app.ChannelID, agent string) error {
	f.note("add %d %s", id, agent)
	return nil
}

func (f *fake) RemoveMember(id app.ChannelID, agent string) error {
	f.note("remove %d %s", id, agent)
	return nil
}

func (f *fake) SetHops(id app.ChannelID, hops int) error {
	f.note("hops %d %d", id, hops)
	return nil
}

func (f *fake) MarkRead(id app.ChannelID, upTo app.MessageID) { f.note("read %d %d", id, upTo) }

func (f *fake) Sessions(agent string) []app.ChannelID { return f.sessions[agent] }

func (f *fake) Controls(id app.ChannelID, agent string) []app.Control {
	if slices.Contains(f.sessions[agent], id) {
		return slices.Clone(f.controls)
	}
	return nil
}

func (f *fake) SetControl(id app.ChannelID, agent string, c app.Control, value string) {
	f.note("set %d %s %s%s %s", id, agent, c.Kind, c.ID, value)
}

func (f *fake) Edit(file string, line int) (bool, error) {
	f.note("edit %s:%d", file, line)
	return true, nil
}

func (f *fake) SetUI(key, value string) error {
	f.note("set ui %s %s", key, value)
	return f.refuse
}

func (f *fake) Programs() []assist.Candidate { return f.programs }

// PlanAgent plans for the file of the test, if there is one.
func (f *fake) PlanAgent(form assist.Form) (*assist.Plan, error) {
	return assist.Prepare(f.config.Path, form)
}

func (f *fake) TryAgent(_ context.Context, p *assist.Plan) (assist.Answer, error) {
	f.note("try %s %q", p.Agent.Command, p.Agent.Args)
	return f.answer, f.refuse
}

func (f *fake) AddAgent(p *assist.Plan) error {
	err := p.Write()
	if err == nil {
		f.agents = append(f.agents, app.Agent{Name: p.Agent.Name, Title: p.Agent.Title})
	}
	return err
}
