//go:build linux

// Package observertest tests assets/observer.mjs, the page that shows what a
// team of agents does in a box, the way a box and a browser meet it: as a
// process beside the files that Claude Code writes, a tmux server, and HTTP.
package observertest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// patience is how long a test waits for what must come.
const patience = 60 * time.Second

// script is the Observer.
const script = "../../assets/observer.mjs"

// box is what an Observer has around it: a folder of Claude Code's files and
// one for the socket of a tmux server.
type box struct {
	t       testing.TB
	claude  string
	sockets string
	env     []string
}

func newBox(t testing.TB) *box {
	// The path of a socket must be short, so not t.TempDir.
	sockets, err := os.MkdirTemp("", "tmux")
	if err != nil {
		t.Fatal(err)
	}
	b := &box{t: t, claude: t.TempDir(), sockets: sockets}
	t.Cleanup(func() {
		b.try("kill-server")
		_ = os.RemoveAll(sockets)
	})
	return b
}

// fixture is a box with files that a real team wrote. Its lead is the process
// of the test, so that the team runs.
func fixture(t testing.TB, name, team, lead string) *box {
	b := newBox(t)
	if err := os.CopyFS(b.claude, os.DirFS(filepath.Join("testdata", name))); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("teams", team, "config.json")
	var config map[string]any
	b.read(path, &config)
	delete(config, "leadProcess")
	b.write(path, config)
	b.run(lead)
	return b
}

// team writes a team whose lead runs, with these members beside it.
func (b *box) team(id, lead string, members ...member) {
	b.t.Helper()
	all := []member{{Name: "team-lead", Type: "team-lead", Pane: "leader"}}
	all = append(all, members...)
	for i := range all {
		all[i].ID = all[i].Name + "@" + id
		all[i].CWD = or(all[i].CWD, "/workspace")
		all[i].Joined = int64(1796033285000 + i)
	}
	b.write("teams/"+id+"/config.json", map[string]any{
		"name": id, "createdAt": 1796033285000, "leadAgentId": "team-lead@" + id, "leadSessionId": lead, "members": all,
	})
	b.run(lead)
}

// member is an agent as config.json has it.
type member struct {
	ID     string `json:"agentId"`
	Name   string `json:"name"`
	Type   string `json:"agentType,omitempty"`
	Pane   string `json:"tmuxPaneId"`
	CWD    string `json:"cwd"`
	Active *bool  `json:"isActive,omitempty"`
	Joined int64  `json:"joinedAt"`
}

// run writes the record of a running session.
func (b *box) run(session string) {
	b.t.Helper()
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		b.t.Fatal(err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+2:]))
	b.write(fmt.Sprintf("sessions/%d.json", os.Getpid()), map[string]any{
		"pid": os.Getpid(), "sessionId": session, "cwd": "/workspace", "procStart": fields[19],
	})
}

// read reads a JSON file.
func (b *box) read(path string, v any) {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(b.claude, path))
	if err != nil {
		b.t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		b.t.Fatal(err)
	}
}

// write replaces a file by a rename, as Claude Code does. A value that is not
// a string is written as JSON.
func (b *box) write(path string, v any) {
	b.t.Helper()
	text, ok := v.(string)
	if !ok {
		text = compact(b.t, v)
	}
	path = filepath.Join(b.claude, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path+".tmp", []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		b.t.Fatal(err)
	}
}

func (b *box) remove(path string) {
	b.t.Helper()
	if err := os.RemoveAll(filepath.Join(b.claude, path)); err != nil {
		b.t.Fatal(err)
	}
}

// transcript is where a session is kept.
func transcript(session string) string {
	return "projects/-workspace/" + session + ".jsonl"
}

// add appends rows to a transcript: a string as it is, anything else as a
// line of JSON.
func (b *box) add(session string, rows ...any) {
	b.t.Helper()
	path := filepath.Join(b.claude, transcript(session))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		b.t.Fatal(err)
	}
	defer file.Close()
	for _, row := range rows {
		text, ok := row.(string)
		if !ok {
			text = compact(b.t, row) + "\n"
		}
		if _, err := file.WriteString(text); err != nil {
			b.t.Fatal(err)
		}
	}
}

func compact(t testing.TB, v any) string {
	t.Helper()
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// tmux runs a command of the box's tmux server.
func (b *box) tmux(args ...string) string {
	b.t.Helper()
	out, err := b.try(args...)
	if err != nil {
		b.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(out)
}

func (b *box) try(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-u", "-f", "/dev/null"}, args...)...)
	cmd.Env = b.environ()
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// session starts tmux with a lead's pane and returns the pane's id.
func (b *box) session() string {
	b.t.Helper()
	return b.tmux("new-session", "-d", "-P", "-F", "#{pane_id}", "-s", "agentbox", "-n", "main", "-x", "200", "-y", "50", "cat")
}

// pane opens a pane that shows a text, and returns its id.
func (b *box) pane(text string) string {
	b.t.Helper()
	file := filepath.Join(b.t.TempDir(), "text")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
	id := b.tmux("split-window", "-d", "-P", "-F", "#{pane_id}", "-t", "agentbox:main", "cat "+file+"; exec cat")
	b.tmux("select-layout", "-t", "agentbox:main", "tiled") // there is room for one more
	return id
}

func (b *box) environ() []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "TMUX=") || strings.HasPrefix(v, "WORKSPACE=") || strings.HasPrefix(v, "AGENTBOX_") || strings.HasPrefix(v, "OBSERVER_")
	})
	return append(env, "TMUX_TMPDIR="+b.sockets, "LC_ALL=C.UTF-8")
}

// observer is a running Observer.
type observer struct {
	t   testing.TB
	url string
	cmd *exec.Cmd
}

// start starts an Observer on the port, or on a free one.
func (b *box) start(port int) *observer {
	b.t.Helper()
	// What a test opens itself is what its cached result depends on.
	if _, err := os.ReadFile(script); err != nil {
		b.t.Fatal(err)
	}
	cmd := exec.Command("node", script)
	cmd.Env = append(b.environ(), "CLAUDE_DIR="+b.claude, "OBSERVER_HOST=127.0.0.1", "OBSERVER_PORT="+strconv.Itoa(port))
	cmd.Env = append(cmd.Env, b.env...)
	cmd.Stderr = log.Writer()
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	o := &observer{t: b.t, cmd: cmd}
	b.t.Cleanup(o.stop)
	first, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.t.Fatalf("the Observer did not start: %v", err)
	}
	o.url = strings.TrimSpace(strings.TrimPrefix(first, "observer: "))
	return o
}

func (o *observer) stop() {
	_ = o.cmd.Process.Kill()
	_ = o.cmd.Wait()
}

// host is the address it listens on.
func (o *observer) host() string {
	address, err := url.Parse(o.url)
	if err != nil {
		o.t.Fatal(err)
	}
	return address.Host
}

// view is what a page knows of a team.
type view struct {
	Project string
	Reading int
	Teams   []struct {
		ID   string
		Live bool
	}
	Team     team
	Messages map[int]message
	Rows     []row
	Pane     struct{ Agent, Pane, Text string }
}

type team struct {
	ID, Lead, LeadPane, LeadWindow string
	Live, Yolo                     bool
	Members                        []struct {
		Name, Pane, State, Why, Doing, Tool string
		Tokens                              struct{ Input, Output, Write, Read int }
	}
	Tasks []struct {
		ID, Subject, Owner, Status string
		BlockedBy                  []string
		Deleted                    bool
	}
	Asks []struct{ Name, Tool, What, Pane string }
}

type message struct {
	ID                     int
	From, To, Text, Notice string
	Sent, Waiting          bool
	Received               bool
}

type row struct {
	ID, Kind, Name, Text, More, Call string
	Error                            bool
	Change                           []int
}

// states returns the state of each agent.
func (v view) states() map[string]string {
	states := map[string]string{}
	for _, m := range v.Team.Members {
		states[m.Name] = strings.TrimSuffix(m.State+" "+m.Why, " ")
	}
	return states
}

// tokens returns the tokens of each agent, without those read from the cache.
func (v view) tokens() map[string]int {
	tokens := map[string]int{}
	for _, m := range v.Team.Members {
		tokens[m.Name] = m.Tokens.Input + m.Tokens.Output + m.Tokens.Write
	}
	return tokens
}

// tasks returns the tasks in short: status, who is blocking, deleted.
func (v view) tasks() map[string]string {
	tasks := map[string]string{}
	for _, k := range v.Team.Tasks {
		text := k.Status
		if len(k.BlockedBy) > 0 {
			text += " behind " + strings.Join(k.BlockedBy, " ")
		}
		if k.Deleted {
			text += " deleted"
		}
		tasks[k.ID] = text
	}
	return tasks
}

// talk returns the messages in words in the order they were told.
func (v view) talk() []string {
	var talk []string
	for _, id := range slices.Sorted(maps.Keys(v.Messages)) {
		m := v.Messages[id]
		if m.Notice == "" {
			talk = append(talk, m.From+" to "+m.To+": "+m.Text)
		}
	}
	return talk
}

// texts returns what the rows say.
func (v view) texts() []string {
	var texts []string
	for _, r := range v.Rows {
		texts = append(texts, r.Kind+" "+strings.TrimSpace(r.Name+" "+r.Text))
	}
	return texts
}

// page listens as a page does.
type page struct {
	o      *observer
	events chan [2]string
	now    view
}

// listen opens a page on a team and an agent; "" is the first team, the lead.
func (o *observer) listen(team, agent string) *page {
	o.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, o.url+"events?"+url.Values{"team": {team}, "agent": {agent}}.Encode(), nil)
	if err != nil {
		o.t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{}}
	response, err := client.Do(request)
	if err != nil {
		o.t.Fatal(err)
	}
	if got := response.Header.Get("Content-Type"); got != "text/event-stream" {
		o.t.Fatalf("events have the type %q", got)
	}
	p := &page{o: o, events: make(chan [2]string)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(p.events)
		stream(ctx, response.Body, p.events)
	}()
	o.t.Cleanup(func() {
		cancel()
		_ = response.Body.Close()
		<-done
		client.CloseIdleConnections()
	})
	return p
}

// stream hands over the names and data of events.
func stream(ctx context.Context, body io.Reader, events chan<- [2]string) {
	in := bufio.NewReader(body)
	var name string
	for {
		text, err := in.ReadString('\n')
		if err != nil {
			return
		}
		text = strings.TrimSuffix(text, "\n")
		if rest, ok := strings.CutPrefix(text, "event: "); ok {
			name = rest
		}
		if rest, ok := strings.CutPrefix(text, "data: "); ok {
			select {
			case events <- [2]string{name, rest}:
			case <-ctx.Done():
				return
			}
		}
	}
}

// await takes events until the page knows what is asked for.
func (p *page) await(what string, known func(view) bool) view {
	p.o.t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for !known(p.now) {
		select {
		case event, open := <-p.events:
			if !open {
				p.o.t.Fatalf("the Observer ended while the page waited for %s", what)
			}
			p.take(event[0], event[1])
		case <-late.C:
			p.o.t.Fatalf("no %s; the page knows %+v", what, p.now)
		}
	}
	return p.now
}

// read is await for what the files tell once all of them are read.
func (p *page) read() view {
	p.o.t.Helper()
	return p.await("end of reading", func(v view) bool { return v.Team.ID != "" && v.Reading == 0 && v.Rows != nil })
}

// next takes events until one of this name.
func (p *page) next(name string) {
	p.o.t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		select {
		case event, open := <-p.events:
			if !open {
				p.o.t.Fatal("the Observer ended")
			}
			p.take(event[0], event[1])
			if event[0] == name {
				return
			}
		case <-late.C:
			p.o.t.Fatalf("no %s", name)
		}
	}
}

func (p *page) take(name, data string) {
	p.o.t.Helper()
	var err error
	switch name {
	case "state":
		now := p.now
		now.Team = team{}
		now.Teams = nil
		if err = json.Unmarshal([]byte(data), &now); err == nil {
			p.now = now
		}
	case "messages":
		var told struct {
			All      bool
			Messages []message
		}
		err = json.Unmarshal([]byte(data), &told)
		if told.All {
			p.now.Messages = map[int]message{}
		}
		for _, m := range told.Messages {
			p.now.Messages[m.ID] = m
		}
	case "rows":
		var told struct {
			All  bool
			Rows []row
		}
		err = json.Unmarshal([]byte(data), &told)
		if told.All {
			p.now.Rows = []row{}
		}
		p.now.Rows = append(p.now.Rows, told.Rows...)
	case "pane":
		err = json.Unmarshal([]byte(data), &p.now.Pane)
	}
	if err != nil {
		p.o.t.Fatalf("event %s: %v\n%.300s", name, err, data)
	}
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// What follows makes rows of transcripts.

type object = map[string]any

// by makes a row an agent's, as those of a teammate are.
func by(team, name string, row object) object {
	row["teamName"], row["agentName"] = team, name
	return row
}

// said is a row of an agent, one block of a message with this usage.
func said(id string, tokens int, end string, block object) object {
	return object{"type": "assistant", "sessionId": "s", "timestamp": "2026-11-30T10:00:00.000Z", "message": object{
		"id": id, "role": "assistant", "content": []object{block}, "stop_reason": end, "usage": object{"input_tokens": tokens, "output_tokens": 0, "cache_read_input_tokens": 1000},
	}}
}

func text(text string) object { return object{"type": "text", "text": text} }

func tool(id, name string, input object) object {
	return object{"type": "tool_use", "id": id, "name": name, "input": input}
}

// heard is a row of what an agent was told.
func heard(content any) object {
	return object{"type": "user", "sessionId": "s", "timestamp": "2026-11-30T10:00:01.000Z", "message": object{"role": "user", "content": content}}
}

// done is the row of a tool's result.
func done(id, text string, result any) object {
	row := heard([]object{{"type": "tool_result", "tool_use_id": id, "content": text}})
	row["toolUseResult"] = result
	return row
}

// sends are the rows of an agent that sends a message.
func sends(id, from, to, content string) []any {
	return []any{
		said("msg_"+id, 1, "tool_use", tool(id, "SendMessage", object{"to": to, "summary": "", "message": content})),
		done(id, "ok", object{"success": true, "msg_id": "uuid-" + id, "routing": object{"sender": from, "target": "@" + to, "content": content}}),
	}
}

// gets is the row of an agent that reads a message.
func gets(from, content string) object {
	return heard("<teammate-message teammate_id=\"" + from + "\" color=\"blue\">\n" + content + "\n</teammate-message>")
}
