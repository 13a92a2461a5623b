package yamldoc

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxControl is how many lines of a text may hold control characters: more
// than that, and the file is no text.
const maxControl = 100

// checkText looks for what YAML does not allow in a text: the control
// characters, one a line, up to the first byte that is not UTF-8.
func checkText(text []byte) (faults []*Error) {
	if isUTF16(text) {
		return []*Error{{Line: 1, Column: 1, Code: UTF16}}
	}
	line, column := 1, 1
	for i := 0; i < len(text); {
		char, size := utf8.DecodeRune(text[i:])
		switch {
		case char == 0:
			return []*Error{{Line: line, Column: column, Code: Binary}}
		case char == utf8.RuneError && size == 1:
			if bytes.IndexByte(text[i:], 0) < 0 {
				return append(faults, &Error{Line: line, Column: column, Code: NotUTF8})
			}
		case isControl(char) && (len(faults) == 0 || faults[len(faults)-1].Line < line):
			faults = append(faults, &Error{Line: line, Column: column, Code: ControlCharacter,
				Args: map[string]any{"Character": fmt.Sprintf("U+%04X", char)}})
			if len(faults) > maxControl {
				return []*Error{{Line: faults[0].Line, Column: faults[0].Column, Code: Binary}}
			}
		}
		column++
		if char == '\n' || char == '\r' && !bytes.HasPrefix(text[i+1:], []byte("\n")) {
			line, column = line+1, 1
		}
		i += size
	}
	return faults
}

// isUTF16 reports whether a text is UTF-16: it starts with its mark, or every
// second of its first four bytes is zero.
func isUTF16(text []byte) bool {
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return true
	}
	if len(text) < 4 || len(text)%2 != 0 {
		return false
	}
	zero := [4]bool{text[0] == 0, text[1] == 0, text[2] == 0, text[3] == 0}
	return zero == [4]bool{false, true, false, true} || zero == [4]bool{true, false, true, false}
}

// isControl reports whether YAML does not allow a character.
func isControl(char rune) bool {
	return char < ' ' && char != '\t' && char != '\n' && char != '\r' ||
		char >= 0x7f && char < 0xa0 && char != 0x85 || char == 0xfffe || char == 0xffff
}

// syntaxCodes say what the parser's complaints mean, the first that matches.
var syntaxCodes = []struct {
	complaint string
	code      Code
}{
	{"tab character", Tab},
	{"exceeded max depth", TooDeep},
	{"unknown anchor", UnknownAnchor},
	{"unexpected end of stream", UnclosedQuote},
	{"unexpected document indicator", UnclosedQuote},
	{"',' or '", UnclosedBracket},
	{"node content", UnclosedBracket},
	{"mapping values are not allowed", ColonInText},
	{"could not find expected ':'", MissingColon},
	{"cannot start any token", ReservedCharacter},
	{"escape character", Escape},
	{"hexdecimal number", Escape},
	{"escape code", Escape},
	{"expected key", Indentation},
	{"'-' indicator", Indentation},
	{"block sequence entries", Indentation},
}

// syntaxError says in our words, and with the right line, why text is no
// YAML. err is what the parser said: its text may quote a value, and its line
// is often that of the block around the mistake.
func syntaxError(text []byte, err error) *Error {
	code := Syntax
	for _, known := range syntaxCodes {
		if strings.Contains(err.Error(), known.complaint) {
			code = known.code
			break
		}
	}
	lines := splitLines(text)
	number := mistakenLine(text, lines)
	fault := &Error{Line: number, Column: 1, Code: code}
	// A tab or a no-break space looks like a space and leads to any complaint,
	// at its own line or at the next.
	for _, n := range []int{number, number - 1, number + 1} {
		if n < 1 || n > len(lines) {
			continue
		}
		if code, column := wrongSpace(lines[n-1]); code != "" {
			return &Error{Line: n, Column: column, Code: code}
		}
	}
	if line := lines[number-1]; len(bytes.TrimSpace(line)) > 0 {
		fault.Column += len(line) - len(bytes.TrimLeft(line, " "))
	}
	return fault
}

// mistakenLine returns the first line, from 1, up to which the text is wrong
// in the way it is wrong as a whole.
func mistakenLine(text []byte, lines [][]byte) int {
	// The parser names the line where the construct with the mistake starts,
	// unless it is the first: the line added makes sure that it is not. So
	// the same complaint about fewer lines is about the same mistake.
	complaint := func(text []byte) (string, int) {
		source := &countingReader{Reader: io.MultiReader(strings.NewReader("#\n"), bytes.NewReader(text))}
		_, _, err := decode(source)
		return fmt.Sprint(err), source.read
	}
	whole, read := complaint(text)
	ends := make([]int, len(lines)) // where each line ends
	for i, end := 0, 0; i < len(lines); i++ {
		end += len(lines[i])
		ends[i] = end
	}
	wrong := func(line int) bool { // whether the lines up to this one, from 0, hold the mistake
		said, _ := complaint(text[:ends[line]])
		return said == whole
	}
	// Each look at a long text takes its time. The mistake is in what was
	// read: in the line that the parser names, or else rather near the end.
	high := min(len(lines)-1, sort.SearchInts(ends, read))
	low, named := 0, 0
	if _, err := fmt.Sscanf(whole, "yaml: line %d:", &named); err == nil {
		low = min(max(0, named-3), high)
		if near := min(low+2, high); wrong(near) {
			high = near
		}
	}
	for step := 1; high-step > low; step *= 2 {
		if !wrong(high - step) {
			low = high - step + 1
			break
		}
		high -= step
	}
	return 1 + low + sort.Search(high-low, func(i int) bool { return wrong(low + i) })
}

// countingReader counts the bytes that are read.
type countingReader struct {
	io.Reader
	read int
}

func (r *countingReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.read += n
	return n, err
}

// splitLines cuts text after each line break. There is at least one line.
func splitLines(text []byte) [][]byte {
	ends := regexp.MustCompile(`\r\n|\n|\r`).FindAllIndex(text, -1)
	var lines [][]byte
	start := 0
	for _, end := range ends {
		lines = append(lines, text[start:end[1]])
		start = end[1]
	}
	if start < len(text) || len(lines) == 0 {
		lines = append(lines, text[start:])
	}
	return lines
}

// wrongSpace looks for a tab in the indentation of a line, and for a
// no-break space there or where a space separates: after ":" or "-", or
// before ":". It returns its column, from 1.
func wrongSpace(line []byte) (Code, int) {
	text := []rune(string(line))
	indenting := true
	for i, char := range text {
		switch {
		case char == '#', char == ':' && i+1 < len(text) && text[i+1] == ' ':
			return "", 0 // a comment, or a value, which may hold any
		case indenting && char == '\t':
			return Tab, i + 1
		case IsNoBreakSpace(char) && (indenting || separates(text, i)):
			return NoBreakSpace, i + 1
		case !unicode.IsSpace(char):
			indenting = false
		}
	}
	return "", 0
}

// separates reports whether text[i], which is not the first, is where a space
// separates.
func separates(text []rune, i int) bool {
	return text[i-1] == ':' || text[i-1] == '-' || i+1 < len(text) && text[i+1] == ':'
}

// IsNoBreakSpace reports whether a character looks like a space, or like
// nothing, and is no space for YAML.
func IsNoBreakSpace(char rune) bool {
	return unicode.Is(unicode.Zs, char) && char != ' ' || char == '\u200b' || char == '\ufeff'
}
