package process

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"
)

// maxLine is how many bytes of a line are kept, cutMark apart.
const (
	maxLine = 16 << 10
	cutMark = " […]"
)

// lines is a writer that splits text into lines and gives them to emit, without
// their end. It holds one line at most, cut when it is longer than maxLine.
type lines struct {
	emit    func(line string)
	partial []byte // what is kept of the line so far
	cut     bool   // part of the line was not kept
}

// NewLineWriter returns a writer that splits text into lines and gives them to
// emit, without their end: long ones cut, invalid UTF-8 replaced. Close gives
// it a last line that has no end. It is for one goroutine.
func NewLineWriter(emit func(line string)) io.WriteCloser { return &lines{emit: emit} }

// Close never fails.
func (l *lines) Close() error {
	if l.pending() {
		l.flush()
	}
	return nil
}

// Write never fails.
func (l *lines) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		text, after, ended := bytes.Cut(rest, []byte("\n"))
		rest = after
		if room := maxLine - len(l.partial); len(text) > room {
			text, l.cut = text[:room], true
		}
		l.partial = append(l.partial, text...)
		if ended {
			l.flush()
		}
	}
	return len(p), nil
}

// flush emits the line so far, as if it had ended.
func (l *lines) flush() {
	l.emit(l.text())
	l.partial, l.cut = l.partial[:0], false
}

// text returns the line so far.
func (l *lines) text() string {
	if !l.cut {
		return clean(bytes.TrimSuffix(l.partial, []byte("\r")))
	}
	whole := l.partial
	for i := 1; i < utf8.UTFMax && i <= len(whole); i++ {
		if tail := whole[len(whole)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				whole = whole[:len(whole)-i]
			}
			break
		}
	}
	return clean(whole) + cutMark
}

func (l *lines) pending() bool { return len(l.partial) > 0 || l.cut }

func clean(text []byte) string { return strings.ToValidUTF8(string(text), "\uFFFD") }
