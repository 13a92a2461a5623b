package edit

import "strings"

// SetUI gives a key of "ui", "theme" or "language", another value, and adds
// what is missing. The error is an [*Error].
func SetUI(text []byte, key, value string) (Change, error) {
	d, err := read(text)
	if err != nil {
		return Change{}, err
	}
	edit, err := d.setUI(key, value)
	if err != nil {
		return Change{}, err
	}
	return edit.change(text, func(root map[string]any) {
		ui, _ := root["ui"].(map[string]any)
		if ui == nil {
			ui = map[string]any{}
		}
		ui[key] = value
		root["ui"] = ui
	}), nil
}

func (d *document) setUI(key, value string) (splice, error) {
	written := key + ": " + quote(value, true)
	indent := strings.Repeat(" ", d.root.column+d.step(nil))
	ui, found := d.entry(d.root, "ui")
	switch {
	case !found && d.root.flow:
		return d.flowEntry(d.root, "ui: {"+written+"}"), nil
	case !found:
		return d.newUI(indent + written)
	case len(ui.value) == 0 && !d.root.flow:
		return d.insertLines(lineEnd(d.text, ui.end), []string{indent + written}), nil
	}
	m, isMapping := d.mapping(ui.value)
	if !isMapping {
		return splice{}, d.unsupported(ui.key.start)
	}
	if e, found := d.entry(m, key); found {
		return d.replace(e, quote(value, true))
	}
	if m.flow {
		return d.flowEntry(m, written), nil
	}
	line := strings.Repeat(" ", m.column) + written
	return d.insertLines(d.afterComments(ui.end, d.root.column), []string{line}), nil
}

// newUI adds the key "ui" with a line in it, under "version".
func (d *document) newUI(line string) (splice, error) {
	version, found := d.entry(d.root, "version")
	if !found {
		return splice{}, d.unsupported(0)
	}
	lines := []string{strings.Repeat(" ", d.root.column) + "ui:", line}
	end := lineEnd(d.text, version.end)
	next := end + breakAt(d.text, end)
	if breakAt(d.text, next) > 0 { // keys are apart
		lines = append([]string{""}, lines...)
	}
	return d.insertLines(end, lines), nil
}

// flowEntry adds an entry at the end of a mapping in flow style.
func (d *document) flowEntry(m mapping, written string) splice {
	last := len(m.tokens) - 1
	switch {
	case last < 0:
		return splice{at: m.last.start, run: written}
	case m.tokens[last].kind == comma:
		return splice{at: m.tokens[last].end, run: " " + written}
	}
	return splice{at: m.tokens[last].end, run: ", " + written}
}

// replace gives an entry another value, written on one line.
func (d *document) replace(e entry, written string) (splice, error) {
	if len(e.value) == 0 {
		return splice{at: e.end, run: " " + written}, nil
	}
	value := e.value[0]
	if len(e.value) > 1 || value.kind != scalar || strings.ContainsRune("|>", rune(d.text[value.start])) {
		return splice{}, d.unsupported(e.key.start)
	}
	return splice{cut: [2]int{value.start, value.end}, at: value.end, run: written}, nil
}
