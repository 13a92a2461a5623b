package ui

import (
	"cmp"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// usualHops is how many times in a row agents may address agents, unless
// another limit is chosen.
const usualHops = 4

func (w *window) createChannel() {
	name, description := newField(""), newField("")
	members, list := map[string]*check{}, newColumn(2, insets{})
	for _, a := range w.backend.Agents() {
		if !a.Removed {
			members[a.Name] = newCheck(a.Title, false, w.memberRow(a), nil)
			w.mark("member/"+a.Name, members[a.Name])
			list.Add(members[a.Name])
		}
	}
	body := newColumn(4, insets{6, 0, 0, 0}, newLabel(w.text("ui.Members"), muted()), list)
	w.ask(dialog{
		title: w.text("ui.NewChannel"), text: w.text("ui.NewChannelHint"),
		fields:  []*field{name, description},
		names:   []string{w.text("ui.Name"), w.text("ui.Description")},
		body:    body,
		confirm: w.text("ui.Create"),
		done: func() error {
			var chosen []string
			for _, a := range w.backend.Agents() {
				if m := members[a.Name]; m != nil && m.on {
					chosen = append(chosen, a.Name)
				}
			}
			id, err := w.backend.CreateChannel(name.Text, description.Text, chosen)
			if err == nil {
				w.show(id)
			}
			return err
		},
	})
}

func (w *window) renameChannel(c app.Channel) {
	name := newField(c.Name)
	w.ask(dialog{
		title:   w.text("ui.RenameTitle", "Channel", oneLine(c.Name)),
		fields:  []*field{name},
		names:   []string{w.text("ui.Name")},
		confirm: w.text("ui.Rename"),
		done:    func() error { return w.backend.RenameChannel(c.ID, name.Text) },
	})
}

func (w *window) describeChannel(c app.Channel) {
	description := newField(c.Description)
	w.ask(dialog{
		title:   w.text("ui.DescribeTitle", "Channel", oneLine(c.Name)),
		fields:  []*field{description},
		names:   []string{w.text("ui.Description")},
		confirm: w.text("ui.Save"),
		done:    func() error { return w.backend.DescribeChannel(c.ID, description.Text) },
	})
}

// deleteChannel says what is lost before it is.
func (w *window) deleteChannel(c app.Channel) {
	text := w.text("ui.DeleteHint")
	if n, err := w.backend.Count(c.ID); err == nil {
		text = w.printer.Count("act.DeleteLoses", n)
	}
	w.ask(dialog{
		title: w.text("ui.DeleteTitle", "Channel", oneLine(c.Name)), text: text,
		confirm: w.text("ui.Delete"), danger: true,
		done: func() error { return w.backend.DeleteChannel(c.ID) },
	})
}

// chooseMembers shows every agent with what it does and how it is; a tick is a
// member.
func (w *window) chooseMembers(id app.ChannelID) {
	c, ok := w.backend.Channel(id)
	if !ok {
		return
	}
	var shown *dialogView
	list := newColumn(2, insets{})
	for _, a := range w.backend.Agents() {
		in := slices.Contains(c.Members, a.Name)
		if a.Removed && !in {
			continue
		}
		row := newCheck(a.Title, in, w.memberRow(a), nil)
		row.onChanged = func(on bool) {
			change := w.backend.RemoveMember
			if on {
				change = w.backend.AddMember
			}
			if err := change(id, a.Name); err != nil {
				row.set(!on)
				shown.fail(err)
			}
		}
		w.mark("member/"+a.Name, row)
		list.Add(row)
	}
	text := w.text("act.MembersHint")
	if len(list.Objects) == 0 {
		text = w.text("ui.NoAgents")
	}
	shown = w.ask(dialog{title: w.text("ui.MembersOf", "Channel", oneLine(c.Name)), text: text, body: list})
}

func (w *window) memberRow(a app.Agent) fyne.CanvasObject {
	detail := "@" + a.Name + describe(a)
	if a.Removed {
		detail = w.text("ui.RemovedAgent")
	}
	names := newColumn(0, insets{}, newCutLabel(a.Title, plain()), newCutLabel(detail, faint().in(tokens.Muted)))
	state := newLabel(w.text("ui.State."+string(a.State)), faint())
	return framed(inset(4, 0), newLine(8, names, newAvatar(a, 28), names, newDot(a.State), state))
}

// chooseHops explains what agents that address one another can lead to, and
// asks how far it may go.
func (w *window) chooseHops(c app.Channel) {
	var shown *dialogView
	set := func(n int) {
		if err := w.backend.SetHops(c.ID, n); err != nil {
			shown.fail(err)
		}
	}
	most := newSelector(w, w.text("act.HopsMost"), w.hopOffers(), strconv.Itoa(cmp.Or(c.Hops, usualHops)), nil)
	chosen := func() int {
		n, _ := strconv.Atoi(most.value)
		return n
	}
	most.onChosen = func(string) { set(chosen()) }
	most.button.setDisabled(c.Hops == 0)
	on := newSwitch(w.text("ui.AgentsAddress"), c.Hops > 0, func(on bool) {
		most.button.setDisabled(!on)
		if on {
			set(chosen())
		} else {
			set(0)
		}
	})
	w.mark("hops/on", on)
	w.mark("hops/most", most.button)
	says, limit := newParagraph(on.name, muted().in(tokens.Text)), newCutLabel(most.button.name, muted().in(tokens.Text))
	shown = w.ask(dialog{
		title: w.text("act.HopsTitle", "Channel", oneLine(c.Name)), text: w.text("act.HopsHint"),
		body: newColumn(10, insets{}, newLine(8, says, says, on), newLine(8, limit, limit, newFixed(220, 0, most.button))),
	})
}

func (w *window) hopOffers() []alternative {
	var offers []alternative
	for _, n := range []int{1, 2, 4, 8, 16} {
		offers = append(offers, alternative{value: strconv.Itoa(n), title: w.printer.Count("ui.Hops", n)})
	}
	return offers
}
