package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	sidebarWidth  = 236
	channelHeight = 31
	channelGap    = 2
)

// sidebar is the left column: the file, the way to find anything, the channels
// and the agents.
type sidebar struct {
	w      *window
	object *fyne.Container

	file, folder     *label
	channels, agents *fyne.Container
	running          *label
	scroll           *container.Scroll

	channelRows map[app.ChannelID]*channelRow
	agentRows   map[string]*agentRow
	listed      []app.Channel // as they are shown
	dragged     app.ChannelID // by the mouse, at this moment
}

func newSidebar(w *window) *sidebar {
	s := &sidebar{
		w:           w,
		file:        newCutLabel("", strong()),
		folder:      newCutLabel("", faint()),
		running:     newCutLabel("", faint()),
		channels:    newColumn(channelGap, insets{}),
		agents:      newColumn(channelGap, insets{}),
		channelRows: map[app.ChannelID]*channelRow{},
		agentRows:   map[string]*agentRow{},
	}
	add := newButton("+", quiet, w.createChannel)
	add.name = w.text("ui.NewChannel")
	w.help(add)
	w.mark("new-channel", add)
	addAgent := newButton("+", quiet, w.addAgent)
	addAgent.name = w.text("assistant.Title")
	w.help(addAgent)
	w.mark("new-agent", addAgent)
	title := newCutLabel(w.text("ui.Channels"), faint())
	lists := newColumn(0, insets{0, 8, 12, 8},
		framed(insets{8, 0, 0, 8}, newLine(8, title, title, add)), s.channels,
		framed(insets{10, 0, 2, 8}, newLine(8, s.running, s.running, addAgent)), s.agents,
	)
	s.scroll = container.NewVScroll(lists)
	body := newPile(s.scroll, s.top(), framed(insets{2, 8, 6, 8}, s.find()), s.scroll, newFooter(w))
	s.object = newLayers(newSurface(tokens.Sidebar, "", 0), newColumns(body, body, ruler()))
	return s
}

// top names the file.
func (s *sidebar) top() fyne.CanvasObject {
	fold := newButton("«", quiet, func() { s.w.desk.fold() })
	fold.name = s.w.text("find.FoldSidebar")
	s.w.help(fold)
	s.w.mark("fold", fold)
	names := newColumn(3, insets{}, newCutHint(s.w, s.file), newCutHint(s.w, s.folder))
	return framed(insets{18, 8, 14, 16}, newLine(8, names, names, fold))
}

// find looks like a field; pressing it opens one.
func (s *sidebar) find() fyne.CanvasObject {
	text := newCutLabel(s.w.text("find.Find"), faint())
	key := newLabel(s.w.keys(desktop.CustomShortcut{KeyName: fyne.KeyK, Modifier: fyne.KeyModifierShortcutDefault}), faint())
	b := newPressable(s.w.text("find.PalettePrompt"), ordinary, inset(0, 8), newLine(8, text, text, key), s.w.openPalette)
	s.w.mark("find", b)
	return newFixed(0, 33, b)
}

// refresh shows the file, channels and agents as they are now.
func (s *sidebar) refresh() {
	path := s.w.backend.Config().Path
	s.file.setText(filepath.Base(path))
	s.folder.setText(short(filepath.Dir(path)))
	s.refreshChannels()
	s.refreshAgents()
}

// short writes a path with ~ for the home folder.
func short(path string) string {
	home, err := os.UserHomeDir()
	if rest, ok := strings.CutPrefix(path, home); err == nil && home != "" && ok {
		if rest == "" || os.IsPathSeparator(rest[0]) {
			return "~" + rest
		}
	}
	return path
}

func (s *sidebar) refreshChannels() {
	rows := map[app.ChannelID]*channelRow{}
	s.channels.Objects = s.channels.Objects[:0]
	s.listed = s.inOrder(s.w.listed())
	unread, questions := 0, 0
	for _, c := range s.w.backend.Channels() {
		unread, questions = unread+c.Unread, questions+c.Questions
	}
	for _, c := range s.listed {
		row := s.channelRows[c.ID]
		if row == nil {
			row = newChannelRow(s, c)
		}
		row.set(c, c.ID == s.w.channel)
		rows[c.ID] = row
		s.channels.Objects = append(s.channels.Objects, row.object)
		s.w.marks.setWithin("channel/"+c.Name, row.button, s.scroll)
	}
	s.channelRows = rows
	if s.w.desk != nil {
		s.w.desk.rail.set(unread, questions)
	}
	s.relayout(s.channels)
}

func (s *sidebar) refreshAgents() {
	rows := map[string]*agentRow{}
	s.agents.Objects = s.agents.Objects[:0]
	running, all := 0, 0
	talks := s.w.talks()
	for _, a := range s.w.backend.Agents() {
		if a.Removed {
			continue
		}
		all++
		if isRunning(a.State) {
			running++
		}
		row := s.agentRows[a.Name]
		if row == nil {
			row = newAgentRow(s, a)
		}
		row.set(a, talks[a.Name])
		rows[a.Name] = row
		s.agents.Objects = append(s.agents.Objects, row.object)
		s.w.marks.setWithin("agent/"+a.Name, row.button, s.scroll)
		s.w.marks.setWithin("state/"+a.Name, row.lamp, s.scroll)
		s.w.marks.setWithin("outdated/"+a.Name, row.stale, s.scroll)
	}
	s.agentRows = rows
	s.running.setText(s.w.text("ui.AgentsRunning", "Running", running, "All", all))
	s.relayout(s.agents)
}

func (s *sidebar) relayout(list *fyne.Container) {
	list.Refresh()
	s.scroll.Content.Refresh()
	s.scroll.Refresh()
}

// reveal scrolls a row into view.
func (s *sidebar) reveal(row fyne.CanvasObject) {
	driver := fyne.CurrentApp().Driver()
	top := driver.AbsolutePositionForObject(row).Y - driver.AbsolutePositionForObject(s.scroll.Content).Y
	offset := s.scroll.Offset.Y
	offset = min(offset, top-channelHeight)
	offset = max(offset, top+2*channelHeight-s.scroll.Size().Height)
	s.scroll.ScrollToOffset(fyne.NewPos(0, max(0, offset)))
}

// inOrder puts the channel that is being dragged where the pointer is.
func (s *sidebar) inOrder(list []app.Channel) []app.Channel {
	has := func(c app.Channel) bool { return c.ID == s.dragged }
	from, to := slices.IndexFunc(list, has), slices.IndexFunc(s.listed, has)
	if from < 0 || to < 0 || to >= len(list) {
		return list
	}
	c := list[from]
	return slices.Insert(slices.Delete(list, from, from+1), to, c)
}

// drag takes a channel along with the pointer, which is at y in the window.
func (s *sidebar) drag(id app.ChannelID, y float32) {
	s.dragged = id
	s.w.tips.away()
	for each, row := range s.channelRows {
		row.button.hovered = each == id
		row.button.paint()
	}
	y -= fyne.CurrentApp().Driver().AbsolutePositionForObject(s.channels).Y
	to := min(max(0, int(y/(channelHeight+channelGap))), len(s.listed)-1)
	from := slices.IndexFunc(s.listed, func(c app.Channel) bool { return c.ID == id })
	if from < 0 || from == to {
		return
	}
	c := s.listed[from]
	s.listed = slices.Insert(slices.Delete(s.listed, from, from+1), to, c)
	s.refreshChannels()
}

// drop leaves the channel where it is.
func (s *sidebar) drop() {
	id := s.dragged
	to := slices.IndexFunc(s.listed, func(c app.Channel) bool { return c.ID == id })
	s.dragged = 0
	s.move(id, to)
}

// move gives a channel a place among those that are listed. The history's list
// has the direct conversations too.
func (s *sidebar) move(id app.ChannelID, to int) {
	all, listed := s.w.backend.Channels(), s.w.listed()
	if to >= 0 && to < len(listed) && listed[to].ID != id {
		at := func(id app.ChannelID) int {
			return slices.IndexFunc(all, func(c app.Channel) bool { return c.ID == id })
		}
		s.w.report(s.w.backend.MoveChannel(id, at(listed[to].ID)))
	}
	s.refreshChannels()
}

// moveShown moves the channel that is shown up or down in the list.
func (s *sidebar) moveShown(step int) {
	at := slices.IndexFunc(s.listed, func(c app.Channel) bool { return c.ID == s.w.channel })
	if at >= 0 {
		s.move(s.w.channel, at+step)
	}
}

func isRunning(s app.AgentState) bool {
	return s == app.AgentReady || s == app.AgentWorking || s == app.AgentStarting
}

// channelRow is one channel of the sidebar.
type channelRow struct {
	object  fyne.CanvasObject
	button  *button
	name    *label
	badge   *badge
	channel app.Channel
}

func newChannelRow(s *sidebar, c app.Channel) *channelRow {
	r := &channelRow{name: newCutLabel("", plain()), badge: newBadge("", tokens.Accent)}
	w, id := s.w, c.ID
	r.button = newPressable(c.Name, item, inset(0, 8), newLine(8, r.name, r.name, r.badge), func() {
		if !w.showQuestion(id) { // what waits for an answer comes first
			w.show(id)
		}
	})
	w.helpWith(r.button, r.help)
	r.button.onFocus = func() { s.reveal(r.button) }
	r.button.onMenu = func(at fyne.Position) { w.popUpAt(at, w.channelItems(r.channel)) }
	grip := newGrip(func(y float32) { s.drag(id, y) }, s.drop)
	r.object = newFixed(0, channelHeight, newLayers(r.button, grip))
	return r
}

// help is what the channel is for, and its name when it is cut.
func (r *channelRow) help() string {
	text := r.channel.Description
	if r.name.isCut() {
		text = strings.TrimSpace(r.name.text + "\n" + text)
	}
	return text
}

func (r *channelRow) set(c app.Channel, shown bool) {
	r.channel = c
	r.button.name = c.Name
	r.name.set("# "+oneLine(c.Name), rowLook(c, shown))
	r.button.setSelected(shown)
	showUnread(r.badge, c, shown)
	r.button.Refresh()
}

// rowLook is how the name of a channel is written.
func rowLook(c app.Channel, shown bool) look {
	switch {
	case c.Unread > 0 && !shown:
		return strong()
	case shown:
		return plain()
	}
	return plain().in(tokens.Muted)
}

// showUnread shows what waits in a channel, if anything does.
func showUnread(b *badge, c app.Channel, shown bool) {
	unread := c.Unread
	if shown {
		unread = 0
	}
	showWaiting(b, unread, c.Questions)
}

func showWaiting(b *badge, unread, questions int) {
	b.Show()
	switch {
	case questions > 0:
		b.set("?", tokens.Warn)
	case unread > 99:
		b.set("99+", tokens.Accent)
	case unread > 0:
		b.set(fmt.Sprint(unread), tokens.Accent)
	default:
		b.Hide()
	}
}

// agentRow is one agent of the sidebar. Pressing it opens the direct
// conversation, and its state the panel.
type agentRow struct {
	object *fyne.Container
	button *button
	avatar *avatar
	title  *label
	badge  *badge
	stale  *lamp // its entry in the file is another one than it runs with
	dot    *dot
	lamp   *lamp
	agent  app.Agent
}

func newAgentRow(s *sidebar, a app.Agent) *agentRow {
	r := &agentRow{
		avatar: newAvatar(a, 22), title: newCutLabel("", plain().in(tokens.Muted)),
		badge: newBadge("", tokens.Accent), dot: newDot(a.State),
	}
	w, name := s.w, a.Name
	r.lamp = newLamp(w, r.dot, func() { w.openAgent(name) }, func() string { return w.text("find.LampHelp", "State", w.text("ui.State."+string(r.agent.State))) })
	r.stale = newLamp(w, newStaleSign(), func() { w.showAgent(name) }, func() string { return w.text("reload.OutdatedHint") })
	r.button = newPressable(a.Title, item, insets{0, 2, 0, 8}, newLine(8, r.title, r.avatar, r.title, r.badge, r.stale, r.lamp), func() {
		if !w.showQuestionOf(name) {
			w.talkTo(name)
		}
	})
	w.helpWith(r.button, r.help)
	r.button.onFocus = func() { s.reveal(r.button) }
	r.button.onMenu = func(at fyne.Position) { w.popUpAt(at, w.agentItems(name)) }
	r.object = newFixed(0, 32, r.button)
	return r
}

// newStaleSign says that a restart would change something.
func newStaleSign() fyne.CanvasObject {
	icon := canvas.NewImageFromResource(theme.NewColoredResource(theme.ViewRefreshIcon(), tokens.Warn))
	icon.FillMode = canvas.ImageFillContain
	return newFixed(13, 13, icon)
}

func (r *agentRow) help() string {
	text := r.agent.Description
	if r.title.isCut() {
		text = strings.TrimSpace(r.title.text + "\n" + text)
	}
	return text
}

// set shows an agent and the direct conversation with it, if there is one.
func (r *agentRow) set(a app.Agent, talk app.Channel) {
	r.agent = a
	w := r.lamp.w
	shown := talk.ID != 0 && talk.ID == w.channel
	r.avatar.set(a)
	r.title.set(oneLine(w.agent(a.Name).Title), rowLook(talk, shown || a.Name == w.opened))
	r.dot.set(a.State)
	r.stale.Hidden = !a.Outdated
	r.lamp.setOn(a.Name == w.opened)
	r.button.setSelected(shown)
	showUnread(r.badge, talk, shown)
	r.button.Refresh()
}
