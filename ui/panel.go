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

	inLog    bool      // the tab
	shown    app.Agent // as the panel was last drawn
	log      *logView
	followed time.Time // when the log was last looked at
	scroll   *container.Scroll
}

func newPanel(w *window) *panel {
	p := &panel{w: w, body: newLayers()}
	right := newLayers(newSurface(tokens.Panel, "", 0), p.body)
	p.object = newFixed(panelWidth, 0, newColumns(right, ruler(), right))
	p.refresh()
	return p
}

// refresh shows the agent as it is now. While nothing changed, nothing is
// drawn anew: it would be pulled away under the pointer.
func (p *panel) refresh() {
	a, ok := p.w.backend.Agent(p.w.opened)
	p.object.Hidden = !ok
	if !ok {
		p.w.opened, p.shown = "", app.Agent{}
		return
	}
	p.follow()
	if !reflect.DeepEqual(a, p.shown) {
		p.draw(a)
	}
}

func (p *panel) draw(a app.Agent) {
	offset := fyne.Position{}
	if p.scroll != nil && p.shown.Name == a.Name && !p.inLog {
		offset = p.scroll.Offset
	}
	p.shown = a
	p.scroll = nil
	content := p.logTab(a)
	if content == nil {
		p.scroll = container.NewVScroll(p.info(a))
		content = p.scroll
	}
	p.body.Objects = []fyne.CanvasObject{newPile(content, p.head(a), p.tabs(), ruler(), content)}
	relayout(p.object)
	p.object.Refresh()
	if p.scroll != nil {
		p.scroll.ScrollToOffset(offset)
	}
}

func (p *panel) head(a app.Agent) fyne.CanvasObject {
	where := "@" + a.Name
	names := newColumn(1, insets{}, newCutLabel(a.Title, strong()), newCutLabel(where, muted()))
	close := newButton("✕", quiet, func() { p.w.openAgent(a.Name) })
	close.name = p.w.text("ui.Close")
	p.w.help(close)
	p.w.mark("panel/close", close)
	return framed(inset(12, 16), newLine(12, names, newAvatar(a, 36), names, close))
}

func (p *panel) tabs() fyne.CanvasObject {
	row := newLine(6, nil)
	for _, t := range []struct {
		id, text string
		log      bool
	}{{"info", "ui.Info", false}, {"log", "ui.Log", true}} {
		l := newLabel(p.w.text(t.text), muted())
		if t.log == p.inLog {
			l.look = look{tokens.Text, tokens.Secondary, bold}
		}
		b := newPressable(l.text, quiet, inset(6, 6), l, func() {
			p.inLog = t.log
			p.draw(p.shown)
		})
		p.w.mark("panel/"+t.id, b)
		row.Add(b)
	}
	return framed(insets{0, 10, 6, 10}, row)
}

// info is what is known of the agent and what can be done with it.
func (p *panel) info(a app.Agent) fyne.CanvasObject {
	w := p.w
	list := newColumn(7, inset(12, 16))
	list.Add(p.fact("ui.State", newLabel(stateSign(a.State)+" "+w.text("ui.State."+string(a.State)), muted().in(tokens.Text))))
	for _, f := range []struct{ id, text string }{
		{"ui.Command", a.Command}, {"ui.Found", a.PathSource},
		{"ui.Workspace", short(a.Workspace)}, {"ui.Version", a.Version}, {"ui.What", a.Description},
	} {
		if f.text != "" {
			l := muted().in(tokens.Text)
			if f.id == "ui.Command" {
				l = coded()
			}
			list.Add(p.fact(f.id, newParagraph(f.text, l)))
		}
	}
	list.Add(framed(insets{8, 0, 0, 0}, p.actions(a)))
	if a.Reason != nil {
		list.Add(framed(insets{8, 0, 0, 0}, p.reason(a)))
	}
	if len(a.AuthMethods) > 0 {
		list.Add(p.signIn(a))
	}
	return list
}

// fact is a name with what there is to say.
func (p *panel) fact(id string, value fyne.CanvasObject) fyne.CanvasObject {
	name := newFixed(96, 19, newCutLabel(p.w.text(id), muted()))
	return &fyne.Container{Layout: factRow{}, Objects: []fyne.CanvasObject{name, value}}
}

type factRow struct{}

const factWidth = 104

func (factRow) heightFor(o []fyne.CanvasObject, width float32) float32 {
	return max(19, heightFor(o[1], width-factWidth))
}

func (f factRow) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSize(factWidth-8, 19))
	o[1].Move(fyne.NewPos(factWidth, 0))
	o[1].Resize(fyne.NewSize(size.Width-factWidth, f.heightFor(o, size.Width)))
}

func (f factRow) MinSize(o []fyne.CanvasObject) fyne.Size { return fyne.NewSize(160, 19) }

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

// reason says why the agent does not run, with what it said last.
func (p *panel) reason(a app.Agent) fyne.CanvasObject {
	c := tokens.Error
	if a.State != app.AgentError {
		c = tokens.Warn
	}
	why := newColumn(6, insets{})
	if a.State == app.AgentError {
		why.Add(newParagraph(p.w.text("ui.WhyNot"), look{tokens.Text, tokens.Secondary, bold}))
	}
	why.Add(newParagraph(p.w.printer.Error(a.Reason), muted().in(tokens.Text)))
	if len(a.Stderr) > 0 {
		why.Add(newParagraph(p.w.text("ui.LastWords"), faint()))
		why.Add(newParagraph(strings.Join(a.Stderr, "\n"), coded()))
	}
	return edged(c, why)
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
			list.Add(newParagraph(w.text("ui.SignInTerminal", "Command", strings.Join(append([]string{a.Command}, m.Args...), " ")), faint()))
		}
	}
	return list
}

// logTab is the agent's log while its tab is open, else nil.
func (p *panel) logTab(a app.Agent) fyne.CanvasObject {
	switch {
	case !p.inLog:
		return nil
	case p.log == nil || p.log.agent != a.Name:
		p.log = newLogView(p.w, a.Name)
	}
	return p.log.object
}

// logPause is the shortest time between two looks at the log that is shown.
const logPause = time.Second / 5

// follow shows what is new in the log, if that is what is shown.
func (p *panel) follow() {
	now := p.w.now()
	if !p.inLog || p.log == nil || p.log.agent != p.w.opened || now.Sub(p.followed) < logPause {
		return
	}
	p.followed = now
	p.log.refresh()
}
