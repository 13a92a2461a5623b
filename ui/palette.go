package ui

import (
	"slices"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"github.com/sahilm/fuzzy"
	"golang.org/x/text/unicode/norm"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const paletteRow = 36

// offer is something that the palette leads to: a channel, an agent, or
// something to do.
type offer struct {
	id     string
	group  string     // heading that it stands under while nothing is typed; empty: it has to be typed
	text   string     // what it is found by
	name   string     // found by too
	detail string     // after it, quieter
	agent  *app.Agent // whose face and state are shown
	unread *app.Channel
	key    string // shortcut
	do     func()
}

// openPalette finds a channel, an agent or something to do.
func (w *window) openPalette() {
	if w.finder.isOpen() && w.finder.search.id == "palette" {
		w.finder.close()
		return
	}
	offers := w.offers()
	w.finder.open(&quest{
		id: "palette", prompt: w.text("find.PalettePrompt"),
		look: func(query string) { w.finder.show(w.suggest(offers, strings.TrimSpace(query)), "") },
		none: func(query string) string { return "" },
	}, "")
}

// suggest are the offers for what was typed, the best first, and to search the
// history for it. While nothing is typed they stand under headings.
func (w *window) suggest(offers []offer, query string) (found []finding) {
	if query == "" {
		group := ""
		for _, o := range offers {
			if o.group == "" {
				continue
			}
			if o.group != group {
				group = o.group
				found = append(found, heading(group))
			}
			found = append(found, o.finding(nil))
		}
		return found
	}
	texts := make([]string, len(offers))
	for i, o := range offers {
		texts[i] = plainLetters(strings.TrimSpace(o.text + " " + o.name))
	}
	matches := fuzzy.FindNoSort(plainLetters(query), texts)
	slices.SortStableFunc(matches, func(a, b fuzzy.Match) int {
		return b.Score + offers[b.Index].weight() - a.Score - offers[a.Index].weight()
	})
	for _, m := range matches {
		o := offers[m.Index]
		var marks [][2]int
		for _, at := range m.MatchedIndexes {
			n := utf8.RuneCountInString(texts[m.Index][:at])
			marks = append(marks, [2]int{n, n + 1})
		}
		found = append(found, o.finding(marks))
	}
	return append(found, offer{
		id: "search", text: w.text("find.SearchFor", "Query", oneLine(query)),
		do: func() { w.findMessagesFor(query) },
	}.finding(nil))
}

// weight puts places before what can be done: they are looked for more often.
func (o offer) weight() int {
	if o.unread != nil || o.name != "" {
		return 30
	}
	return 0
}

// plainLetters leaves accents out, one letter for one.
func plainLetters(text string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			return r
		}
		base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
		return base
	}, text)
}

func heading(text string) finding {
	return finding{id: "heading", height: 28, draw: func() fyne.CanvasObject {
		return framed(insets{8, 18, 0, 18}, newCutLabel(text, faint()))
	}}
}

func (o offer) finding(marks [][2]int) finding {
	return finding{id: o.id, height: paletteRow, draw: func() fyne.CanvasObject { return o.draw(marks) }, do: o.do}
}

func (o offer) draw(marks [][2]int) fyne.CanvasObject {
	text := newExcerpt(o.text, marks, 1, plain())
	detail := newCutLabel(oneLine(o.detail), muted())
	name := newFixed(min(text.whole().Width+1, 420), 0, text)
	row := newLine(10, detail, name, detail)
	if o.agent != nil {
		row.Objects = append([]fyne.CanvasObject{newAvatar(*o.agent, 22)}, row.Objects...)
		row.Add(newDot(o.agent.State))
	}
	if c := o.unread; c != nil {
		b := newBadge("", tokens.Accent)
		showUnread(b, *c, false)
		row.Add(b)
	}
	if o.key != "" {
		row.Add(newLabel(o.key, faint()))
	}
	return row
}

// offers are all that the palette leads to, at this moment.
func (w *window) offers() (all []offer) {
	for _, c := range w.listed() {
		all = append(all, offer{
			id: "channel/" + c.Name, group: w.text("ui.Channels"), text: w.titleOf(c),
			detail: c.Description, unread: &c, do: func() { w.show(c.ID) },
		})
	}
	agents := slices.DeleteFunc(w.backend.Agents(), func(a app.Agent) bool { return a.Removed })
	for _, a := range agents {
		all = append(all, offer{
			id: "agent/" + a.Name, group: w.text("find.Agents"), text: oneLine(w.agent(a.Name).Title),
			name: "@" + a.Name, detail: "@" + a.Name + describe(a), agent: &a, do: func() { w.openTalk(a.Name) },
		})
	}
	for _, b := range bindings() {
		if b.name != "" {
			all = append(all, offer{id: b.name, group: w.text("ui.Commands"), text: w.text(b.name), key: w.keys(b.key), do: func() { b.do(w) }})
		}
	}
	all = append(all,
		offer{id: "add-agent", group: w.text("ui.Commands"), text: w.text("assistant.Title"), do: w.addAgent},
		offer{id: "settings", group: w.text("ui.Commands"), text: w.text("system.Settings"), do: w.openSettings})
	all = append(all, w.channelOffers()...)
	for _, a := range agents {
		all = append(all, w.agentOffers(a)...)
	}
	return append(all, w.slashOffers()...)
}

// openTalk opens the direct conversation with an agent.
func (w *window) openTalk(name string) {
	if id, err := w.backend.Direct(name); err != nil {
		w.report(err)
	} else {
		w.show(id)
	}
}

// channelOffers are what can be done with the channel that is shown.
func (w *window) channelOffers() (all []offer) {
	c, ok := w.backend.Channel(w.channel)
	if !ok {
		return nil
	}
	add := func(id string, do func()) {
		all = append(all, offer{id: id, text: strings.TrimSuffix(w.text(id), "…"), detail: w.titleOf(c), do: do})
	}
	add("find.CopyConversation", func() { w.copyConversation(c) })
	add("ui.RenameMenu", func() { w.renameChannel(c) })
	add("ui.DescribeMenu", func() { w.describeChannel(c) })
	add("ui.DeleteMenu", func() { w.deleteChannel(c) })
	for _, a := range w.backend.Agents() {
		title := oneLine(w.agent(a.Name).Title)
		switch in := slices.Contains(c.Members, a.Name); {
		case in && len(c.Members) > 1:
			all = append(all, offer{id: "remove/" + a.Name, text: w.text("find.RemoveMember", "Agent", title), detail: w.titleOf(c),
				do: func() { w.report(w.backend.RemoveMember(c.ID, a.Name)) }})
		case !in && !a.Removed:
			all = append(all, offer{id: "add/" + a.Name, text: w.text("find.AddMember", "Agent", title), detail: w.titleOf(c),
				do: func() { w.report(w.backend.AddMember(c.ID, a.Name)) }})
		}
	}
	return all
}

// agentOffers are what can be done with an agent.
func (w *window) agentOffers(a app.Agent) []offer {
	title := oneLine(w.agent(a.Name).Title)
	add := func(id string, do func(string)) offer {
		return offer{id: id + "/" + a.Name, text: w.text(id, "Agent", title), agent: &a, do: func() { do(a.Name) }}
	}
	all := []offer{add("find.AgentPanel", w.showAgent)}
	if isRunning(a.State) {
		return append(all, add("find.StopAgent", w.backend.StopAgent), add("find.RestartAgent", w.backend.RestartAgent))
	}
	return append(all, add("find.StartAgent", w.backend.StartAgent))
}

// slashOffers are the commands of the channel's agents.
func (w *window) slashOffers() (all []offer) {
	for _, c := range w.commands(w.channel) {
		all = append(all, offer{id: c.insert, text: c.name, detail: c.detail, do: func() { w.composer.insert(c.insert + " ") }})
	}
	return all
}
