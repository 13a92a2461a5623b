//go:build linux

package observertest

import (
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"
	"time"
)

// An agent's row goes only when its pane and config.json agree that it is gone.
func TestStates(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	main := b.session()
	panes := map[string]string{}
	var members []member
	for _, name := range []string{"busy", "thinks", "idle", "dead", "left", "crashed"} {
		panes[name] = b.pane(name + " here\n")
		members = append(members, member{Name: name, Pane: panes[name], Active: ptr(name == "busy")})
	}
	b.team(teamID, lead, members...)
	b.add(lead, heard("go"), said("m", 1, "end_turn", text("done")))
	// What the transcript tells is newer than what the file says.
	b.add("thinks", by(teamID, "thinks", heard("think")))
	b.add("idle", by(teamID, "idle", heard("go")), by(teamID, "idle", said("n", 1, "end_turn", text("done"))))

	o := b.start(0)
	p := o.listen("", "busy")
	want := map[string]string{"team-lead": "idle", "busy": "busy", "thinks": "busy", "idle": "idle", "dead": "idle", "left": "idle", "crashed": "idle"}
	states := func(what string) view {
		t.Helper()
		return p.await(what, func(v view) bool { return maps.Equal(v.states(), want) })
	}
	states("all agents")
	if v := p.await("the pane", func(v view) bool { return strings.Contains(v.Pane.Text, "busy here") }); v.Pane.Pane != panes["busy"] || v.Team.LeadPane != main || v.Team.LeadWindow != "main" {
		t.Errorf("the pane is %+v, the lead's %q in %q", v.Pane, v.Team.LeadPane, v.Team.LeadWindow)
	}

	// A pane that is gone while the file still has the agent, one whose
	// program ended, and an agent that left while its pane is still there.
	b.tmux("set-option", "-p", "-t", panes["crashed"], "remain-on-exit", "on")
	b.tmux("respawn-pane", "-k", "-t", panes["crashed"], "false")
	b.tmux("kill-pane", "-t", panes["dead"])
	b.team(teamID, lead, without(members, "left")...)
	want["dead"], want["crashed"], want["left"] = "ghost pane", "ghost pane", "ghost config"
	states("ghosts")

	// Both agree.
	b.tmux("kill-pane", "-t", panes["left"])
	b.team(teamID, lead, without(members, "left", "dead")...)
	want["dead"], want["left"] = "gone", "gone"
	states("agents that are gone")

	b.add("thinks", by(teamID, "thinks", heard("[Request interrupted by user]")))
	b.add("idle", by(teamID, "idle", said("o", 1, "tool_use", tool("call", "Edit", object{"file_path": "/workspace/src/retry.ts", "old_string": "a", "new_string": "b"}))))
	want["thinks"], want["idle"] = "idle", "busy"
	v := states("turns that change")
	for _, m := range v.Team.Members {
		if m.Name == "idle" && (m.Tool != "Edit" || m.Doing != "src/retry.ts") {
			t.Errorf("what it does is %q %q", m.Tool, m.Doing)
		}
	}

	// Without a lead there is no team.
	b.remove("sessions")
	for name := range want {
		want[name] = "gone"
	}
	states("the end of the team")
}

// A question is told whoever asks it: a teammate's is asked in the lead's
// pane, but for those that come before it is part of the team.
func TestQuestions(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	main := b.session()
	builder := b.pane("Do you trust the files?\n\x1b[34m❯ \x1b[0m1. No, exit\n  2. Yes, I trust this folder\n")
	b.team(teamID, lead, member{Name: "builder", Pane: builder})
	b.add("builder", by(teamID, "builder", said("m", 1, "tool_use", tool("call", "Bash", object{"command": "npm test"}))))
	p := b.start(0).listen("", "")
	asks := func(what, name, text, pane string) {
		t.Helper()
		p.await(what, func(v view) bool {
			return len(v.Team.Asks) == 1 && v.Team.Asks[0].Name == name && v.Team.Asks[0].What == text && v.Team.Asks[0].Pane == pane
		})
	}
	asks("question in the agent's own pane", "builder", "npm test", builder)
	b.tmux("respawn-pane", "-k", "-t", builder, "cat")
	p.await("end of the question", func(v view) bool { return len(v.Team.Asks) == 0 })
	b.tmux("respawn-pane", "-k", "-t", main, "printf 'Do you want to proceed?\\n❯ 1. Yes\\n  2. No\\n'; exec cat")
	asks("teammate's question on the lead's screen", "builder", "npm test", "")
	b.tmux("respawn-pane", "-k", "-t", main, "cat")
	p.await("end of the question", func(v view) bool { return len(v.Team.Asks) == 0 })

	// What the record of the lead's session says.
	waits := func(what string) {
		var record object
		path := fmt.Sprintf("sessions/%d.json", os.Getpid())
		b.read(path, &record)
		record["status"], record["waitingFor"], record["statusUpdatedAt"] = "waiting", what, time.Now().UnixMilli()
		b.write(path, record)
	}
	waits("worker request")
	asks("teammate's question in the record", "builder", "npm test", "")
	waits("dialog open")
	asks("question of the lead", "team-lead", "", main)
	b.add(lead, said("n", 1, "tool_use", tool("call2", "Write", object{"file_path": "/workspace/README.md", "content": "x"})))
	waits("permission prompt")
	asks("question of the lead for permission", "team-lead", "README.md", "")
	row := done("call2", "done", nil)
	row["timestamp"] = time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	b.add(lead, row)
	p.await("end of the question, whatever the record says", func(v view) bool { return len(v.Team.Asks) == 0 })
}

// A team runs while its lead does, in this box: other boxes and the machine
// itself may share the folder, with processes of the same numbers.
func TestLead(t *testing.T) {
	t.Parallel()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		t.Fatal(err)
	}
	here := host + "#" + space
	for _, test := range []struct {
		name    string
		record  object // of the running session, without its id
		process object // leadProcess
		created int64
		live    bool
	}{
		{"record", object{"pid": os.Getpid()}, nil, 1, true},
		{"record of another process", object{"pid": os.Getpid(), "procStart": "7"}, nil, 1, false},
		{"record of no process", object{"pid": 1 << 30}, nil, 1, false},
		{"record of nonsense", object{"pid": "../self"}, nil, 1, false},
		{"process here", nil, object{"pid": os.Getpid(), "pidSpace": here}, 1, true},
		{"process that ended", nil, object{"pid": 1 << 30, "pidSpace": here}, 1, false},
		{"process elsewhere", nil, object{"pid": os.Getpid(), "pidSpace": "elsewhere#" + space}, 1, false},
		{"neither, made before tmux", nil, nil, 1, false},
		{"neither, made since", nil, nil, time.Now().Add(time.Hour).UnixMilli(), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBox(t)
			b.session()
			b.team(teamID, lead)
			b.remove("sessions")
			var config object
			b.read("teams/"+teamID+"/config.json", &config)
			config["createdAt"] = test.created
			if test.process != nil {
				config["leadProcess"] = test.process
			}
			b.write("teams/"+teamID+"/config.json", config)
			if test.record != nil {
				test.record["sessionId"] = lead
				b.write("sessions/7.json", test.record)
			}
			p := b.start(0).listen("", "")
			if test.record == nil && test.process == nil {
				p.next("sync") // by then tmux was asked
			}
			p.await("team", func(v view) bool { return v.Team.ID == teamID && v.Team.Live == test.live })
		})
	}
}

func ptr[T any](v T) *T { return &v }

func without(members []member, names ...string) []member {
	var rest []member
	for _, m := range members {
		if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+m.Name+" ") {
			rest = append(rest, m)
		}
	}
	return rest
}
