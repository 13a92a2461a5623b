package fakellm

import (
	"encoding/json"
	"slices"
	"strings"
)

// question is the part of a request that matters here. The formats name the conversation differently, and
// just one of the three names is present.
type question struct {
	Model    string            `json:"model"`
	Stream   bool              `json:"stream"`
	Tools    []json.RawMessage `json:"tools"`
	Messages []message         `json:"messages"` // OpenAI's chat completions, Anthropic
	Input    []message         `json:"input"`    // OpenAI's responses
	Contents []message         `json:"contents"` // Gemini
}

// message is one entry of a conversation in any of the formats.
type message struct {
	Role    string `json:"role"`
	Type    string `json:"type"` // OpenAI's responses: message, function_call, function_call_output…
	Content blocks `json:"content"`
	Parts   blocks `json:"parts"` // Gemini's name for the content
}

type block struct {
	Type             string          `json:"type"`
	Text             string          `json:"text"`
	FunctionResponse json.RawMessage `json:"functionResponse"` // Gemini
}

// blocks is a list of blocks, or, as OpenAI and Anthropic allow, a plain string.
type blocks []block

func (b *blocks) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*b = blocks{{Type: "text", Text: text}}
		return nil
	}
	return json.Unmarshal(data, (*[]block)(b))
}

func (q question) conversation() []message {
	switch {
	case q.Input != nil:
		return q.Input
	case q.Contents != nil:
		return q.Contents
	}
	return q.Messages
}

// lastUserText returns the texts of the last message in which a user says something, one a line. The result
// of a tool also comes from the "user" in some formats, but has no text of its own.
func (q question) lastUserText() string {
	for _, m := range slices.Backward(q.conversation()) {
		if text := m.text(); m.Role == "user" && strings.TrimSpace(text) != "" {
			return text
		}
	}
	return ""
}

// mayCallTool says whether the model's turn can be a call: there are tools, and the last call has been
// answered already when its result is what came last. An agent that asks for a title offers no tools.
func (q question) mayCallTool() bool {
	conversation := q.conversation()
	return len(q.Tools) > 0 && len(conversation) > 0 && !conversation[len(conversation)-1].isToolResult()
}

func (m message) blocks() blocks { return slices.Concat(m.Content, m.Parts) }

func (m message) text() string {
	var texts []string
	for _, b := range m.blocks() {
		if b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

func (m message) isToolResult() bool {
	if m.Role == "tool" || strings.HasSuffix(m.Type, "_output") {
		return true
	}
	for _, b := range m.blocks() {
		if b.Type == "tool_result" || b.FunctionResponse != nil {
			return true
		}
	}
	return false
}
