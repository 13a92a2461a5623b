package ui

import (
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/list"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// mostEntries is how many entries of a log the view holds. The agent's own log
// is bounded too.
const mostEntries = 5000

// logKinds are the kinds of entries in the order of their switches.
var logKinds = []app.LogKind{app.LogStderr, app.LogRemark, app.LogSent, app.LogReceived}

// hiddenKey is what the kinds that are switched off are remembered under.
const hiddenKey = "logHidden"

// logView is the Log tab of an agent's panel: its error output, what became of
// its process, and the traffic in both directions, of which the newest is in
// view unless somebody scrolled up.
type logView struct {
	w      *window
	agent  string
	object *fyne.Container

	entries []app.LogEntry // the latest
	last    int64          // Seq of the last one seen
	cleared int64          // up to which nothing is shown any more
	names   map[int64]string
	hidden  []app.LogKind
	query   string // in lower case

	shown []app.LogEntry
	list  *list.List
	rows  map[fyne.CanvasObject]*logRow
	open  map[int64]bool // messages that are unfolded

	search   *field
	switches map[app.LogKind]*button
	empty    *paragraph
	body     *fyne.Container
}

func newLogView(w *window, agent string) *logView {
	v := &logView{
		w: w, agent: agent, names: map[int64]string{}, rows: map[fyne.CanvasObject]*logRow{},
		open: map[int64]bool{}, switches: map[app.LogKind]*button{},
		empty: newParagraph("", muted()), body: newLayers(),
	}
	w.remembered.Get(hiddenKey, &v.hidden)
	v.object = newPile(v.body, v.head(), ruler(), v.body)
	v.reset()
	v.refresh()
	return v
}

// head is what finds, chooses and takes away entries.
func (v *logView) head() fyne.CanvasObject {
	w := v.w
	v.search = newField("")
	v.search.SetPlaceHolder(w.text("system.FindInLog"))
	v.search.OnChanged = func(text string) {
		v.query = strings.ToLower(text)
		v.reset()
	}
	v.search.onEscape = func() {
		v.search.SetText("")
		w.composer.focus()
	}
	w.mark("log/search", v.search)
	tools := newLine(4, v.search, v.search)
	for _, t := range []struct {
		id, text string
		do       func()
	}{{"log/copy", "ui.Copy", v.copy}, {"log/clear", "system.ClearLog", v.clear}} {
		b := newButton(w.text(t.text), quiet, t.do)
		w.mark(t.id, b)
		tools.Add(b)
	}
	kinds := newWrap(4, 4)
	for _, k := range logKinds {
		l := newLabel(w.text("system.Log."+string(k)), footnote(tokens.Muted))
		b := newPressable(l.text, quiet, inset(2, 8), l, func() { v.toggle(k) })
		b.radius(10)
		v.switches[k] = b
		w.mark("log/kind/"+string(k), b)
		kinds.Add(b)
	}
	v.showSwitches()
	return newColumn(8, insets{8, 12, 8, 12}, tools, kinds)
}

func (v *logView) toggle(k app.LogKind) {
	if i := slices.Index(v.hidden, k); i >= 0 {
		v.hidden = slices.Delete(v.hidden, i, i+1)
	} else {
		v.hidden = append(v.hidden, k)
	}
	v.w.remembered.Set(hiddenKey, v.hidden)
	v.showSwitches()
	v.reset()
}

func (v *logView) showSwitches() {
	for k, b := range v.switches {
		b.setSelected(!slices.Contains(v.hidden, k))
	}
}

// reset chooses the entries to show anew, and shows them from the end.
func (v *logView) reset() {
	v.shown = nil
	for _, e := range v.entries {
		if v.matches(e) {
			v.shown = append(v.shown, e)
		}
	}
	clear(v.rows)
	v.list = list.New(list.Rows{
		Length: func() int { return len(v.shown) },
		Key:    func(i int) string { return strconv.FormatInt(v.shown[i].Seq, 10) },
		Kind:   func(i int) string { return rowKind(v.shown[i].Kind) },
		Create: v.newRow,
		Update: func(i int, o fyne.CanvasObject) { v.rows[o].show(i) },
	})
	v.w.mark("log", v.list)
	v.body.Objects = []fyne.CanvasObject{v.list, newColumn(0, inset(12, 16), v.empty)}
	v.showEmpty()
	v.body.Refresh()
}

func (v *logView) newRow(kind string) fyne.CanvasObject {
	r := newLogRow(v, kind)
	v.rows[r.object] = r
	return r.object
}

// matches tells whether an entry is one to show.
func (v *logView) matches(e app.LogEntry) bool {
	return !slices.Contains(v.hidden, e.Kind) && (v.query == "" || strings.Contains(strings.ToLower(e.Text), v.query))
}

// refresh shows what came since the last time.
func (v *logView) refresh() {
	fresh := v.w.backend.AgentTrace(v.agent, max(v.last, v.cleared))
	if len(fresh) == 0 {
		return
	}
	v.last = fresh[len(fresh)-1].Seq
	v.entries = append(v.entries, fresh...)
	if spare := len(v.entries) - mostEntries; spare > 0 {
		v.entries = slices.Clone(v.entries[spare:])
	}
	shown := len(v.shown)
	for _, e := range fresh {
		if v.matches(e) {
			v.shown = append(v.shown, e)
		}
	}
	gone := 0
	for gone < len(v.shown) && v.shown[gone].Seq < v.entries[0].Seq {
		gone++
	}
	v.shown = slices.Clip(v.shown[gone:])
	if gone > 0 || len(v.shown) != shown {
		v.forget()
		v.list.Reload()
		v.showEmpty()
	}
}

// forget drops what is kept of entries that are gone.
func (v *logView) forget() {
	for seq := range v.names {
		if seq < v.entries[0].Seq {
			delete(v.names, seq)
		}
	}
	for seq := range v.open {
		if seq < v.entries[0].Seq {
			delete(v.open, seq)
		}
	}
}

func (v *logView) showEmpty() {
	text := v.w.text("system.LogEmpty")
	if len(v.entries) > 0 {
		text = v.w.text("system.LogNoMatch")
	}
	v.empty.set(text, muted())
	v.body.Objects[1].(*fyne.Container).Hidden = len(v.shown) > 0
	v.body.Objects[1].Refresh()
}

// copy puts the entries that are shown into the clipboard.
func (v *logView) copy() {
	var text strings.Builder
	for _, e := range v.shown {
		text.WriteString(e.Time.Format("15:04:05.000") + " " + string(e.Kind) + " " + legible(e.Text))
		if e.Left > 0 {
			text.WriteString(" " + v.leftOut(e))
		}
		text.WriteByte('\n')
	}
	v.w.app.Clipboard().SetContent(text.String())
}

// clear takes away what is shown. What comes later is shown.
func (v *logView) clear() {
	v.cleared, v.entries = v.last, nil
	clear(v.names)
	clear(v.open)
	v.reset()
}

func (v *logView) leftOut(e app.LogEntry) string {
	return "… " + v.w.printer.Count("system.BytesLeftOut", e.Left)
}

// fold shows or hides the whole of a message.
func (v *logView) fold(seq int64) {
	v.open[seq] = !v.open[seq]
	v.list.RefreshRow(strconv.FormatInt(seq, 10))
}
