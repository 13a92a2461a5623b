package ui

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/ui/markdown"
)

// toolPart is one thing that a card shows when it is unfolded.
type toolPart struct {
	kind  toolPartKind
	text  string            // Markdown, or of a note
	bare  bool              // text is one fence, which fills the card
	path  string            // of a change
	lines []changedLine     // of a change
	media *acp.ContentBlock // a picture, a sound, a file
}

type toolPartKind int

const (
	textPart toolPartKind = iota
	inputPart
	changePart
	mediaPart
	notePart // in the agent's words
	terminalPart
)

// toolParts are what a tool call has to show: what it was given as far as its
// heading does not say it, then what came out.
func toolParts(t *acp.ToolCall) []toolPart {
	var parts []toolPart
	if line := command(t); strings.Contains(line, "\n") {
		parts = append(parts, fencedPart("sh", line))
	}
	if input := unsaid(t); input != "" {
		parts = append(parts, toolPart{kind: inputPart, text: markdown.Fence("json", input), bare: true})
	}
	told := false
	for _, c := range t.Content {
		switch {
		case c.Type == acp.ToolContentDiff:
			told = true
			parts = append(parts, changeOf(t, c))
		case c.Type == acp.ToolContentTerminal:
			parts = append(parts, toolPart{kind: terminalPart})
		case c.Content.Text != "" && c.Content.Text == described(t):
			parts = append(parts, toolPart{kind: notePart, text: c.Content.Text})
		case c.Content.Text != "" || c.Content.Resource.Text != "":
			told = true
			parts = append(parts, outputPart(t, c.Content.Text+c.Content.Resource.Text))
		default:
			told = true
			parts = append(parts, toolPart{kind: mediaPart, media: &c.Content})
		}
	}
	if out := rawText(t.RawOutput); !told && strings.TrimSpace(out) != "" {
		parts = append(without(parts, terminalPart), outputPart(t, out))
	}
	return parts
}

func without(parts []toolPart, kind toolPartKind) (others []toolPart) {
	for _, p := range parts {
		if p.kind != kind {
			others = append(others, p)
		}
	}
	return others
}

// changeOf is a diff. Lines have numbers when the whole file is there, or when
// the agent says where the part of it begins.
func changeOf(t *acp.ToolCall, c acp.ToolContent) toolPart {
	old := ""
	if c.OldText != nil {
		old = *c.OldText
	}
	start := 0
	for _, place := range t.Locations {
		if place.Path == c.Path && place.Line > 0 {
			start = place.Line
		}
	}
	if start == 0 && (old == "" || strings.HasSuffix(old, "\n")) {
		start = 1
	}
	return toolPart{kind: changePart, path: c.Path, lines: numbered(compare(old, c.NewText), start)}
}

// numbered lets the numbers of lines begin at start, or takes them away if
// that is 0.
func numbered(lines []changedLine, start int) []changedLine {
	for i := range lines {
		for _, n := range []*int{&lines[i].before, &lines[i].after} {
			switch {
			case start == 0:
				*n = 0
			case *n > 0:
				*n += start - 1
			}
		}
	}
	return lines
}

// outputPart is what a tool wrote: Markdown where agents write Markdown, else
// text as it came.
func outputPart(t *acp.ToolCall, text string) toolPart {
	text = controls.ReplaceAllString(text, "")
	if lang, code, ok := oneFence(text); ok {
		return fencedPart(lang, code)
	}
	switch t.Kind {
	case "read", "edit", "delete", "move", "search", "execute":
		if !strings.Contains("\n"+text, "\n```") {
			lang := ""
			if t.Kind == "read" && len(t.Locations) == 1 {
				lang = strings.TrimPrefix(filepath.Ext(t.Locations[0].Path), ".")
			}
			return fencedPart(lang, text)
		}
	default:
		if json.Valid([]byte(text)) {
			return fencedPart("json", pretty(text))
		}
	}
	return toolPart{text: text}
}

func fencedPart(lang, code string) toolPart {
	return toolPart{text: markdown.Fence(lang, code), bare: true}
}

// oneFence returns what is in a text that is one code block and nothing else.
func oneFence(text string) (lang, code string, ok bool) {
	text = strings.TrimSpace(text)
	ticks := len(text) - len(strings.TrimLeft(text, "`"))
	if ticks < 3 {
		return "", "", false
	}
	fence := text[:ticks]
	lang, code, ok = strings.Cut(text[ticks:], "\n")
	code, closed := strings.CutSuffix("\n"+code, "\n"+fence)
	if !ok || !closed || strings.Contains(code, "\n"+fence) {
		return "", "", false
	}
	return strings.TrimSpace(lang), strings.TrimPrefix(code, "\n"), true
}

// rawText is the text in what a tool gave back, which every agent puts
// elsewhere.
func rawText(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	var text string
	var blocks []struct{ Text string }
	var members map[string]json.RawMessage
	switch {
	case json.Unmarshal(raw, &text) == nil:
		return text
	case json.Unmarshal(raw, &blocks) == nil:
		var all []string
		for _, b := range blocks {
			all = append(all, b.Text)
		}
		return strings.Join(all, "\n")
	case json.Unmarshal(raw, &members) == nil:
		for _, name := range []string{"formatted_output", "aggregated_output", "output", "stdout", "error"} {
			if json.Unmarshal(members[name], &text) == nil && text != "" {
				return text
			}
		}
	}
	if len(members) == 0 && members != nil {
		return ""
	}
	return pretty(string(raw))
}

// described is an agent's own description of what it runs.
func described(t *acp.ToolCall) string {
	var input struct{ Description string }
	_ = json.Unmarshal(t.RawInput, &input)
	return input.Description
}

// unsaid is what a tool was given, pretty, without what the card says anyway:
// the command, the file, the change.
func unsaid(t *acp.ToolCall) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(t.RawInput, &members) != nil {
		if len(t.RawInput) == 0 {
			return ""
		}
		return pretty(string(t.RawInput))
	}
	said := map[string]bool{"command": true, "cmd": true, "cwd": true, "description": true}
	if len(t.Locations) > 0 {
		for _, name := range []string{"path", "file_path", "filePath"} {
			said[name] = true
		}
	}
	for _, c := range t.Content {
		if c.Type == acp.ToolContentDiff {
			for _, name := range []string{"content", "old_string", "new_string", "oldString", "newString", "replace_all"} {
				said[name] = true
			}
		}
	}
	for name := range members {
		if !said[name] {
			return pretty(string(t.RawInput))
		}
	}
	return ""
}
