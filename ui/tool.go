package ui

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	shortOutput = 12       // lines of an output that are shown without a click
	shortDiff   = 48       // the same of a change
	placeLength = 32       // letters of a place that stands beside a title
	mostBytes   = 8 << 10  // shown of an output at once
	muchOutput  = 64 << 10 // bytes that are made ready outside the window's goroutine
)

// toolView is the card of one tool call, from its first to its last update:
// what it does, how far it is, what came out of it, and the question about it
// if there is one.
type toolView struct {
	r    *messageRow
	card *lazy
	body *fyne.Container // of the card

	head     *button
	fold     *label
	kind     *label
	title    *chip
	place    *label
	in, out  *label // lines that came and went
	sides    *button
	files    *button // opens the places in the Files tab
	status   *label
	content  *fyne.Container
	question *questionView // nil until there is one

	live  bool          // the message is being written
	key   string        // under which the fold is remembered
	tool  *acp.ToolCall // as shown
	parts []toolPart    // of it, once they are ready
	open  bool
	stale bool // what is drawn is of older parts
	drawn []toolPartView
}

func newToolView(r *messageRow) *toolView {
	v := &toolView{
		r: r, fold: newLabel("", muted()), kind: newLabel("", muted()), title: newChip(""),
		place: newLabel("", faint()), in: newLabel("", footnote(tokens.OK)), out: newLabel("", footnote(tokens.Error)),
		status: newLabel("", muted()), content: newColumn(0, insets{}),
	}
	v.sides = newPressable("", quiet, inset(0, 4), newLabel("", faint()), v.turn)
	v.files = v.r.w.help(newPressable(v.r.w.text("files.OpenPlace"), quiet, inset(0, 4), newLabel("↗", muted()), v.openPlaces))
	left := newFittingLine(8, v.title, v.fold, v.kind, v.title, v.place, v.in, v.out)
	v.head = newPressable("", item, inset(8, 12), newLine(8, left, left, v.sides, v.files, v.status), func() { r.fold(v.key, !v.open) })
	v.head.radius(cardRadius)
	v.body = newColumn(0, inset(1, 1), v.head, v.content)
	v.card = newLazy(newLayers(newSurface(tokens.Panel, tokens.Line, cardRadius), v.body))
	return v
}

func (v *toolView) object() fyne.CanvasObject { return v.card }

// show shows the tool call as it is now. A message may have hundreds of them
// and change thirty times a second: what did not change is left alone.
func (v *toolView) show(m app.Message, p app.Part) {
	t, q := p.Tool, v.r.questions[p.Tool.ID]
	if t == v.tool && q == nil && m.Live() == v.live && (t.Status.Ended() || !v.live) && !v.stale && v.open == v.wanted() {
		return
	}
	v.live = m.Live()
	if t != v.tool {
		v.tool, v.key = t, "tool/"+t.ID
		v.sayHeading(t)
		v.read(t)
		v.r.mark(v.key, v.head)
		v.r.mark(v.key+"/sides", v.sides)
		v.r.mark(v.key+"/files", v.files)
	}
	v.showStatus(p, q)
	v.showQuestion(q)
	v.showParts()
	v.card.changed()
}

// resized shows the card again after something in it grew.
func (v *toolView) resized() {
	v.card.changed()
	v.r.refresh()
}

func (v *toolView) sayHeading(t *acp.ToolCall) {
	h := v.r.w.heading(t, v.r.w.agent(v.r.message.Author).Workspace)
	v.kind.setText(h.kind)
	v.title.label.setText(h.title)
	v.title.Hidden = h.title == ""
	v.place.setText(ending(h.place, placeLength))
	v.place.Hidden = h.place == ""
	v.files.Hidden = len(v.places()) == 0
	v.head.name = cmp.Or(h.title, h.kind)
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

func (v *toolView) showQuestion(q *app.Question) {
	if q == nil {
		return
	}
	if v.question == nil {
		v.question = newQuestionView(v.r)
		v.question.inTool = true
		v.body.Objects = append(v.body.Objects, v.question.object())
	}
	v.question.set(*q)
}

// read makes the parts of a tool call ready, large ones outside the window's
// goroutine.
func (v *toolView) read(t *acp.ToolCall) {
	if toolSize(t) <= muchOutput {
		v.take(toolParts(t))
		return
	}
	v.r.w.bridge.outside(func() func() {
		parts := toolParts(t)
		return func() {
			if v.tool == t {
				v.take(parts)
				v.r.refresh()
			}
		}
	})
}

func toolSize(t *acp.ToolCall) int {
	n := len(t.RawInput) + len(t.RawOutput)
	for _, c := range t.Content {
		n += len(c.NewText) + len(c.Content.Text) + len(c.Content.Resource.Text)
		if c.OldText != nil {
			n += len(*c.OldText)
		}
	}
	return n
}

func (v *toolView) take(parts []toolPart) {
	if reflect.DeepEqual(parts, v.parts) {
		return
	}
	v.parts, v.stale = parts, true
	in, out, any := 0, 0, false
	for _, p := range parts {
		if p.kind == changePart {
			i, o := changes(p.lines)
			in, out, any = in+i, out+o, true
		}
	}
	v.in.setText(fmt.Sprint("+", in))
	v.out.setText(fmt.Sprint("−", out))
	v.in.Hidden, v.out.Hidden = !any || in == 0, !any || out == 0
}

// showParts draws what there is, when the card is unfolded. What did not
// change is not drawn anew: it may be selected, or be long.
func (v *toolView) showParts() {
	some := len(v.parts) > 0
	v.open = v.wanted()
	v.fold.Hidden, v.head.disabled = !some, !some
	v.content.Hidden = !v.open
	v.sides.Hidden = !v.open || v.in.Hidden || v.out.Hidden
	v.fold.setText(foldSign(v.open))
	if !v.open {
		return
	}
	id := "tool.SideBySide"
	if v.r.w.sideBySide() {
		id = "tool.Unified"
	}
	v.sides.name = v.r.w.text(id)
	v.sides.content.(*label).setText(v.sides.name)
	if v.stale {
		v.stale = false
		v.draw()
	}
}

// wanted tells whether the card is to be unfolded.
func (v *toolView) wanted() bool {
	return len(v.parts) > 0 && v.r.opened(v.key, v.opensByItself())
}

// opensByItself tells whether the content is worth its room: a change that is
// not too long, a picture, and a short output of a command.
func (v *toolView) opensByItself() bool {
	lines, changes, pictures := 0, false, false
	for _, p := range v.parts {
		switch p.kind {
		case changePart:
			lines, changes = lines+len(p.lines), true
		case mediaPart:
			pictures = pictures || p.media.Type == acp.ContentImage
		case textPart:
			lines += strings.Count(p.text, "\n") + 1
		}
	}
	switch {
	case changes:
		return lines <= shortDiff
	case pictures:
		return true
	}
	return lines > 0 && lines <= shortOutput && (v.tool.Kind == "execute" || v.tool.Status == acp.ToolFailed)
}

// turn switches between unified and side by side, here and in what is drawn
// from now on.
func (v *toolView) turn() {
	v.r.w.remembered.Set(sideBySideKey, !v.r.w.sideBySide())
	v.stale = true
	v.r.refresh()
}
