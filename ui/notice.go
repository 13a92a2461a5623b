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

// attachmentView is a line for what an agent sends and the window does not
// draw: a picture, a sound, a file.
type attachmentView struct {
	w    *window
	text *label
}

func newAttachmentView(w *window) *attachmentView {
	return &attachmentView{w: w, text: newCutLabel("", muted())}
}

func (v *attachmentView) object() fyne.CanvasObject { return v.text }

func (v *attachmentView) show(_ app.Message, p app.Part) {
	c := p.Content
	name := ""
	for _, candidate := range []string{c.Title, c.Name, c.URI, c.Resource.URI, c.MIMEType} {
		if name == "" {
			name = candidate
		}
	}
	id := "ui.Attachment"
	switch c.Type {
	case "image":
		id = "ui.Picture"
	case "audio":
		id = "ui.Sound"
	}
	v.text.setText(strings.TrimSuffix(v.w.text(id, "Name", name), ": "))
}
