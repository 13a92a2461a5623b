package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
	"git.rickub.com/bots-garden/sidekicks/ui/emoji"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// takes shows what agents take of the computer, looked at once a second: all
// of them at the foot of the sidebar, the one in the panel there.
type takes struct {
	w    *window
	all  *label
	line *fyne.Container // around all
	one  *label
}

func newTakes(w *window) *takes {
	t := &takes{w: w, all: newLabel("", faint()), one: newCutLabel("", muted().in(tokens.Text))}
	hint := newHint(w, t.all, func() string { return w.text("place.MemoryHint") })
	t.line = framed(insets{0, 8, 0, 0}, hint)
	return t
}

// tick shows what is known now.
func (t *takes) tick() {
	w := t.w
	text := ""
	if used, installed := w.backend.Memory(); used > 0 && installed > 0 {
		text = w.text("place.MemoryOf", "Used", w.memory(used), "All", w.memory(installed))
	}
	if t.all.text != text {
		t.all.setText(text)
		relayout(w.sidebar.object)
	}
	if w.opened != "" && w.panel.scroll != nil {
		t.one.setText(w.usage(w.opened))
	}
}

// usage says what an agent takes.
func (w *window) usage(agent string) string {
	u, known := w.backend.AgentUsage(agent)
	if !known {
		return w.text("place.NotKnown")
	}
	return w.text("place.Takes", "Memory", w.memory(u.Memory), "CPU", int(u.CPU*100+0.5))
}

// memory writes an amount of memory.
func (w *window) memory(n int64) string {
	if tenths := (n*10 + 1<<29) >> 30; tenths >= 100 {
		return w.text("place.GB", "N", (n+1<<29)>>30)
	} else if tenths >= 10 {
		return w.text("place.GB", "N", w.text("act.Decimal", "Whole", tenths/10, "Tenths", tenths%10))
	}
	return w.text("place.MB", "N", (n+1<<19)>>20)
}

// runsIn says where an agent runs, and what its folder is called there.
func (w *window) runsIn(c config.Agent) string {
	r := c.Runtime
	text := w.text("place.Here")
	switch r.Type {
	case config.Container:
		text = w.text("act.InContainer", "Name", r.Container)
	case config.Sbx:
		text = w.text("act.InSandbox", "Name", r.Sandbox)
	default:
		return text
	}
	if r.WorkspacePath != "" && r.WorkspacePath != c.Workspace {
		text += " · " + r.WorkspacePath
	}
	return text
}

// placeActions are what can be done with the container or the sandbox of an
// agent, as far as the file says how.
func (p *panel) placeActions(a app.Agent) fyne.CanvasObject {
	w, r := p.w, a.Entry.Runtime
	noun := "Container"
	switch r.Type {
	case config.Container:
	case config.Sbx:
		noun = "Sandbox"
	default:
		return nil
	}
	if a.Managing != "" {
		return newParagraph(w.text("place.Managing."+noun+"."+string(a.Managing)), faint())
	}
	row := newWrap(8, 8)
	add := func(id, text string, do func()) {
		b := newSignButton(text, do)
		w.mark("panel/"+id, b)
		row.Add(b)
	}
	if len(r.Lifecycle.Stop) > 0 {
		add("stop-place", w.text("place.Stop."+noun), func() { w.backend.StopPlace(a.Name) })
	}
	if len(r.Lifecycle.Remove) > 0 {
		add("remove-place", w.text("place.Remove."+noun), func() { w.removePlace(a, noun) })
	}
	if len(row.Objects) == 0 {
		return nil
	}
	return row
}

// newSignButton is a button whose text may begin with an emoji, which fonts
// draw badly.
func newSignButton(text string, do func()) *button {
	sign, rest, _ := strings.Cut(text, " ")
	if !emoji.Is(sign) {
		return newButton(text, ordinary, do)
	}
	l := newLabel(rest, look{buttonText(ordinary), tokens.Secondary, fyne.TextStyle{}})
	picture := newAvatar(app.Agent{Icon: sign}, 16)
	return newPressable(text, ordinary, inset(6, 12), newLine(6, nil, picture, l), do)
}

// removePlace says what is lost before it is.
func (w *window) removePlace(a app.Agent, noun string) {
	name := a.Entry.Runtime.Container + a.Entry.Runtime.Sandbox // it has one of them
	w.ask(dialog{
		title:   w.text("place.RemoveTitle."+noun, "Name", oneLine(name)),
		text:    w.text("place.RemoveText."+noun, "Agent", oneLine(a.Title)),
		body:    newParagraph(commandLine(a.Entry.Runtime.Lifecycle.Remove), coded()),
		confirm: w.text("place.RemoveIt"), danger: true,
		done: func() error { w.backend.RemovePlace(a.Name); return nil },
	})
}

// commandLine shows a command of the file.
func commandLine(words []string) string {
	return process.Command{Path: words[0], Args: words[1:]}.String()
}

// leftovers are what earlier processes of an agent left running, with the way
// to end it.
func (p *panel) leftovers(a app.Agent) fyne.CanvasObject {
	w := p.w
	says := newColumn(6, insets{}, newParagraph(w.text("place.StillRunning"), look{tokens.Text, tokens.Secondary, bold}))
	for _, text := range a.Leftovers {
		says.Add(newParagraph(text, muted().in(tokens.Text)))
	}
	kill := newButton(w.text("place.Kill"), danger, func() { w.backend.KillLeftovers(a.Name) })
	w.mark("panel/kill", kill)
	says.Add(newWrap(0, 0, kill))
	return edged(tokens.Warn, says)
}
