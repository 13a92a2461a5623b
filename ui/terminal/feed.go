package terminal

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	// piece is how much is read, and shown, at once: the window never waits for
	// longer than that takes.
	piece = 8 << 10
	// frame is the shortest time between two drawings.
	frame = time.Second / 60
	// mostTyped bounds what waits for a program that does not read.
	mostTyped = 8 << 20
)

// feed is what runs beside the window: the program's output is read and its
// input written, each by a goroutine, so that neither waits for the other. A
// program that answers nothing before it is read, and one that reads nothing
// before it is answered, both go on.
type feed struct {
	running sync.WaitGroup
	done    chan struct{} // closed by close
	close   func()
	wake    chan struct{} // there is something to type

	mu    sync.Mutex
	typed []byte
	drawn time.Time // the last drawing

	dirty atomic.Bool // a drawing is under way
	shown func()      // optional: told of each drawing
}

func newFeed() feed {
	done := make(chan struct{})
	return feed{done: done, close: sync.OnceFunc(func() { close(done) }), wake: make(chan struct{}, 1)}
}

// run starts the program and reads it to its end.
func (t *Terminal) run(cols, rows int) {
	program, err := t.options.Start(cols, rows)
	if err != nil {
		t.tell(func() { t.options.Ended(err) })
		return
	}
	t.mu.Lock()
	closed := t.closed
	t.program = program
	nowCols, nowRows := t.screen.Size()
	t.mu.Unlock()
	if closed {
		_ = program.Close()
		return
	}
	if nowCols != cols || nowRows != rows {
		_ = program.Resize(nowCols, nowRows)
	}
	t.feed.running.Go(func() { t.write(program) })
	t.read(program)
	t.feed.close()
	t.tell(func() { t.draw(); t.options.Ended(nil) })
}

// tell runs something on the window's goroutine unless the terminal was closed.
func (t *Terminal) tell(f func()) {
	t.options.Do(func() {
		t.mu.Lock()
		closed := t.closed
		t.mu.Unlock()
		if !closed {
			f()
		}
	})
}

func (t *Terminal) read(program Program) {
	p := make([]byte, piece)
	for {
		n, err := program.Read(p)
		if n > 0 {
			t.mu.Lock()
			_, _ = t.screen.Write(p[:n])
			answers := t.screen.Answers()
			t.mu.Unlock()
			t.send(answers)
			t.changed()
		}
		if err != nil {
			return
		}
	}
}

// send hands bytes to the program.
func (t *Terminal) send(p []byte) {
	if len(p) == 0 {
		return
	}
	f := &t.feed
	f.mu.Lock()
	if len(f.typed)+len(p) <= mostTyped {
		f.typed = append(f.typed, p...)
	}
	f.mu.Unlock()
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

func (t *Terminal) write(program Program) {
	f := &t.feed
	for {
		select {
		case <-f.wake:
		case <-f.done:
			return
		}
		f.mu.Lock()
		p := f.typed
		f.typed = nil
		f.mu.Unlock()
		if _, err := program.Write(p); err != nil {
			return // its end is told by reading
		}
	}
}

// changed has the screen drawn: at once if it was not just drawn, else when
// the time has come. A flood costs no more drawings than a person sees.
func (t *Terminal) changed() {
	f := &t.feed
	if f.dirty.Swap(true) {
		return
	}
	f.mu.Lock()
	wait := frame - time.Since(f.drawn)
	f.mu.Unlock()
	draw := func() { t.tell(t.draw) }
	if wait <= 0 {
		draw()
		return
	}
	time.AfterFunc(wait, draw)
}

// draw shows what has changed.
func (t *Terminal) draw() {
	f := &t.feed
	f.mu.Lock()
	f.drawn = time.Now()
	f.mu.Unlock()
	f.dirty.Store(false)
	var bells int
	t.locked(func() { bells = t.screen.Bells() })
	if bells != t.rung {
		t.rung = bells
		if t.options.Bell != nil {
			t.options.Bell()
		}
	}
	t.raster.Refresh()
	t.showThumb()
	if f.shown != nil {
		f.shown()
	}
}
