package ui

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
)

// A card says each thing once, whatever agents repeat. The calls are those of
// real agents.
func TestToolHeading(t *testing.T) {
	w := openTest(t, newFake())
	at := func(path string, line int) []acp.Location { return []acp.Location{{Path: path, Line: line}} }
	for _, c := range []struct {
		call acp.ToolCall
		want toolHeading
	}{
		{acp.ToolCall{Title: "Read file", Kind: "read"}, toolHeading{"Read", "", ""}},
		{acp.ToolCall{Title: "Read file", Kind: "read", Locations: at("/work/a.go", 12)}, toolHeading{"Read", "a.go:12", ""}},
		{acp.ToolCall{Title: "read", Kind: "read", Locations: at("/work/ui/a.go", 0)}, toolHeading{"Read", "ui/a.go", ""}},
		{acp.ToolCall{Title: "tmp/x/new.txt", Kind: "read", Locations: at("/tmp/x/new.txt", 3)}, toolHeading{"Read", "/tmp/x/new.txt:3", ""}},
		{acp.ToolCall{Title: "Read /work/new.txt (2 - 101)", Kind: "read", Locations: at("/work/new.txt", 1)}, toolHeading{"Read", "new.txt (2 - 101)", ""}},
		{acp.ToolCall{Title: "Edit `/work/new.txt`", Kind: "edit", Locations: at("/work/new.txt", 0)}, toolHeading{"Edit", "new.txt", ""}},
		{acp.ToolCall{Title: "Write new2.txt", Name: "Write", Kind: "edit", Locations: at("/work/new2.txt", 0)}, toolHeading{"Edit", "new2.txt", ""}},
		{acp.ToolCall{Title: "Writing to new.txt", Kind: "edit", Locations: at("/work/new.txt", 0)}, toolHeading{"Edit", "new.txt", ""}},
		{acp.ToolCall{Title: "Preparing file…", Name: "Write", Kind: "edit"}, toolHeading{"Edit", "Write", ""}},
		{acp.ToolCall{Title: "new.txt: line two => line 2", Kind: "edit", Locations: at("/work/new.txt", 0)}, toolHeading{"Edit", "new.txt: line two => line 2", ""}},
		{acp.ToolCall{Title: "Rename the limit", Kind: "edit", Locations: at("/work/a.go", 7)}, toolHeading{"Edit", "Rename the limit", "a.go:7"}},
		{acp.ToolCall{Title: "Rename", Kind: "edit", Locations: []acp.Location{{Path: "/work/a.go"}, {Path: "/work/b.go"}}}, toolHeading{"Edit", "Rename", "a.go +1"}},
		{acp.ToolCall{Title: "Terminal", Name: "Bash", Kind: "execute"}, toolHeading{"Run", "", ""}},
		{acp.ToolCall{Title: "bash", Kind: "execute", RawInput: json.RawMessage(`{"command":["/bin/bash","-lc","go test ./...\nls"]}`)}, toolHeading{"Run", "go test ./...", ""}},
		{acp.ToolCall{Title: "`echo a`", Kind: "execute", Locations: at("/work", 0)}, toolHeading{"Run", "echo a", ""}},
		{acp.ToolCall{Title: "echo `date` `pwd`", Kind: "execute"}, toolHeading{"Run", "echo `date` `pwd`", ""}},
		{acp.ToolCall{Title: "Find `**/*.go`", Kind: "search", Locations: at("/work", 0)}, toolHeading{"Search", "**/*.go", ""}},
		{acp.ToolCall{Title: "", Name: "todowrite", Kind: "other"}, toolHeading{"Tool", "todowrite", ""}},
		{acp.ToolCall{Title: "Which one?", Kind: "invented"}, toolHeading{"Tool", "Which one?", ""}},
	} {
		if got := w.heading(&c.call, "/work"); got != c.want {
			t.Errorf("%q of %s: %q, want %q", c.call.Title, c.call.Kind, got, c.want)
		}
	}
}

func TestShortPath(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	for _, c := range []struct{ path, folder, want string }{
		{"/work/a/b.go", "/work", "a/b.go"},
		{"/work/a/b.go", "/work/", "a/b.go"},
		{"/work2/b.go", "/work", "/work2/b.go"},
		{"/home/me/x.go", "/work", "~/x.go"},
		{"/etc/hosts", "/", "/etc/hosts"},
		{"rel.go", "", "rel.go"},
	} {
		if got := shortPath(c.path, c.folder); got != c.want {
			t.Errorf("%s in %q: %s, want %s", c.path, c.folder, got, c.want)
		}
	}
}

func TestEnding(t *testing.T) {
	for path, want := range map[string]string{"": "", "a/été.go": "a/été.go", "a/long/été.go": "…g/été.go"} {
		if got := ending(path, 9); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestToolParts(t *testing.T) {
	text := func(s string) []acp.ToolContent {
		return []acp.ToolContent{{Type: acp.ToolContentBlock, Content: acp.Text(s)}}
	}
	for _, c := range []struct {
		name string
		call acp.ToolCall
		want []string // kind, then text
	}{
		{"console fence", acp.ToolCall{Kind: "execute", Content: text("```console\nok\n```")}, []string{"0 bare ```console\nok\n```\n"}},
		{"raw output", acp.ToolCall{Kind: "execute", Content: text("# not a heading\n* nor a list")}, []string{"0 bare ```\n# not a heading\n* nor a list\n```\n"}},
		{"Markdown", acp.ToolCall{Kind: "think", Content: text("# Found\n\n- one")}, []string{"0 # Found\n\n- one"}},
		{"prose with a fence", acp.ToolCall{Kind: "execute", Content: text("Exit 1\n```\nx\n```")}, []string{"0 Exit 1\n```\nx\n```"}},
		{"a file that is read", acp.ToolCall{Kind: "read", Locations: []acp.Location{{Path: "/a/b.go"}}, Content: text("package b")}, []string{"0 bare ```go\npackage b\n```\n"}},
		{"colours of a terminal", acp.ToolCall{Kind: "execute", Content: text("\x1b[32mok\x1b[0m\r\n")}, []string{"0 bare ```\nok\n```\n"}},
		{"JSON", acp.ToolCall{Kind: "other", Content: text(`{"a":1}`)}, []string{"0 bare ```json\n{\n  \"a\": 1\n}\n```\n"}},
		{"description", acp.ToolCall{Kind: "execute", RawInput: json.RawMessage(`{"command":"ls","description":"List"}`), Content: text("List")}, []string{"4 List"}},
		{"long command", acp.ToolCall{Kind: "execute", RawInput: json.RawMessage(`{"command":"a\nb"}`)}, []string{"0 bare ```sh\na\nb\n```\n"}},
		{"input", acp.ToolCall{Kind: "other", RawInput: json.RawMessage(`{"query":"x"}`)}, []string{"1 bare ```json\n{\n  \"query\": \"x\"\n}\n```\n"}},
		{"no input", acp.ToolCall{Kind: "other", RawInput: json.RawMessage(`{}`)}, nil},
		{"terminal", acp.ToolCall{Kind: "execute", Content: []acp.ToolContent{{Type: acp.ToolContentTerminal}}}, []string{"5 "}},
		{"terminal that told", acp.ToolCall{Kind: "execute", Content: []acp.ToolContent{{Type: acp.ToolContentTerminal}}, RawOutput: json.RawMessage(`{"formatted_output":"ok\n","exit_code":0}`)}, []string{"0 bare ```\nok\n```\n"}},
		{"blocks given back", acp.ToolCall{Kind: "execute", RawOutput: json.RawMessage(`[{"type":"text","text":"ok"}]`)}, []string{"0 bare ```\nok\n```\n"}},
		{"said twice", acp.ToolCall{Kind: "execute", Content: text("ok"), RawOutput: json.RawMessage(`"ok"`)}, []string{"0 bare ```\nok\n```\n"}},
		{"not JSON", acp.ToolCall{Kind: "other", RawInput: json.RawMessage(`oops`)}, []string{"1 bare ```json\noops\n```\n"}},
	} {
		var got []string
		for _, p := range toolParts(&c.call) {
			got = append(got, fmt.Sprint(int(p.kind), map[bool]string{true: " bare ", false: " "}[p.bare], p.text))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Numbers are those of the file, or none when nobody says where a part of it
// begins.
func TestChangeNumbers(t *testing.T) {
	old, whole := "two", "one\ntwo\n"
	for _, c := range []struct {
		name  string
		old   *string
		line  int
		wants int
	}{
		{"new file", nil, 0, 1}, {"whole file", &whole, 0, 1}, {"part of one", &old, 0, 0}, {"part at a line", &old, 41, 41},
	} {
		call := acp.ToolCall{Locations: []acp.Location{{Path: "/a", Line: c.line}},
			Content: []acp.ToolContent{{Type: acp.ToolContentDiff, Path: "/a", OldText: c.old, NewText: "2\n"}}}
		lines := toolParts(&call)[0].lines
		if got := max(lines[0].before, lines[0].after); got != c.wants {
			t.Errorf("%s begins at %d, want %d", c.name, got, c.wants)
		}
	}
}

// tooled shows a message of an agent with tool calls, and returns its row.
func tooled(t testing.TB, f *fake, calls ...*acp.ToolCall) (*window, *messageRow) {
	t.Helper()
	m := app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: time.Now()}
	for i, c := range calls {
		m.Parts = append(m.Parts, app.Part{Seq: i + 1, Kind: app.ToolPart, Tool: c, StartedAt: time.Now()})
	}
	f.add(m)
	w := openTest(t, f)
	return w, w.conversation.rows[w.conversation.list.Row(key(3))].messageRow
}

func (r *messageRow) tool(seq int) *toolView { return r.views[seq].(*toolView) }

// One card goes from the first to the last update, and what is drawn in it
// stays as long as it is right.
func TestToolCardUpdates(t *testing.T) {
	f := newFake()
	w, row := tooled(t, f, &acp.ToolCall{ID: "t", Title: "Terminal", Kind: "execute", Status: acp.ToolPending})
	shows(t, row.object, "Run", "waiting")
	v := row.tool(1)
	update := func(c acp.ToolCall) {
		w.apply([]app.Event{f.change(3, func(m *app.Message) { m.Parts[0].Tool = &c })})
	}
	c := acp.ToolCall{ID: "t", Title: "go test ./...", Kind: "execute", Status: acp.ToolInProgress}
	update(c)
	shows(t, row.object, "Run", "go test ./...", "running for 0 s")
	c.Content = []acp.ToolContent{{Type: acp.ToolContentBlock, Content: acp.Text("```console\nok  \tui\n```")}}
	update(c)
	if row.tool(1) != v || !v.open {
		t.Error("the card is another one, or is folded")
	}
	drawn := v.drawn[0].object
	c.Status = acp.ToolCompleted
	update(c)
	if v.drawn[0].object != drawn {
		t.Error("what did not change is drawn anew")
	}
	if slices.Contains(texts(row.object), "```console") {
		t.Error("the fence is shown")
	}
}

func TestChangeInTwoColumns(t *testing.T) {
	f := newFake()
	old := "one\ntwo = 2\nthree\n"
	w, row := tooled(t, f, &acp.ToolCall{ID: "t", Title: "Edit a.go", Kind: "edit", Status: acp.ToolCompleted, Content: []acp.ToolContent{
		{Type: acp.ToolContentDiff, Path: "/x/a.go", OldText: &old, NewText: "one\ntwo = 22\nnew\nthree\n"},
	}})
	shows(t, row.object, "Edit", "a.go", "+2", "−1")
	if all := strings.Join(flowTexts(row.object), "\n"); !strings.Contains(all, "2   - ") || !strings.Contains(all, "  3 + ") {
		t.Errorf("no numbers and signs in %q", all)
	}
	high := row.object.MinSize().Height
	test.Tap(find(t, row.object, "Side by side"))
	if got := row.object.MinSize().Height; got >= high {
		t.Errorf("two columns are %g high, one is %g", got, high)
	}
	if all := strings.Join(flowTexts(row.object), "\n"); !strings.Contains(all, "2 - ") || !strings.Contains(all, "3 + ") {
		t.Errorf("no numbers and signs in %q", all)
	}
	w.fyne.Resize(fyne.NewSize(900, 600))
	w.relayout()
	w.conversation.list.Refresh()
	test.Tap(find(t, row.object, "One column"))
	if got := row.object.MinSize().Height; got < high {
		t.Errorf("one column is %g high again, it was %g", got, high)
	}
}

// flowTexts are the texts that are drawn in a part of the window, letter for
// letter.
func flowTexts(o fyne.CanvasObject) (all []string) {
	if !o.Visible() {
		return nil
	}
	var children []fyne.CanvasObject
	switch o := o.(type) {
	case *canvas.Text:
		return []string{o.Text}
	case *fyne.Container:
		children = o.Objects
	case fyne.Widget:
		children = test.WidgetRenderer(o).Objects()
	}
	for _, child := range children {
		all = append(all, flowTexts(child)...)
	}
	return all
}

func TestHugeOutputIsFolded(t *testing.T) {
	f := newFake()
	huge := strings.Repeat("a line of output\n", 5<<20/17)
	w, row := tooled(t, f, &acp.ToolCall{ID: "t", Title: "cat", Kind: "read", Status: acp.ToolCompleted,
		Content: []acp.ToolContent{{Type: acp.ToolContentBlock, Content: acp.Text(huge)}}})
	v := row.tool(1)
	if len(v.parts) != 0 {
		t.Fatal("5 MB are made ready on the window's goroutine")
	}
	w.bridge.runErrands()
	before := row.object.MinSize().Height
	test.Tap(v.head)
	after := row.object.MinSize().Height
	if most := float32(mostBytes/17+10) * 20; after <= before || after > before+most {
		t.Errorf("unfolded from %g to %g", before, after)
	}
}

// BenchmarkToolCards is a change of one of 500 tool calls in a message.
func BenchmarkToolCards(b *testing.B) {
	f := newFake()
	var calls []*acp.ToolCall
	for i := range 500 {
		calls = append(calls, &acp.ToolCall{ID: fmt.Sprint(i), Title: fmt.Sprint("go test ./", i), Kind: "execute", Status: acp.ToolCompleted,
			Content: []acp.ToolContent{{Type: acp.ToolContentBlock, Content: acp.Text("ok\nok\nok")}}})
	}
	w, _ := tooled(b, f, calls...)
	n := 0
	for b.Loop() {
		n++
		w.apply([]app.Event{f.change(3, func(m *app.Message) {
			c := *m.Parts[499].Tool
			c.Content = []acp.ToolContent{{Type: acp.ToolContentBlock, Content: acp.Text(fmt.Sprint("ok ", n))}}
			m.Parts[499].Tool = &c
		})})
	}
}

// BenchmarkDiffCard unfolds a change of 3,000 lines.
func BenchmarkDiffCard(b *testing.B) {
	f := newFake()
	var before, after strings.Builder
	for i := range 3000 {
		fmt.Fprintln(&before, "line", i)
		fmt.Fprintln(&after, "line", i, "changed")
	}
	old := before.String()
	w, row := tooled(b, f, &acp.ToolCall{ID: "t", Kind: "edit", Content: []acp.ToolContent{{Type: acp.ToolContentDiff, Path: "/a", OldText: &old, NewText: after.String()}}})
	w.bridge.runErrands()
	for b.Loop() {
		row.fold("tool/t", true)
		row.fold("tool/t", false)
		row.tool(1).stale = true
	}
}
