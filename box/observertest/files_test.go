//go:build linux

package observertest

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const (
	lead   = "dd9d0953-0000-4000-8000-000000000001"
	teamID = "session-dd9d0953"
)

// What real teams of three versions wrote.
func TestRealTeams(t *testing.T) {
	for _, test := range []struct {
		name, team, lead string
		members          []string
		tasks            map[string]string
		talk             []string
	}{{
		name: "fx170", team: "demo-team", lead: "66fe5cce-edfb-46d8-a0ed-83eca0e1f8e0",
		members: []string{"builder", "team-lead"},
		tasks:   map[string]string{"1": "pending"},
		talk:    []string{"builder to team-lead: All done, found 3 files.", "team-lead to builder: You are builder. REPORTBACK."},
	}, {
		name: "fx197tmux", team: "session-3c502623", lead: "3c502623-c3ff-4e2f-89fe-3681a2ecf851",
		members: []string{"builder", "team-lead", "tester"},
		tasks:   map[string]string{"1": "pending", "2": "pending behind 1"},
		talk:    []string{"builder to team-lead: All done, found 3 files.", "team-lead to builder: You are builder. REPORTBACK.", "team-lead to tester: You are tester. Wait."},
	}, {
		name: "fx332tmux", team: "session-1f536b10", lead: "1f536b10-d346-473b-b1de-f1c42352b350",
		members: []string{"builder", "team-lead", "tester"},
		tasks:   map[string]string{"1": "pending", "2": "pending behind 1"},
		talk:    []string{"builder to team-lead: All done, found 3 files.", "team-lead to builder: You are builder. REPORTBACK.", "team-lead to tester: You are tester. Wait."},
	}, {
		name: "fx332inproc", team: "session-e0b264dc", lead: "e0b264dc-4429-496b-a126-60fe4a3818f9",
		members: []string{"builder", "team-lead"},
		tasks:   map[string]string{"1": "pending", "2": "pending behind 1"},
		talk:    []string{"builder to team-lead: All done, found 3 files.", "team-lead to builder: You are builder. REPORTBACK."},
	}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := fixture(t, test.name, test.team, test.lead)
			v := b.start(0).listen("", "builder").read()
			if v.Team.ID != test.team || !v.Team.Live {
				t.Errorf("shows team %q, live %v", v.Team.ID, v.Team.Live)
			}
			if got := slices.Sorted(maps.Keys(v.states())); !slices.Equal(got, test.members) {
				t.Errorf("members %v, want %v", got, test.members)
			}
			for name, state := range v.states() {
				if state != "idle" {
					t.Errorf("%s is %s, want idle", name, state)
				}
			}
			if got := v.tasks(); !reflect.DeepEqual(got, test.tasks) {
				t.Errorf("tasks %v, want %v", got, test.tasks)
			}
			talk := v.talk()
			slices.Sort(talk)
			if !slices.Equal(talk, test.talk) {
				t.Errorf("messages %q, want %q", talk, test.talk)
			}
			if got, want := v.tokens(), count(t, b.claude); !reflect.DeepEqual(got, want) {
				t.Errorf("tokens %v, want %v", got, want)
			}
			if got := v.texts(); !slices.Contains(got, "tool SendMessage team-lead report ready") || !slices.Contains(got, "message team-lead You are builder. REPORTBACK.") {
				t.Errorf("the transcript of builder is %q", got)
			}
		})
	}
}

// count adds up the tokens of each agent, each message's once.
func count(t *testing.T, claude string) map[string]int {
	t.Helper()
	tokens := map[string]int{}
	err := filepath.WalkDir(filepath.Join(claude, "projects"), func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		name := "team-lead"
		if strings.Contains(path, "subagents") {
			name = "builder"
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		usages := map[string]int{}
		for lines := bufio.NewScanner(file); lines.Scan(); {
			var row struct {
				AgentName string
				Message   struct {
					ID    string
					Usage struct {
						Input  int `json:"input_tokens"`
						Output int `json:"output_tokens"`
						Write  int `json:"cache_creation_input_tokens"`
					}
				}
			}
			if json.Unmarshal(lines.Bytes(), &row) != nil || row.Message.ID == "" {
				continue
			}
			name = or(row.AgentName, name)
			usages[row.Message.ID] = row.Message.Usage.Input + row.Message.Usage.Output + row.Message.Usage.Write
		}
		for _, n := range usages {
			tokens[name] += n
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

// The tokens of a message count once: with its last usage, whatever the number
// of its rows, also when a resumed session repeats it; a helper's are those of
// the agent that it helps.
func TestTokensCountOnce(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.team(teamID, lead, member{Name: "builder", Pane: "in-process"})
	for _, session := range []string{"b1", "b2"} {
		b.add(session,
			by(teamID, "builder", said("one", 10, "", text("a"))),
			by(teamID, "builder", said("two", 500, "", text("b"))),
			by(teamID, "builder", said("one", 100, "tool_use", text("c"))),
			by(teamID, "builder", said("two", 500, "end_turn", text("d"))))
	}
	b.add("b1/subagents/agent-x", said("three", 7, "end_turn", text("helper")))
	b.write("projects/-workspace/b1/subagents/agent-x.meta.json", object{"agentType": "Explore"})
	b.add(lead, said("four", 20, "end_turn", text("lead")))
	p := b.start(0).listen("", "")
	p.await("tokens of all files", func(v view) bool {
		return reflect.DeepEqual(v.tokens(), map[string]int{"team-lead": 20, "builder": 607})
	})
}

// Transcripts are read line by line, while they grow.
func TestTranscriptsGrow(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.team(teamID, lead)
	whole := compact(t, said("m1", 1, "end_turn", text("first"))) + "\n"
	b.add(lead, whole[:40])
	p := b.start(0).listen("", "")
	has := func(text string) func(view) bool {
		return func(v view) bool { return slices.Contains(v.texts(), text) }
	}
	if v := p.await("the team", func(v view) bool { return v.Team.ID != "" && v.Rows != nil }); len(v.Rows) != 0 {
		t.Errorf("half a line shows %q", v.texts())
	}
	b.add(lead, whole[40:])
	p.await("a line that was torn", has("text first"))

	b.add(lead, "\n{}\nnull\n[1,2]\n\"x\"\n7\nnot JSON\n{\"type\":\"assistant\"}\n{\"type\":\"user\",\"message\":7}\n",
		"{\"type\":\"assistant\",\"message\":{\"content\":[null,3,{\"type\":\"tool_use\"}],\"usage\":\"many\",\"id\":5}}\n\x00\xff\xfe\n",
		object{"type": "from the future", "message": object{"content": "unknown"}}, said("m2", 1, "end_turn", text("second")))
	p.await("the row behind rows that make no sense", has("text second"))

	b.add(lead, whole[:30]+`{"parentUuid":"x","type":"assistant","message":{"id":"m3","content":[{"type":"text","text":"third"}]}}`+"\n")
	p.await("the row that follows one that was never finished", has("text third"))

	long := strings.Repeat("ß\\\"\u2028", 1<<20)
	b.add(lead, done("t", long, object{"stdout": "short"}), said("m4", 1, "end_turn", text("fourth")))
	v := p.await("the row behind one of ten megabytes", has("text fourth"))
	i := slices.IndexFunc(v.Rows, func(r row) bool { return r.Kind == "result" })
	if got := v.Rows[i].Text; len(got) > 10_000 || !strings.HasPrefix(got, "ß\\\"\u2028ß") {
		t.Errorf("the long row shows %d bytes: %.20q", len(got), got)
	}

	b.remove(transcript(lead))
	b.add(lead, said("m5", 1, "end_turn", text("anew")))
	v = p.await("what a file that was replaced says", has("text anew"))
	if v.tokens()["team-lead"] != 1 {
		t.Errorf("a file that was replaced has the tokens %v", v.tokens())
	}
	b.remove(transcript(lead))
	b.add(lead, said("m5", 1, "end_turn", text("anew")), said("m6", 1, "end_turn", text("and more")))
	p.await("the tokens of a file that was written again", func(v view) bool { return has("text and more")(v) && v.tokens()["team-lead"] == 2 })

	// Whose a transcript is may be told later than by its first row.
	b.add("late", object{"type": "agent-setting", "sessionId": "late"})
	p.next("sync")
	b.add("late", by(teamID, "latecomer", said("m7", 5, "end_turn", text("here"))))
	p.await("an agent that is named late", func(v view) bool { return v.tokens()["latecomer"] == 5 })

	queued := object{"type": "queue-operation", "operation": "enqueue", "content": "typed meanwhile", "timestamp": "2026-11-30T10:00:00.000Z"}
	b.add(lead, queued)
	p.await("what was typed in the middle of a turn", has("queued typed meanwhile"))
}

// A page gets the latest rows, and those before them when it asks.
func TestEarlierRows(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.team(teamID, lead)
	for i := range 200 {
		b.add(lead, said("m", 1, "end_turn", text(strings.Repeat("x", i+1))))
	}
	o := b.start(0)
	v := o.listen("", "").await("rows", func(v view) bool { return len(v.Rows) > 0 })
	rows := v.Rows
	for range 3 {
		var older struct {
			Rows  []row
			Older bool
		}
		get(t, o.url+"rows?before="+rows[0].ID, &older)
		rows = append(older.Rows, rows...)
		if !older.Older {
			break
		}
	}
	if len(rows) != 200 {
		t.Fatalf("%d rows, want 200", len(rows))
	}
	for i, r := range rows {
		if len(r.Text) != i+1 {
			t.Fatalf("row %d is %q", i, r.Text)
		}
	}
}

// A board keeps what was completed after its files are gone, and an Observer
// that starts later learns of it from the transcripts.
func TestTasks(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.team(teamID, lead, member{Name: "builder", Pane: "in-process"})
	task := func(id, status string, blockers ...string) {
		b.write("tasks/"+teamID+"/"+id+".json", object{"id": id, "subject": "Task " + id, "status": status, "blocks": []string{}, "blockedBy": blockers, "owner": "builder"})
	}
	b.write("tasks/"+teamID+"/.lock", "")
	task("1", "pending")
	task("2", "pending", "1")
	b.write("tasks/"+teamID+"/3.json", "{\"id\":\"3\",\"subj")
	o := b.start(0)
	p := o.listen("", "")
	await := func(what string, tasks map[string]string) {
		t.Helper()
		p.await(what, func(v view) bool { return reflect.DeepEqual(v.tasks(), tasks) })
	}
	await("tasks", map[string]string{"1": "pending", "2": "pending behind 1"})
	task("1", "in_progress")
	task("3", "pending", "1", "2")
	await("a started task", map[string]string{"1": "in_progress", "2": "pending behind 1", "3": "pending behind 1 2"})
	task("1", "completed")
	await("a completed task", map[string]string{"1": "completed", "2": "pending", "3": "pending behind 2"})
	b.remove("tasks/" + teamID + "/3.json")
	await("a deleted task", map[string]string{"1": "completed", "2": "pending"})
	task("2", "completed")
	await("the last completed task", map[string]string{"1": "completed", "2": "completed"})
	b.remove("tasks/" + teamID)
	await("the tasks that were deleted", map[string]string{"1": "completed deleted", "2": "completed deleted"})

	row := func(minute string, row object) object {
		row["timestamp"] = "2026-11-30T10:" + minute + ":00.000Z"
		return row
	}
	use := func(minute, name string, input, result object) []any {
		id := "tool" + minute
		return []any{row(minute, said("m"+minute, 1, "tool_use", tool(id, name, input))), row(minute, done(id, "ok", result))}
	}
	b.add(lead, use("01", "TaskCreate", object{"subject": "One"}, object{"task": object{"id": "1"}})...)
	b.add(lead, use("02", "TaskCreate", object{"subject": "Two"}, object{"task": object{"id": "2"}})...)
	b.add(lead, use("03", "TaskCreate", object{"subject": "Three"}, object{"task": object{"id": "3"}})...)
	b.add(lead, use("04", "TaskUpdate", object{"taskId": "3", "status": "deleted"}, object{"success": true})...)
	for _, r := range slices.Concat(use("05", "TaskUpdate", object{"taskId": "1", "status": "completed", "owner": "builder"}, object{"success": true}),
		use("06", "TaskUpdate", object{"taskId": "2", "status": "completed"}, object{"success": false})) {
		b.add("b1", by(teamID, "builder", r.(object)))
	}
	later := b.start(0).listen("", "")
	later.await("the tasks that transcripts tell of", func(v view) bool { return reflect.DeepEqual(v.tasks(), map[string]string{"1": "completed deleted"}) })
}

// A message is shown once, whether its sender, the inbox or its receiver told
// of it, and in whatever order.
func TestMessages(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.team(teamID, lead, member{Name: "builder", Pane: "in-process"})
	b.add("b1", by(teamID, "builder", heard("start")))
	b.add(lead, heard("start"))
	p := b.start(0).listen("", "")
	p.read()
	inbox := func(waiting ...object) { b.write("teams/"+teamID+"/inboxes/team-lead.json", waiting) }
	inbox(object{"from": "builder", "text": "Found it.", "timestamp": "2026-11-30T10:00:00.000Z", "msg_id": "uuid-a", "read": false})
	p.await("a message that waits", func(v view) bool {
		return len(v.Messages) == 1 && v.Messages[1].Waiting && v.Messages[1].Text == "Found it."
	})
	for _, r := range sends("a", "builder", "team-lead", "Found it.") {
		b.add("b1", by(teamID, "builder", r.(object)))
	}
	inbox()
	b.add(lead, gets("builder", "Found it."))
	p.await("a message that was read", func(v view) bool { m := v.Messages[1]; return !m.Waiting && m.Sent && m.Received })
	b.add(lead, gets("builder", "Found it."))
	p.await("the same words again", func(v view) bool { return len(v.Messages) == 2 })

	b.add(lead, gets("builder", `{"type":"idle_notification","from":"builder","idleReason":"available"}`), gets("builder", `{"type":"task_assignment","taskId":"2","subject":"Docs"}`))
	p.await("notices", func(v view) bool {
		return len(v.Messages) == 4 && v.Messages[3].Notice == "idle_notification" && v.Messages[4].Notice == "task_assignment" && v.Messages[4].Text == "#2 Docs"
	})
	inbox(object{"from": "builder", "text": 7, "timestamp": []int{}, "msg_id": object{}}, object{}, object{"from": "x", "text": "read before", "read": true})
	p.await("a message that makes no sense", func(v view) bool { return len(v.Messages) == 6 })
	b.write("teams/"+teamID+"/inboxes/team-lead.json", "[{\"from\":\"torn")
	b.add(lead, gets("builder", "after it"))
	if v := p.await("a later message", func(v view) bool { return len(v.Messages) == 7 }); slices.Contains(v.talk(), "x to team-lead: read before") {
		t.Errorf("a message that was read before is shown: %q", v.talk())
	}
}

// A question for permission is shown until it is answered.
func TestPermission(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.team(teamID, lead, member{Name: "builder", Pane: "in-process"})
	b.add("b1", by(teamID, "builder", said("m", 1, "tool_use", tool("call", "Bash", object{"command": "npm test"}))))
	p := b.start(0).listen("", "")
	p.read()
	ask := func(id string) {
		b.write("teams/"+teamID+"/inboxes/team-lead.json", []object{{"from": "builder", "timestamp": "2026-11-30T10:00:00.000Z", "read": false, "text": compact(t, object{
			"type": "permission_request", "request_id": id, "tool_name": "Bash", "tool_use_id": "call", "input": object{"command": "npm test"},
		})}})
	}
	asked := func(v view) bool {
		return len(v.Team.Asks) == 1 && v.Team.Asks[0].Name == "builder" && v.Team.Asks[0].What == "npm test"
	}
	ask("1")
	p.await("a question", asked)
	b.write("teams/"+teamID+"/inboxes/team-lead.json", []object{})
	b.write("teams/"+teamID+"/inboxes/builder.json", []object{{"from": "team-lead", "text": `{"type":"permission_response","request_id":"1","subtype":"success"}`}})
	p.await("its answer", func(v view) bool { return len(v.Team.Asks) == 0 })
	ask("2")
	p.await("another question", asked)
	b.add("b1", by(teamID, "builder", done("call", "passed", nil)))
	p.await("its result", func(v view) bool { return len(v.Team.Asks) == 0 })
}

// Teams of this project are shown, that of a running lead first, and those
// that ended stay readable. Those of other projects are not.
func TestTeams(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.team("other", "other-session", member{Name: "stranger", CWD: "/home/me/secret"})
	var config map[string]any
	b.read("teams/other/config.json", &config)
	config["members"].([]any)[0].(map[string]any)["cwd"] = "/home/me/secret"
	b.write("teams/other/config.json", config)
	b.write("projects/-home-me-secret/other-session.jsonl", compact(t, said("m", 1, "end_turn", text("secret")))+"\n")
	b.write("teams/broken/config.json", "{\"name\":")
	b.write("teams/not-a-team", "x")

	b.team("session-00000001", "00000001-a", member{Name: "first", Pane: "in-process"})
	b.add("00000001-a", said("m", 1, "end_turn", text("first")))
	b.add("member", by("session-00000001", "first", said("n", 1, "end_turn", text("first member"))))
	o := b.start(0)
	p := o.listen("", "")
	p.await("the first team", func(v view) bool { return v.Team.ID == "session-00000001" && v.Team.Live })

	b.team(teamID, lead, member{Name: "second", Pane: "in-process"})
	v := p.await("the second team, which runs", func(v view) bool { return v.Team.ID == teamID && v.Team.Live && len(v.Teams) == 2 && !v.Teams[1].Live })
	if v.Teams[0].ID != teamID || v.Teams[1].ID != "session-00000001" {
		t.Errorf("teams %v", v.Teams)
	}
	b.remove("teams/session-00000001")
	ended := o.listen("session-00000001", "first")
	ended.await("the team that ended", func(v view) bool {
		return v.Team.ID == "session-00000001" && v.states()["first"] == "gone" && slices.Contains(v.texts(), "text first member")
	})

	// An Observer that starts now knows the ended team by its transcripts.
	v = b.start(0).listen("session-00000001", "").await("the ended team", func(v view) bool { return v.Team.ID == "session-00000001" && v.tokens()["first"] == 1 })
	if v.Team.Live || v.states()["team-lead"] != "gone" || v.tokens()["team-lead"] != 1 {
		t.Errorf("the ended team is %+v", v.Team)
	}
}

// The Observer never writes to the folder that it reads.
func TestNothingIsWritten(t *testing.T) {
	t.Parallel()
	b := fixture(t, "fx332tmux", "session-1f536b10", "1f536b10-d346-473b-b1de-f1c42352b350")
	before := list(t, b.claude)
	b.start(0).listen("", "").read()
	if after := list(t, b.claude); !reflect.DeepEqual(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
}

// list returns the size and time of all files.
func list(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			files[path] = info.Mode().String() + info.ModTime().String()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
