package ui

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/assist"
	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/app/i18n"
	"git.rickub.com/bots-garden/sidekicks/ui/markdown"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// window is the whole window. Its parts ask it for what they share.
type window struct {
	backend    backend
	bridge     *bridge
	app        fyne.App
	fyne       fyne.Window
	printer    *i18n.Printer
	marks      *marks      // nil unless the window is being tested from outside
	remembered *remembered // between two runs
	now        func() time.Time

	channel app.ChannelID // shown; 0 when there is none
	opened  string        // the agent whose panel is open
	front   bool          // the window is the one that the person works in
	theme   string        // in use
	leave   func()        // closes the dialog that is open; nil: none is
	stages  []*stage      // the window's content, then the dialog over it
	tips    tips
	after   func(time.Duration, func()) (stop func()) // runs something on the window's goroutine later

	sidebar      *sidebar
	head         *head
	alerts       *alerts
	conversation *conversation
	composer     *composer
	panel        *panel
	takes        *takes
	terminals    *terminals
	picker       *picker
	finder       *finder
	desk         *desk
	colorist     *markdown.Colorist
	thumbs       *thumbs
	notifier     *notifier
	glyphs       *glyphs
	scripts      []string // that cannot be drawn, to be told of
	tray         *tray
	files        files
	opening      bool               // another configuration is being opened
	programs     []assist.Candidate // of this computer, to be offered
	assistant    *assistant         // that is open; nil: it is not
	again        func()             // after the window was built in another language; nil: nothing
	folders      map[string]*folder // the Files tabs that were opened, by agent
	quitting     *dialogView        // asks whether to close the window
	body         *fyne.Container    // what must be laid out again when a part comes or goes
}

// newWindow fills a window with all its parts; theme is the one in use, ""
// for none of ours yet.
func newWindow(b backend, a fyne.App, f fyne.Window, m *marks, r *remembered, theme string) *window {
	w := &window{backend: b, app: a, fyne: f, marks: m, remembered: r, theme: theme, now: time.Now}
	w.bridge = &bridge{do: fyne.Do, apply: w.apply, tick: w.tick}
	w.tips.w, w.after = w, w.bridge.after
	w.colorist, w.thumbs = markdown.NewColorist(w.bridge.outside), newThumbs()
	f.SetPadded(false)
	w.addShortcuts()
	w.configure()
	w.watchFront()
	f.SetCloseIntercept(w.quit)
	w.notifier = newNotifier(w)
	w.glyphs = newGlyphs(w.tellMissing)
	w.terminals = newTerminals(w)
	w.build()
	return w
}

// text is a text of the catalogue in the language of the window.
func (w *window) text(id string, args ...any) string { return w.printer.Text(id, args...) }

// mark makes an object known by name to whoever tests the window.
func (w *window) mark(id string, o fyne.CanvasObject) { w.marks.set(id, o) }

// configure takes over the theme and the language of the configuration file,
// and reports whether the window has to be built anew.
func (w *window) configure() bool {
	if t := w.backend.Config().UI.Theme; w.theme != t {
		w.theme = t
		w.app.Settings().SetTheme(tokens.Theme(t))
	}
	p := w.backend.Printer()
	if w.printer != nil && w.printer.Language() == p.Language() {
		return false
	}
	w.printer = p
	return true
}

// build makes every part and shows them.
func (w *window) build() {
	for w.leave != nil { // in the language of before
		w.leave()
	}
	w.terminals.rebuild()
	w.picker = newPicker(w)
	w.finder = newFinder(w)
	w.takes = newTakes(w)
	w.sidebar = newSidebar(w)
	w.head = newHead(w)
	w.alerts = newAlerts(w)
	w.conversation = newConversation(w)
	w.composer = newComposer(w)
	for _, f := range w.folders {
		f.build()
	}
	w.panel = newPanel(w)
	middle := newPile(w.conversation.object,
		w.head.object, w.alerts.object, w.conversation.object, w.composer.object)
	center := &fyne.Container{Layout: atLeast{smallestCenter}, Objects: []fyne.CanvasObject{newSurface(tokens.Background, "", 0), middle}}
	w.desk = newDesk(w, center)
	w.body = w.desk.object
	w.stages = []*stage{newStage(w, w.body, w.picker.object, w.finder.object)}
	w.fyne.SetContent(newLayers(w.stages[0].object, w.marks.paper("ready")))
	w.show(w.firstChannel())
}

// firstChannel is the channel shown now, if it is still there, or the first.
func (w *window) firstChannel() app.ChannelID {
	if _, ok := w.backend.Channel(w.channel); ok && w.channel != 0 {
		return w.channel
	}
	if all := w.order(); len(all) > 0 {
		return all[0].ID
	}
	return 0
}

// show opens a channel.
func (w *window) show(id app.ChannelID) {
	w.finder.close()
	w.composer.leave()
	w.desk.narrow()
	w.channel = id
	w.conversation.open(id)
	w.composer.open(id)
	w.head.refresh()
	w.sidebar.refresh()
	w.panel.refresh()
	w.retitle()
	w.relayout()
	w.composer.focus()
}

// showNext opens the channel that many places below the one shown.
func (w *window) showNext(step int) {
	all := w.order()
	i := slices.IndexFunc(all, func(c app.Channel) bool { return c.ID == w.channel })
	if len(all) > 0 {
		w.show(all[(i+step+len(all))%len(all)].ID)
	}
}

// showNth opens the nth channel of the sidebar, from 0.
func (w *window) showNth(n int) {
	if all := w.listed(); n < len(all) {
		w.show(all[n].ID)
	}
}

// openAgent opens the panel of an agent, or closes it if it is open.
func (w *window) openAgent(name string) {
	if w.opened == name {
		name = ""
	}
	w.opened = name
	w.panel.refresh()
	w.fitPanel()
	w.sidebar.refreshAgents()
	w.relayout()
	w.composer.focus()
}

func (w *window) retitle() {
	title := "Sidekicks"
	if path := w.backend.Config().Path; path != "" {
		title = filepath.Base(path) + " — " + title
	}
	if c, ok := w.backend.Channel(w.channel); ok {
		title = strings.Replace(w.titleOf(c), "# ", "#", 1) + " — " + title
	}
	if title = w.badged(title); w.fyne.Title() != title {
		w.fyne.SetTitle(title)
	}
}

// relayout places the parts again after one came, went or grew.
func (w *window) relayout() { relayout(w.body) }

// apply shows what changed. The events say where to look, the backend what
// is there now.
func (w *window) apply(batch []app.Event) {
	seen := map[app.EventKind]bool{}
	for _, e := range batch {
		seen[e.Kind] = true
	}
	all := seen[app.Everything]
	if all || seen[app.ConfigChanged] {
		if w.configure() {
			w.tray.show(w.printer)
			w.composer.leave()
			w.build()
			if again := w.again; again != nil {
				w.again = nil
				again()
			}
			return
		}
	}
	w.notifier.apply(batch)
	if w.channel != w.firstChannel() {
		w.show(w.firstChannel())
	}
	if all {
		w.conversation.open(w.channel)
	} else {
		w.conversation.apply(batch)
	}
	if all || seen[app.ConfigChanged] || seen[app.TroublesChanged] {
		w.alerts.refresh()
	}
	if all || seen[app.ConfigChanged] || seen[app.ChannelsChanged] || seen[app.AgentsChanged] || seen[app.QuestionsChanged] {
		w.sidebar.refresh()
		w.head.refresh()
		w.retitle()
		w.panel.refresh()
		w.conversation.refreshEmpty()
	}
	w.panel.follow()
	queued := w.composer.queue.apply(batch)
	// A message that grows, thirty times a second, moves nothing else.
	if queued || len(seen) > 1 || !seen[app.MessageChanged] || w.composer.stop.Hidden == w.conversation.busy() {
		w.composer.refresh()
		w.relayout()
	}
}

// tick moves the clocks of the window on.
func (w *window) tick() {
	w.conversation.tick()
	w.panel.follow()
	w.takes.tick()
}

// report shows what went wrong with something the person asked for.
func (w *window) report(err error) {
	if err != nil {
		w.alerts.add(w.printer.Error(err))
		w.relayout()
	}
}

// agent is an agent by name, also one that is not known any more.
func (w *window) agent(name string) app.Agent {
	a, ok := w.backend.Agent(name)
	if !ok {
		a = app.Agent{Name: name, Removed: true}
	}
	if a.Title == "" {
		a.Title = a.Name
	}
	return a
}

// titles are the shown names of agents.
func (w *window) titles(names []string) []string {
	titles := make([]string, len(names))
	for i, n := range names {
		titles[i] = w.agent(n).Title
	}
	return titles
}

// fileErrors are the problems that keep the file from being used.
func fileErrors(problems []config.Problem) (n int) {
	for _, p := range problems {
		if p.Severity == config.Error {
			n++
		}
	}
	return n
}

// showAgent opens the panel of an agent.
func (w *window) showAgent(name string) {
	if w.opened != name {
		w.openAgent(name)
	}
}
