package ui

import (
	"strings"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// exportPage is how many messages are read at once for a copy of them all.
const exportPage = 500

// copyConversation puts a whole channel on the clipboard, as Markdown. It is
// read outside: it may be long.
func (w *window) copyConversation(c app.Channel) {
	w.bridge.outside(func() func() {
		list, err := w.everything(c.ID)
		return func() {
			if err != nil {
				w.report(err)
				return
			}
			w.app.Clipboard().SetContent(w.transcript(c, list))
		}
	})
}

// everything is every message of a channel.
func (w *window) everything(id app.ChannelID) (all []app.Message, err error) {
	for after := app.MessageID(0); ; after = all[len(all)-1].ID {
		list, err := w.backend.MessagesAfter(id, after, exportPage)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
		if len(list) < exportPage {
			return all, nil
		}
	}
}

// transcript is a conversation as Markdown: a heading for each day, what was
// said in its own Markdown, and a line for each thing that an agent did.
func (w *window) transcript(c app.Channel, list []app.Message) string {
	var b strings.Builder
	b.WriteString("# " + strings.TrimPrefix(w.titleOf(c), "# ") + "\n")
	for i, m := range list {
		if i == 0 || !sameDay(list[i-1].CreatedAt, m.CreatedAt) {
			b.WriteString("\n## " + w.date(m.CreatedAt) + "\n")
		}
		b.WriteString("\n**" + w.author(m) + "** · " + m.CreatedAt.Local().Format("15:04") + "\n")
		for _, p := range m.Parts {
			if text := w.partMarkdown(p); text != "" {
				b.WriteString("\n" + text + "\n")
			}
		}
	}
	return b.String()
}

// author is who a message comes from.
func (w *window) author(m app.Message) string {
	switch m.Kind {
	case app.FromPerson:
		return w.text("ui.You")
	case app.FromAgent:
		return oneLine(w.agent(m.Author).Title)
	}
	return "Sidekicks"
}

func (w *window) partMarkdown(p app.Part) string {
	switch {
	case p.Kind == app.TextPart:
		return closeFence(p.Text)
	case p.Kind == app.ToolPart && p.Tool != nil:
		return "> " + strings.TrimSpace(string(p.Tool.Kind)+" "+oneLine(p.Tool.Title))
	case p.Kind == app.PlanPart:
		var lines []string
		for _, e := range p.Plan {
			box := "- [ ] "
			if e.Status == "completed" {
				box = "- [x] "
			}
			lines = append(lines, box+oneLine(e.Content))
		}
		return strings.Join(lines, "\n")
	}
	return ""
}

// closeFence ends a code block that the text leaves open, so that it does not
// swallow what follows.
func closeFence(text string) string {
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		if tildes := line[:len(line)-len(strings.TrimLeft(line, "~"))]; mark == "" {
			mark = tildes
		}
		switch {
		case fence == "" && len(mark) >= 3:
			fence = mark
		case fence != "" && line == mark && mark != "" && mark[0] == fence[0] && len(mark) >= len(fence):
			fence = ""
		}
	}
	text = strings.TrimRight(text, "\n")
	if fence != "" {
		text += "\n" + fence
	}
	return text
}
