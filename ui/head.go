package ui

import (
	"reflect"
	"slices"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
)

const (
	headHeight = 52
	maxFaces   = 6 // avatars of members in the head
)

// hops are the choices of how many times agents may address agents in a row.
var hops = []int{0, 1, 2, 4, 8}

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
	h.line = framed(insets{0, 16, 0, 20}, newLine(12, h.description, h.name, h.description, h.faces, h.menu))
	h.object = newFixed(0, headHeight, newPile(h.line, h.line, ruler()))
	return h
}

func (h *head) refresh() {
	c, ok := h.w.backend.Channel(h.w.channel)
	h.name.setText("")
	h.description.setText(c.Description)
	h.menu.Hidden = !ok
	if ok {
		h.name.setText("# " + c.Name)
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
			h.faces.Add(newLabel(h.w.text("ui.More", "Count", len(all)-i), muted()))
			break
		}
		h.faces.Add(newPressable(a.Title, quiet, inset(2, 2), newAvatar(a, 22), func() { h.w.openAgent(a.Name) }))
	}
}

// openMenu offers what can be done with the channel.
func (h *head) openMenu() {
	w := h.w
	c, ok := w.backend.Channel(w.channel)
	if !ok {
		return
	}
	items := []menuItem{
		{id: "rename", text: w.text("ui.RenameMenu"), do: func() { w.renameChannel(c) }},
		{id: "describe", text: w.text("ui.DescribeMenu"), do: func() { w.describeChannel(c) }},
		{}, {text: w.text("ui.Members")},
	}
	items = append(append(items, h.memberItems(c)...), menuItem{}, menuItem{text: w.text("ui.AgentsAddress")})
	items = append(append(items, h.hopItems(c)...), menuItem{},
		menuItem{id: "delete", text: w.text("ui.DeleteMenu"), danger: true, do: func() { w.deleteChannel(c) }})
	w.popUp(h.menu, items)
}

// memberItems has a check mark at each member; pressing adds or removes.
func (h *head) memberItems(c app.Channel) []menuItem {
	var items []menuItem
	for _, a := range h.w.backend.Agents() {
		in := slices.Contains(c.Members, a.Name)
		if a.Removed && !in {
			continue
		}
		items = append(items, menuItem{text: a.Title, detail: "@" + a.Name, agent: &a, checked: in, do: func() {
			if in {
				h.w.report(h.w.backend.RemoveMember(c.ID, a.Name))
			} else {
				h.w.report(h.w.backend.AddMember(c.ID, a.Name))
			}
		}})
	}
	if len(items) == 0 {
		items = append(items, menuItem{text: h.w.text("ui.NoAgents")})
	}
	return items
}

func (h *head) hopItems(c app.Channel) []menuItem {
	var items []menuItem
	for _, n := range hops {
		text := h.w.text("ui.HopsOff")
		if n > 0 {
			text = h.w.printer.Count("ui.Hops", n)
		}
		items = append(items, menuItem{text: text, checked: c.Hops == n, do: func() { h.w.report(h.w.backend.SetHops(c.ID, n)) }})
	}
	return items
}
