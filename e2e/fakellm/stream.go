package fakellm

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

type object map[string]any

// The tokens that every answer claims.
const (
	promptTokens = 11
	answerTokens = 7
	totalTokens  = promptTokens + answerTokens
)

// stream writes an answer: one JSON value, or server-sent events.
type stream struct {
	w   http.ResponseWriter
	ctx context.Context // ends when the agent hangs up
}

// whole sends v as the complete answer.
func (s *stream) whole(v any) { writeJSON(s.w, http.StatusOK, v) }

// event sends v as one event; a name of "" sends no event line. Errors of writing are left to speak, which
// notices that the agent has hung up.
func (s *stream) event(name string, v any) {
	s.w.Header().Set("Content-Type", "text/event-stream")
	if name != "" {
		fmt.Fprintf(s.w, "event: %s\n", name)
	}
	fmt.Fprint(s.w, "data: ")
	_ = json.NewEncoder(s.w).Encode(v)
	fmt.Fprintln(s.w)
	_ = http.NewResponseController(s.w).Flush()
}

// speak passes the words of a to send at the answer's pace. It reports false when the agent has hung up.
func (s *stream) speak(a answer, send func(word string)) bool {
	for _, word := range a.words {
		send(word)
		select {
		case <-s.ctx.Done():
			return false
		case <-time.After(a.pause):
		}
	}
	return true
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func writeError(w http.ResponseWriter, status int, err error) {
	writeJSON(w, status, object{"error": object{"message": "fakellm: " + err.Error()}})
}
