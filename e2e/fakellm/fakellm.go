// Package fakellm is a model server for tests. It speaks the wire formats that agents use (Gemini's
// generateContent, OpenAI's responses and chat completions, Anthropic's messages), and does what the prompt
// itself asks for, so that a test drives a real agent without a model. It imitates no model's quality, limits
// or errors.
//
// The last SCENARIO marker of the last user text chooses the answer; without one it is text:
//
//	SCENARIO:text   [Reply], a few words at a time
//	SCENARIO:echo   the whole last user text: what the agent was told
//	SCENARIO:slow   200 words (word0, word1…) in 40 seconds
//	SCENARIO:tool TOOL:{"name":"…","args":{…}}ENDTOOL
//	                a call of that tool, then, once its result has come, Reply
package fakellm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Reply is the answer of the scenarios text and tool.
const Reply = "Hello from the fake model. Done."

// Server answers the requests of any number of agents. The zero value is ready, and it is safe for
// concurrent use.
type Server struct {
	mu       sync.Mutex
	requests []Request
}

// Request is what an agent asked the model.
type Request struct {
	Path string
	Text string          // the last user text
	Body json.RawMessage // as it came
}

// Requests returns every question asked so far, in the order in which they came. Counting tokens and listing
// models are no questions.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// ServeHTTP finds the wire format by the end of the path, whatever prefix the agent was configured with.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	switch {
	case strings.HasSuffix(path, "/models"):
		writeJSON(w, http.StatusOK, object{"object": "list", "data": []object{{"id": "fake-model", "object": "model", "created": 1, "owned_by": "fake"}}})
	case strings.HasSuffix(path, ":countTokens"):
		writeJSON(w, http.StatusOK, object{"totalTokens": promptTokens})
	case strings.HasSuffix(path, "/messages/count_tokens"):
		writeJSON(w, http.StatusOK, object{"input_tokens": promptTokens})
	case strings.HasSuffix(path, "/chat/completions"):
		s.answer(w, r, writeChat)
	case strings.HasSuffix(path, "/responses"):
		s.answer(w, r, writeResponse)
	case strings.HasSuffix(path, "/messages"):
		s.answer(w, r, writeMessage)
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		s.answer(w, r, writeContent)
	default:
		writeError(w, http.StatusNotFound, fmt.Errorf("no such path: %s", path))
	}
}

// answer reads the question, records it, and writes the answer of its scenario in one wire format.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, write func(*stream, question, answer)) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		writeError(w, http.StatusBadRequest, err)
		return
	}
	var q question
	if err := json.Unmarshal(body, &q); err != nil {
		writeError(w, http.StatusBadRequest, err)
		return
	}
	if strings.HasSuffix(r.URL.Path, ":streamGenerateContent") { // Gemini says it in the path
		q.Stream = true
	}
	text := q.lastUserText()

	s.mu.Lock()
	s.requests = append(s.requests, Request{Path: r.URL.Path, Text: text, Body: bytes.Clone(body)})
	id := fmt.Sprint(len(s.requests))
	s.mu.Unlock()

	a, err := choose(text, q.mayCallTool())
	if err != nil {
		writeError(w, http.StatusBadRequest, err)
		return
	}
	a.id = id
	write(&stream{w: w, ctx: r.Context()}, q, a)
}
