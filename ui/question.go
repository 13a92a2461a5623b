package ui

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// questionView is a permission that an agent asks for: its options, all of
// them, in its order and in its words. It stands in a card of its own, or at
// the foot of the tool call that it is about.
type questionView struct {
	r      *messageRow
	card   *fyne.Container
	title  *paragraph
	row    *fyne.Container
	chosen *label
	inTool bool
	drawn  string // what the buttons were made for
}

func newQuestionView(r *messageRow) *questionView {
	q := &questionView{r: r, title: newParagraph("", muted().in(tokens.Text)), row: newWrap(8, 8), chosen: newLabel("", muted())}
	q.card = newColumn(8, insets{4, 12, 10, 12}, q.title, q.row, q.chosen)
	return q
}

func (q *questionView) object() fyne.CanvasObject {
	if q.inTool {
		return q.card
	}
	return newLayers(newSurface(tokens.Panel, tokens.Line, cardRadius), framed(insets{6, 0, 0, 0}, q.card))
}

func (q *questionView) show(_ app.Message, p app.Part) { q.set(*p.Question) }

func (q *questionView) set(asked app.Question) {
	w := q.r.w
	title := asked.Title
	if title == "" {
		title = w.text("ui.Permission", "Agent", w.agent(asked.Agent).Title)
	}
	q.title.set(title, q.title.look)
	q.title.Hidden = q.inTool
	open := asked.State == app.QuestionOpen
	q.row.Hidden, q.chosen.Hidden = !open, open
	if !open {
		q.row.Objects, q.drawn = nil, ""
		q.chosen.set(q.outcome(asked), q.outcomeLook(asked))
		return
	}
	first, _ := q.r.c.question()
	if drawn := fmt.Sprint(asked.ID, first.ID == asked.ID, len(asked.Options)); drawn != q.drawn {
		q.drawn = drawn
		q.drawOptions(asked, first.ID == asked.ID)
	}
}

// drawOptions makes a button for each option. Those of the question that the
// keys answer show their key.
func (q *questionView) drawOptions(asked app.Question, keys bool) {
	q.row.Objects = nil
	allowed := false
	for i, o := range asked.Options {
		k := ordinary
		switch {
		case strings.HasPrefix(string(o.Kind), "reject"):
			k = danger
		case strings.HasPrefix(string(o.Kind), "allow") && !allowed:
			k, allowed = primary, true
		}
		name := o.Name
		if name == "" {
			name = o.ID
		}
		b := q.r.w.newOption(name, i, k, keys && i < 9, func() {
			q.r.w.backend.Answer(asked.ID, o.ID)
			q.r.w.composer.focus()
		})
		q.r.mark(fmt.Sprintf("question/%d", i+1), b)
		q.row.Add(b)
	}
	if len(asked.Options) == 0 {
		q.row.Add(newButton(q.r.w.text("ui.Cancel"), danger, func() { q.r.w.backend.Answer(asked.ID, "") }))
	}
}

// newOption is a button with the key that presses it. What is too long for the
// line is whole on hover.
func (w *window) newOption(name string, i int, k kind, keys bool, tapped func()) *button {
	text := newCutLabel(oneLine(name), look{buttonText(k), tokens.Secondary, fyne.TextStyle{}})
	text.least = 80
	content := newLine(8, text, text)
	if keys {
		c := tokens.Faint
		if k == primary {
			c = tokens.OnAccent
		}
		content.Add(newLabel(fmt.Sprint(i+1), faint().in(c)))
	}
	b := newPressable(name, k, inset(6, 12), content, tapped)
	b.label = text
	return w.helpWith(b, func() string {
		if text.isCut() || text.text != name {
			return name
		}
		return ""
	})
}

func (q *questionView) outcome(asked app.Question) string {
	w := q.r.w
	if asked.State == app.QuestionCancelled || asked.Chosen == "" {
		return w.text("ui.QuestionCancelled")
	}
	return w.text("ui.YouChose", "Option", option(asked).Name)
}

func (q *questionView) outcomeLook(asked app.Question) look {
	switch {
	case asked.State == app.QuestionCancelled || asked.Chosen == "":
		return footnote(tokens.Muted)
	case strings.HasPrefix(string(option(asked).Kind), "reject"):
		return footnote(tokens.Error)
	}
	return footnote(tokens.OK)
}

// option is the one that was chosen.
func option(asked app.Question) acp.PermissionOption {
	for _, o := range asked.Options {
		if o.ID == asked.Chosen {
			return o
		}
	}
	return acp.PermissionOption{ID: asked.Chosen, Name: asked.Chosen}
}
