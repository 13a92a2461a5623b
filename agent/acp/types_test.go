package acp

import (
	"errors"
	"fmt"
	"testing"
)

// decode reads a value from JSON that the protocol calls bad or odd.
func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := Decode([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func TestRequestsAreWrittenAsTheSchemaSays(t *testing.T) {
	for _, test := range []struct {
		v    any
		want string
	}{
		{InitializeRequest{ProtocolVersion: ProtocolVersion, ClientCapabilities: Advertised(), ClientInfo: Implementation{Name: "n", Version: "1"}},
			`{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":false,"writeTextFile":false},"terminal":false,` +
				`"session":{"configOptions":{"boolean":{}},"notices":{}},"elicitation":{"form":{}}},"clientInfo":{"name":"n","version":"1"}}`},
		{NewSessionRequest{Cwd: "/w"}, `{"cwd":"/w","mcpServers":[]}`}, //
		{LoadSessionRequest{SessionID: "s", Cwd: "/w"}, `{"sessionId":"s","cwd":"/w","mcpServers":[]}`},
		{NewSessionRequest{Cwd: "/w", MCPServers: List[MCPServer]{{Name: "m", Command: "c"}}},
			`{"cwd":"/w","mcpServers":[{"name":"m","command":"c","args":[],"env":[]}]}`},
		{NewSessionRequest{Cwd: "/w", MCPServers: List[MCPServer]{{Type: "http", Name: "m", URL: "u"}}},
			`{"cwd":"/w","mcpServers":[{"type":"http","name":"m","url":"u","headers":[]}]}`},
		{PromptRequest{SessionID: "s", Prompt: List[ContentBlock]{Text(""), ResourceLink("n", "file:///n")}},
			`{"sessionId":"s","prompt":[{"type":"text","text":""},{"type":"resource_link","uri":"file:///n","name":"n"}]}`},
		{ConfigOption{ID: "o"}.Choose("s", "v"), `{"sessionId":"s","configId":"o","value":"v"}`},
		{ConfigOption{ID: "o"}.Switch("s", false), `{"sessionId":"s","configId":"o","type":"boolean","value":false}`},
		{Selected(" exact-ID "), `{"outcome":{"outcome":"selected","optionId":" exact-ID "}}`},
		{Cancelled(), `{"outcome":{"outcome":"cancelled"}}`},
		{Accept(map[string]any{"n": int64(1), "s": []string{"a"}}), `{"action":"accept","content":{"n":1,"s":["a"]}}`},
		{Decline(), `{"action":"decline"}`},
		{Dismiss(), `{"action":"cancel"}`},
		{ReadTextFileRequest{SessionID: "s", Path: "/a"}, `{"sessionId":"s","path":"/a"}`},
		{InitializeResponse{ProtocolVersion: 1, AgentCapabilities: AgentCapabilities{LoadSession: true, Session: SessionCapabilities{List: true}}},
			`{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"promptCapabilities":{"image":false,"audio":false,"embeddedContext":false},` +
				`"mcpCapabilities":{"http":false,"sse":false},"sessionCapabilities":{"list":{}}},"authMethods":[]}`},
	} {
		equal(t, fmt.Sprintf("%T", test.v), show(t, test.v), test.want)
	}
}

func TestCapabilities(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: true, `true`: true, `{"any":1}`: true,
		`null`: false, `false`: false, `"yes"`: false, `1`: false, `[]`: false,
	} {
		c := decode[AgentCapabilities](t, `{"loadSession":`+text+`,"sessionCapabilities":{"list":`+text+`},"promptCapabilities":{"image":`+text+`}}`)
		equal(t, text, []any{c.LoadSession, c.Session.List, c.Prompt.Image}, []any{want, want, want})
	}
	for _, text := range []string{`{}`, `null`, `{"sessionCapabilities":true,"promptCapabilities":null,"auth":[]}`, `7`} {
		equal(t, text, decode[AgentCapabilities](t, text), AgentCapabilities{})
	}
}

func TestInitializeResponse(t *testing.T) {
	r := decode[InitializeResponse](t, `{"protocolVersion":1,"agentInfo":"me","agentCapabilities":{"loadSession":true,"new":{}},"authMethods":[
		{"id":"a","name":"A"},{"id":"b","type":"env_var","vars":[{"name":"KEY"},{}]},{"id":"c","type":"terminal","args":["login"],"env":{"A":"1"}},
		{"id":"d","type":"quantum"},{"name":"no id"},7]}`)
	equal(t, "capabilities", r.AgentCapabilities, AgentCapabilities{LoadSession: true})
	var got []string
	for _, m := range r.AuthMethods {
		got = append(got, fmt.Sprintf("%s %t %v %v %v", m.ID, m.Callable(), m.Args, m.Env, m.Vars))
	}
	equal(t, "methods", got, []string{"a true [] map[] []", "b false [] map[] [{KEY}]", "c false [login] map[A:1] []", "d false [] map[] []"})
}

func TestSessionState(t *testing.T) {
	r := decode[NewSessionResponse](t, `{"sessionId":"s","modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A","description":null},{}]},
		"models":"none","configOptions":[{"id":"x","name":"X","type":"slider","currentValue":3},{"id":"b","name":"B","type":"boolean","currentValue":true}]}`)
	equal(t, "modes", r.Modes, ModeState{"a", List[Mode]{{ID: "a", Name: "A"}}})
	equal(t, "models", r.Models, ModelState{})
	equal(t, "options", r.ConfigOptions, List[ConfigOption]{{ID: "b", Name: "B", Type: OptionBoolean, On: true}})
	equal(t, "null", decode[SessionState](t, `null`), SessionState{})
	// An empty answer tells nothing; an empty list tells that there are none.
	if decode[SetConfigOptionResponse](t, `{}`).ConfigOptions != nil || decode[SetConfigOptionResponse](t, `{"configOptions":[]}`).ConfigOptions == nil {
		t.Error("no list and an empty list are not told apart")
	}
}

func TestConfigOption(t *testing.T) {
	for _, test := range []struct {
		text string
		want ConfigOption
	}{
		{`{"id":"m","name":"M","category":"model","type":"select","currentValue":"a","options":[{"value":"a","name":"A"},{"value":"b","name":"B","description":"D"}]}`,
			ConfigOption{ID: "m", Name: "M", Category: "model", Type: OptionSelect, Value: "a", Choices: []Choice{{Value: "a", Name: "A"}, {Value: "b", Name: "B", Description: "D"}}}},
		{`{"id":"m","name":"M","type":"select","currentValue":"b","options":[{"name":"G","group":"G","options":[{"value":"a","name":"A"},{"value":"b","name":"B"}]},{"value":"c","name":"C"}]}`,
			ConfigOption{ID: "m", Name: "M", Type: OptionSelect, Value: "b", Choices: []Choice{{Value: "a", Name: "A", Group: "G"}, {Value: "b", Name: "B", Group: "G"}, {Value: "c", Name: "C"}}}},
		{`{"id":"b","name":"B","type":"boolean","currentValue":false}`, ConfigOption{ID: "b", Name: "B", Type: OptionBoolean}},
	} {
		got := decode[ConfigOption](t, test.text)
		equal(t, "option", got, test.want)
		equal(t, "written", show(t, got), test.text)
	}
	bad := decode[ConfigOption](t, `{"id":"m","type":"select","currentValue":7,"options":[{"group":"empty"},{"value":5},{"value":"a"},null]}`)
	equal(t, "bad", bad, ConfigOption{ID: "m", Type: OptionSelect, Choices: []Choice{{Value: "a"}}})
	id := decode[ConfigOption](t, `{"id":"m","type":"select","options":[{"group":"g","options":[{"value":"a"}]}]}`)
	equal(t, "group without a name", id.Choices, []Choice{{Value: "a", Group: "g"}})
}

// Every option is kept, in order, with its exact id.
func TestPermissionRequest(t *testing.T) {
	r := decode[PermissionRequest](t, `{"sessionId":"s","toolCall":{"toolCallId":"t","status":"pending","title":"T"},"options":[
		{"optionId":"b","name":"B","kind":"allow_once"},{"optionId":"a ","name":"A","kind":"allow_once"},
		{"optionId":"x","kind":"dance"},{"name":"no id"},{"optionId":"b","name":"again"},5]}`)
	equal(t, "options", r.Options, List[PermissionOption]{{"b", "B", AllowOnce}, {"a ", "A", AllowOnce}, {"x", "", "dance"}, {"b", "again", ""}})
	equal(t, "tool call", show(t, r.ToolCall), `{"toolCallId":"t","title":"T","status":"pending"}`)
	for _, text := range []string{`{}`, `null`, `{"toolCall":5,"options":{}}`} {
		equal(t, text, show(t, decode[PermissionRequest](t, text)), `{"sessionId":"","toolCall":{"toolCallId":""},"options":[]}`)
	}
}

func TestElicitationForm(t *testing.T) {
	r := decode[ElicitationRequest](t, `{"sessionId":"s","toolCallId":"t","mode":"form","message":"Which?","requestedSchema":{"type":"object","title":"F","properties":{
		"z":{"type":"string","title":"Z","description":"D","default":"d","minLength":1,"maxLength":9,"pattern":"^d","format":"email"},
		"color":{"type":"string","enum":["red","blue",5],"default":"blue"},
		"size":{"type":"string","oneOf":[{"const":"s","title":"Small","description":"tiny"},{"const":"l"},{"title":"none"}]},
		"n":{"type":"number","minimum":0.5,"maximum":2,"default":1.5},
		"i":{"type":"integer","default":3,"minimum":null},
		"b":{"type":"boolean","default":true},
		"many":{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"maxItems":2,"default":["a"]},
		"titled":{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]},"default":"a"},
		"new":{"type":"colour","default":1},
		"bad":{"type":"integer","default":"three","minimum":"none","title":7},
		"no type":{}, "no object":7},
		"required":["z","n",5]}}`)
	var got []string
	for _, f := range r.Form().Fields {
		line := fmt.Sprintf("%s %s %q required=%t default=%#v choices=%v", f.Name, f.Type, f.Title, f.Required, f.Default, f.Choices)
		if f.Min != nil {
			line += fmt.Sprint(" min=", *f.Min)
		}
		if f.Max != nil {
			line += fmt.Sprint(" max=", *f.Max)
		}
		got = append(got, line+f.Pattern+f.Format)
	}
	want := []string{
		`z string "Z" required=true default="d" choices=[] min=1 max=9^demail`,
		`color string "color" required=false default="blue" choices=[{red red } {blue blue }]`,
		`size string "size" required=false default=<nil> choices=[{s Small tiny} {l l }]`,
		`n number "n" required=true default=1.5 choices=[] min=0.5 max=2`,
		`i integer "i" required=false default=3 choices=[]`,
		`b boolean "b" required=false default=true choices=[]`,
		`many array "many" required=false default=[]string{"a"} choices=[{a a } {b b }] min=1 max=2`,
		`titled array "titled" required=false default=<nil> choices=[{a A }]`,
		`new colour "new" required=false default=<nil> choices=[]`,
		`bad integer "bad" required=false default=<nil> choices=[]`,
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("field %d of %q, want %q", i, got, want)
		}
	}
	for _, schema := range []string{``, `null`, `7`, `{"properties":[]}`, `{"properties":{}}`} {
		equal(t, schema, ElicitationRequest{Schema: []byte(schema)}.Form().Fields, []Field(nil))
	}
}

func TestFileRequests(t *testing.T) {
	equal(t, "lines", decode[ReadTextFileRequest](t, `{"sessionId":"s","path":"/a","line":2,"limit":10}`), ReadTextFileRequest{"s", "/a", 2, 10})
	equal(t, "no lines", decode[ReadTextFileRequest](t, `{"sessionId":"s","path":"/a","line":null,"limit":"all"}`), ReadTextFileRequest{SessionID: "s", Path: "/a"})
}

func TestAuthRequired(t *testing.T) {
	auth := fmt.Errorf("open session: %w", &Error{Code: CodeAuthRequired})
	if !AuthRequired(auth) || AuthRequired(&Error{Code: CodeInternal}) || AuthRequired(errors.New("x")) || AuthRequired(nil) {
		t.Error("not told apart")
	}
}
