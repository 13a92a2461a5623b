package app

import (
	"bufio"
	"io"
	"os"
	"strings"
	"testing"
)

// lineReader reads what a child process prints.
type lineReader struct {
	t   testing.TB
	out *bufio.Scanner
}

func newScanner(r io.Reader) *bufio.Scanner { return bufio.NewScanner(r) }

// expect reads up to a line.
func (l *lineReader) expect(line string) {
	l.t.Helper()
	for l.out.Scan() {
		if l.out.Text() == line {
			return
		}
	}
	l.t.Fatalf("the other process never printed %q", line)
}

// exists tells whether a process is there and not a zombie.
func exists(pid string) bool {
	data, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(data), ") ")
	return !strings.HasPrefix(state, "Z")
}
