package acp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
)

const (
	// MaxLine is the longest message that is read, in bytes. A longer one is
	// dropped, and the request it belongs to fails.
	MaxLine = 64 << 20
	// MaxQueued is how much may be received and not yet handled, in bytes.
	// Beyond it the peer is no longer read until the handler has caught up.
	MaxQueued = 256 << 20
	// MaxUnsent is how much may wait for a peer that does not read, in bytes.
	// Beyond it calls and notifications fail with a StuckError.
	MaxUnsent = 64 << 20
	// maxServing is how many requests of the peer are handled at once.
	maxServing = 1024
)

// MethodCancelRequest is the notification, either way, that the answer to a
// request is no longer awaited. Conn sends and handles it.
const MethodCancelRequest = "$/cancel_request"

// A Handler receives what the peer sends. A panic of a handler is contained.
type Handler interface {
	// Notify handles a notification. Notifications are handled one at a time in
	// the order of the wire, so it must not wait for an answer of the peer.
	Notify(method string, params json.RawMessage)
	// Request answers a request, on a goroutine that starts once everything
	// received before is handled. ctx ends when the peer cancels the request and
	// when the connection closes. The result is marshalled as JSON. A method
	// that is not known is answered with [MethodNotFound].
	Request(ctx context.Context, method string, params json.RawMessage) (any, *Error)
	// Noise is told of what was skipped. line is the beginning of it. It may be
	// called by several goroutines at once.
	Noise(kind Noise, line string)
}

// A Conn is one connection to a peer. Its methods may be called by several
// goroutines at once.
type Conn struct {
	handler Handler
	limits  limits
	tap     func(sent bool, line []byte)

	ctx    context.Context // of the requests being served
	cancel context.CancelFunc
	done   chan struct{}
	inbox  *queue[func()]
	outbox *queue[outgoing]
	noises [noiseKinds]atomic.Int64

	mu      sync.Mutex
	closed  error
	nextID  int64
	pending map[string]chan answer // our requests; nil when nobody waits any more
	serving map[string]context.CancelFunc
}

// limits are those of the constants; tests make them small.
type limits struct{ line, queued, unsent int }

// An outgoing line; id is set when a call waits for its answer.
type outgoing struct {
	line []byte
	id   string
}

// An answer ends a call.
type answer struct {
	result json.RawMessage
	err    error
}

// An Option changes a Conn that is being made.
type Option func(*Conn)

// Tap shows f each line of the traffic before it is handled or written. f is
// called by two goroutines, must return quickly, and must not keep the line. Of
// a line longer than [MaxLine] it sees the beginning.
func Tap(f func(sent bool, line []byte)) Option {
	return func(c *Conn) { c.tap = f }
}

// NewConn starts a connection that reads the peer from r and writes to it
// through w. It closes w, after what is queued is written, when it is closed
// itself or the peer ends its stream. The caller closes r.
func NewConn(r io.Reader, w io.WriteCloser, h Handler, options ...Option) *Conn {
	return newConn(r, w, h, limits{MaxLine, MaxQueued, MaxUnsent}, options...)
}

func newConn(r io.Reader, w io.WriteCloser, h Handler, l limits, options ...Option) *Conn {
	c := &Conn{
		handler: h,
		limits:  l,
		tap:     func(bool, []byte) {},
		done:    make(chan struct{}),
		inbox:   newQueue[func()](l.queued),
		outbox:  newQueue[outgoing](l.unsent),
		pending: map[string]chan answer{},
		serving: map[string]context.CancelFunc{},
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	for _, o := range options {
		o(c)
	}
	go c.read(r)
	go c.dispatch()
	go c.write(w)
	return c
}

// Done is closed when the connection is closed and everything received before
// is handled.
func (c *Conn) Done() <-chan struct{} { return c.done }

// CloseWrite ends the peer's input once everything queued is written. Messages
// of the peer are still received.
func (c *Conn) CloseWrite() {
	c.outbox.close(&ClosedError{errors.New("closed for writing")})
}

// Close ends the connection without waiting for the peer: pending calls fail,
// what is queued in either direction is dropped. The goroutines of the
// connection end when r and w are closed, and the handler has returned.
func (c *Conn) Close() {
	closed := &ClosedError{errors.New("closed by this side")}
	c.shut(closed)
	c.inbox.drop(closed)
	c.outbox.drop(closed)
}

// shut fails the pending calls and cancels the requests being served.
func (c *Conn) shut(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed != nil {
		return
	}
	c.closed = err
	for id, waiting := range c.pending {
		if waiting != nil {
			waiting <- answer{err: err}
		}
		delete(c.pending, id)
	}
	c.cancel()
}

// Call sends a request and waits for its answer, which it decodes into result
// as [Decode] does; a nil result drops it. Everything received before the answer
// is handled when Call returns. The error is an *[Error] when the peer answered
// with one.
//
// When ctx ends, Call tells the peer by "$/cancel_request" and returns the
// cause; a late answer is dropped. To stop a turn, send session/cancel and keep
// waiting for the answer to session/prompt.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	id, waiting, err := c.expect()
	if err != nil {
		return err
	}
	if err := c.send(message{ID: json.RawMessage(id), Method: &method, Params: params}, id); err != nil {
		c.deliver(id, answer{err: err})
	}
	select {
	case a := <-waiting:
		return a.decode(result)
	case <-ctx.Done():
	}
	if !c.abandon(id) {
		a := <-waiting // it came at the same moment
		return a.decode(result)
	}
	// A peer that does not read will not mind.
	_ = c.Notify(MethodCancelRequest, cancelRequest{json.RawMessage(id)})
	return context.Cause(ctx)
}

// expect registers a request to be sent.
func (c *Conn) expect() (id string, waiting chan answer, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed != nil {
		return "", nil, c.closed
	}
	c.nextID++
	id, waiting = strconv.FormatInt(c.nextID, 10), make(chan answer, 1)
	c.pending[id] = waiting
	return id, waiting, nil
}

// deliver ends the call of the given id. It reports whether there is one.
func (c *Conn) deliver(id string, a answer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting, known := c.pending[id]
	delete(c.pending, id)
	if waiting != nil {
		waiting <- a
	}
	return known
}

// abandon gives up a call, whose answer may still come. It fails when the
// answer is there.
func (c *Conn) abandon(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, waits := c.pending[id]
	if waits {
		c.pending[id] = nil
	}
	return waits
}

func (a answer) decode(result any) error {
	if a.err != nil || result == nil || len(a.result) == 0 {
		return a.err
	}
	return Decode(a.result, result)
}

// Notify sends a notification. It does not wait for it to be written.
func (c *Conn) Notify(method string, params any) error {
	return c.send(message{Method: &method, Params: params}, "")
}

// reply answers a request of the peer.
func (c *Conn) reply(id json.RawMessage, result any, failure *Error) {
	m := message{ID: id, Error: failure}
	if failure == nil {
		var err error
		if m.Result, err = json.Marshal(result); err != nil {
			m.Error = &Error{Code: CodeInternal, Message: "the result can't be written as JSON"}
		}
	}
	if err := c.send(m, ""); errors.As(err, new(*StuckError)) {
		c.noise(NoiseUnsent, string(id))
	}
}

func (c *Conn) send(m message, id string) error {
	m.JSONRPC = "2.0"
	var line bytes.Buffer
	enc := json.NewEncoder(&line) // it ends what it writes with a newline
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return err
	}
	err := c.outbox.offer(outgoing{line.Bytes(), id}, line.Len())
	if err == errFull {
		return &StuckError{c.limits.unsent}
	}
	return err
}

func (c *Conn) write(w io.WriteCloser) {
	defer w.Close()
	for {
		out, err := c.outbox.get()
		if err != nil {
			return
		}
		c.tap(true, out.line)
		if _, err := w.Write(out.line); err != nil {
			closed := &ClosedError{err}
			// What was written may still be answered.
			for _, out := range append(c.outbox.drop(closed), out) {
				c.deliver(out.id, answer{err: closed})
			}
			return
		}
	}
}
