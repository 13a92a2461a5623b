package acp

import (
	"bufio"
	"bytes"
	"io"
)

// edge is how much is kept of the beginning and of the end of a line that is
// too long: enough for the envelope of its message.
const edge = 4 << 10

// lines splits a stream into lines of at most max bytes.
type lines struct {
	r   *bufio.Reader
	max int
	buf []byte
}

func newLines(r io.Reader, max int) *lines {
	return &lines{r: bufio.NewReaderSize(r, 64<<10), max: max}
}

// next returns a line, valid until the next call. Of a line longer than max it
// returns the beginning, and the end as tail, which is nil otherwise. The last
// line may come together with the error that ended the stream.
func (l *lines) next() (line, tail []byte, err error) {
	if cap(l.buf) > 1<<20 {
		l.buf = nil
	}
	l.buf = l.buf[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		if len(l.buf)+len(part) > l.max {
			return l.skip(part, err)
		}
		if err == nil && len(l.buf) == 0 {
			return part, nil, nil
		}
		l.buf = append(l.buf, part...)
		if err != bufio.ErrBufferFull {
			return l.buf, nil, err
		}
	}
}

// skip reads to the end of a line without keeping it.
func (l *lines) skip(part []byte, err error) (head, tail []byte, _ error) {
	head = bytes.Clone(l.buf[:min(len(l.buf), edge)])
	head = append(head, part[:min(len(part), edge-len(head))]...)
	tail = last(nil, part)
	l.buf = nil
	for err == bufio.ErrBufferFull {
		part, err = l.r.ReadSlice('\n')
		tail = last(tail, part)
	}
	return head, tail, err
}

// last returns the last bytes of tail followed by part, in the array of tail.
func last(tail, part []byte) []byte {
	part = part[max(0, len(part)-edge):]
	if spare := len(tail) + len(part) - edge; spare > 0 {
		tail = tail[:copy(tail, tail[spare:])]
	}
	return append(tail, part...)
}
