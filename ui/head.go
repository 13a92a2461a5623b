package ui

import (
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"git.rickub.com/bots-garden/sidekicks/app"
)

const (
	headHeight = 52
	headGap    = 12
	mostFaces  = 6 // avatars of members in the head
	faceWidth  = 28
)

// head names the channel that is shown, its members, and what can be done
// with it. It is the layout of its line.
type head struct {
	w      *window
	object fyne.CanvasObject

	name, description *label
	faces             *fyne.Container
	members           []app.Agent // whose faces they are
	drawn             int         // how many of them
	search, menu      *button
	line              *fyne.Container
}

func newHead(w *window) *head {
	h := &head{
		w: w, name: newCutLabel("", title()), description: newCutLabel("", muted()),
		faces: newLine(2, nil),
	}
	h.menu = newButton("⋯", quiet, h.openMenu)
	h.menu.name = w.text("ui.ChannelMenu")
	w.help(h.menu)
	w.mark("channel-menu", h.menu)
	h.search = newButton(w.text("find.SearchButton"), quiet, w.findMessages)
	w.helpWith(h.search, func() string {
		return w.text("find.Search") + " · " + w.keys(desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierShortcutDefault})
	})
	w.mark("search", h.search)
	h.line = &fyne.Container{Layout: h, Objects: []fyne.CanvasObject{
		newCutHint(w, h.name), newCutHint(w, h.description), h.faces, newLine(6, nil, h.search, h.menu),
	}}
	h.object = newFixed(0, headHeight, newPile(h.line, h.line, ruler()))
	return h
}

func (h *head) refresh() {
	c, ok := h.w.backend.Channel(h.w.channel)
	h.name.setText("")
	h.description.setText(c.Description)
	h.menu.Hidden = !ok
	if ok {
		h.name.setText(h.w.titleOf(c))
	}
	h.showFaces(c.Members)
	relayout(h.object)
	h.line.Refresh()
}

// showFaces shows the members, unless they are shown already: a face that is
// drawn anew cannot be pressed.
func (h *head) showFaces(members []string) {
	var all []app.Agent
	for _, m := range members {
		a := h.w.agent(m)
		all = append(all, app.Agent{Name: a.Name, Title: a.Title, Icon: a.Icon})
	}
	if !reflect.DeepEqual(all, h.members) {
		h.members = all
		h.drawFaces(min(len(all), mostFaces))
	}
}

func (h *head) drawFaces(n int) {
	w, all := h.w, h.members
	h.drawn, h.faces.Objects = n, nil
	for _, a := range all[:n] {
		face := newPressable(a.Title, quiet, inset(2, 2), newAvatar(a, 22), func() { w.openAgent(a.Name) })
		h.faces.Add(w.helpWith(face, func() string { return w.howIs(a.Name) }))
	}
	if n < len(all) {
		more := newButton(w.text("ui.More", "Count", len(all)-n), quiet, func() { w.chooseMembers(w.channel) })
		w.mark("members", more)
		h.faces.Add(w.helpWith(more, func() string { return w.text("ui.Members") }))
	}
}

// Layout implements fyne.Layout: the name has what it needs, then come as many
// faces as there is room for, and the description in what is left.
func (h *head) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const left, right, more = 20, 16, 44
	h.search.Hidden = size.Width < 420
	name, description, faces, menu := o[0], o[1], o[2], o[3]
	end := size.Width - right
	put := func(o fyne.CanvasObject, x, width float32) {
		high := heightFor(o, width)
		o.Resize(fyne.NewSize(width, high))
		o.Move(fyne.NewPos(x, (size.Height-high)/2))
	}
	if menu.Visible() {
		width := menu.MinSize().Width
		end -= width
		put(menu, end, width)
		end -= headGap
	}
	wanted := h.name.whole().Width + 1
	room := end - left - min(wanted, 140) - headGap
	n := min(len(h.members), mostFaces, int(max(0, room-more)/faceWidth))
	if n != h.drawn {
		h.drawFaces(n)
	}
	if len(faces.(*fyne.Container).Objects) > 0 {
		width := faces.MinSize().Width
		end -= width
		put(faces, end, width)
		end -= headGap
	}
	width := max(0, min(wanted, end-left))
	put(name, left, width)
	rest := end - left - width - headGap
	description.(*hint).Hidden = rest < 60
	put(description, left+width+headGap, max(0, rest))
}

// MinSize implements fyne.Layout.
func (h *head) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, headHeight-1) }

// howIs names an agent and says how it is.
func (w *window) howIs(name string) string {
	a := w.agent(name)
	return a.Title + " · " + w.text("ui.State."+string(a.State))
}

// openMenu offers what can be done with the channel.
func (h *head) openMenu() {
	w := h.w
	c, ok := w.backend.Channel(w.channel)
	if !ok {
		return
	}
	w.popUp(h.menu, w.channelItems(c))
}

// channelItems are what can be done with a channel.
func (w *window) channelItems(c app.Channel) []menuItem {
	return []menuItem{
		{id: "rename", text: w.text("ui.RenameMenu"), do: func() { w.renameChannel(c) }},
		{id: "describe", text: w.text("ui.DescribeMenu"), do: func() { w.describeChannel(c) }},
		{},
		{id: "members", text: w.text("act.MembersMenu"), do: func() { w.chooseMembers(c.ID) }},
		{id: "hops", text: w.text("act.HopsMenu"), do: func() { w.chooseHops(c) }},
		{id: "copy", text: w.text("find.CopyConversation"), do: func() { w.copyConversation(c) }},
		{},
		{id: "delete", text: w.text("ui.DeleteMenu"), danger: true, do: func() { w.deleteChannel(c) }},
	}
}
