package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const sidebarWidth = 236

// sidebar is the left column: the file, the channels, the agents.
type sidebar struct {
	w      *window
	object fyne.CanvasObject

	file, folder     *label
	channels, agents *fyne.Container
	running          *label
	scroll           *container.Scroll

	channelRows map[app.ChannelID]*channelRow
	agentRows   map[string]*agentRow
}

func newSidebar(w *window) *sidebar {
	s := &sidebar{
		w:           w,
		file:        newCutLabel("", strong()),
		folder:      newCutLabel("", faint()),
		running:     newCutLabel("", faint()),
		channels:    newColumn(2, insets{}),
		agents:      newColumn(2, insets{}),
		channelRows: map[app.ChannelID]*channelRow{},
		agentRows:   map[string]*agentRow{},
	}
	add := newButton("+", quiet, w.createChannel)
	add.name = w.text("ui.NewChannel")
	w.mark("new-channel", add)
	title := newCutLabel(w.text("ui.Channels"), faint())
	lists := newColumn(0, insets{0, 8, 12, 8},
		framed(insets{8, 0, 0, 8}, newLine(8, title, title, add)), s.channels,
		framed(insets{14, 8, 6, 8}, s.running), s.agents,
	)
	s.scroll = container.NewVScroll(lists)
	top := newColumn(3, insets{18, 16, 12, 16}, s.file, s.folder)
	body := newPile(s.scroll, top, s.scroll)
	s.object = newFixed(sidebarWidth, 0, newLayers(
		newSurface(tokens.Sidebar, "", 0), newColumns(body, body, ruler()),
	))
	s.refresh()
	return s
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
	for _, c := range s.w.backend.Channels() {
		row := s.channelRows[c.ID]
		if row == nil {
			row = newChannelRow(s.w, c)
		}
		row.set(c, c.ID == s.w.channel)
		rows[c.ID] = row
		s.channels.Objects = append(s.channels.Objects, row.object)
		s.w.mark("channel/"+c.Name, row.button)
	}
	s.channelRows = rows
	s.relayout(s.channels)
}

func (s *sidebar) refreshAgents() {
	rows := map[string]*agentRow{}
	s.agents.Objects = s.agents.Objects[:0]
	running, all := 0, 0
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
			row = newAgentRow(s.w, a)
		}
		row.set(a, a.Name == s.w.opened)
		rows[a.Name] = row
		s.agents.Objects = append(s.agents.Objects, row.object)
		s.w.mark("agent/"+a.Name, row.button)
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

func isRunning(s app.AgentState) bool {
	return s == app.AgentReady || s == app.AgentWorking || s == app.AgentStarting
}

// channelRow is one channel of the sidebar.
type channelRow struct {
	object fyne.CanvasObject
	button *button
	name   *label
	badge  *badge
}

func newChannelRow(w *window, c app.Channel) *channelRow {
	r := &channelRow{name: newCutLabel("", plain()), badge: newBadge("", tokens.Accent)}
	id := c.ID
	r.button = newPressable(c.Name, item, inset(0, 8), newLine(8, r.name, r.name, r.badge), func() { w.show(id) })
	r.object = newFixed(0, 31, r.button)
	return r
}

func (r *channelRow) set(c app.Channel, shown bool) {
	l := plain().in(tokens.Muted)
	switch {
	case shown:
		l = plain()
	case c.Unread > 0:
		l = strong()
	}
	r.button.name = c.Name
	r.name.set("# "+c.Name, l)
	r.button.setSelected(shown)
	r.badge.Show()
	switch {
	case c.Questions > 0:
		r.badge.set("?", tokens.Warn)
	case c.Unread > 99:
		r.badge.set("99+", tokens.Accent)
	case c.Unread > 0 && !shown:
		r.badge.set(fmt.Sprint(c.Unread), tokens.Accent)
	default:
		r.badge.Hide()
	}
	r.button.Refresh()
}

// agentRow is one agent of the sidebar.
type agentRow struct {
	object fyne.CanvasObject
	button *button
	avatar *avatar
	title  *label
	dot    *dot
}

func newAgentRow(w *window, a app.Agent) *agentRow {
	r := &agentRow{avatar: newAvatar(a, 22), title: newCutLabel("", plain().in(tokens.Muted)), dot: newDot(a.State)}
	name := a.Name
	r.button = newPressable(a.Title, item, inset(0, 8), newLine(8, r.title, r.avatar, r.title, r.dot), func() { w.openAgent(name) })
	r.object = newFixed(0, 32, r.button)
	return r
}

func (r *agentRow) set(a app.Agent, opened bool) {
	r.avatar.set(a)
	l := plain().in(tokens.Muted)
	if opened {
		l = plain()
	}
	r.title.set(a.Title, l)
	r.dot.set(a.State)
	r.button.setSelected(opened)
	r.button.Refresh()
}
