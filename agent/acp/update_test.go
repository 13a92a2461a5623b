package acp

import (
	"encoding/json"
	"strings"
	"testing"
)

// show writes a value the way it goes over the wire.
func show(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Each update is read as what is written back, without its session.
func TestDecodeUpdate(t *testing.T) {
	for _, test := range []struct{ name, update, want string }{
		{"message", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"},"messageId":"m"}`, ""},
		{"empty message", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":""}}`, ""},
		{"thought", `{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}}`, ""},
		{"echo", `{"sessionUpdate":"user_message_chunk","content":{"type":"resource_link","uri":"file:///a","name":"a"}}`, ""},
		{"image", `{"sessionUpdate":"agent_message_chunk","content":{"type":"image","data":"AAAA","mimeType":"image/png"}}`, ""},
		{"resource", `{"sessionUpdate":"agent_message_chunk","content":{"type":"resource","resource":{"uri":"file:///a","text":"A"}}}`, ""},
		{"bare text", `{"sessionUpdate":"agent_message_chunk","content":"hi"}`,
			`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}}`},
		{"unknown content", `{"sessionUpdate":"agent_message_chunk","content":{"type":"video","frames":[1]}}`,
			`{"sessionUpdate":"agent_message_chunk","content":{"type":"video"}}`},
		{"bad content", `{"sessionUpdate":"agent_message_chunk","content":7,"messageId":5}`,
			`{"sessionUpdate":"agent_message_chunk","content":{"type":""}}`},
		{"annotated content", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi","annotations":5},"_meta":{}}`,
			`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}}`},

		{"tool call", `{"sessionUpdate":"tool_call","toolCallId":"t","title":"T","kind":"edit","status":"pending","locations":[{"path":"/a","line":3}],"rawInput":{"a":[1]}}`,
			`{"sessionUpdate":"tool_call","toolCallId":"t","title":"T","kind":"edit","status":"pending","locations":[{"path":"/a","line":3}],"rawInput":{"a":[1]}}`},
		{"own status and kind", `{"sessionUpdate":"tool_call","toolCallId":"t","kind":"_dance","status":"cancelled"}`, ""},
		{"diff", `{"sessionUpdate":"tool_call_update","toolCallId":"t","content":[{"type":"diff","path":"/a","oldText":"","newText":""}]}`, ""},
		{"new file", `{"sessionUpdate":"tool_call_update","toolCallId":"t","content":[{"type":"diff","path":"/a","oldText":null,"newText":"x"}]}`,
			`{"sessionUpdate":"tool_call_update","toolCallId":"t","content":[{"type":"diff","path":"/a","newText":"x"}]}`},
		{"terminal", `{"sessionUpdate":"tool_call_update","toolCallId":"t","content":[{"type":"terminal","terminalId":"x"}]}`, ""},
		{"unwrapped content", `{"sessionUpdate":"tool_call_update","toolCallId":"t","content":[{"type":"text","text":"x"}]}`,
			`{"sessionUpdate":"tool_call_update","toolCallId":"t","content":[{"type":"content","content":{"type":"text","text":"x"}}]}`},
		{"null members", `{"sessionUpdate":"tool_call_update","toolCallId":"t","name":null,"title":null,"kind":null,"status":null,"content":null,"locations":null,"rawInput":null,"rawOutput":null}`,
			`{"sessionUpdate":"tool_call_update","toolCallId":"t"}`},
		{"bad members", `{"sessionUpdate":"tool_call_update","toolCallId":"t","title":5,"kind":[],"status":"completed","content":{},"locations":[{"path":"/a","line":"12"},{"line":1},7,null]}`,
			`{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed","locations":[{"path":"/a"}]}`},
		{"bad items", `{"sessionUpdate":"tool_call_update","toolCallId":"t","content":[7,{"type":5},{"type":"hologram"},{"type":"content","content":{"type":"text","text":"x"}}]}`,
			`{"sessionUpdate":"tool_call_update","toolCallId":"t","content":[{"type":"hologram"},{"type":"content","content":{"type":"text","text":"x"}}]}`},
		{"emptied lists", `{"sessionUpdate":"tool_call_update","toolCallId":"t","content":[],"locations":[]}`, ""},

		{"plan", `{"sessionUpdate":"plan","entries":[{"content":"a","priority":"high","status":"pending"}]}`,
			`{"sessionUpdate":"plan","entries":[{"content":"a","priority":"high","status":"pending"}]}`},
		{"bad plan", `{"sessionUpdate":"plan","entries":[{"content":"a","priority":1},{"priority":"low"},"b"]}`,
			`{"sessionUpdate":"plan","entries":[{"content":"a","priority":"","status":""}]}`},
		{"no plan", `{"sessionUpdate":"plan","entries":"soon"}`, `{"sessionUpdate":"plan","entries":[]}`},
		{"commands", `{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"a","description":"A","input":{"hint":"h"}},{"name":"b","description":"B","input":null},{"description":"C"}]}`,
			`{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"a","description":"A","input":{"hint":"h"}},{"name":"b","description":"B"}]}`},
		{"mode", `{"sessionUpdate":"current_mode_update","currentModeId":"plan"}`, ""},
		{"mode as documented", `{"sessionUpdate":"current_mode_update","modeId":"plan"}`, `{"sessionUpdate":"current_mode_update","currentModeId":"plan"}`},
		{"options", `{"sessionUpdate":"config_option_update","configOptions":[{"id":"b","name":"B","type":"boolean","currentValue":true},{"id":"x","name":"X","type":"slider"}]}`,
			`{"sessionUpdate":"config_option_update","configOptions":[{"id":"b","name":"B","type":"boolean","currentValue":true}]}`},
		{"title", `{"sessionUpdate":"session_info_update","title":"T"}`, ""},
		{"title cleared", `{"sessionUpdate":"session_info_update","title":null,"updatedAt":5}`, `{"sessionUpdate":"session_info_update","title":""}`},
		{"only meta", `{"sessionUpdate":"session_info_update","_meta":{}}`, `{"sessionUpdate":"session_info_update"}`},
		{"usage", `{"sessionUpdate":"usage_update","used":1,"size":2,"cost":{"amount":0.5,"currency":"EUR"}}`, ""},
		{"usage in floats", `{"sessionUpdate":"usage_update","used":1.5e3,"size":2.0,"cost":null}`, `{"sessionUpdate":"usage_update","used":1500,"size":2}`},
		{"bad usage", `{"sessionUpdate":"usage_update","used":"many","size":2}`, `{"sessionUpdate":"usage_update","used":0,"size":2}`},
		{"notice", `{"sessionUpdate":"notice","severity":"error","title":"T","description":"D"}`, ""},

		// What is not known is kept and taken for nothing else.
		{"compaction", `{"sessionUpdate":"compaction_summary_chunk","content":{"type":"text","text":"x"}}`, ""},
		{"vendor", `{"sessionUpdate":"_vendor_thing","title":"T","entries":[1]}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			u, err := DecodeUpdate(json.RawMessage(`{"sessionId":"s","update":` + test.update + `}`))
			if err != nil {
				t.Fatal(err)
			}
			if test.want == "" {
				test.want = test.update
			}
			equal(t, "update", show(t, u), `{"sessionId":"s","update":`+test.want+`}`)
			equal(t, "raw", string(u.Raw), test.update)
		})
	}
}

func TestUnknownKindSetsNothing(t *testing.T) {
	u, err := DecodeUpdate(json.RawMessage(`{"sessionId":"s","update":{"sessionUpdate":"new","title":"T","content":{},"toolCallId":"t","used":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	u.Raw = nil
	equal(t, "update", u, Update{SessionID: "s", Kind: "new"})
}

func TestUpdateThatSaysNothing(t *testing.T) {
	for params, want := range map[string]string{
		``:                        "unexpected end of JSON input",
		`{`:                       "unexpected end of JSON input",
		`null`:                    "there is none",
		`[]`:                      "there is none",
		`{"sessionId":"s"}`:       "there is none",
		`{"update":null}`:         "it has no kind",
		`{"update":[]}`:           "it has no kind",
		`{"update":{"kind":"x"}}`: "it has no kind",
		`{"update":{"sessionUpdate":"tool_call"}}`:                        "its tool call has no id",
		`{"update":{"sessionUpdate":"tool_call_update","toolCallId":{}}}`: "its tool call has no id",
	} {
		if _, err := DecodeUpdate(json.RawMessage(params)); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", params, err, want)
		}
	}
}

func TestApply(t *testing.T) {
	const permission = "permission "
	for _, test := range []struct {
		name    string
		patches []string
		want    string
	}{
		{"announced and updated",
			[]string{`{"title":"T","status":"pending"}`, `{"status":"in_progress"}`, `{"status":"completed","rawOutput":1}`},
			`{"toolCallId":"t","title":"T","status":"completed","rawOutput":1}`},
		{"never announced", []string{`{"status":"completed"}`}, `{"toolCallId":"t","status":"completed"}`},
		{"permission first", []string{permission + `{"title":"T","kind":"edit"}`, `{"status":"completed"}`},
			`{"toolCallId":"t","title":"T","kind":"edit","status":"completed"}`},
		{"announced twice", []string{`{"title":"Terminal","status":"pending","rawInput":{}}`, `{"title":"ls","status":"pending","rawInput":{"a":1}}`},
			`{"toolCallId":"t","title":"ls","status":"pending","rawInput":{"a":1}}`},
		{"permission is older", []string{`{"status":"in_progress"}`, permission + `{"status":"pending","title":"T"}`},
			`{"toolCallId":"t","title":"T","status":"in_progress"}`},
		{"permission after the end", []string{`{"status":"failed"}`, permission + `{"status":"in_progress"}`}, `{"toolCallId":"t","status":"failed"}`},
		{"permission is newer", []string{`{"status":"pending"}`, permission + `{"status":"in_progress"}`}, `{"toolCallId":"t","status":"in_progress"}`},
		{"permission after another end", []string{`{"status":"completed"}`, permission + `{"status":"failed"}`}, `{"toolCallId":"t","status":"completed"}`},
		{"permission after an unknown status", []string{`{"status":"dancing"}`, permission + `{"status":"in_progress"}`}, `{"toolCallId":"t","status":"dancing"}`},
		{"permission empties nothing",
			[]string{`{"title":"T","content":[{"type":"terminal","terminalId":"x"}],"locations":[{"path":"/a"}],"rawInput":{"a":1}}`,
				permission + `{"title":"","content":[],"locations":[],"rawInput":{}}`},
			`{"toolCallId":"t","title":"T","content":[{"type":"terminal","terminalId":"x"}],"locations":[{"path":"/a"}],"rawInput":{"a":1}}`},
		{"permission brings the diff", []string{`{"content":[]}`, permission + `{"content":[{"type":"diff","path":"/a","newText":"x"}]}`},
			`{"toolCallId":"t","content":[{"type":"diff","path":"/a","newText":"x"}]}`},
		{"lists replace", []string{`{"locations":[{"path":"/a"},{"path":"/b"}]}`, `{"locations":[{"path":"/c"}]}`}, `{"toolCallId":"t","locations":[{"path":"/c"}]}`},
		{"lists are emptied", []string{`{"locations":[{"path":"/a"}]}`, `{"locations":[]}`}, `{"toolCallId":"t"}`},
		{"only meta", []string{`{"title":"T"}`, `{"_meta":{}}`}, `{"toolCallId":"t","title":"T"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var call ToolCall
			for _, text := range test.patches {
				text, asked := strings.CutPrefix(text, permission)
				p := ToolCallPatch{}
				if err := Decode([]byte(`{"toolCallId":"t",`+text[1:]), &p); err != nil {
					t.Fatal(err)
				}
				call.Apply(p, asked)
			}
			equal(t, "call", show(t, whole(call)), test.want)
		})
	}
}

// whole returns the patch that makes a call from nothing.
func whole(c ToolCall) ToolCallPatch {
	p := ToolCallPatch{
		ID: c.ID, Name: nonzero(&c.Name), Title: nonzero(&c.Title), Kind: nonzero(&c.Kind), Status: nonzero(&c.Status),
		RawInput: c.RawInput, RawOutput: c.RawOutput,
	}
	if len(c.Content) > 0 {
		p.Content = (*List[ToolContent])(&c.Content)
	}
	if len(c.Locations) > 0 {
		p.Locations = (*List[Location])(&c.Locations)
	}
	return p
}

func FuzzDecodeUpdate(f *testing.F) {
	f.Add(`{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"t","title":5,"status":"completed","locations":[{"path":"/a","line":"12"}],"content":[{"type":"diff","path":"/a","newText":""}]}}`)
	f.Add(`{"sessionId":"s","update":{"sessionUpdate":"config_option_update","configOptions":[{"id":"b","type":"select","currentValue":1,"options":[{"name":"g","options":[{"value":"v"}]}]}]}}`)
	f.Add(`{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":"x"}}`)
	f.Add(`{"update":{"sessionUpdate":"usage_update","used":1e300,"size":-1,"cost":{"amount":1e-9,"currency":"X"}}}`)
	f.Add(`{"update":{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"a","input":[]}]}}`)
	f.Add(`{"update":{"sessionUpdate":"session_info_update","title":null}}`)
	f.Fuzz(func(t *testing.T, params string) {
		u, err := DecodeUpdate(json.RawMessage(params))
		if err != nil {
			return
		}
		once := show(t, u)
		again, err := DecodeUpdate(json.RawMessage(once))
		if err != nil {
			t.Fatalf("%s: %v", once, err)
		}
		equal(t, "read again", show(t, again), once)
	})
}
