package acp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
)

// frameCost is what a queued message holds in memory besides its text, so that
// a flood of tiny ones is bounded too.
const frameCost = 256

// A message is a request, a notification or a response.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"` // echoed as it came
	Method  *string         `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

type cancelRequest struct {
	RequestID json.RawMessage `json:"requestId"`
}

// read queues what the peer sends. It runs no code of the handler, and outlives
// the connection: a peer that is ending must be able to write its last words.
func (c *Conn) read(r io.Reader) {
	in := newLines(r, c.limits.line)
	for {
		line, tail, err := in.next()
		c.tap(false, line)
		if do := c.action(line, tail); do != nil {
			_ = c.inbox.put(do, len(line)+frameCost) // fails when closed
		}
		if err != nil {
			c.inbox.close(&ClosedError{err})
			return
		}
	}
}

// dispatch handles what was read, in order.
func (c *Conn) dispatch() {
	defer close(c.done)
	for {
		do, err := c.inbox.get()
		if err != nil {
			c.shut(err)
			c.outbox.close(err)
			return
		}
		do()
	}
}

// leading matches what a terminal would not show: escape sequences that set a
// colour or a title, a byte order mark. Agents started through a shell get
// them in front of their first message.
var leading = regexp.MustCompile(`^(?:\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x{FEFF}|[\x00-\x20])+`)

// action returns what to do about a line, nil for a blank one. The line is not
// used after action returns.
func (c *Conn) action(line, tail []byte) func() {
	if tail != nil {
		return c.tooLong(line, tail)
	}
	line = bytes.TrimSpace(line)
	if len(line) > 0 && line[0] != '{' {
		line = line[len(leading.Find(line)):]
	}
	if len(line) == 0 {
		return nil
	}
	var m struct {
		message
		Params json.RawMessage `json:"params"`
	}
	if line[0] != '{' || json.Unmarshal(line, &m) != nil {
		return c.skip(NoiseText, line)
	}
	hasID := len(m.ID) > 0 && string(m.ID) != "null"
	switch {
	case m.Method != nil && hasID:
		return func() { c.serve(m.ID, *m.Method, m.Params) }
	case m.Method != nil && *m.Method == MethodCancelRequest:
		return func() { c.cancelServing(m.Params) }
	case m.Method != nil:
		return func() { c.notify(*m.Method, m.Params) }
	case hasID && m.Error != nil:
		return func() { c.answer(m.ID, answer{err: m.Error}) }
	case hasID && m.Result != nil:
		return func() { c.answer(m.ID, answer{result: m.Result}) }
	case m.Error != nil:
		return c.skip(NoiseError, []byte(m.Error.Error()))
	}
	return c.skip(NoiseObject, line)
}

func (c *Conn) skip(kind Noise, line []byte) func() {
	text := clip(line, maxNoise)
	return func() { c.noise(kind, text) }
}

// tooLong drops a line, and fails the request it asks or answers so that nobody
// waits forever.
func (c *Conn) tooLong(head, tail []byte) func() {
	id, method := envelope(head, tail)
	skip := c.skip(NoiseTooLong, head)
	return func() {
		skip()
		switch {
		case id == nil:
		case method == "":
			c.answer(id, answer{err: &TooLongError{c.limits.line}})
		default:
			c.reply(id, nil, &Error{Code: CodeInvalidRequest, Message: "the request is longer than this side reads"})
		}
	}
}

// lastID matches an id that ends a message.
var lastID = regexp.MustCompile(`"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*\}\s*$`)

// envelope finds the id and the method of a message of which only the beginning
// and the end are known: some peers write the id first, others last.
func envelope(head, tail []byte) (id json.RawMessage, method string) {
	dec := json.NewDecoder(bytes.NewReader(head))
	if start, _ := dec.Token(); start == json.Delim('{') {
		for {
			key, _ := dec.Token()
			var err error
			switch key {
			case "id":
				err = dec.Decode(&id)
			case "method":
				err = dec.Decode(&method)
			case "jsonrpc":
				err = dec.Decode(new(json.RawMessage))
			default:
				err = io.EOF
			}
			if err != nil {
				break
			}
		}
	}
	if id == nil || string(id) == "null" {
		id = nil
		if m := lastID.FindSubmatch(tail); m != nil {
			id = m[1]
		}
	}
	return id, method
}

func (c *Conn) notify(method string, params json.RawMessage) {
	defer c.contain(method)
	c.handler.Notify(method, params)
}

// answer ends the call that id belongs to. Some peers send a number back as a
// string.
func (c *Conn) answer(id json.RawMessage, a answer) {
	key := string(id)
	if text, err := strconv.Unquote(key); err == nil {
		key = text
	}
	if !c.deliver(key, a) {
		c.noise(NoiseUnmatched, key)
	}
}

// serve starts the handling of a request.
func (c *Conn) serve(id json.RawMessage, method string, params json.RawMessage) {
	ctx, cancel := context.WithCancel(c.ctx)
	key := string(id)
	c.mu.Lock()
	full := len(c.serving) >= maxServing
	if !full {
		c.serving[key] = cancel
	}
	c.mu.Unlock()
	if full {
		cancel()
		c.reply(id, nil, &Error{Code: CodeInternal, Message: "too many requests at once"})
		return
	}
	go func() {
		result, failure := c.request(ctx, method, params)
		c.mu.Lock()
		delete(c.serving, key)
		c.mu.Unlock()
		cancel()
		c.reply(id, result, failure)
	}()
}

func (c *Conn) request(ctx context.Context, method string, params json.RawMessage) (result any, failure *Error) {
	failure = &Error{Code: CodeInternal, Message: "the request could not be handled"} // unless it returns
	defer c.contain(method)
	return c.handler.Request(ctx, method, params)
}

func (c *Conn) cancelServing(params json.RawMessage) {
	var p cancelRequest
	_ = Decode(params, &p)
	c.mu.Lock()
	cancel := c.serving[string(p.RequestID)]
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// contain keeps a panic of the handler from ending the program.
func (c *Conn) contain(method string) {
	if p := recover(); p != nil {
		c.noise(NoisePanic, clip(fmt.Sprintf("%s: %v", method, p), maxNoise))
	}
}
