package fakellm

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// format is how one of the four APIs is asked, and what its answers look like to an agent.
type format struct {
	name         string
	path         string // of a streamed answer
	wholePath    string // of an answer in one piece
	conversation string // the name of its list of messages
	user         func(text string) string
	result       string // the message with a tool's result
	text         func(t *testing.T, events []any) string
	call         func(t *testing.T, events []any) (name, args string)
}

var formats = []format{{
	name: "chat completions", path: "/v1/chat/completions", wholePath: "/v1/chat/completions", conversation: "messages",
	user:   func(text string) string { return fmt.Sprintf(`{"role":"user","content":%q}`, text) },
	result: `{"role":"assistant","content":null,"tool_calls":[{"id":"call_1"}]},{"role":"tool","tool_call_id":"call_1","content":"ran"}`,
	text: func(t *testing.T, events []any) string {
		return join(t, events, "choices.0.delta.content") + join(t, events, "choices.0.message.content")
	},
	call: func(t *testing.T, events []any) (string, string) {
		const function = "choices.0.delta.tool_calls.0.function."
		return join(t, events, function+"name"), join(t, events, function+"arguments")
	},
}, {
	name: "responses", path: "/v1/responses", wholePath: "/v1/responses", conversation: "input",
	user: func(text string) string {
		return fmt.Sprintf(`{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}`, text)
	},
	result: `{"type":"function_call","call_id":"call_1"},{"type":"function_call_output","call_id":"call_1","output":"ran"}`,
	text: func(t *testing.T, events []any) string {
		return join(t, events, "delta") + join(t, events, "output.0.content.0.text")
	},
	call: func(t *testing.T, events []any) (string, string) {
		const item = "response.output.0."
		return join(t, events, item+"name"), join(t, events, item+"arguments")
	},
}, {
	name: "messages", path: "/v1/messages", wholePath: "/v1/messages", conversation: "messages",
	user: func(text string) string {
		return fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":%q}]}`, text)
	},
	result: `{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ran"}]}`,
	text: func(t *testing.T, events []any) string {
		return join(t, events, "delta.text") + join(t, events, "content.0.text")
	},
	call: func(t *testing.T, events []any) (string, string) {
		return join(t, events, "content_block.name"), join(t, events, "delta.partial_json")
	},
}, {
	name: "generateContent", path: "/v1beta/models/m:streamGenerateContent", wholePath: "/v1beta/models/m:generateContent", conversation: "contents",
	user:   func(text string) string { return fmt.Sprintf(`{"role":"user","parts":[{"text":%q}]}`, text) },
	result: `{"role":"model","parts":[{"functionCall":{"name":"sh"}}]},{"role":"user","parts":[{"functionResponse":{"name":"sh"}}]}`,
	text: func(t *testing.T, events []any) string {
		return join(t, events, "candidates.0.content.parts.0.text")
	},
	call: func(t *testing.T, events []any) (string, string) {
		const function = "candidates.0.content.parts.0.functionCall."
		return join(t, events, function+"name"), join(t, events, function+"args")
	},
}}

const tool = `SCENARIO:tool TOOL:{"name":"sh","args":{"command":"echo {}"}}ENDTOOL`

func TestScenarios(t *testing.T) {
	tests := []struct {
		name, text string
		want       string
	}{
		{"no marker", "Hello?", Reply},
		{"text", "SCENARIO:text", Reply},
		{"echo", "tell me: SCENARIO:echo  à\nb", "tell me: SCENARIO:echo  à\nb"},
		{"the last marker counts", "bob: SCENARIO:slow\nalice: SCENARIO:text", Reply},
		{"no tools offered", tool, Reply},
	}
	for _, f := range formats {
		for _, tt := range tests {
			t.Run(f.name+"/"+tt.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &Server{}
					events := ask(t, s, f, f.user("earlier SCENARIO:slow")+","+f.user(tt.text), "")
					if got := f.text(t, events); got != tt.want {
						t.Errorf("streamed: %q, want %q", got, tt.want)
					}
					body := askWhole(t, s, f, f.user(tt.text))
					if got := f.text(t, []any{body}); got != tt.want {
						t.Errorf("in one piece: %q, want %q", got, tt.want)
					}
					for _, r := range s.Requests() {
						if r.Text != tt.text || !json.Valid(r.Body) {
							t.Errorf("recorded %q with body %s, want %q", r.Text, r.Body, tt.text)
						}
					}
					if n := len(s.Requests()); n != 2 {
						t.Errorf("%d requests recorded, want 2", n)
					}
				})
			})
		}
	}
}

func TestTool(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &Server{}
				conversation := f.user(tool)
				name, args := f.call(t, ask(t, s, f, conversation, `{"name":"sh"}`))
				if want := `{"command":"echo {}"}`; name != "sh" || args != want {
					t.Errorf("call of %q with %s, want sh with %s", name, args, want)
				}
				conversation += "," + f.result
				if got := f.text(t, ask(t, s, f, conversation, `{"name":"sh"}`)); got != Reply {
					t.Errorf("after the result: %q, want %q", got, Reply)
				}
				conversation += "," + f.user(tool)
				if name, _ := f.call(t, ask(t, s, f, conversation, `{"name":"sh"}`)); name != "sh" {
					t.Errorf("asked again: call of %q, want sh", name)
				}
			})
		})
	}
}

func TestSlowEndsWhenTheAgentHangsUp(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, hangUp := context.WithTimeout(t.Context(), 900*time.Millisecond)
				defer hangUp()
				begun := time.Now()
				body := post(ctx, &Server{}, f.path, request(f, f.user("SCENARIO:slow"), "", true)).Body.String()
				if got, want := f.text(t, events(t, body)), "word0 word1 word2 word3 word4 "; got != want {
					t.Errorf("%q, want %q", got, want)
				}
				if d := time.Since(begun); d != 900*time.Millisecond {
					t.Errorf("ended after %v, want 900ms", d)
				}
			})
		})
	}
}

func TestErrors(t *testing.T) {
	chat := formats[0]
	tests := []struct {
		name, path, body string
		status           int
		want             string
	}{
		{"path", "/v2/guess", `{}`, http.StatusNotFound, "/v2/guess"},
		{"body", chat.path, `{"messages":`, http.StatusBadRequest, "unexpected end"},
		{"scenario", chat.path, request(chat, chat.user("SCENARIO:sing"), "", true), http.StatusBadRequest, `unknown scenario \"sing\"`},
		{"no tool", chat.path, request(chat, chat.user("SCENARIO:tool"), `{}`, true), http.StatusBadRequest, "not followed by TOOL"},
		{"bad tool", chat.path, request(chat, chat.user("SCENARIO:tool TOOL:{nonsense}ENDTOOL"), `{}`, true), http.StatusBadRequest, "TOOL: invalid"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := post(t.Context(), &Server{}, tt.path, tt.body)
			if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.want) {
				t.Errorf("%d %s, want %d and %q", w.Code, w.Body, tt.status, tt.want)
			}
		})
	}
}

func TestQuestionsThatAreNotForTheModel(t *testing.T) {
	s := &Server{}
	for path, want := range map[string]string{
		"/v1/models":                   "fake-model",
		"/v1/messages/count_tokens":    "input_tokens",
		"/v1beta/models/m:countTokens": "totalTokens",
	} {
		if w := post(t.Context(), s, path, `{}`); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s, want %q", path, w.Code, w.Body, want)
		}
	}
	if r := s.Requests(); len(r) != 0 {
		t.Errorf("recorded %v", r)
	}
}

func ask(t *testing.T, s *Server, f format, conversation, tools string) []any {
	t.Helper()
	w := post(t.Context(), s, f.path, request(f, conversation, tools, true))
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	return events(t, w.Body.String())
}

func askWhole(t *testing.T, s *Server, f format, conversation string) (body any) {
	t.Helper()
	w := post(t.Context(), s, f.wholePath, request(f, conversation, "", false))
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d %v: %s", w.Code, err, w.Body)
	}
	return body
}

func request(f format, conversation, tools string, stream bool) string {
	return fmt.Sprintf(`{"model":"fake-model","stream":%v,"tools":[%s],%q:[%s]}`, stream, tools, f.conversation, conversation)
}

func post(ctx context.Context, s *Server, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodPost, path, strings.NewReader(body)))
	return w
}

// events returns the data of each server-sent event in body.
func events(t *testing.T, body string) (events []any) {
	t.Helper()
	for line := range strings.Lines(body) {
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var event any
		if err := json.Unmarshal([]byte(data), &event); err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		events = append(events, event)
	}
	return events
}

// join returns, in a row, what stands at path in the values that have it: strings as they are, anything else
// as JSON.
func join(t *testing.T, values []any, path string) string {
	t.Helper()
	var b strings.Builder
	for _, v := range values {
		for key := range strings.SplitSeq(path, ".") {
			switch parent := v.(type) {
			case map[string]any:
				v = parent[key]
			case []any:
				if v = nil; key == "0" && len(parent) > 0 {
					v = parent[0]
				}
			default:
				v = nil
			}
		}
		switch v := v.(type) {
		case nil:
		case string:
			b.WriteString(v)
		default:
			data, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(data)
		}
	}
	return b.String()
}
