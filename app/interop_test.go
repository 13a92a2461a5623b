package app

import (
	"encoding/json"
	"strings"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

// What agents get wrong, or do in their own way (acp.md §4): each has an
// answer with the text that the person must see.
func TestAgentsWithTheirOwnWays(t *testing.T) {
	for name, c := range map[string]struct {
		script fakeagent.Script
		steps  string
		want   string // the answer's text
		parts  string // kinds of the answer's parts
	}{
		"unknown kinds are ignored":           {steps: `text a; update {"sessionUpdate":"_vendor","content":{"type":"text","text":"x"}}; update {"sessionUpdate":"compaction_summary_chunk","content":{"type":"text","text":"x"}}; text b`, want: "ab", parts: "text"},
		"a bad optional value loses nothing":  {steps: `tool t1 in_progress List; update {"sessionUpdate":"tool_call_update","toolCallId":"t1","status":"completed","locations":[{"path":"/x","line":"12"}]}; text done`, want: "done", parts: "tool text"},
		"the echo of the person's words":      {steps: "user go; text answer", want: "answer", parts: "text"},
		"another message id, another part":    {steps: `update {"sessionUpdate":"agent_message_chunk","messageId":"1","content":{"type":"text","text":"one"}}; update {"sessionUpdate":"agent_message_chunk","messageId":"1","content":{"type":"text","text":"."}}; update {"sessionUpdate":"agent_message_chunk","messageId":"2","content":{"type":"text","text":"two"}}`, want: "one.\n\ntwo", parts: "text text"},
		"a tool call between":                 {steps: "text one; tool t1 completed List; text two", want: "one\n\ntwo", parts: "text tool text"},
		"the same tool call announced twice":  {steps: "tool t1 pending Run; tool t1 in_progress Run; tool t1 completed Run; text ok", want: "ok", parts: "tool text"},
		"an update of a tool never announced": {steps: `update {"sessionUpdate":"tool_call_update","toolCallId":"t9","status":"completed","title":"Hidden"}; text ok`, want: "ok", parts: "tool text"},
		"an unknown request":                  {steps: "call craft/drainMidTurnQueue {}", want: "error -32601: Method not found: craft/drainMidTurnQueue", parts: "text"},
		"a page to visit is not offered":      {steps: `call elicitation/create {"sessionId":"$sid","mode":"url","url":"https://x","elicitationId":"1","message":"m"}`, want: "error -32602: only forms are supported", parts: "text"},
		"an empty first chunk":                {steps: "text; text a", want: "a", parts: "text"},
		"a plan is replaced where it stands":  {steps: `update {"sessionUpdate":"plan","entries":[{"content":"a","status":"pending"}]}; text one; update {"sessionUpdate":"plan","entries":[{"content":"a","status":"completed"}]}`, want: "one", parts: "plan text"},
		"a notice":                            {steps: `update {"sessionUpdate":"notice","severity":"warning","title":"slow"}; text a`, want: "a", parts: "notice text"},
		"a picture":                           {steps: `text a; update {"sessionUpdate":"agent_message_chunk","content":{"type":"image","data":"AAAA","mimeType":"image/png"}}`, want: "a", parts: "text attachment"},
		"an answer to nobody":                 {steps: `raw {"jsonrpc":"2.0","id":12345,"result":{}}; raw {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}; text a`, want: "a", parts: "text"},
		"thoughts and words keep apart":       {steps: "thought a; text b; thought c", want: "b", parts: "thought text thought"},
		"a limit of tokens":                   {steps: "text a; stop max_tokens", want: "a", parts: "text notice"},
		"an unknown reason to stop":           {steps: "text a; stop bored", want: "a", parts: "text"},
		"a session/new without any options":   {script: fakeagent.Script{On: map[string][]string{"session/new": {`result {"sessionId":"s1","configOptions":[{"type":"slider"}]}`}}}, steps: `raw {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"}}}}; error -32002 unknown session`, want: "", parts: ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, cast{"alice": c.script}, []string{"alice"}, settings{})
			m := w.say("go !" + c.steps)
			if c.parts == "" {
				if m.Deliveries[0].State != Failed {
					t.Error(w.dump())
				}
				return
			}
			if got := w.answer(m); got != c.want {
				t.Errorf("answer %q, want %q", got, c.want)
			}
			var parts []string
			for _, p := range w.message(m.Deliveries[0].Answer).Parts {
				parts = append(parts, string(p.Kind))
			}
			if got := strings.Join(parts, " "); got != c.parts {
				t.Errorf("parts %q, want %q", got, c.parts)
			}
		})
	}
}

// A question of a session that nobody opened, a sub-agent's, is shown where
// the agent works; ids may be strings.
func TestAQuestionOfAnotherSession(t *testing.T) {
	w := newWorld(t, cast{"alice": {StringIDs: true}}, []string{"alice"}, settings{})
	id := w.send(`go !call session/request_permission {"sessionId":"child","toolCall":{"toolCallId":"c1","title":"Delete"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]}`)
	q := w.question()
	if q.Channel != w.general() || q.Title != "Delete" {
		t.Errorf("question %+v", q)
	}
	w.Answer(q.ID, "y")
	w.over(id)
	if got := w.answer(w.message(id)); !strings.Contains(got, `"y"`) {
		t.Errorf("answer %q", got)
	}
}

// A question without options can only be cancelled; it is shown all the same.
func TestAQuestionWithoutOptions(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	id := w.send(`go !call session/request_permission {"sessionId":"$sid","toolCall":{"toolCallId":"c1"},"options":[]}`)
	q := w.question()
	w.Answer(q.ID, "allow")
	w.Answer(q.ID, "")
	w.over(id)
	if got := w.answer(w.message(id)); !strings.Contains(got, "cancelled") {
		t.Errorf("answer %q", got)
	}
}

// A saved session that cannot be continued costs nothing but a remark.
func TestALostSessionStartsAnew(t *testing.T) {
	for name, code := range map[string]string{"not found": "-32002", "internal": "-32603", "bad parameters": "-32602"} {
		t.Run(name, func(t *testing.T) {
			script := fakeagent.Script{Load: true, On: map[string][]string{"session/load": {"error " + code + " no such session"}}}
			w := newWorld(t, cast{"alice": script}, []string{"alice"}, settings{})
			w.say("remember 7")
			w.reopen(settings{})
			m := w.say("again")
			if got := w.answer(m); !strings.Contains(got, "remember 7") {
				t.Errorf("the new session was not told the talk: %q", got)
			}
			said := false
			for _, m := range w.all() {
				said = said || m.Kind == FromApp
			}
			if !said {
				t.Error("nothing says that the session was lost")
			}
		})
	}
}

// Some agents answer session/set_config_option with nothing and send the
// options as an update.
func TestAnOptionIsSet(t *testing.T) {
	options := json.RawMessage(`[{"id":"effort","name":"Effort","type":"select","currentValue":"low","options":[{"value":"low","name":"Low"},{"value":"high","name":"High"}]},{"id":"x","type":"slider"}]`)
	script := fakeagent.Script{Options: options, On: map[string][]string{"session/set_config_option": {
		`update {"sessionUpdate":"config_option_update","configOptions":[{"id":"effort","name":"Effort","type":"select","currentValue":"high","options":[{"value":"high","name":"High"}]}]}`, "result {}"}}}
	w := newWorld(t, cast{"alice": script}, []string{"alice"}, settings{})
	w.say("hello")
	list := w.Controls(w.general(), "alice")
	if len(list) != 1 || list[0].Current != "low" {
		t.Fatalf("controls %+v", list)
	}
	w.SetControl(w.general(), "alice", list[0], "high")
	w.until("the option", func() bool { return w.Controls(w.general(), "alice")[0].Current == "high" })
}
