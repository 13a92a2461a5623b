package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	mostHits  = 100
	hitHeight = 70
)

// history looks for words in every message. The history may be large: it is
// searched on another goroutine, once at a time, for what is typed then.
type history struct {
	w       *window
	query   string // as it is now
	running bool
}

// findMessages searches the history.
func (w *window) findMessages() { w.findMessagesFor("") }

func (w *window) findMessagesFor(query string) {
	h := &history{w: w}
	w.finder.open(&quest{
		id: "history", prompt: w.text("find.SearchPrompt"), look: h.look,
		none: func(query string) string {
			if strings.TrimSpace(query) == "" {
				return w.text("find.SearchHint")
			}
			return w.text("find.NoMessage", "Query", oneLine(query))
		},
	}, query)
}

func (h *history) look(query string) {
	h.query = query
	if strings.TrimSpace(query) == "" {
		h.w.finder.show(nil, "")
		return
	}
	if !h.running {
		h.run()
	}
}

func (h *history) run() {
	h.running = true
	query := h.query
	h.w.bridge.outside(func() func() {
		hits, err := h.w.backend.Search(query, mostHits)
		return func() { h.done(query, hits, err) }
	})
}

func (h *history) done(query string, hits []app.Hit, err error) {
	h.running = false
	f := h.w.finder
	switch {
	case !f.isOpen() || f.search.id != "history":
	case query != h.query:
		h.look(h.query)
	case err != nil:
		f.show(nil, "")
		f.note.setText(h.w.printer.Error(err))
	default:
		f.show(h.findings(hits))
	}
}

func (h *history) findings(hits []app.Hit) (found []finding, amount string) {
	w := h.w
	for _, hit := range hits {
		found = append(found, finding{
			id: "message/" + key(hit.Message), height: hitHeight,
			draw: func() fyne.CanvasObject { return w.drawHit(hit) },
			do:   func() { w.showMessage(hit.Channel, hit.Message) },
		})
	}
	switch n := len(hits); {
	case n == mostHits:
		amount = w.text("find.Newest", "Count", n)
	case n > 0:
		amount = w.printer.Count("find.Messages", n)
	}
	return found, amount
}

// drawHit shows who said what, where and when, and the words around what was
// looked for.
func (w *window) drawHit(hit app.Hit) fyne.CanvasObject {
	face, who := blankAvatar(22), ""
	if name := string(hit.Author); name != "" {
		a := w.agent(name)
		face.set(a)
		who = oneLine(a.Title)
	} else {
		who = w.text("ui.You")
		face.setPerson(who)
	}
	c, _ := w.backend.Channel(hit.Channel)
	name := newCutLabel(who, strong())
	name.least = 260
	where := newCutLabel(w.titleOf(c), muted())
	top := newLine(10, where, face, name, where, newLabel(w.at(hit.CreatedAt), faint()))
	text := newExcerpt(hit.Snippet, hit.Marks, 2, muted().in(tokens.Text))
	text.tint = true
	return newColumn(0, insets{}, top, framed(insets{0, 0, 0, 32}, text))
}
