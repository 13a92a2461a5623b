package ui

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const mostQueued = 4 // shown; the others are counted

// queue is the messages of the channel that nobody has begun to answer, above
// the composer: what they say, whom they wait for, and what can be done.
type queue struct {
	w      *window
	object *fyne.Container
	column *fyne.Container

	channel  app.ChannelID
	waiting  []app.Waiting
	messages []app.Message // of those that are shown
}

func newQueue(w *window) *queue {
	q := &queue{w: w, column: newColumn(2, insets{0, 0, 6, 0})}
	q.object = framed(insets{}, q.column)
	q.object.Hide()
	return q
}

// open shows what waits in a channel.
func (q *queue) open(id app.ChannelID) {
	q.channel, q.waiting = id, nil
	q.refresh(true)
}

// apply follows what changed, and reports whether the queue looks different.
func (q *queue) apply(batch []app.Event) bool {
	touched := false
	for _, e := range batch {
		known := slices.ContainsFunc(q.messages, func(m app.Message) bool { return m.ID == e.Message })
		touched = touched || e.Kind == app.Everything || known && e.Channel == q.channel
	}
	return q.refresh(touched)
}

// refresh reads the queue, and draws it when it is another one, or when a
// message in it may have changed.
func (q *queue) refresh(changed bool) bool {
	waiting := q.w.backend.Queue(q.channel)
	if !changed && reflect.DeepEqual(waiting, q.waiting) {
		return false
	}
	before := q.messages
	q.waiting, q.messages = waiting, nil
	for _, one := range waiting[:min(len(waiting), mostQueued)] {
		if m, err := q.w.backend.Message(one.Message); err == nil {
			q.messages = append(q.messages, m)
		}
	}
	if len(before) == 0 && len(q.messages) == 0 {
		return false
	}
	q.draw()
	return true
}

func (q *queue) draw() {
	q.column.Objects = nil
	for i, m := range q.messages {
		q.column.Add(q.row(i, m))
	}
	if more := len(q.waiting) - len(q.messages); more > 0 {
		q.column.Add(framed(inset(2, 12), newLabel(q.w.printer.Count("compose.MoreWait", more), faint())))
	}
	q.object.Hidden = len(q.column.Objects) == 0
	q.object.Refresh()
}

func (q *queue) row(i int, m app.Message) fyne.CanvasObject {
	w, id := q.w, fmt.Sprintf("queue/%d/", i+1)
	var names []string
	for _, d := range q.waiting[i].Deliveries {
		names = append(names, w.agent(d.Agent).Title)
	}
	whom := newCutLabel(w.text("compose.WaitsFor", "Agents", strings.Join(names, ", ")), footnote(tokens.Warn))
	whom.least = 140
	said := newCutLabel(q.said(m), muted())
	row := newLine(8, said, whom, said)
	action := func(name, text string, do func()) {
		l := newLabel(w.text(text), footnote(tokens.Accent))
		b := newPressable(l.text, quiet, inset(1, 4), l, do)
		w.mark(id+name, b)
		row.Add(b)
	}
	if m.Kind == app.FromPerson {
		action("edit", "ui.Edit", func() { w.composer.editQueued(m) })
	}
	action("withdraw", "ui.Withdraw", func() {
		for _, d := range q.waiting[i].Deliveries {
			w.backend.Withdraw(d.ID)
		}
		w.composer.focus()
	})
	return newLayers(newSurface(tokens.Code, "", controlRadius), framed(inset(2, 12), row))
}

// said is what a message says, in a line.
func (q *queue) said(m app.Message) string {
	said := []string{}
	if text := oneLine(m.Text()); text != "" {
		said = append(said, text)
	}
	files := 0
	for _, p := range m.Parts {
		if p.Kind == app.AttachmentPart {
			files++
		}
	}
	if files > 0 {
		said = append(said, q.w.printer.Count("compose.Files", files))
	}
	return strings.Join(said, " · ")
}

// last is the person's message that waits and was written last.
func (q *queue) last() (app.Message, bool) {
	for _, one := range slices.Backward(q.w.backend.Queue(q.channel)) {
		if m, err := q.w.backend.Message(one.Message); err == nil && m.Kind == app.FromPerson {
			return m, true
		}
	}
	return app.Message{}, false
}
