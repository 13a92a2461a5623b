package screen

import (
	"fmt"
	"image/color"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
)

func showing(cols, rows int, output ...string) *Screen {
	s := New(cols, rows)
	for _, o := range output {
		_, _ = s.Write([]byte(o))
	}
	return s
}

func TestWrite(t *testing.T) {
	for _, c := range []struct{ name, output, want string }{
		{"text", "one\r\ntwo", "one\ntwo"},
		{"wrapped", "0123456789ab", "0123456789\nab"},
		{"the last column waits", "0123456789\r\nx", "0123456789\nx"},
		{"and is written over without wrapping", "\x1b[?7l0123456789abc", "012345678c"},
		{"wide characters", "日本", "日本"},
		{"a wide character that does not fit", "123456789日x", "123456789\n日x"},
		{"a wide one up to the edge", "12345678日本x", "12345678日\n本x"},
		{"half of a wide one written over", "日本\r\x1b[Cx", " x本"},
		{"its first half written over", "日本\rx", "x 本"},
		{"combining", "e\u0301x", "e\u0301x"},
		{"combining over a wide one", "日\u0301x", "日\u0301x"},
		{"combining at the edge", "0123456789\u0301", "0123456789\u0301"},
		{"combining with nothing before", "\u0301x", "x"},
		{"joined emoji", "👩\u200d💻x", "👩\u200d💻x"},
		{"cursor", "\x1b[3;2Hx\x1b[Hy", "y\n\n x"},
		{"erased to the end", "abc\x1b[2D\x1b[K", "a"},
		{"erased before", "abcd\x1b[2D\x1b[1K", "   d"},
		{"the screen erased", "abc\x1b[2Jx", "   x"},
		{"cells inserted", "abc\r\x1b[2@x", "x abc"},
		{"insert mode", "abc\r\x1b[4hxy\x1b[4lz", "xyzbc"},
		{"cells deleted", "abcdef\r\x1b[2P", "cdef"},
		{"cells erased", "abcdef\r\x1b[2X", "  cdef"},
		{"lines inserted", "a\r\nb\x1b[H\x1b[L", "\na\nb"},
		{"lines deleted", "a\r\nb\r\nc\x1b[H\x1b[M", "b\nc"},
		{"repeated", "ab\x1b[3b", "abbbb"},
		{"tabulator", "a\tb", "a       b"},
		{"back to a tabulator", "a\tb\x1b[Zc", "a       c"},
		{"saved", "ab\x1b7\x1b[3;3Hx\x1b8c", "abc\n\n  x"},
		{"saved the other way", "ab\x1b[s\x1b[3;3Hx\x1b[uc", "abc\n\n  x"},
		{"lines and corners", "\x1b(0lqk\x1b(Bq", "┌─┐q"},
		{"lines by shifting", "\x1b)0\x0eq\x0fq", "─q"},
		{"a region scrolls", "a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[3H\n", "a\nc\n\nd"},
		{"and backwards", "a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[2H\x1bM", "a\n\nb\nd"},
		{"origin", "\x1b[2;3r\x1b[?6hx", "\nx"},
		{"the alternate screen", "a\x1b[?1049h\x1b[Hzz", "zz"},
		{"and back", "a\x1b[?1049h\x1b[Hzz\x1b[?1049lb", "ab"},
		{"the alternate screen is empty again", "\x1b[?1049hzz\x1b[?1049l\x1b[?1049h", ""},
		{"reset", "abc\x1bcx", "x"},
		{"a title", "a\x1b]0;✓ Ünder\x07b\x1b]2;✳\x1b\\c", "abc"},
		{"the clipboard", "a\x1b]52;c;aGk=\x07b", "ab"},
		{"a device string", "a\x1bP1$r0m\x1b\\b", "ab"},
		{"a string that is cut short", "a\x1b]0;x\x1b[31mb", "ab"},
		{"keys of xterm", "a\x1b[>4;2mb\x1b[>1u\x1b[?u\x1b[<uc", "abc"},
		{"cancelled", "a\x1b[31\x18b", "ab"},
		{"a control inside a sequence", "a\x1b[3\r1mb", "b"},
		{"a sequence that makes no sense", "a\x1b[1?2;3mb", "ab"},
		{"too many parameters", "a\x1b[" + strings.Repeat("1;", 100) + "mb", "ab"},
		{"a number without bounds", "a\x1b[99999999999999999999Cb", "a        b"},
		{"what is no character", "a\xffb\xc3\x1b[1mc", "a\ufffdb\ufffdc"},
		{"the other controls", "a\u009b31mb", "a31mb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := showing(10, 4, c.output).String(); got != c.want {
				t.Errorf("all at once: %q, want %q", got, c.want)
			}
			if got := showing(10, 4, strings.Split(c.output, "")...).String(); got != c.want {
				t.Errorf("character by character: %q, want %q", got, c.want)
			}
			s := New(10, 4)
			for i := range len(c.output) {
				_, _ = s.Write([]byte{c.output[i]})
			}
			if got := s.String(); got != c.want {
				t.Errorf("byte by byte: %q, want %q", got, c.want)
			}
		})
	}
}

func TestPaint(t *testing.T) {
	for _, c := range []struct {
		output string
		want   Cell
	}{
		{"\x1b[1;3;4;7mx", Cell{Attr: Bold | Italic | Underline | Reverse}},
		{"\x1b[1;2;9mx", Cell{Attr: Bold | Faint | Strike}},
		{"\x1b[1;22;3;23;4;24mx", Cell{}},
		{"\x1b[4:3mx", Cell{Attr: CurlyUnderline}},
		{"\x1b[4:3;4:0mx", Cell{}},
		{"\x1b[21mx", Cell{Attr: DoubleUnderline}},
		{"\x1b[31;42mx", Cell{Fg: Indexed(1), Bg: Indexed(2)}},
		{"\x1b[91;102mx", Cell{Fg: Indexed(9), Bg: Indexed(10)}},
		{"\x1b[38;5;208;1mx", Cell{Fg: Indexed(208), Attr: Bold}},
		{"\x1b[38;2;1;2;3;48;2;4;5;6mx", Cell{Fg: RGB(1, 2, 3), Bg: RGB(4, 5, 6)}},
		{"\x1b[38:2:1:2:3;1mx", Cell{Fg: RGB(1, 2, 3), Attr: Bold}},
		{"\x1b[38:2::1:2:3;1mx", Cell{Fg: RGB(1, 2, 3), Attr: Bold}},
		{"\x1b[38:5:9mx", Cell{Fg: Indexed(9)}},
		{"\x1b[58;2;1;2;3;1mx", Cell{Attr: Bold}},
		{"\x1b[38mx", Cell{}},
		{"\x1b[38;5mx", Cell{}},
		{"\x1b[31m\x1b[39mx", Cell{}},
		{"\x1b[1;31m\x1b[mx", Cell{}},
		{"\x1b[>4;2mx", Cell{}},
		{"\x1b[?4mx", Cell{}},
	} {
		c.want.Rune = 'x'
		if got := showing(10, 2, c.output).Line(0)[0]; got != c.want {
			t.Errorf("%q: %+v, want %+v", c.output, got, c.want)
		}
	}
	erased := showing(10, 2, "\x1b[41m\x1b[K").Line(0)[9]
	if want := (Cell{Bg: Indexed(1)}); erased != want {
		t.Errorf("what is erased has %+v, want the colour behind", erased)
	}
}

func TestHistory(t *testing.T) {
	s := New(10, 3)
	s.SetScrollback(5)
	for i := range 20 {
		fmt.Fprintf(s, "%d\r\n", i)
	}
	if got := s.Text(s.All()); got != "13\n14\n15\n16\n17\n18\n19\n" {
		t.Errorf("kept is %q", got)
	}
	if s.First() != 13 || s.Top() != 18 {
		t.Errorf("the lines are numbered from %d, the screen's from %d", s.First(), s.Top())
	}
	if got := s.Text(Span{Place{15, 1}, Place{17, 1}}); got != "5\n16\n1" {
		t.Errorf("a part is %q", got)
	}
	_, _ = s.Write([]byte("\x1b[?1049h"))
	for range 20 {
		_, _ = s.Write([]byte("x\r\n"))
	}
	if s.First() != s.Top() {
		t.Error("the alternate screen has something above it")
	}
	_, _ = s.Write([]byte("\x1b[?1049l"))
	if s.First() != 13 {
		t.Error("what was above the main screen is lost")
	}
	s.SetScrollback(2)
	if s.First() != 16 {
		t.Errorf("the oldest line is %d after keeping fewer", s.First())
	}
	_, _ = s.Write([]byte("\x1b[3J"))
	if s.First() != s.Top() {
		t.Error("erasing what is kept left some")
	}
	_, _ = s.Write([]byte("\x1b[2;3r\x1b[3H\n\n\n"))
	if s.First() != s.Top() {
		t.Error("a region that is not at the top moved lines up out of the screen")
	}
}

// Pitfall: shrinking must not lose the lines at the bottom, with the prompt.
func TestResize(t *testing.T) {
	s := showing(20, 6, "one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n$ prompt")
	s.Resize(20, 3)
	if got := s.String(); got != "four\nfive\n$ prompt" {
		t.Errorf("lower: %q", got)
	}
	if x, y, _ := s.Cursor(); x != 8 || y != 2 {
		t.Errorf("the cursor is at %d, %d", x, y)
	}
	s.Resize(20, 6)
	if got := s.String(); got != "one\ntwo\nthree\nfour\nfive\n$ prompt" {
		t.Errorf("higher again: %q", got)
	}
	s.Resize(4, 6)
	if got := s.String(); got != "one\ntwo\nthre\nfour\nfive\n$ pr" {
		t.Errorf("narrower: %q", got)
	}
	s.Resize(20, 6)
	if got := s.String(); got != "one\ntwo\nthree\nfour\nfive\n$ prompt" {
		t.Errorf("wider again: %q", got)
	}
	s = showing(20, 6, "$ prompt")
	s.Resize(20, 2)
	if got := s.String(); got != "$ prompt" || s.First() != s.Top() {
		t.Errorf("with empty lines below: %q, above %q", got, s.Text(s.All()))
	}
	s = showing(20, 6, "\x1b[?1049h\x1b[6Hbottom")
	s.Resize(10, 2)
	s.Resize(1, 1)
	s.Resize(0, -1)
	s.Resize(30, 10)
	_, _ = s.Write([]byte("\x1b[10;30Hx"))
	if got := s.Line(s.Top() + 9)[29].Rune; got != 'x' {
		t.Error("the new corner cannot be written")
	}
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct{ output, want string }{
		{"\x1b[c", "\x1b[?62;22c"},
		{"\x1b[>c", "\x1b[>1;10;0c"},
		{"\x1b[5n", "\x1b[0n"},
		{"ab\x1b[6n", "\x1b[1;3R"},
		{"\x1b[18t", "\x1b[8;4;10t"},
		{"\x1b[?2004h\x1b[?2004$p", "\x1b[?2004;1$y"},
		{"\x1b[?2026$p", "\x1b[?2026;0$y"},
		{"\x1b[?1049$p", "\x1b[?1049;2$y"},
		{"\x1b]11;?\x07", "\x1b]11;rgb:0101/0202/0303\x1b\\"},
		// What would let a program type for the person, or read what it must not.
		{"\x1b]0;rm -rf ~\x07\x1b[21t\x1b[20t", ""},
		{"\x1b]52;c;?\x07", ""},
		{"\x1b]10;#fff\x07", ""},
		{"\x05", ""},
	} {
		s := New(10, 4)
		s.Background = color.NRGBA{1, 2, 3, 255}
		_, _ = s.Write([]byte(c.output))
		if got := string(s.Answers()); got != c.want {
			t.Errorf("%q is answered %q, want %q", c.output, got, c.want)
		}
	}
	s := New(10, 4)
	_, _ = s.Write([]byte(strings.Repeat("\x1b[c", 1_000_000)))
	if n := len(s.Answers()); n > 2*mostAnswers {
		t.Errorf("%d bytes wait for a program that does not read", n)
	}
}

func TestFind(t *testing.T) {
	s := showing(10, 3, "first Word\r\n0123456789 a word on\r\nÉTÉ 日本語\r\n")
	for query, want := range map[string]string{
		"WORD": "Word|word", "789 a": "789 a", "été": "ÉTÉ", "本": "本", "nothing": "", "": "",
	} {
		var found []string
		for _, span := range s.Find(query) {
			found = append(found, s.Text(span))
		}
		if got := strings.Join(found, "|"); got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}

func TestWordAndRow(t *testing.T) {
	s := showing(10, 4, "see ./a/b-c.go now")
	if got := s.Text(s.Word(Place{0, 6})); got != "./a/b-" {
		t.Errorf("the word is %q", got)
	}
	if got := s.Text(s.Row(Place{1, 2})); got != "see ./a/b-c.go now" {
		t.Errorf("the row is %q", got)
	}
	if got := s.Word(Place{0, 20}); !got.Empty() {
		t.Errorf("beyond the line is %v", got)
	}
}

// The emulator of another project must show the same, where it is right.
func TestLikeAnother(t *testing.T) {
	pieces := []string{
		"a", "hello ", "0123456789", "\r\n", "\n", "\r", "\b", "\r\t",
		"\x1b[H", "\x1b[3;4H", "\x1b[A", "\x1b[2B", "\x1b[3C", "\x1b[D", "\x1b[5G", "\x1b[2d",
		"\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[J", "\x1b[2J", "\x1b[3X",
		"\x1b[S", "\x1b[T", "\x1bM", "\x1bD",
		"\x1b[1;31m", "\x1b[m",
	}
	// Of what is apart here, it makes mistakes in the other.
	kinds := [][]string{slices.Concat(pieces, []string{"\x1b[2;5r", "\x1b[r"}), slices.Concat(pieces, []string{"\x1b[@", "\x1b[2P", "\r\x1b[L", "\r\x1b[2M", "\x1b[?1049h\x1b[H", "\x1b[?1049l"})}
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 400 {
		pieces := kinds[round%2]
		var output strings.Builder
		for range 40 {
			output.WriteString(pieces[random.IntN(len(pieces))])
		}
		other := vt.NewEmulator(20, 6)
		if _, err := other.Write([]byte(output.String())); err != nil {
			t.Fatal(err)
		}
		var lines []string
		for y := range 6 {
			var line strings.Builder
			for x := range 20 {
				line.WriteString(other.CellAt(x, y).Content)
			}
			lines = append(lines, strings.TrimRight(line.String(), " "))
		}
		want := strings.TrimRight(strings.Join(lines, "\n"), "\n")
		if got := showing(20, 6, output.String()).String(); got != want {
			t.Fatalf("round %d: %q shows\n%s\nand there\n%s", round, output.String(), got, want)
		}
	}
}

func FuzzWrite(f *testing.F) {
	f.Add([]byte("日本\x1b[?1049h\x1b[2;3r\x1b[31m\x1b]0;x\x07"), 3, 7)
	f.Fuzz(func(t *testing.T, output []byte, cols, rows int) {
		s := New(10, 4)
		half := len(output) / 2
		_, _ = s.Write(output[:half])
		s.Resize(cols%200, rows%100)
		_, _ = s.Write(output[half:])
		s.Find("a")
		_ = s.Text(s.All()) + s.String()
	})
}

// What a terminal has to take when a person prints a long log.
func BenchmarkWriteLog(b *testing.B) {
	var log []byte
	for i := range 1000 {
		if i%5 == 0 {
			log = append(log, "\x1b[32m"...)
		}
		log = fmt.Appendf(log, "2026-11-30 12:00:%02d.%06d INFO request %d served to somebody in 12 ms\x1b[m\r\n", i%60, i, i)
	}
	b.SetBytes(int64(len(log)))
	s := New(100, 30)
	for b.Loop() {
		_, _ = s.Write(log)
	}
}
