package ui

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/markdown"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// The two kinds of rows of a log.
const (
	lineEntry    = "line"    // text as it came
	messageEntry = "message" // one line that unfolds to JSON
)

func rowKind(k app.LogKind) string {
	if k == app.LogSent || k == app.LogReceived {
		return messageEntry
	}
	return lineEntry
}

// logRow shows one entry of a log.
type logRow struct {
	v      *logView
	object *fyne.Container
	entry  app.LogEntry
	time   *label // above, where the second is another than in the row before
	sign   *label

	text *paragraph // of a line

	head    *button // of a message
	summary *label
	whole   *markdown.Flow
	left    *fyne.Container
	leftOut *label
	mark    string
}

func newLogRow(v *logView, kind string) *logRow {
	r := &logRow{v: v, time: newLabel("", faint()), sign: newLabel("", coded())}
	sign := newFixed(16, 0, newColumn(0, insets{top: 1}, r.sign))
	var content fyne.CanvasObject
	if kind == lineEntry {
		r.text = newParagraph("", coded())
		content = newColumns(r.text, sign, r.text)
	} else {
		r.summary, r.leftOut = newCutLabel("", coded()), newLabel("", faint())
		r.head = newPressable("", item, inset(1, 0), newLine(0, r.summary, sign, r.summary), func() { v.fold(r.entry.Seq) })
		r.whole = markdown.New("")
		r.whole.Bare, r.whole.MaxShown, r.whole.Colorist = true, 64<<10, v.w.colorist
		r.whole.Labels = markdown.Labels{Copy: v.w.text("ui.Copy"), Copied: v.w.text("ui.Copied"), ShowMore: v.w.text("ui.ShowMore")}
		r.whole.OnScrolled = func(e *fyne.ScrollEvent) { v.list.Scrolled(e) }
		r.left = framed(inset(0, 12), r.leftOut)
		content = newColumn(0, insets{}, r.head, r.whole, r.left)
	}
	menu := newMenuArea(func(at fyne.Position) {
		v.w.popUpAt(at, []menuItem{{text: v.w.text("ui.Copy"), do: func() { v.w.app.Clipboard().SetContent(pretty(r.entry.Text)) }}})
	})
	r.object = newLayers(menu, newColumn(2, inset(2, 12), r.time, content))
	return r
}

// show makes the row the one of an entry that is shown.
func (r *logRow) show(i int) {
	v := r.v
	e := v.shown[i]
	r.entry = e
	at := e.Time.Format("15:04:05")
	r.time.setText(at)
	r.time.Hidden = i > 0 && v.shown[i-1].Time.Format("15:04:05") == at
	sign, c := logSign(e.Kind)
	r.sign.set(sign, coded().in(c))
	if r.text != nil {
		l := coded()
		if e.Kind == app.LogRemark {
			l = muted()
		}
		r.text.set(legible(e.Text), l)
	} else {
		r.showMessage(e)
	}
	relayout(r.object)
}

func (r *logRow) showMessage(e app.LogEntry) {
	v := r.v
	name, ok := v.names[e.Seq]
	if !ok {
		name = summary(e, v.method)
		v.names[e.Seq] = name
	}
	r.summary.setText(name)
	r.head.name = name
	v.w.marks.drop(r.mark)
	if r.mark = "log/" + name; strings.Contains(name, "#") { // not each of a thousand chunks
		v.w.marks.setWithin(r.mark, r.head, v.list)
	}
	open := v.open[e.Seq]
	r.whole.Hidden, r.left.Hidden = !open, !open || e.Left == 0
	if open {
		r.whole.SetText(markdown.Fence("json", pretty(e.Text)))
		r.leftOut.setText(v.leftOut(e))
	}
}

// method finds the method of the request that an answer belongs to.
func (v *logView) method(answer app.LogEntry, id string) string {
	asked := app.LogSent
	if answer.Kind == app.LogSent {
		asked = app.LogReceived
	}
	for i := len(v.entries) - 1; i >= 0; i-- {
		e := v.entries[i]
		if e.Kind != asked || e.Seq > answer.Seq || !strings.Contains(e.Text, `"id":`+id) {
			continue
		}
		var m wireMessage
		if json.Unmarshal([]byte(e.Text), &m) == nil && m.Method != "" && string(m.ID) == id {
			return m.Method
		}
	}
	return ""
}

// logSign is the sign of a kind of entry, and its colour.
func logSign(k app.LogKind) (string, fyne.ThemeColorName) {
	switch k {
	case app.LogSent:
		return "→", tokens.Accent
	case app.LogReceived:
		return "←", tokens.OK
	case app.LogRemark:
		return "·", tokens.Muted
	}
	return "!", tokens.Warn
}

// wireMessage is what a summary needs of a message.
type wireMessage struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Update struct {
			SessionUpdate, Title, Status string
			Content                      json.RawMessage
		}
	}
	Result struct{ StopReason string }
	Error  *struct{ Message string }
}

// summary is one line about a message: the method, and what is worth knowing
// at once.
func summary(e app.LogEntry, method func(answer app.LogEntry, id string) string) string {
	var m wireMessage
	// What has another shape than expected is left out.
	err := json.Unmarshal([]byte(e.Text), &m)
	u := m.Params.Update
	if found := longName.FindStringSubmatch(e.Text); e.Left > 0 && found != nil {
		return found[1]
	}
	if err != nil && m.Method == "" && m.ID == nil {
		return oneLine(legible(clipped(e.Text, 200)))
	}
	words := []string{m.Method}
	switch {
	case u.SessionUpdate != "":
		words = []string{u.SessionUpdate, chunkText(u.Content), u.Title, u.Status}
	case m.Method == "":
		words = []string{method(e, string(m.ID)), m.Result.StopReason}
		if m.Error != nil {
			words = append(words, "✕", m.Error.Message)
		}
	}
	if len(m.ID) > 0 {
		words = append(words, "#"+strings.Trim(string(m.ID), `"`))
	}
	text := strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	return clipped(legible(text), 200)
}

// longName finds what a message that was cut is about.
var longName = regexp.MustCompile(`"(?:method|sessionUpdate)":"(\w[\w/]*)"`)

// chunkText is the text of a chunk, in quotes.
func chunkText(content json.RawMessage) string {
	var c struct{ Text *string }
	if json.Unmarshal(content, &c) != nil || c.Text == nil {
		return ""
	}
	return "“" + clipped(*c.Text, 120) + "”"
}

// clipped is the beginning of a text.
func clipped(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// pretty is JSON with its levels indented; what is none stays as it is.
func pretty(text string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(text), "", "  ") != nil {
		return legible(text)
	}
	return b.String()
}

// controls are what a terminal would not show: escape sequences, and other
// characters that mean nothing in a text.
var controls = regexp.MustCompile(`\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x08\x0b-\x1f\x7f]`)

// legible is a text without what is meant for a terminal.
func legible(text string) string {
	return strings.ReplaceAll(controls.ReplaceAllString(text, ""), "\t", "    ")
}
