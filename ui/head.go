package ui

import (
	"reflect"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
)

const (
	headHeight = 52
	maxFaces   = 6 // avatars of members in the head
)

// head names the channel that is shown, its members, and what can be done
// with it.
type head struct {
	w      *window
	object fyne.CanvasObject

	name, description *label
	faces             *fyne.Container
	members           []app.Agent // whose faces they are
	menu              *button
	line              *fyne.Container
}

func newHead(w *window) *head {
	h := &head{
		w: w, name: newCutLabel("", title()), description: newCutLabel("", muted()),
		faces: newLine(2, nil),
	}
	h.name.least = 420
	h.menu = newButton("⋯", quiet, h.openMenu)
	h.menu.name = w.text("ui.ChannelMenu")
	w.help(h.menu)
	w.mark("channel-menu", h.menu)
	name, description := newCutHint(w, h.name), newCutHint(w, h.description)
	h.line = framed(insets{0, 16, 0, 20}, newLine(12, description, name, description, h.faces, h.menu))
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
	if reflect.DeepEqual(all, h.members) {
		return
	}
	h.members, h.faces.Objects = all, nil
	for i, a := range all {
		if i == maxFaces {
			more := newButton(h.w.text("ui.More", "Count", len(all)-i), quiet, func() { h.w.chooseMembers(h.w.channel) })
			h.faces.Add(h.w.helpWith(more, func() string { return h.w.text("ui.Members") }))
			break
		}
		face := newPressable(a.Title, quiet, inset(2, 2), newAvatar(a, 22), func() { h.w.openAgent(a.Name) })
		h.faces.Add(h.w.helpWith(face, func() string { return h.w.howIs(a.Name) }))
	}
}

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
