package acp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Codes of [Error]. Agents use others too.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	CodeAuthRequired   = -32000
	CodeNotFound       = -32002
	CodeCancelled      = -32800
)

// maxDetail bounds, in bytes, what an error quotes of the peer's words.
const maxDetail = 1000

// An Error is the answer of a peer that could not do what it was asked.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"` // anything; see Detail
}

// MethodNotFound is the answer to a request that is not known: a peer that
// gets no answer at all waits forever.
func MethodNotFound(method string) *Error {
	return &Error{Code: CodeMethodNotFound, Message: "Method not found: " + method}
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s (code %d)", e.text(), e.Code)
}

// Localize returns the message for a person: its key in the catalogue and its
// arguments.
func (e *Error) Localize() (string, map[string]any) {
	args := map[string]any{"Code": e.Code, "Message": e.text()}
	switch e.Code {
	case CodeAuthRequired:
		return "acp.AuthRequired", args
	case CodeMethodNotFound:
		return "acp.MethodNotFound", args
	case CodeNotFound:
		return "acp.NotFound", args
	}
	return "acp.Error", args
}

func (e *Error) text() string {
	text, detail := clip(e.Message, maxDetail), e.Detail()
	if text == "" {
		text = "error"
	}
	if detail == "" || strings.Contains(text, detail) {
		return text
	}
	return text + ": " + detail
}

// Detail returns what Data says in words, bounded; many agents keep the cause
// there and answer "Internal error".
func (e *Error) Detail() string {
	var text string
	if json.Unmarshal(e.Data, &text) == nil {
		return clip(text, maxDetail)
	}
	var data struct{ Details, Message, Error json.RawMessage }
	if json.Unmarshal(e.Data, &data) != nil {
		return ""
	}
	for _, value := range []json.RawMessage{data.Details, data.Message, data.Error} {
		if json.Unmarshal(value, &text) == nil && text != "" {
			return clip(text, maxDetail)
		}
	}
	return ""
}

// UnmarshalJSON accepts any shape: what is not an error object becomes the
// message of an internal error, so that no request is left without an end.
func (e *Error) UnmarshalJSON(data []byte) error {
	var v struct{ Code, Message, Data json.RawMessage }
	if json.Unmarshal(data, &v) != nil {
		v.Message = data
	}
	*e = Error{Code: CodeInternal, Data: v.Data}
	if code, err := strconv.Atoi(strings.Trim(string(v.Code), `"`)); err == nil {
		e.Code = code
	}
	if json.Unmarshal(v.Message, &e.Message) != nil {
		e.Message = string(v.Message)
	}
	return nil
}

// AuthRequired reports whether err is an agent's answer that it must be
// authenticated first.
func AuthRequired(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == CodeAuthRequired
}

// A ClosedError is what pending and later calls get once the connection is
// closed.
type ClosedError struct {
	Cause error // io.EOF when the peer ended its stream
}

func (e *ClosedError) Error() string { return "connection closed: " + e.Cause.Error() }
func (e *ClosedError) Unwrap() error { return e.Cause }

// Localize returns the message for a person: its key in the catalogue and its
// arguments.
func (e *ClosedError) Localize() (string, map[string]any) { return "acp.Closed", nil }

// A StuckError says that the peer does not read: more than Limit bytes wait to
// be sent to it.
type StuckError struct{ Limit int }

func (e *StuckError) Error() string {
	return fmt.Sprintf("the peer does not read its input: more than %d MiB are waiting", e.Limit>>20)
}

// Localize returns the message for a person: its key in the catalogue and its
// arguments.
func (e *StuckError) Localize() (string, map[string]any) {
	return "acp.Stuck", map[string]any{"Limit": e.Limit >> 20}
}

// A TooLongError says that the answer to a call was a line of more than Limit
// bytes, and was dropped.
type TooLongError struct{ Limit int }

func (e *TooLongError) Error() string {
	return fmt.Sprintf("the answer is longer than %d MiB", e.Limit>>20)
}

// Localize returns the message for a person: its key in the catalogue and its
// arguments.
func (e *TooLongError) Localize() (string, map[string]any) {
	return "acp.TooLong", map[string]any{"Limit": e.Limit >> 20}
}

// clip returns the first max bytes of text, without a broken character.
func clip[T ~string | ~[]byte](text T, max int) string {
	if len(text) <= max {
		return strings.ToValidUTF8(string(text), "\uFFFD")
	}
	return strings.ToValidUTF8(string(text[:max]), "") + "…"
}
