package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	pickerWidth = 380
	mostChoices = 8
)

// picker is the list that opens at the caret after "@" and "/". It lies over
// the window without being one of Fyne's pop-ups, which would take the keys
// away from the text.
type picker struct {
	w      *window
	object *fyne.Container
	panel  *fyne.Container
	column *fyne.Container

	typed   string // the token that it was opened for
	left    string // the token that it was closed for by hand
	choices []choice
	rows    []*button
	chosen  int
}

// choice is one line of the picker.
type choice struct {
	insert string // replaces what was typed
	name   string
	detail string
	agent  *app.Agent // whose face and state are shown; nil: none
	member bool
}

func newPicker(w *window) *picker {
	p := &picker{w: w, column: newColumn(0, inset(6, 6))}
	back := newSurface(tokens.Panel, tokens.Line, dialogRadius)
	back.lifted = true
	p.panel = newLayers(back, p.column)
	p.panel.Hide()
	p.object = &fyne.Container{Layout: p, Objects: []fyne.CanvasObject{p.panel}}
	return p
}

func (p *picker) isOpen() bool { return p.panel.Visible() }

// close keeps the picker closed until something else is typed.
func (p *picker) close() {
	if p.isOpen() {
		p.left = p.typed
		p.panel.Hide()
		p.object.Refresh()
	}
}

// pointed tells whether the pointer is on the picker.
func (p *picker) pointed() bool {
	return slices.ContainsFunc(p.rows, func(b *button) bool { return b.hovered })
}

// refresh opens, fills or closes the picker after what is before the caret.
func (p *picker) refresh() {
	if p.w.composer == nil {
		return
	}
	token, ok := p.w.composer.input.token()
	if !ok || token == p.left {
		if !ok {
			p.left = ""
		}
		p.panel.Hide()
		return
	}
	p.left = ""
	if token != p.typed {
		p.chosen = 0
	}
	p.typed = token
	header, footer := "", ""
	if token[0] == '@' {
		p.choices = p.w.mentions(token[1:])
		c, _ := p.w.backend.Channel(p.w.channel)
		header = p.w.text("ui.MembersOf", "Channel", c.Name)
		if len(c.Members) > 1 {
			footer = p.w.text("ui.AllWakes", "Who", p.w.wakes(c.Members))
		}
	} else {
		p.choices = p.w.commandChoices(token[1:])
		header = p.w.text("ui.Commands")
	}
	if len(p.choices) == 0 {
		p.panel.Hide()
		return
	}
	p.chosen = min(p.chosen, len(p.choices)-1)
	p.draw(header, footer)
	p.panel.Show()
	p.object.Refresh()
	relayout(p.object)
}

// draw shows the choices around the chosen one.
func (p *picker) draw(header, footer string) {
	p.column.Objects = []fyne.CanvasObject{framed(inset(4, 8), newCutLabel(header, faint()))}
	p.rows = nil
	first := max(0, min(p.chosen-mostChoices/2, len(p.choices)-mostChoices))
	for i, c := range p.choices[first:min(len(p.choices), first+mostChoices)] {
		n := first + i
		b := p.row(c, func() { p.pick(n) })
		b.setSelected(n == p.chosen)
		p.rows = append(p.rows, b)
		p.column.Add(newFixed(0, 32, b))
		p.w.mark("pick/"+c.insert, b)
	}
	if footer != "" {
		p.column.Add(framed(inset(6, 8), newCutLabel(footer, faint())))
	}
}

func (p *picker) row(c choice, pick func()) *button {
	name, detail := newLabel(c.name, plain()), newCutLabel(c.detail, faint().in(tokens.Muted))
	if c.agent == nil {
		return newPressable(c.insert, item, inset(0, 8), newLine(8, detail, name, detail), pick)
	}
	face, state := newAvatar(*c.agent, 22), newDot(c.agent.State)
	return newPressable(c.insert, item, inset(0, 8), newLine(8, detail, face, name, detail, state), pick)
}

func (p *picker) pick(n int) {
	c := p.choices[n]
	if c.agent != nil && !c.member {
		p.w.report(p.w.backend.AddMember(p.w.channel, c.agent.Name))
	}
	p.panel.Hide()
	p.w.composer.input.complete(p.typed, c.insert+" ")
	p.w.composer.focus()
}

// typedKey takes the keys that move in the picker, and reports whether this
// was one.
func (p *picker) typedKey(k *fyne.KeyEvent) bool {
	n := len(p.choices)
	switch k.Name {
	case fyne.KeyUp:
		p.chosen = (p.chosen + n - 1) % n
	case fyne.KeyDown:
		p.chosen = (p.chosen + 1) % n
	case fyne.KeyTab, fyne.KeyReturn, fyne.KeyEnter:
		p.pick(p.chosen)
		return true
	case fyne.KeyEscape:
		p.close()
		return true
	default:
		return false
	}
	p.refresh()
	return true
}

// Layout implements fyne.Layout: above the caret, inside the window.
func (p *picker) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	if !p.isOpen() {
		return
	}
	input := p.w.composer.input
	at := p.w.app.Driver().AbsolutePositionForObject(input)
	caret := input.CursorPosition()
	high := heightFor(p.panel, pickerWidth)
	x := min(at.X+caret.X-24, size.Width-pickerWidth-8)
	y := at.Y + min(caret.Y, input.Size().Height-20) - high - 6
	p.panel.Resize(fyne.NewSize(pickerWidth, high))
	p.panel.Move(fyne.NewPos(max(8, x), max(8, y)))
}

// MinSize implements fyne.Layout.
func (p *picker) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// mentions are the agents whose name or title begins like the text, members
// first, then those in which it occurs; and @all.
func (w *window) mentions(typed string) []choice {
	c, _ := w.backend.Channel(w.channel)
	typed = strings.ToLower(typed)
	var ranked [4][]choice
	for _, a := range w.backend.Agents() {
		rank, ok := match(typed, a)
		if !ok || a.Removed {
			continue
		}
		ch := choice{insert: "@" + a.Name, name: a.Title, agent: &a, member: slices.Contains(c.Members, a.Name)}
		ch.detail = "@" + a.Name + describe(a)
		if !ch.member {
			rank += 2
			ch.detail = "@" + a.Name + " · " + w.text("ui.NotMemberAdd")
		}
		ranked[rank] = append(ranked[rank], ch)
	}
	members := slices.Concat(ranked[0], ranked[1])
	if len(c.Members) > 1 && typed != "" && strings.HasPrefix("all", typed) {
		members = append(members, choice{insert: "@all", name: "@all", detail: w.wakes(c.Members), member: true})
	}
	return slices.Concat(members, ranked[2], ranked[3])
}

// match ranks an agent for what was typed: 0 when it begins so, 1 when it
// holds it.
func match(typed string, a app.Agent) (rank int, ok bool) {
	title := strings.ToLower(a.Title)
	switch {
	case strings.HasPrefix(a.Name, typed), strings.HasPrefix(title, typed):
		return 0, true
	case strings.Contains(a.Name, typed), strings.Contains(title, typed):
		return 1, true
	}
	return 0, false
}

// commands are the slash commands of the members of a channel.
func (w *window) commands(id app.ChannelID) []choice {
	c, _ := w.backend.Channel(id)
	var all []choice
	for _, m := range c.Members {
		for _, cmd := range w.agent(m).Commands {
			detail := cmd.Description
			if cmd.Input.Hint != "" {
				detail = strings.TrimSpace(cmd.Input.Hint + " · " + detail)
			}
			name := "/" + m + ":" + cmd.Name
			all = append(all, choice{insert: name, name: name, detail: oneLine(detail)})
		}
	}
	return all
}

func (w *window) commandChoices(typed string) []choice {
	typed = strings.ToLower(typed)
	return slices.DeleteFunc(w.commands(w.channel), func(c choice) bool {
		return !strings.Contains(strings.ToLower(c.name), typed)
	})
}
