package edit

import (
	"bytes"
	"slices"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/schema/yamldoc"
)

// Append adds an entry at the end of "agents". Before is After without one
// inserted run of bytes; only when the list is "[]" do its brackets go too.
// The error, an [*Error], says why the text cannot be extended.
func Append(text []byte, agent Agent) (Change, error) {
	d, err := read(text)
	if err != nil {
		return Change{}, err
	}
	agents, found := d.entry(d.root, "agents")
	if !found {
		return Change{}, noList(text)
	}
	fields := agent.fields()
	edit, err := d.addition(agents, fields)
	if err != nil {
		return Change{}, err
	}
	return edit.change(text, func(root map[string]any) {
		list, _ := root["agents"].([]any)
		root["agents"] = append(slices.Clip(list), data(fields))
	}), nil
}

// noList says why there is no list to add to: it may be there, but written as
// nobody does.
func noList(text []byte) error {
	root, _ := yamldoc.Parse(text)
	if e, found := root.Entry("agents"); found {
		return &Error{Code: Unsupported, Line: e.Line}
	}
	return &Error{Code: NoAgents, Line: 1}
}

// addition is the edit that adds an item of fields to the list agents.
func (d *document) addition(agents entry, fields []field) (splice, error) {
	value := agents.value
	switch {
	case len(value) == 0 && !d.root.flow:
		return d.blockItem(agents, d.listLayout(), fields)
	case len(value) == 0:
	case value[0].kind == indicator && d.text[value[0].start] == '-':
		return d.blockItem(agents, d.layoutOf(value), fields)
	case value[0].kind == opening && d.text[value[0].start] == '[':
		end := closingOf(value)
		between := d.text[value[0].end:value[end].start]
		switch {
		case end == 1 && !d.root.flow && len(bytes.Trim(between, " \t")) == 0:
			edit, err := d.blockItem(agents, d.listLayout(), fields)
			edit.cut = [2]int{value[0].start, value[end].end}
			return edit, err
		case end == 1:
			return d.firstFlowItem(value[end], fields), nil
		}
		return d.flowItem(value[:end+1], fields), nil
	}
	return splice{}, d.unsupported(agents.key.start)
}

// layout is how the items of a list in block style are written.
type layout struct {
	column int  // of their "-"
	offset int  // how much further their keys are
	spaced bool // there are empty lines between them
}

// layoutOf returns the layout of the items of a list.
func (d *document) layoutOf(list []token) layout {
	l := layout{column: list[0].column, offset: 2}
	for i, t := range list {
		if t.kind != indicator || t.column != l.column || i+1 == len(list) {
			continue
		}
		if next := list[i+1]; next.kind == blockKey && lineOf(d.text[t.end:next.start], next.start-t.end) == 1 {
			l.offset = next.column - t.column
		}
		if i > 0 {
			l.spaced = hasEmptyLine(d.text[list[i-1].end:t.start])
		}
	}
	return l
}

// listLayout returns the layout of the first item of a list under a key of
// the root, at the column of other lists.
func (d *document) listLayout() layout {
	for i, t := range d.root.tokens {
		if i > 0 && t.kind == indicator && d.root.isKey(i-1) {
			return layout{column: t.column, offset: 2}
		}
	}
	return layout{column: d.root.column + d.step(nil), offset: 2}
}

// blockItem adds an item to a list in block style, after the line where it
// ends and the comments that belong to what is there.
func (d *document) blockItem(agents entry, l layout, fields []field) (splice, error) {
	if n := len(agents.value); n > 0 && agents.value[n-1].open {
		return splice{}, &Error{Code: NoLineEnd, Line: lineOf(d.text, agents.end)}
	}
	lead := strings.Repeat(" ", l.column)
	lines := blockLines(fields, d.step(agents.value))
	for i, line := range lines {
		mark := " "
		if i == 0 {
			mark = "-"
		}
		lines[i] = lead + mark + strings.Repeat(" ", l.offset-1) + line
	}
	if l.spaced {
		lines = slices.Insert(lines, 0, "")
	}
	return d.insertLines(d.afterComments(agents.end, d.root.column), lines), nil
}

// afterComments returns the end of the line of pos, or of the last of the
// comments right under it that are indented more than column.
func (d *document) afterComments(pos, column int) int {
	end := lineEnd(d.text, pos)
	for next := end; ; {
		start := next + breakAt(d.text, next)
		if start == next {
			return end
		}
		first := start + len(d.text[start:]) - len(bytes.TrimLeft(d.text[start:], " "))
		if first-start <= column || first == len(d.text) || d.text[first] != '#' {
			return end
		}
		next = lineEnd(d.text, first)
		end = next
	}
}

// step returns how much further than a mapping the mappings in it are
// indented: in a list, else in the document.
func (d *document) step(list []token) int {
	for _, tokens := range [][]token{list, d.root.tokens} {
		for i, t := range tokens {
			if i > 0 && t.kind == blockKey && tokens[i-1].kind == blockKey && t.column > tokens[i-1].column {
				return t.column - tokens[i-1].column
			}
		}
	}
	return 2
}

// firstFlowItem adds the first item to a list in flow style, before its
// closing bracket.
func (d *document) firstFlowItem(bracket token, fields []field) splice {
	start := lineStart(d.text, bracket.start)
	lead := d.text[start:bracket.start]
	if len(bytes.Trim(lead, " \t")) > 0 {
		return splice{at: bracket.start, run: flowText(fields)}
	}
	line := string(lead) + "  " + flowText(fields)
	return splice{at: start, run: line + d.lineEnding(start)}
}

// flowItem adds an item after the last one of a list in flow style, list
// being its tokens from bracket to bracket.
func (d *document) flowItem(list []token, fields []field) splice {
	n := len(list)
	after := list[n-2] // the last thing in the list
	trailing := after.kind == comma
	last := after
	if trailing {
		last = list[n-3]
	}
	item := flowText(fields)
	start := lineStart(d.text, d.itemStart(list))
	lead := string(d.text[start:d.itemStart(list)])
	if strings.Trim(lead, " \t") != "" || start <= list[0].start { // all on one line
		return splice{at: last.end, run: ", " + item}
	}
	end := lineEnd(d.text, last.end)
	rest := d.text[last.end:end]
	alone := list[n-1].start > end // the closing bracket is on a later line
	switch {
	case alone && trailing && after.start < end:
		return d.insertLines(end, []string{lead + item + ","})
	case alone && !trailing && bytes.ContainsRune(rest, '#'):
		return d.insertLines(end, []string{lead + ", " + item})
	}
	nl := d.lineEnding(start)
	return splice{at: last.end, run: "," + nl + lead + item, skip: 1 + len(nl)}
}

// itemStart returns where the last item of a list in flow style starts.
func (d *document) itemStart(list []token) int {
	start := list[1].start
	for i, t := range list[:len(list)-2] {
		if t.kind == comma && t.depth == list[0].depth+1 {
			start = list[i+1].start
		}
	}
	return start
}

// hasEmptyLine reports whether a line of text, which starts within one, is
// empty.
func hasEmptyLine(text []byte) bool {
	for pos := lineEnd(text, 0); pos < len(text); {
		start := pos + breakAt(text, pos)
		pos = lineEnd(text, start)
		if pos < len(text) && len(bytes.TrimLeft(text[start:pos], " \t")) == 0 {
			return true
		}
	}
	return false
}
