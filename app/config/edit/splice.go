package edit

import (
	"bytes"
	"reflect"
	"slices"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/schema/yamldoc"
)

// splice is what is done to a text: a run of bytes comes in at a place, after
// what is between two places before it was cut.
type splice struct {
	cut  [2]int
	at   int
	run  string
	skip int // how much of run is before the first line to show
}

// insertLines inserts lines after the line that ends at end.
func (d *document) insertLines(end int, lines []string) splice {
	nl := d.lineEnding(end)
	run := strings.Join(lines, nl)
	if n := breakAt(d.text, end); n > 0 {
		return splice{at: end + n, run: run + nl}
	}
	return splice{at: end, run: nl + run, skip: len(nl)}
}

// lineEnding returns how the line of pos ends, or else the first line of the
// text.
func (d *document) lineEnding(pos int) string {
	for _, from := range []int{pos, 0} {
		if i := bytes.IndexAny(d.text[from:], "\r\n"); i >= 0 {
			return string(d.text[from+i : from+i+breakAt(d.text, from+i)])
		}
	}
	return "\n"
}

// change makes the edit. expect does the same to what the text says.
func (s splice) change(text []byte, expect func(root map[string]any)) Change {
	after := slices.Concat(text[:s.cut[0]], text[s.cut[1]:s.at], []byte(s.run), text[s.at:])
	shown := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s.run[s.skip:])
	return Change{
		Before: text, After: after,
		Lines:  strings.Split(strings.TrimSuffix(shown, "\n"), "\n"),
		Line:   lineOf(after, s.at-(s.cut[1]-s.cut[0])+s.skip),
		expect: expect,
	}
}

// Verify reads the text before and after, and reports whether it says the
// same but for what was to be changed. The error is an [*Error].
func (c Change) Verify() error {
	before, _ := yamldoc.Parse(c.Before)
	after, _ := yamldoc.Parse(c.After)
	if before != nil && after != nil && c.expect != nil {
		if root, ok := before.Data.(map[string]any); ok {
			c.expect(root)
			if reflect.DeepEqual(root, after.Data) {
				return nil
			}
		}
	}
	return &Error{Code: Unsupported, Line: c.Line}
}
