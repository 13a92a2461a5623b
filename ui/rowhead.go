package ui

import (
	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// rowHead is the first line of a message: who, when, in which mode, with how
// much in memory, and what can be done with it. It is the layout of its object:
// where there is no room for all, the name stays.
type rowHead struct {
	r      *messageRow
	object *fyne.Container
	who    *label
	when   *label
	mode   *button // chooses the mode, where the agent has several
	plain  *label  // the mode where there is nothing to choose
	usage  *label
	more   *button // seen while the pointer or the focus is near
	near   bool
	choose bool // the mode can be chosen
}

func newRowHead(r *messageRow) *rowHead {
	h := &rowHead{
		r: r, who: newCutLabel("", strong()), when: newLabel("", faint()),
		plain: newCutLabel("", faint()), usage: newLabel("", faint()),
	}
	mode := newCutLabel("", faint())
	mode.least = 120
	h.mode = newPressable("", quiet, inset(1, 3), mode, func() { r.w.chooseMode(h.mode, r.message.Channel, r.message.Author) })
	h.mode.label = mode
	r.w.helpWith(h.mode, func() string { return r.w.text("act.ChooseMode") })
	h.more = newButton("⋯", quiet, func() { r.w.popUp(h.more, r.menuItems(nil)) })
	h.more.name = r.w.text("act.MessageMenu")
	r.w.help(h.more)
	h.more.body = newLayers(h.more.back, framed(inset(0, 6), h.more.content), h.more.ring)
	h.more.onPaint = h.showMore
	r.menu.pointed = func(near bool) { h.near = near; h.showMore() }
	h.object = &fyne.Container{Layout: h, Objects: []fyne.CanvasObject{h.who, h.when, h.plain, h.mode, h.usage, h.more}}
	h.showMore()
	return h
}

// showMore draws the menu's dots only where they may be wanted: a column of
// them down the conversation would be noise.
func (h *rowHead) showMore() {
	c := tokens.Clear
	if h.near || h.more.hovered || h.more.focused {
		c = tokens.Muted
	}
	h.more.label.set(h.more.label.text, h.more.label.look.in(c))
}

func (h *rowHead) show(m app.Message) {
	r, w := h.r, h.r.w
	when, mode, usage := w.at(m.CreatedAt), "", ""
	switch m.Kind {
	case app.FromPerson:
		you := w.text("ui.You")
		r.face.setPerson(you)
		h.who.setText(you)
	case app.FromAgent:
		a := w.agent(m.Author)
		r.face.set(a)
		h.who.setText(oneLine(a.Title))
		if a.Removed {
			when += " · " + w.text("ui.RemovedAgent")
		}
	default:
		r.face.setPerson("i")
		h.who.setText("Sidekicks")
	}
	if m.Mode != "" {
		mode = "· " + w.text("ui.Mode", "Mode", oneLine(m.Mode))
	}
	if u := m.Usage; u != nil && u.Size > 0 {
		usage = "· " + w.text("ui.Usage", "Used", w.amount(u.Used), "Size", w.amount(u.Size))
	}
	h.when.setText(when)
	_, choose := w.mode(m.Channel, m.Author)
	h.plain.setText(mode)
	h.mode.setText(mode)
	h.choose = choose
	h.usage.setText(usage)
	r.mark("menu/"+r.id(), h.more)
	r.mark("mode", h.mode)
}

// Layout implements fyne.Layout.
func (h *rowHead) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	const gap = 4
	who, more := h.who.whole().Width+1, h.more.MinSize().Width
	rest := size.Width - who - 2*gap - h.when.MinSize().Width - gap - more
	fits := func(o textual, wanted bool) {
		width := o.whole().Width + gap
		if !wanted || width > rest {
			o.Hide()
			return
		}
		rest -= width
		o.Show()
	}
	fits(h.mode, h.mode.label.text != "" && h.choose)
	fits(h.plain, h.plain.text != "" && !h.choose)
	fits(h.usage, h.usage.text != "")
	x := float32(0)
	put := func(o fyne.CanvasObject, width, gap float32) {
		if o.Visible() {
			high := o.MinSize().Height
			o.Resize(fyne.NewSize(width, high))
			o.Move(fyne.NewPos(x, (size.Height-high)/2))
			x += width + gap
		}
	}
	put(h.who, max(0, who+min(0, rest)), 2*gap)
	put(h.when, h.when.MinSize().Width, gap)
	put(h.mode, h.mode.whole().Width, gap)
	put(h.plain, h.plain.whole().Width, gap)
	put(h.usage, h.usage.whole().Width, gap)
	put(h.more, more, 0)
}

// MinSize implements fyne.Layout.
func (h *rowHead) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(120, max(h.who.MinSize().Height, h.more.MinSize().Height))
}
