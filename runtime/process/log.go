package process

import "sync"

// lineCost is what a line costs beside its text, so that a million empty lines
// count too.
const lineCost = 16

// Log keeps the last lines of a text, up to a limit in bytes. Long lines are
// cut, invalid UTF-8 is replaced, terminal sequences are kept. Its methods may
// be called from any goroutine.
type Log struct {
	mu      sync.Mutex
	limit   int
	size    int
	dropped int
	lines   []string
	input   lines
}

// NewLog returns a log of at most limit bytes, counting a few for each line.
func NewLog(limit int) *Log {
	l := &Log{limit: limit}
	l.input.emit = l.append
	return l
}

// Write adds text, which may end within a line. It never fails.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.input.Write(p)
}

// Add adds a line of its own, even while another one is being written.
func (l *Log) Add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	whole := lines{emit: l.append}
	_, _ = whole.Write([]byte(line))
	whole.flush()
}

// Lines returns the last n lines, oldest first, all of them when n is negative.
// A line that has not ended is the last one.
func (l *Log) Lines(n int) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.lines[:len(l.lines):len(l.lines)]
	if l.input.pending() {
		all = append(all, l.input.text())
	}
	if n < 0 || n > len(all) {
		n = len(all)
	}
	return append([]string(nil), all[len(all)-n:]...)
}

// Dropped returns how many lines were let go to stay under the limit.
func (l *Log) Dropped() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dropped
}

// append keeps a line; the newest one stays whatever its length.
func (l *Log) append(line string) {
	l.lines = append(l.lines, line)
	l.size += len(line) + lineCost
	for l.size > l.limit && len(l.lines) > 1 {
		l.size -= len(l.lines[0]) + lineCost
		l.lines[0] = ""
		l.lines = l.lines[1:]
		l.dropped++
	}
}
