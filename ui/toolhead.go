package ui

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

// toolHeading is what the first line of a card says of a tool call, each thing
// once: agents often repeat the kind and the place in the title.
type toolHeading struct{ kind, title, place string }

// verbs begin titles that repeat the kind of the tool.
var verbs = map[acp.ToolKind][]string{
	"read":   {"read", "reading", "view"},
	"edit":   {"edit", "editing", "write", "writing", "update", "create"},
	"delete": {"delete", "deleting", "remove"},
	"move":   {"move", "moving", "rename"},
	"search": {"search", "searching", "find"},
	"fetch":  {"fetch", "fetching", "webfetch"},
	"think":  {"think", "thinking"},
}

// fillers are titles that say nothing beyond the kind.
var fillers = []string{"file", "files", "preparing file…", "terminal", "shell", "bash", "exec_command", "tool", "task"}

// heading says what a tool call does; folder is where its agent works.
func (w *window) heading(t *acp.ToolCall, folder string) toolHeading {
	h := toolHeading{kind: w.toolKind(t.Kind), title: saidOnce(t)}
	path := ""
	if t.Kind != "execute" && len(t.Locations) > 0 {
		path = t.Locations[0].Path
	}
	if path != "" && filepath.Clean(path) != filepath.Clean(folder) {
		h.place = placeOf(t.Locations, folder)
		short := shortPath(path, folder)
		switch {
		case strings.Contains(h.title, path):
			h.title, h.place = strings.ReplaceAll(h.title, path, short), ""
		case h.title == filepath.Base(path), h.title != "" && strings.HasSuffix(path, "/"+h.title):
			h.title = ""
		case strings.Contains(h.title, filepath.Base(path)):
			h.place = ""
		}
	}
	if h.title == "" {
		h.title, h.place = h.place, ""
	}
	if h.title == "" && t.Kind == "execute" {
		h.title = oneLine(command(t))
	}
	if name := t.Name; h.title == "" && !strings.EqualFold(name, string(t.Kind)) && !filler(name) {
		h.title = name
	}
	return h
}

// saidOnce is a title without what the kind says already.
func saidOnce(t *acp.ToolCall) string {
	title := oneLine(t.Title)
	if strings.HasSuffix(title, "`") && strings.Count(title, "`") == 2 {
		title = strings.ReplaceAll(title, "`", "")
	}
	first, rest, _ := strings.Cut(title, " ")
	if strings.EqualFold(title, string(t.Kind)) || slices.Contains(verbs[t.Kind], strings.ToLower(first)) {
		title = strings.TrimPrefix(rest, "to ")
	}
	if filler(title) {
		return ""
	}
	return title
}

func filler(title string) bool { return slices.Contains(fillers, strings.ToLower(title)) }

// command is the whole command line that a tool runs, "" when it is not told.
func command(t *acp.ToolCall) string {
	var input struct{ Command, Cmd json.RawMessage }
	if json.Unmarshal(t.RawInput, &input) != nil {
		return ""
	}
	for _, raw := range []json.RawMessage{input.Command, input.Cmd} {
		var line string
		var words []string
		switch {
		case json.Unmarshal(raw, &line) == nil:
			return line
		case json.Unmarshal(raw, &words) == nil && len(words) > 0:
			return words[len(words)-1] // of bash -lc …
		}
	}
	return ""
}

// placeOf is the first place that a tool works at, and how many more.
func placeOf(places []acp.Location, folder string) string {
	place := shortPath(places[0].Path, folder)
	if line := places[0].Line; line > 0 {
		place += fmt.Sprint(":", line)
	}
	if more := len(places) - 1; more > 0 {
		place += fmt.Sprint(" +", more)
	}
	return place
}

// shortPath is a path as seen from an agent's folder, or from the person's own.
func shortPath(path, folder string) string {
	if rest, ok := below(path, folder); ok {
		return rest
	}
	if home, err := os.UserHomeDir(); err == nil {
		if rest, ok := below(path, home); ok {
			return "~" + string(filepath.Separator) + rest
		}
	}
	return path
}

// ending is the end of a path, which says most, in so many letters.
func ending(path string, most int) string {
	letters := []rune(path)
	if len(letters) <= most {
		return path
	}
	return "…" + string(letters[len(letters)-most+1:])
}

func below(path, folder string) (string, bool) {
	if folder == "" || folder == string(filepath.Separator) {
		return "", false
	}
	return strings.CutPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}

// toolKind is the word for what a tool does; kinds that agents invent are
// "Tool".
func (w *window) toolKind(k acp.ToolKind) string {
	switch k {
	case "read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode":
		return w.text("ui.Tool." + string(k))
	}
	return w.text("ui.Tool.other")
}

// places are where a tool works that can be shown in the Files tab.
func (v *toolView) places() (places []acp.Location) {
	folder := v.r.w.agent(v.r.message.Author).Workspace
	for _, l := range v.tool.Locations {
		if v.tool.Kind != "execute" && filepath.Clean(l.Path) != filepath.Clean(folder) {
			places = append(places, l)
		}
	}
	return places
}

// openPlaces shows where the tool works in the Files tab, after asking which
// of several places is meant.
func (v *toolView) openPlaces() {
	w, agent := v.r.w, v.r.message.Author
	places := v.places()
	if len(places) == 1 {
		w.openPlace(agent, places[0].Path, places[0].Line)
		return
	}
	var items []menuItem
	for _, l := range places {
		name := placeOf([]acp.Location{l}, w.agent(agent).Workspace)
		items = append(items, menuItem{text: name, do: func() { w.openPlace(agent, l.Path, l.Line) }})
	}
	w.popUp(v.files, items)
}
