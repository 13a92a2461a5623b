package process

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

func TestLogLines(t *testing.T) {
	long := strings.Repeat("é", maxLine) // twice too long
	for name, test := range map[string]struct {
		writes []string
		want   []string
	}{
		"nothing":             {nil, nil},
		"lines":               {[]string{"a\nb\n"}, []string{"a", "b"}},
		"in pieces":           {[]string{"a", "b\nc", "\n"}, []string{"ab", "c"}},
		"unfinished":          {[]string{"a\nb"}, []string{"a", "b"}},
		"empty lines":         {[]string{"\n\na\n"}, []string{"", "", "a"}},
		"Windows line ends":   {[]string{"a\r", "\nb\r\n"}, []string{"a", "b"}},
		"colours":             {[]string{"\x1b[31mred\x1b[0m\n"}, []string{"\x1b[31mred\x1b[0m"}},
		"not UTF-8":           {[]string{"a\xff\xfeb\n"}, []string{"a\uFFFDb"}},
		"a rune in two":       {[]string{"\xc3", "\xa9\n"}, []string{"é"}},
		"too long":            {[]string{long + "\nb\n"}, []string{long[:maxLine] + cutMark, "b"}},
		"too long, in a rune": {[]string{"x" + long + "\nb\n"}, []string{"x" + long[:maxLine-2] + cutMark, "b"}},
		"just not too long":   {[]string{long[:maxLine] + "\n"}, []string{long[:maxLine]}},
		"without end":         {[]string{long, long, long}, []string{long[:maxLine] + cutMark}},
	} {
		t.Run(name, func(t *testing.T) {
			log := NewLog(1 << 20)
			for _, text := range test.writes {
				if n, err := log.Write([]byte(text)); n != len(text) || err != nil {
					t.Fatalf("Write returned %d, %v", n, err)
				}
			}
			if got := log.Lines(-1); !slices.Equal(got, test.want) {
				t.Errorf("got %.80q, want %.80q", got, test.want)
			}
		})
	}
}

func TestLogForgets(t *testing.T) {
	const limit = 1000
	log := NewLog(limit)
	for i := range 500 {
		fmt.Fprintf(log, "line %d\n", i)
	}
	kept := log.Lines(-1)
	size := 0
	for _, line := range kept {
		size += len(line)
	}
	if size > limit || len(kept)+log.Dropped() != 500 || kept[len(kept)-1] != "line 499" {
		t.Errorf("%d lines of %d bytes, %d dropped, last %q", len(kept), size, log.Dropped(), kept[len(kept)-1])
	}
	if got := log.Lines(2); !slices.Equal(got, []string{"line 498", "line 499"}) {
		t.Errorf("last two: %q", got)
	}
	if got := log.Lines(0); len(got) != 0 {
		t.Errorf("last none: %q", got)
	}
}

func TestLogAdd(t *testing.T) {
	log := NewLog(1 << 10)
	fmt.Fprint(log, "half a ")
	log.Add("whole")
	fmt.Fprint(log, "line\n")
	if got, want := log.Lines(-1), []string{"whole", "half a line"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLogTogether(t *testing.T) {
	log := NewLog(1 << 10)
	var users sync.WaitGroup
	for range 4 {
		users.Go(func() {
			for range 200 {
				fmt.Fprint(log, "text\n")
				log.Add("more")
				log.Lines(5)
				log.Dropped()
			}
		})
	}
	users.Wait()
	if got := len(log.Lines(-1)) + log.Dropped(); got != 4*200*2 {
		t.Errorf("%d lines seen", got)
	}
}

func FuzzLog(f *testing.F) {
	f.Add([]byte("a\r\nb\xff\x1b[1m"), 2)
	f.Fuzz(func(t *testing.T, text []byte, at int) {
		whole, pieces := NewLog(1<<16), NewLog(1<<16)
		_, _ = whole.Write(text)
		at = max(0, min(at, len(text)))
		_, _ = pieces.Write(text[:at])
		_, _ = pieces.Write(text[at:])
		if !slices.Equal(whole.Lines(-1), pieces.Lines(-1)) {
			t.Errorf("%q and %q", whole.Lines(-1), pieces.Lines(-1))
		}
		for _, line := range whole.Lines(-1) {
			if !utf8.ValidString(line) || strings.Contains(line, "\n") || len(line) > 3*maxLine+len(cutMark) {
				t.Errorf("bad line %q", line)
			}
		}
	})
}
