package editor

import (
	"slices"
	"strings"
	"time"
)

// place is where the caret may be: before a byte of a line, both from 0.
type place struct{ line, at int }

func (p place) before(q place) bool {
	return p.line < q.line || p.line == q.line && p.at < q.at
}

// buffer is a text by its lines, with what was done to it.
type buffer struct {
	lines []string // without their ends; never empty
	end   string   // of a line: "\n", or "\r\n" where all are so

	done, undone []change
	saved        int // len(done) when the text was saved; -1: that state is gone
	kept         int // bytes in done
}

// change is one replacement of a text by another.
type change struct {
	from          place
	removed, came string
	caret         place // before it
	time          time.Time
}

const (
	mostKept  = 64 << 20 // bytes of changes that can be undone
	together  = time.Second
	aWordSize = 64 // bytes of typing that are undone at once
)

func newBuffer(text string) *buffer {
	b := &buffer{end: "\n"}
	if n := strings.Count(text, "\n"); n > 0 && n == strings.Count(text, "\r\n") {
		b.end = "\r\n"
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	b.lines = strings.Split(text, "\n")
	return b
}

// text is the whole text, byte for byte as it was where nothing changed.
func (b *buffer) text() string { return strings.Join(b.lines, b.end) }

func (b *buffer) last() place {
	n := len(b.lines) - 1
	return place{n, len(b.lines[n])}
}

// between is the text from one place to another, with plain line ends.
func (b *buffer) between(from, to place) string {
	if from.line == to.line {
		return b.lines[from.line][from.at:to.at]
	}
	var s strings.Builder
	s.WriteString(b.lines[from.line][from.at:])
	for _, line := range b.lines[from.line+1 : to.line] {
		s.WriteByte('\n')
		s.WriteString(line)
	}
	s.WriteByte('\n')
	s.WriteString(b.lines[to.line][:to.at])
	return s.String()
}

// replace puts a text in the place of what is between two places, and returns
// its end. caret is where the caret was.
func (b *buffer) replace(from, to place, text string, caret place, now time.Time) place {
	c := change{from: from, removed: b.between(from, to), came: text, caret: caret, time: now}
	end := b.apply(from, to, text)
	if b.saved > len(b.done) {
		b.saved = -1
	}
	b.undone = nil
	if !b.join(c) {
		b.done = append(b.done, c)
	}
	b.kept += len(c.removed) + len(c.came)
	for b.kept > mostKept && len(b.done) > 1 {
		b.kept -= len(b.done[0].removed) + len(b.done[0].came)
		b.done = b.done[1:]
		b.saved = max(-1, b.saved-1)
	}
	return end
}

// join makes a change part of the one before when it goes on typing, or
// deleting, a word.
func (b *buffer) join(c change) bool {
	n := len(b.done)
	if n == 0 || n == b.saved || c.time.Sub(b.done[n-1].time) > together {
		return false
	}
	last := &b.done[n-1]
	if strings.ContainsAny(c.removed+c.came, " \t\n") || len(last.came)+len(last.removed) > aWordSize {
		return false
	}
	switch {
	case c.removed == "" && last.removed == "" && c.from == (place{last.from.line, last.from.at + len(last.came)}):
		last.came += c.came
	case c.came == "" && last.came == "" && c.from.line == last.from.line && c.from.at+len(c.removed) == last.from.at:
		last.from, last.removed = c.from, c.removed+last.removed
	default:
		return false
	}
	last.time = c.time
	return true
}

// apply changes the lines and returns where the text ends that came.
func (b *buffer) apply(from, to place, text string) place {
	came := strings.Split(text, "\n")
	before, after := b.lines[from.line][:from.at], b.lines[to.line][to.at:]
	n := len(came) - 1
	end := place{from.line + n, len(came[n])}
	if n == 0 {
		end.at += from.at
	}
	came[0] = before + came[0]
	came[n] += after
	b.lines = slices.Replace(b.lines, from.line, to.line+1, came...)
	return end
}

// undo takes the last change back and returns where the caret was, or false.
func (b *buffer) undo() (place, bool) {
	n := len(b.done) - 1
	if n < 0 {
		return place{}, false
	}
	c := b.done[n]
	b.apply(c.from, after(c.from, c.came), c.removed)
	b.done, b.undone = b.done[:n], append(b.undone, c)
	return c.caret, true
}

// redo makes the change again that was undone last.
func (b *buffer) redo() (place, bool) {
	n := len(b.undone) - 1
	if n < 0 {
		return place{}, false
	}
	c := b.undone[n]
	end := b.apply(c.from, after(c.from, c.removed), c.came)
	b.undone, b.done = b.undone[:n], append(b.done, c)
	return end, true
}

// after is where a text ends that begins at a place.
func after(from place, text string) place {
	n := strings.Count(text, "\n")
	if n == 0 {
		return place{from.line, from.at + len(text)}
	}
	return place{from.line + n, len(text) - strings.LastIndexByte(text, '\n') - 1}
}

func (b *buffer) changed() bool { return len(b.done) != b.saved }
