package ui

import (
	"slices"
	"strings"
	"sync/atomic"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
	"git.rickub.com/bots-garden/sidekicks/ui/terminal"
	"git.rickub.com/bots-garden/sidekicks/ui/terminal/screen"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// terminals are the shells that are open in the window. They go on while their
// agent's panel shows something else, or is closed.
type terminals struct {
	w      *window
	sets   map[string]*terminalSet // by agent
	look   terminalLook
	closed atomic.Bool // the window is closing
}

// terminalLook is what the person chose for all terminals.
type terminalLook struct {
	TextSize   float32 `json:"textSize"`   // 0: that of code
	Scrollback int     `json:"scrollback"` // in lines
}

// terminalKey is what that is remembered under.
const terminalKey = "terminal"

func newTerminals(w *window) *terminals {
	ts := &terminals{w: w, sets: map[string]*terminalSet{}, look: terminalLook{Scrollback: screen.Scrollback}}
	w.remembered.Get(terminalKey, &ts.look)
	return ts
}

// of are the terminals of an agent.
func (ts *terminals) of(agent string) *terminalSet {
	if ts.sets[agent] == nil {
		ts.sets[agent] = newTerminalSet(ts, agent)
	}
	return ts.sets[agent]
}

// close ends all shells; nothing of them is shown any more.
func (ts *terminals) close() {
	ts.closed.Store(true)
	for _, set := range ts.sets {
		for _, t := range set.open {
			t.screen.Close()
		}
	}
}

// rebuild takes over another language or configuration: shells that run go on
// if their agent is still there.
func (ts *terminals) rebuild() {
	for agent, set := range ts.sets {
		if _, known := ts.w.backend.Agent(agent); !known {
			for _, t := range slices.Clone(set.open) {
				set.remove(t)
				t.screen.Close()
			}
			delete(ts.sets, agent)
			continue
		}
		set.build()
	}
}

// change keeps what the person chose, and applies it everywhere.
func (ts *terminals) change(look terminalLook) {
	ts.look = look
	ts.w.remembered.Set(terminalKey, look)
	for _, set := range ts.sets {
		for _, t := range set.open {
			t.screen.Scrollback(look.Scrollback)
			t.screen.SetTextSize(look.TextSize)
		}
	}
}

// terminalSet is the Terminal tab of one agent.
type terminalSet struct {
	ts     *terminals
	agent  string
	object *fyne.Container // what is above, then what is shown
	open   []*terminalTab
	shown  *terminalTab // nil: none
	count  int          // ever opened
	said   string       // of the one that ended last
	search *terminalSearch
}

// terminalTab is one shell.
type terminalTab struct {
	number int
	screen *terminal.Terminal
	shell  app.Shell // nil until it has started
	rang   bool      // and nobody has looked since
}

func newTerminalSet(ts *terminals, agent string) *terminalSet {
	set := &terminalSet{ts: ts, agent: agent, object: &fyne.Container{}}
	set.search = newTerminalSearch(set)
	set.build()
	return set
}

// enter is called when the person goes to the tab: there is a shell at once,
// and what is typed goes to it.
func (set *terminalSet) enter() {
	if set.count == 0 {
		set.add()
	}
	set.focus()
}

func (set *terminalSet) focus() {
	if set.shown != nil {
		set.ts.w.fyne.Canvas().Focus(set.shown.screen)
	}
}

// add opens one more shell.
func (set *terminalSet) add() {
	w := set.ts.w
	set.count++
	t := &terminalTab{number: set.count}
	t.screen = terminal.New(terminal.Options{
		Start: func(cols, rows int) (terminal.Program, error) {
			shell, err := w.backend.OpenShell(set.agent, cols, rows)
			t.shell = shell
			return shell, err
		},
		Ended:    func(err error) { set.ended(t, err) },
		Bell:     func() { set.ring(t) },
		Shortcut: func(s fyne.Shortcut) { w.shortcut(s) },
		Leave:    func() { w.desk.narrow(); w.composer.focus() },
		Find:     set.search.open,
		Menu:     func(at fyne.Position) { w.popUpAt(at, set.menu()) },
		Zoom:     func(size float32) { set.ts.change(terminalLook{size, set.ts.look.Scrollback}) },
		Do: func(f func()) {
			if !set.ts.closed.Load() {
				w.bridge.later(f)
			}
		},
		Clipboard: w.app.Clipboard(), TextSize: set.ts.look.TextSize, Scrollback: set.ts.look.Scrollback,
	})
	set.open = append(set.open, t)
	set.said = ""
	set.show(t)
}

func (set *terminalSet) show(t *terminalTab) {
	set.shown = t
	if t != nil {
		t.rang = false
	}
	set.build()
	set.focus()
}

// ring marks a terminal whose program rang, until somebody looks.
func (set *terminalSet) ring(t *terminalTab) {
	w := set.ts.w
	t.rang = true
	set.build()
	if t == set.shown && w.fyne.Canvas().Focused() == t.screen {
		w.after(helpDelay, func() { t.rang = false; set.build() })
	}
}

// ended says how a shell ended; its tab closes with it.
func (set *terminalSet) ended(t *terminalTab, err error) {
	w := set.ts.w
	if err != nil {
		set.close(t, w.text("terminal.Failed", "Reason", w.printer.Error(err)))
		return
	}
	go func() {
		state := t.shell.Wait()
		_ = t.shell.Close() // and what it left running
		w.bridge.later(func() {
			if !set.ts.closed.Load() {
				set.close(t, set.ending(t, state))
			}
		})
	}()
}

// ending is what is said of a shell that ended: with its last words, if it
// failed, since they go with it.
func (set *terminalSet) ending(t *terminalTab, state process.ExitState) string {
	w := set.ts.w
	id, _ := state.Localize()
	how := w.text(id, "Code", state.Code, "Signal", state.Signal)
	said := w.text("terminal.Ended", "Number", t.number, "How", how)
	if state.Code == 0 {
		return said
	}
	lines := strings.Split(strings.TrimSpace(t.screen.Dump()), "\n")
	return said + "\n" + strings.Join(lines[max(0, len(lines)-lastWords):], "\n")
}

// lastWords is how many lines of a shell that failed are shown.
const lastWords = 3

// stop closes a terminal whose shell still runs.
func (set *terminalSet) stop(t *terminalTab) {
	t.screen.Close()
	set.close(t, "")
}

func (set *terminalSet) close(t *terminalTab, said string) {
	focused := set.ts.w.fyne.Canvas().Focused() == t.screen
	set.said = said
	next := set.remove(t)
	if set.shown == t {
		set.shown = next
	}
	set.build()
	if !focused {
		return
	}
	if set.shown == nil {
		set.ts.w.composer.focus()
		return
	}
	set.focus()
}

// remove takes a terminal out and gives the one beside it.
func (set *terminalSet) remove(t *terminalTab) *terminalTab {
	i := slices.Index(set.open, t)
	if i < 0 {
		return set.shown
	}
	set.open = slices.Delete(set.open, i, i+1)
	if len(set.open) == 0 {
		return nil
	}
	return set.open[min(i, len(set.open)-1)]
}

// build puts together what is seen.
func (set *terminalSet) build() {
	w := set.ts.w
	var body fyne.CanvasObject
	if set.shown != nil {
		body = set.shown.screen
		w.mark("terminal/screen", body)
	} else {
		body = set.none()
	}
	parts := []fyne.CanvasObject{set.bar(), ruler()}
	if set.said != "" {
		parts = append(parts, set.note(), ruler())
	}
	if set.search.shown && set.shown != nil {
		parts = append(parts, set.search.object, ruler())
	}
	pile := newPile(body, append(parts, body)...)
	set.object.Layout, set.object.Objects = pile.Layout, pile.Objects
	relayout(set.object)
	set.object.Refresh()
}

// note says how the terminal that was closed last ended, until that is read.
func (set *terminalSet) note() fyne.CanvasObject {
	w := set.ts.w
	said := newParagraph(set.said, muted())
	read := newButton("✕", quiet, func() {
		set.said = ""
		set.build()
		set.focus()
	})
	read.name = w.text("ui.Close")
	w.mark("terminal/read", w.help(read))
	return framed(insets{6, 10, 6, 12}, newLine(8, said, said, read))
}

// bar has a button for each terminal, and what can be done with the one that
// is shown.
func (set *terminalSet) bar() fyne.CanvasObject {
	w := set.ts.w
	tabs := newWrap(2, 2)
	for _, t := range set.open {
		tabs.Add(set.tab(t))
	}
	more := newButton("+", quiet, set.add)
	more.name = w.text("terminal.New")
	w.mark("terminal/new", w.help(more))
	tabs.Add(more)
	if set.shown == nil {
		return framed(inset(4, 10), newLine(4, tabs, tabs))
	}
	var menu *button
	menu = newButton("⋯", quiet, func() { w.popUp(menu, set.menu()) })
	menu.name = w.text("terminal.More")
	w.mark("terminal/menu", w.help(menu))
	return framed(inset(4, 10), newLine(4, tabs, tabs, menu))
}

func (set *terminalSet) tab(t *terminalTab) fyne.CanvasObject {
	w := set.ts.w
	name := w.text("terminal.Name", "Number", t.number)
	l := newLabel(name, muted())
	if t == set.shown {
		l.look = look{tokens.Text, tokens.Secondary, bold}
	}
	if t.rang {
		l.setText(name + " ●")
	}
	b := newPressable(name, quiet, inset(3, 6), l, func() { set.show(t) })
	b.onMenu = func(at fyne.Position) {
		w.popUpAt(at, []menuItem{{id: "terminal/close", text: w.text("terminal.Close"), do: func() { set.stop(t) }}})
	}
	b.setSelected(t == set.shown)
	w.mark("terminal/tab/"+name, w.helpWith(b, func() string {
		if t.rang {
			return w.text("terminal.Rang")
		}
		return w.text("terminal.Leave")
	}))
	return b
}

// none is shown when no shell is open.
func (set *terminalSet) none() fyne.CanvasObject {
	w := set.ts.w
	open := newButton(w.text("terminal.New"), primary, set.add)
	w.mark("terminal/open", open)
	return newColumn(12, inset(24, 16), centredParagraph(w.text("terminal.None"), muted()), newMiddle(open))
}

// scrollbacks are the numbers of lines that can be chosen.
var scrollbacks = []int{500, screen.Scrollback, 10_000, 50_000}

// menu is what can be done with the terminal that is shown.
func (set *terminalSet) menu() []menuItem {
	w, t := set.ts.w, set.shown
	if t == nil {
		return nil
	}
	var items []menuItem
	add := func(id string, do func()) {
		items = append(items, menuItem{id: id, text: w.text(id), do: func() {
			set.focus()
			do()
		}})
	}
	if t.screen.Selected() != "" {
		add("terminal.Copy", t.screen.Copy)
	}
	add("terminal.Paste", t.screen.Paste)
	add("terminal.SelectAll", t.screen.SelectAll)
	add("terminal.Find", set.search.open)
	items = append(items, menuItem{})
	size := func(size float32) func() {
		return func() { set.ts.change(terminalLook{size, set.ts.look.Scrollback}) }
	}
	now := t.screen.TextSize()
	add("terminal.Larger", size(now+1))
	add("terminal.Smaller", size(now-1))
	add("terminal.UsualSize", size(0))
	items = append(items, menuItem{text: w.text("terminal.Scrollback")})
	for _, n := range scrollbacks {
		items = append(items, menuItem{
			text: w.printer.Count("terminal.Lines", n), checked: n == set.ts.look.Scrollback,
			do: func() { set.ts.change(terminalLook{set.ts.look.TextSize, n}) },
		})
	}
	items = append(items, menuItem{})
	add("terminal.Close", func() { set.stop(t) })
	return items
}
