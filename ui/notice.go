package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// noticeView is a remark beside the talk, of an agent or of Sidekicks.
type noticeView struct {
	w    *window
	box  *fyne.Container
	text *paragraph
}

func newNoticeView(w *window) *noticeView {
	v := &noticeView{w: w, text: newParagraph("", muted().in(tokens.Text))}
	v.box = newLayers()
	return v
}

func (v *noticeView) object() fyne.CanvasObject { return v.box }

func (v *noticeView) show(_ app.Message, p app.Part) {
	n := p.Notice
	var said []string
	if n.Phrase != nil {
		said = append(said, v.w.printer.Error(n.Phrase))
	}
	for _, t := range []string{n.Title, n.Description} {
		if t != "" {
			said = append(said, t)
		}
	}
	c := tokens.Line
	switch n.Severity {
	case app.Warning:
		c = tokens.Warn
	case app.Trouble:
		c = tokens.Error
	}
	v.text.set(strings.Join(said, "\n"), v.text.look)
	v.box.Objects = []fyne.CanvasObject{edged(c, v.text)}
}
