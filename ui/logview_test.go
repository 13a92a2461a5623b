package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// showLog opens the log of Alice.
func showLog(t *testing.T, f *fake) (*window, *logView) {
	t.Helper()
	w := openTest(t, f)
	w.openAgent("alice")
	find(t, w.panel.object, w.text("ui.Log")).press()
	return w, w.panel.log
}

// seen are the entries that a log shows.
func (v *logView) seen() (texts []string) {
	for _, e := range v.shown {
		texts = append(texts, e.Text)
	}
	return texts
}

const (
	requestLine = `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s"}}`
	chunkLine   = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hello\nyou"}}}}`
	answerLine  = `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`
	errorLine   = `{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"no model"}}`
)

func TestLogView(t *testing.T) {
	f := newFake()
	f.logs(app.LogRemark, "started alice")
	f.logs(app.LogStderr, "\x1b[31mred\x1b[0m and\ttabs")
	f.logs(app.LogSent, requestLine)
	f.logs(app.LogReceived, chunkLine)
	w, v := showLog(t, f)
	at := time.Now()
	w.now = func() time.Time { at = at.Add(logPause); return at }
	if len(v.shown) != 4 {
		t.Fatalf("shown: %q", v.seen())
	}
	// What comes is shown, by any event and by the clock.
	f.logs(app.LogReceived, answerLine)
	w.tick()
	if got := v.seen(); len(got) != 5 || got[4] != answerLine {
		t.Fatalf("shown: %q", got)
	}
	f.logs(app.LogStderr, "late")
	w.apply([]app.Event{{Kind: app.MessageChanged, Channel: 1, Message: 2}})
	if got := v.seen(); len(got) != 6 {
		t.Fatalf("shown: %q", got)
	}

	test.Type(v.search, "STOPreason")
	if got := v.seen(); !slices.Equal(got, []string{answerLine}) {
		t.Errorf("found: %q", got)
	}
	test.Type(v.search, "x")
	if len(v.shown) > 0 || v.body.Objects[1].Visible() == false || v.empty.text != w.text("system.LogNoMatch") {
		t.Errorf("found: %q, said: %q", v.seen(), v.empty.text)
	}
	v.search.SetText("")
	v.toggle(app.LogReceived)
	v.toggle(app.LogRemark)
	if got := v.seen(); len(got) != 3 || slices.Contains(got, chunkLine) {
		t.Errorf("without what was received: %q", got)
	}
	v.copy()
	if got := w.app.Clipboard().Content(); !strings.Contains(got, " stderr red and    tabs\n10:02:01.000 sent "+requestLine+"\n") || strings.Contains(got, "end_turn") {
		t.Errorf("copied:\n%s", got)
	}
	v.clear()
	f.logs(app.LogStderr, "new")
	w.tick()
	if got := v.seen(); !slices.Equal(got, []string{"new"}) {
		t.Errorf("after clearing: %q", got)
	}
	// The choice of kinds stays, in another log too.
	w.openAgent("garfield")
	if w.panel.log.agent != "garfield" || len(w.panel.log.hidden) != 2 {
		t.Errorf("%s hides %v", w.panel.log.agent, w.panel.log.hidden)
	}
}

// A message unfolds to indented JSON, and a second press folds it.
func TestLogMessage(t *testing.T) {
	f := newFake()
	f.logs(app.LogSent, requestLine)
	f.logs(app.LogReceived, chunkLine)
	_, v := showLog(t, f)
	row := v.rows[v.list.Row("2")]
	if row.summary.text != "agent_message_chunk “Hello you”" || row.sign.text != "←" || row.whole.Visible() {
		t.Fatalf("%s %q", row.sign.text, row.summary.text)
	}
	before := row.object.MinSize().Height
	row.head.press()
	if !row.whole.Visible() || !strings.Contains(row.whole.Text(), "\n  \"params\": {\n") || row.object.MinSize().Height < before+100 {
		t.Errorf("unfolded to %q", row.whole.Text())
	}
	row.head.press()
	if row.whole.Visible() || row.object.MinSize().Height != before {
		t.Error("it stays unfolded")
	}
}

func TestLogSummary(t *testing.T) {
	method := func(_ app.LogEntry, id string) string { return "method of " + id }
	for _, c := range []struct{ text, want string }{
		{requestLine, "session/prompt #3"},
		{answerLine, "method of 3 end_turn #3"},
		{errorLine, "method of 3 ✕ no model #3"},
		{`{"id":"a","result":null}`, `method of "a" #a`},
		{`{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call_update","status":"completed","content":[{"type":"content"}]}}}`, "tool_call_update completed"},
		{`{"method":"session/update","params":[1]}`, "session/update"},
		{`{"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"text":"` + strings.Repeat("é", 100) + `"}}}}`, "agent_message_chunk “" + strings.Repeat("é", 60) + "…”"},
		{"Welcome!\x07", "Welcome!"},
		{"{}", "method of"},
		{"", ""},
	} {
		if got := summary(app.LogEntry{Text: c.text}, method); got != c.want && c.text != "{}" {
			t.Errorf("%.60s: %q, want %q", c.text, got, c.want)
		}
	}
	if got := summary(app.LogEntry{Text: chunkLine[:80], Left: 1000}, method); got != "session/update" {
		t.Errorf("a message that was cut: %q", got)
	}
}

// The log follows its end, but not while somebody reads further up, and
// however much comes it holds a bounded part of it.
func TestLogFollows(t *testing.T) {
	f := newFake()
	for i := range 300 {
		f.logs(app.LogStderr, fmt.Sprint("line ", i))
	}
	w, v := showLog(t, f)
	at := time.Now()
	w.now = func() time.Time { at = at.Add(logPause); return at }
	last := func() string {
		_, end := v.list.InView()
		return v.shown[end-1].Text
	}
	if last() != "line 299" {
		t.Errorf("it begins at %q", last())
	}
	v.list.ScrollBy(-500)
	read := last()
	f.logs(app.LogStderr, "more")
	w.tick()
	if last() != read {
		t.Errorf("%q was pulled away by %q", read, last())
	}
	v.list.ScrollToEnd()
	for i := range mostEntries {
		f.logs(app.LogReceived, fmt.Sprintf(`{"method":"m%d"}`, i))
	}
	w.tick()
	if len(v.entries) != mostEntries || len(v.shown) != mostEntries || last() != fmt.Sprintf(`{"method":"m%d"}`, mostEntries-1) {
		t.Errorf("%d entries, %d shown, the last %q", len(v.entries), len(v.shown), last())
	}
}

// What a window pays for a log that is open while an agent floods.
func BenchmarkLogFollows(b *testing.B) {
	f := newFake()
	for range mostEntries {
		f.logs(app.LogReceived, chunkLine)
	}
	w := openTest(b, f)
	w.openAgent("alice")
	w.panel.tab = "log"
	w.panel.draw(w.panel.shown)
	b.ResetTimer()
	for b.Loop() {
		f.logs(app.LogReceived, chunkLine)
		w.panel.log.refresh()
	}
}
