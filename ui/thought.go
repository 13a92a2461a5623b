package ui

import (
	"fmt"
	"time"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/markdown"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// thoughtView is what an agent thought on the way: folded into a line that
// says how long.
type thoughtView struct {
	r     *messageRow
	box   *fyne.Container
	head  *button
	label *label
	text  *markdown.Flow
	inner *fyne.Container
	key   string
	open  bool
}

func newThoughtView(r *messageRow) *thoughtView {
	v := &thoughtView{r: r, label: newLabel("", muted()), text: r.newFlow(func(*markdown.Flow) {})}
	v.head = newPressable("", quiet, inset(2, 0), v.label, func() { r.fold(v.key, !v.open) })
	edge := newFixed(2, 0, newSurface(tokens.Line, "", 1))
	body := framed(insets{2, 0, 2, 12}, v.text)
	v.inner = newColumns(body, edge, body)
	v.inner.Hide()
	v.box = newColumn(4, insets{}, newWrap(0, 0, v.head), v.inner)
	return v
}

func (v *thoughtView) object() fyne.CanvasObject { return v.box }

func (v *thoughtView) show(m app.Message, p app.Part) {
	w := v.r.w
	v.key = fmt.Sprint("thought/", p.Seq)
	v.open = v.r.opened(v.key, false)
	text := w.text("ui.Thinking", "Time", w.since(p.StartedAt))
	if !p.EndedAt.IsZero() || !m.Live() {
		text = w.text("ui.ThoughtBriefly")
		if took := p.EndedAt.Sub(p.StartedAt); took >= time.Second {
			text = w.text("ui.Thought", "Time", w.seconds(took))
		}
	}
	sign := "▸ "
	if v.open {
		sign = "▾ "
	}
	v.label.setText(sign + text)
	v.head.name = text
	v.inner.Hidden = !v.open
	if v.open {
		v.text.SetText(p.Text)
	}
	v.r.mark("thought", v.head)
}
