package acp

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

var update = flag.Bool("update", false, "write the expected results of testdata anew")

// discard is the peer's input when nobody looks at it.
type discard struct{ io.Writer }

func (discard) Close() error { return nil }

// What real agents wrote, shortened, is understood as is written beside it.
func TestRealAgents(t *testing.T) {
	logs, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(logs) < 7 {
		t.Fatal(logs, err)
	}
	for _, log := range logs {
		t.Run(filepath.Base(log), func(t *testing.T) {
			data, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			synctest.Test(t, func(t *testing.T) { got = replay(t, data) })
			golden := strings.TrimSuffix(log, ".jsonl") + ".txt"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("understood as:\n%s", got)
			}
		})
	}
}

// replay returns what an agent's output means, a line each.
func replay(t *testing.T, data []byte) string {
	var said strings.Builder
	tools := map[string]*ToolCall{}
	apply := func(p ToolCallPatch, asked bool) *ToolCall {
		if tools[p.ID] == nil {
			tools[p.ID] = new(ToolCall)
		}
		tools[p.ID].Apply(p, asked)
		return tools[p.ID]
	}
	h := &recorder{
		notify: func(method string, params json.RawMessage) {
			if method != MethodUpdate {
				fmt.Fprintln(&said, method)
				return
			}
			u, err := DecodeUpdate(params)
			if err != nil {
				t.Error(err)
			}
			fmt.Fprintf(&said, "%s %s: %s\n", u.SessionID, u.Kind, told(t, u, apply))
		},
		request: func(_ context.Context, method string, params json.RawMessage) (any, *Error) {
			return nil, MethodNotFound(method)
		},
	}
	r, w := io.Pipe()
	c := NewConn(r, discard{io.Discard}, h)
	for line := range bytes.Lines(data) {
		var m struct {
			ID, Result, Error, Params json.RawMessage
			Method                    string
		}
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatal(err)
		}
		if m.ID != nil && m.Method == "" && m.Error == nil {
			fmt.Fprintln(&said, "result:", answered(t, m.Result))
			continue
		}
		if m.Method == MethodRequestPermission {
			p := decode[PermissionRequest](t, string(m.Params))
			fmt.Fprintf(&said, "%s asks: %s %v\n", p.SessionID, brief(*apply(p.ToolCall, true)), p.Options)
		}
		if m.Method == MethodElicit {
			fmt.Fprintf(&said, "asks: %+v\n", decode[ElicitationRequest](t, string(m.Params)).Form())
		}
		if _, err := w.Write(line); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
	}
	w.Close()
	<-c.Done()
	for _, line := range h.lines {
		fmt.Fprintln(&said, "noise:", line)
	}
	for _, id := range slices.Sorted(maps.Keys(tools)) {
		fmt.Fprintln(&said, "at the end:", brief(*tools[id]))
	}
	return said.String()
}

func told(t *testing.T, u Update, apply func(ToolCallPatch, bool) *ToolCall) string {
	switch {
	case u.Chunk != nil:
		return fmt.Sprintf("%.40q %s", u.Chunk.Content.Text, u.Chunk.MessageID)
	case u.ToolCall != nil:
		return brief(*apply(*u.ToolCall, false))
	}
	u.Raw = nil
	return fmt.Sprintf("%.200s", show(t, u.body()))
}

func brief(c ToolCall) string {
	var content []string
	for _, part := range c.Content {
		content = append(content, fmt.Sprintf("%s %s%s%.20q", part.Type, part.Path, part.TerminalID, part.NewText+part.Content.Text))
	}
	return fmt.Sprintf("%s %s %s %.40q in=%.30s out=%.30s %v %v", c.ID, c.Kind, c.Status, c.Title, c.RawInput, c.RawOutput, content, c.Locations)
}

// answered shows what is understood of a result, whatever it answers.
func answered(t *testing.T, result json.RawMessage) string {
	text := string(result)
	parts := []any{
		decode[InitializeResponse](t, text).AgentCapabilities,
		decode[InitializeResponse](t, text).AuthMethods,
		decode[NewSessionResponse](t, text),
		decode[ListSessionsResponse](t, text),
		decode[PromptResponse](t, text).StopReason,
	}
	var shown []string
	for i, nothing := range []any{AgentCapabilities{}, List[AuthMethod](nil), NewSessionResponse{}, ListSessionsResponse{}, StopReason("")} {
		if s := fmt.Sprintf("%+v", parts[i]); s != fmt.Sprintf("%+v", nothing) {
			shown = append(shown, fmt.Sprintf("%.600s", s))
		}
	}
	return strings.Join(shown, " | ")
}
