package ui

import (
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/markdown"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	shortOutput = 12       // lines of an output that are shown without a click
	shortDiff   = 48       // the same of a change
	mostBytes   = 16 << 10 // shown of an output at once
)

// toolView is the card of one tool call: what it does, how far it is, what
// came out of it, and the question about it if there is one.
type toolView struct {
	r    *messageRow
	card *fyne.Container

	head     *button
	fold     *label
	kind     *label
	title    *chip
	status   *label
	content  *fyne.Container
	question *questionView

	key   string // under which the fold is remembered
	open  bool
	shown []acp.ToolContent
	texts []string // of what is shown
	stale bool     // what is drawn is of an older content
	flows []*markdown.Flow
}

func newToolView(r *messageRow) *toolView {
	v := &toolView{
		r: r, fold: newLabel("", muted()), kind: newLabel("", muted()),
		title: newChip(""), status: newLabel("", muted()),
		content: newColumn(0, insets{}),
	}
	left := newFittingLine(8, v.title, v.fold, v.kind, v.title)
	v.head = newPressable("", item, inset(8, 12), newLine(8, left, left, v.status), func() { r.fold(v.key, !v.open) })
	v.head.radius(cardRadius)
	v.question = newQuestionView(r)
	v.question.inTool = true
	v.card = newLayers(newSurface(tokens.Panel, tokens.Line, cardRadius),
		newColumn(0, inset(1, 1), v.head, v.content, v.question.object()))
	return v
}

func (v *toolView) object() fyne.CanvasObject { return v.card }

func (v *toolView) show(m app.Message, p app.Part) {
	t := p.Tool
	w := v.r.w
	v.key = "tool/" + t.ID
	v.kind.setText(w.toolKind(t.Kind))
	title := oneLine(t.Title)
	if title == "" {
		title = t.Name
	}
	v.head.name = title
	v.title.label.setText(title)
	q := questionsByTool(m)[t.ID]
	v.showStatus(p, q)
	v.question.card.Hidden = q == nil
	if q != nil {
		v.question.set(*q)
	}
	v.showContent(t)
}

func (v *toolView) showStatus(p app.Part, q *app.Question) {
	w := v.r.w
	took := p.EndedAt.Sub(p.StartedAt)
	switch {
	case q != nil && q.State == app.QuestionOpen:
		v.status.set(w.text("ui.NeedsYou"), footnote(tokens.Warn))
	case p.Tool.Status == acp.ToolCompleted:
		text := "✓"
		if !p.EndedAt.IsZero() && took >= 50*time.Millisecond {
			text += " " + w.duration(took)
		}
		v.status.set(text, footnote(tokens.OK))
	case p.Tool.Status == acp.ToolFailed:
		v.status.set("✕ "+w.text("ui.ToolFailed"), footnote(tokens.Error))
	case p.Tool.Status == acp.ToolCancelled, !v.r.message.Live():
		v.status.set(w.text("ui.ToolStopped"), footnote(tokens.Muted))
	case p.Tool.Status == acp.ToolPending:
		v.status.set(w.text("ui.ToolPending"), footnote(tokens.Muted))
	default:
		v.status.set(w.text("ui.ToolRunning", "Time", w.since(p.StartedAt)), footnote(tokens.Accent))
	}
}

// showContent draws what came out of the tool, when it is unfolded. What did
// not change is not drawn anew: it may be selected, or be long.
func (v *toolView) showContent(t *acp.ToolCall) {
	if !reflect.DeepEqual(t.Content, v.shown) {
		v.shown, v.texts = t.Content, v.texts[:0]
		for _, c := range t.Content {
			v.texts = append(v.texts, written(c))
		}
		v.stale = true
	}
	v.open = len(v.texts) > 0 && v.r.opened(v.key, v.opensByItself(t))
	v.fold.Hidden, v.head.disabled = len(v.texts) == 0, len(v.texts) == 0
	v.content.Hidden = !v.open
	if !v.open {
		v.fold.setText("▸")
		return
	}
	v.fold.setText("▾")
	if v.stale {
		v.stale = false
		v.draw(t)
	}
}

// opensByItself tells whether the content is worth its room: a change that is
// not too long, and a short output of a command.
func (v *toolView) opensByItself(t *acp.ToolCall) bool {
	lines, changes := 0, false
	for i, c := range t.Content {
		lines += strings.Count(v.texts[i], "\n") + 1
		changes = changes || c.Type == acp.ToolContentDiff
	}
	if changes {
		return lines <= shortDiff
	}
	return lines <= shortOutput && (t.Kind == "execute" || t.Status == acp.ToolFailed)
}

// draw shows each content, in the widgets there are as far as they suit.
func (v *toolView) draw(t *acp.ToolCall) {
	v.content.Objects = nil
	for i, c := range t.Content {
		if i == len(v.flows) {
			v.flows = append(v.flows, v.r.newOutput())
		}
		lang := ""
		if c.Type == acp.ToolContentDiff {
			lang = "diff"
			if !strings.Contains(t.Title, filepath.Base(c.Path)) {
				v.content.Add(framed(inset(2, 12), newCutLabel(c.Path, faint())))
			}
		}
		if c.Type == acp.ToolContentTerminal {
			v.content.Add(framed(inset(4, 12), newLabel(v.r.w.text("ui.InTerminal"), muted())))
			continue
		}
		v.flows[i].SetText(markdown.Fence(lang, v.texts[i]))
		v.content.Add(v.flows[i])
	}
}

// written is a content as text, or what stands for it.
func written(c acp.ToolContent) string {
	switch b := c.Content; {
	case c.Type == acp.ToolContentDiff && c.OldText != nil:
		return diff(*c.OldText, c.NewText)
	case c.Type == acp.ToolContentDiff:
		return diff("", c.NewText)
	case c.Type == acp.ToolContentTerminal:
		return ""
	case b.Text != "":
		return b.Text
	case b.Resource.Text != "":
		return b.Resource.Text
	case b.Resource.URI != "":
		return b.Resource.URI
	case b.URI != "":
		return b.URI
	default:
		return "[" + strings.TrimSpace(b.Type+" "+b.MIMEType) + "]"
	}
}

// toolKind is the word for what a tool does; kinds that agents invent are
// "Tool".
func (w *window) toolKind(k acp.ToolKind) string {
	switch k {
	case "read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode":
		return w.text("ui.Tool." + string(k))
	}
	return w.text("ui.Tool.other")
}
