package ui

import (
	"reflect"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"github.com/sahilm/fuzzy"

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
	drawn   []choice // as they are shown
	rows    []*button
	first   int // of the choices that are shown
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
	token, _, ok := p.w.composer.input.token()
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
	if token[0] == '@' {
		p.choices = p.w.mentions(token[1:])
	} else {
		p.choices = p.w.commandChoices(token[1:])
	}
	if len(p.choices) == 0 {
		p.panel.Hide()
		return
	}
	p.chosen = min(p.chosen, len(p.choices)-1)
	p.draw()
	p.panel.Show()
	p.object.Refresh()
	relayout(p.object)
}

// draw shows the choices around the chosen one.
func (p *picker) draw() {
	first := max(0, min(p.chosen-mostChoices/2, len(p.choices)-mostChoices))
	if first != p.first || !reflect.DeepEqual(p.choices, p.drawn) {
		p.first, p.drawn = first, p.choices
		p.drawRows(p.choices[first:min(len(p.choices), first+mostChoices)])
	}
	p.choose(p.chosen)
}

func (p *picker) drawRows(choices []choice) {
	header := p.w.text("ui.Commands")
	if p.typed[0] == '@' {
		c, _ := p.w.backend.Channel(p.w.channel)
		header = p.w.text("ui.MembersOf", "Channel", oneLine(c.Name))
	}
	p.column.Objects = []fyne.CanvasObject{framed(inset(4, 8), newCutLabel(header, faint()))}
	p.rows = nil
	for i, c := range choices {
		n := p.first + i
		b := p.row(c, func() { p.pick(n) })
		b.onHover = func() { p.choose(n) }
		p.rows = append(p.rows, b)
		p.column.Add(newFixed(0, 32, b))
		p.w.mark("pick/"+c.insert, b)
	}
	if more := len(p.choices) - len(choices); more > 0 {
		p.column.Add(framed(inset(4, 8), newCutLabel(p.w.printer.Count("compose.MoreChoices", more), faint())))
	}
}

func (p *picker) choose(n int) {
	p.chosen = n
	for i, b := range p.rows {
		b.setSelected(p.first+i == n)
	}
}

func (p *picker) row(c choice, pick func()) *button {
	name, detail := newCutLabel(c.name, plain()), newCutLabel(c.detail, faint().in(tokens.Muted))
	name.least = 190
	if c.agent == nil {
		return newPressable(c.insert, item, inset(0, 8), newLine(8, detail, newFixed(22, 0, newLabel("", plain())), name, detail), pick)
	}
	face, state := newAvatar(*c.agent, 22), newDot(c.agent.State)
	return newPressable(c.insert, item, inset(0, 8), newLine(8, detail, face, name, detail, state), pick)
}

// pick writes the whole name. An agent that is no member becomes one when the
// message is sent, and not before: until then it can be taken out again.
func (p *picker) pick(n int) {
	c, composer := p.choices[n], p.w.composer
	if c.agent != nil && !c.member {
		composer.joining = appendNew(composer.joining, c.agent.Name)
	}
	p.panel.Hide()
	composer.input.complete(p.typed, c.insert+" ")
	composer.focus()
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
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
	at := p.w.app.Driver().AbsolutePositionForObject(input).Add(input.caret())
	width := min(pickerWidth, size.Width-16)
	high := heightFor(p.panel, width)
	p.panel.Resize(fyne.NewSize(width, high))
	p.panel.Move(fyne.NewPos(max(8, min(at.X-24, size.Width-width-8)), max(8, at.Y-high-6)))
}

// MinSize implements fyne.Layout.
func (p *picker) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// mentions are the agents that what was typed may mean, members first, and
// @all.
func (w *window) mentions(typed string) []choice {
	c, _ := w.backend.Channel(w.channel)
	var members, others ranking
	for _, a := range w.backend.Agents() {
		rank, ok := match(typed, a.Name, a.Title)
		if !ok || a.Removed {
			continue
		}
		ch := choice{insert: "@" + a.Name, name: oneLine(a.Title), agent: &a, member: slices.Contains(c.Members, a.Name)}
		if ch.member {
			ch.detail = "@" + a.Name + describe(a)
			members.add(ch, rank)
		} else {
			ch.detail = "@" + a.Name + " · " + w.text("ui.NotMemberAdd")
			others.add(ch, rank)
		}
	}
	all := members.sorted()
	if _, ok := match(typed, "all"); ok && len(c.Members) > 1 {
		all = append(all, choice{insert: "@all", name: "@all", detail: w.text("compose.Wakes", "Who", w.wakes(c.Members)), member: true})
	}
	return append(all, others.sorted()...)
}

// ranking is choices with how well each fits what was typed.
type ranking struct {
	choices []choice
	ranks   map[string]int // by what they insert
}

func (r *ranking) add(c choice, rank int) {
	if r.ranks == nil {
		r.ranks = map[string]int{}
	}
	r.choices, r.ranks[c.insert] = append(r.choices, c), rank
}

// sorted is the best first, and otherwise the order in which they were added.
func (r *ranking) sorted() []choice {
	slices.SortStableFunc(r.choices, func(a, b choice) int { return r.ranks[b.insert] - r.ranks[a.insert] })
	return r.choices
}

// beginsSo is above every rank of a name that only holds the letters typed.
const beginsSo = 1 << 20

// match ranks names for what was typed: one that begins so is best; else its
// letters must be in a name in that order, from the start of a word on. Case
// and accents do not count.
func match(typed string, names ...string) (rank int, ok bool) {
	typed = strings.ToLower(plainLetters(typed))
	for _, name := range names {
		name = strings.ToLower(plainLetters(name))
		if strings.HasPrefix(name, typed) {
			return beginsSo, true
		}
		for _, m := range fuzzy.Find(typed, []string{name}) {
			before := name[:m.MatchedIndexes[0]]
			if before != "" && unicode.IsLetter(lastRune(before)) {
				continue
			}
			if !ok || m.Score > rank {
				rank, ok = m.Score, true
			}
		}
	}
	return rank, ok
}

// commands are the slash commands of the members of a channel.
func (w *window) commands(id app.ChannelID) []choice {
	c, _ := w.backend.Channel(id)
	var all []choice
	for _, m := range c.Members {
		a := w.agent(m)
		for _, cmd := range a.Commands {
			detail := cmd.Description
			if cmd.Input.Hint != "" {
				detail = strings.TrimSpace(cmd.Input.Hint + " · " + detail)
			}
			name := "/" + m + ":" + cmd.Name
			all = append(all, choice{insert: name, name: name, detail: oneLine(detail), agent: &a, member: true})
		}
	}
	return all
}

func (w *window) hasCommands(id app.ChannelID) bool {
	c, _ := w.backend.Channel(id)
	return slices.ContainsFunc(c.Members, func(m string) bool { return len(w.agent(m).Commands) > 0 })
}

// commandChoices are the commands that what was typed may mean: the name of
// the command is enough.
func (w *window) commandChoices(typed string) []choice {
	var fit ranking
	for _, c := range w.commands(w.channel) {
		_, command, _ := strings.Cut(c.name, ":")
		if rank, ok := match(typed, c.name[1:], command); ok {
			fit.add(c, rank)
		}
	}
	return fit.sorted()
}
