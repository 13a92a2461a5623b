package ui

import (
	"reflect"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const panelWidth = 340

// panel is the right column: what is known of one agent, and its log.
type panel struct {
	w      *window
	object *fyne.Container
	body   *fyne.Container

	tab      string // that is shown: "info", "log" or "terminal"
	shown    known  // as the panel was last drawn
	log      *logView
	followed time.Time // when the log was last looked at
	scroll   *container.Scroll
}

func newPanel(w *window) *panel {
	p := &panel{w: w, body: newLayers(), tab: "info"}
	right := newLayers(newSurface(tokens.Panel, "", 0), p.body)
	p.object = newFixed(panelWidth, 0, newColumns(right, ruler(), right))
	p.refresh()
	return p
}

// refresh shows the agent as it is now. While nothing changed, nothing is
// drawn anew: it would be pulled away under the pointer.
func (p *panel) refresh() {
	k, ok := p.w.know(p.w.opened)
	p.object.Hidden = !ok
	if !ok {
		p.w.opened, p.shown = "", known{}
		return
	}
	p.follow()
	if !reflect.DeepEqual(k, p.shown) {
		p.draw(k)
	}
}

func (p *panel) draw(k known) {
	offset := fyne.Position{}
	if p.scroll != nil && p.shown.agent.Name == k.agent.Name && p.tab == "info" {
		offset = p.scroll.Offset
	}
	p.shown = k
	p.scroll = nil
	var content fyne.CanvasObject
	switch p.tab {
	case "log":
		content = p.logTab(k.agent)
	case filesTab:
		content = p.w.folder(k.agent.Name).object
	case "terminal":
		content = p.w.terminals.of(k.agent.Name).object
	default:
		p.scroll = container.NewVScroll(p.info(k))
		content = p.scroll
	}
	p.body.Objects = []fyne.CanvasObject{newPile(content, p.head(k), p.tabs(), ruler(), content)}
	relayout(p.object)
	p.object.Refresh()
	if p.scroll != nil {
		p.scroll.ScrollToOffset(offset)
	}
}

// layOut places what is in the panel again after something grew.
func (p *panel) layOut() {
	relayout(p.object)
	if p.scroll != nil {
		relayout(p.scroll.Content)
		p.scroll.Refresh()
	}
}

func (p *panel) head(k known) fyne.CanvasObject {
	w, a := p.w, k.agent
	names := newColumn(1, insets{},
		newCutHint(w, newCutLabel(oneLine(a.Title), strong())), newCutHint(w, newCutLabel(w.where(k), muted())))
	close := newButton("✕", quiet, func() { w.openAgent(a.Name) })
	close.name = w.text("ui.Close")
	w.help(close)
	w.mark("panel/close", close)
	wide := newButton("↔", quiet, p.widen)
	wide.name = w.text("terminal.Widen")
	w.mark("panel/wide", w.help(wide))
	return framed(inset(12, 16), newLine(12, names, newAvatar(a, 36), names, newLine(0, nil, wide, close)))
}

// widen gives the panel the whole width, or the conversation its place back.
func (p *panel) widen() {
	p.w.desk.widen()
	if p.tab == "terminal" {
		p.w.terminals.of(p.shown.agent.Name).focus()
	}
}

func (p *panel) tabs() fyne.CanvasObject {
	row := newLine(6, nil)
	for _, t := range []struct{ id, text string }{
		{"info", "ui.Info"}, {filesTab, "files.Files"}, {"log", "ui.Log"}, {"terminal", "terminal.Tab"},
	} {
		l := newLabel(p.w.text(t.text), muted())
		if t.id == p.tab {
			l.look = look{tokens.Text, tokens.Secondary, bold}
		}
		b := newPressable(l.text, quiet, inset(6, 6), l, func() {
			p.show(t.id)
			if t.id == "terminal" {
				p.w.terminals.of(p.shown.agent.Name).enter()
			}
		})
		p.w.mark("panel/"+t.id, b)
		row.Add(b)
	}
	return framed(insets{0, 10, 6, 10}, row)
}

// show shows a tab.
func (p *panel) show(tab string) {
	p.tab = tab
	p.draw(p.shown)
	if f := p.w.shownFolder(); f != nil {
		f.refresh()
	}
	p.w.fitPanel()
}

// info is what is known of the agent and what can be done with it.
func (p *panel) info(k known) fyne.CanvasObject {
	w, a := p.w, k.agent
	list := newColumn(7, inset(12, 16))
	list.Add(w.fact("ui.State", newParagraph(stateSign(a.State)+" "+w.state(a), muted().in(tokens.Text))))
	command, found := w.command(k)
	if command != "" {
		list.Add(w.fact("ui.Command", w.saidInCode(command)))
	}
	for _, f := range []struct{ id, text string }{
		{"ui.Found", found}, {"ui.Workspace", short(a.Workspace)}, {"place.RunsIn", w.runsIn(a.Entry)}, {"ui.Version", a.Version},
		{"act.Sessions", strings.Join(k.sessions, ", ")},
	} {
		if f.text != "" {
			list.Add(w.fact(f.id, w.said(f.text)))
		}
	}
	if isRunning(a.State) {
		w.takes.one.setText(w.usage(a.Name))
		list.Add(w.fact("place.Memory", w.takes.one))
	}
	if a.Description != "" {
		list.Add(w.fact("ui.What", newParagraph(a.Description, muted().in(tokens.Text))))
	}
	if a.Outdated {
		list.Add(framed(insets{8, 0, 0, 0}, p.outdated(a)))
	}
	list.Add(framed(insets{8, 0, 4, 0}, p.actions(a)))
	if place := p.placeActions(a); place != nil {
		list.Add(framed(insets{0, 0, 4, 0}, place))
	}
	if len(a.Leftovers) > 0 {
		list.Add(p.leftovers(a))
	}
	if a.State == app.AgentError && a.Reason != nil {
		list.Add(framed(insets{4, 0, 4, 0}, p.whyNot(k)))
	}
	if len(a.AuthMethods) > 0 {
		list.Add(p.signIn(a))
	}
	if len(k.controls) > 0 {
		list.Add(p.controls(k))
	}
	return list
}

// controls are what may be chosen for the agent in the channel that is shown.
func (p *panel) controls(k known) fyne.CanvasObject {
	w := p.w
	list := newColumn(6, insets{8, 0, 0, 0},
		newCutLabel(w.text("act.InChannel", "Channel", oneLine(k.channel.Name)), faint()))
	for _, c := range k.controls {
		control := w.control(k.channel.ID, k.agent.Name, c)
		if _, on := control.(*check); on {
			control = newLine(0, nil, control)
		}
		list.Add(w.factNamed(w.controlName(c), control))
	}
	return list
}

func stateSign(s app.AgentState) string {
	if isRunning(s) {
		return "●"
	}
	if s == app.AgentError {
		return "✕"
	}
	return "○"
}

func (p *panel) actions(a app.Agent) fyne.CanvasObject {
	w := p.w
	row := newWrap(8, 8)
	add := func(id, text string, k kind, do func(string)) {
		b := newButton(w.text(text), k, func() { do(a.Name) })
		w.mark("panel/"+id, b)
		row.Add(b)
	}
	if a.Removed {
		return row
	}
	if isRunning(a.State) {
		add("stop", "ui.StopAgent", ordinary, w.backend.StopAgent)
		add("restart", "ui.RestartAgent", ordinary, w.backend.RestartAgent)
	} else {
		add("start", "ui.StartAgent", primary, w.backend.StartAgent)
	}
	return row
}

// outdated says that the agent does not run as the file has it now, and how it
// would.
func (p *panel) outdated(a app.Agent) fyne.CanvasObject {
	w := p.w
	restart := newButton(w.text("reload.RestartToApply"), primary, func() { w.backend.RestartAgent(a.Name) })
	w.mark("panel/restart-to-apply", restart)
	says := newParagraph(w.text("reload.Outdated"), muted().in(tokens.Text))
	return edged(tokens.Warn, newColumn(8, insets{}, says, newWrap(0, 0, restart)))
}

// whyNot says why the agent does not run: the reason, what was run, and what
// it said last.
func (p *panel) whyNot(k known) fyne.CanvasObject {
	w, a := p.w, k.agent
	why := newColumn(6, insets{},
		newParagraph(w.text("ui.WhyNot"), look{tokens.Text, tokens.Secondary, bold}),
		newParagraph(w.printer.Error(a.Reason), muted().in(tokens.Text)))
	list := newColumn(8, insets{}, edged(tokens.Error, why))
	if a.Command != "" {
		list.Add(newParagraph(w.text("act.WasRun"), faint()))
		list.Add(w.codePanel(a.Command))
	}
	if len(a.Stderr) > 0 {
		list.Add(newParagraph(w.text("ui.LastWords"), faint()))
		list.Add(w.codePanel(strings.Join(a.Stderr, "\n")))
	}
	return list
}

// signIn lists the ways to sign in: a button for those the agent runs itself,
// what to do for the others.
func (p *panel) signIn(a app.Agent) fyne.CanvasObject {
	w := p.w
	list := newColumn(8, insets{8, 0, 0, 0}, newParagraph(w.text("ui.SignIn"), look{tokens.Text, tokens.Secondary, bold}))
	for _, m := range a.AuthMethods {
		if m.Callable() {
			b := newButton(m.Name, ordinary, func() { w.backend.Authenticate(a.Name, m.ID) })
			w.mark("panel/sign-in/"+m.ID, b)
			list.Add(newWrap(0, 0, b))
		} else {
			list.Add(newParagraph(m.Name, muted().in(tokens.Text)))
		}
		if m.Description != "" {
			list.Add(newParagraph(m.Description, faint()))
		}
		var vars []string
		for _, v := range m.Vars {
			vars = append(vars, v.Name)
		}
		switch {
		case len(vars) > 0:
			list.Add(newParagraph(w.text("ui.SignInVars", "Names", strings.Join(vars, ", ")), faint()))
		case m.Type == "terminal":
			list.Add(newParagraph(w.text("act.SignInTerminal"), faint()))
			list.Add(w.codePanel(strings.Join(append([]string{a.Command}, m.Args...), " ")))
		}
	}
	return list
}

// logTab is the agent's log.
func (p *panel) logTab(a app.Agent) fyne.CanvasObject {
	if p.log == nil || p.log.agent != a.Name {
		p.log = newLogView(p.w, a.Name)
	}
	return p.log.object
}

// logPause is the shortest time between two looks at the log that is shown.
const logPause = time.Second / 5

// follow shows what is new in the log, if that is what is shown.
func (p *panel) follow() {
	now := p.w.now()
	if f := p.w.shownFolder(); f != nil {
		f.follow()
	}
	if p.tab != "log" || p.log == nil || p.log.agent != p.w.opened || now.Sub(p.followed) < logPause {
		return
	}
	p.followed = now
	p.log.refresh()
}
