package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/markdown"
)

const (
	faceSize  = 32
	faceGap   = 12
	rowMargin = 20
	rowGap    = 18  // between two messages
	bodyWidth = 720 // lines longer than that are hard to read
)

// messageRow shows one message: who, what, and where it is on its way. It is
// the layout of its object, which the list reuses for other messages.
type messageRow struct {
	w      *window
	c      *conversation
	object *fyne.Container
	last   float32 // width

	message   app.Message
	questions map[string]*app.Question // by the tool call that they are about
	face      *avatar
	head      *rowHead
	views     map[int]partView // by Part.Seq
	foot      *fyne.Container
	actions   map[string]*button // in the foot
	menu      *menuArea
	body      *fyne.Container
}

// partView shows one part of a message, and again when the part has changed.
type partView interface {
	object() fyne.CanvasObject
	show(m app.Message, p app.Part)
}

func newMessageRow(c *conversation) *messageRow {
	r := &messageRow{
		w: c.w, c: c, face: blankAvatar(faceSize),
		foot: newWrap(10, 4), views: map[int]partView{}, actions: map[string]*button{},
	}
	r.menu = newMenuArea(func(at fyne.Position) { r.openMenu(at, nil) })
	r.head = newRowHead(r)
	r.body = newColumn(6, insets{})
	r.body.Layout.(*column).limit = bodyWidth
	r.object = &fyne.Container{Layout: r, Objects: []fyne.CanvasObject{r.menu, r.face, r.body}}
	return r
}

// show makes the row the one of a message.
func (r *messageRow) show(m app.Message) {
	if m.ID != r.message.ID || m.Channel != r.message.Channel {
		clear(r.views)
		clear(r.actions)
		r.w.marks.drop(r.id())
	}
	r.message = m
	r.mark(r.id(), r.object)
	r.head.show(m)
	r.body.Objects = append(r.body.Objects[:0], r.head.object)
	r.questions = questionsByTool(m)
	for _, p := range m.Parts {
		if p.Question != nil && r.questions[p.Question.ToolID] == p.Question {
			continue // shown in the card of its tool call
		}
		r.w.glyphs.check(p.Text)
		v := r.views[p.Seq]
		if v == nil {
			if v = r.newView(p); v == nil {
				continue
			}
			r.views[p.Seq] = v
		}
		v.show(m, p)
		r.body.Objects = append(r.body.Objects, v.object())
	}
	r.showFoot()
	r.layOut()
}

// id is what a test from outside calls the row.
func (r *messageRow) id() string { return fmt.Sprintf("message/%d", r.message.ID) }

// layOut places everything again, in every container of the row.
func (r *messageRow) layOut() {
	relayout(r.object)
	r.menu.Refresh()
}

// questionsByTool are the permissions that belong to a tool call of the
// message.
func questionsByTool(m app.Message) map[string]*app.Question {
	tools := map[string]bool{}
	for _, p := range m.Parts {
		if p.Tool != nil {
			tools[p.Tool.ID] = true
		}
	}
	questions := map[string]*app.Question{}
	for _, p := range m.Parts {
		if q := p.Question; q != nil && p.Kind == app.QuestionPart && tools[q.ToolID] {
			questions[q.ToolID] = q
		}
	}
	return questions
}

func (r *messageRow) newView(p app.Part) partView {
	switch {
	case p.Kind == app.TextPart:
		return newTextView(r)
	case p.Kind == app.ThoughtPart:
		return newThoughtView(r)
	case p.Kind == app.ToolPart && p.Tool != nil:
		return newToolView(r)
	case p.Kind == app.PlanPart:
		return newPlanView(r.w)
	case p.Kind == app.QuestionPart && p.Question != nil:
		return newQuestionView(r)
	case p.Kind == app.FormPart && p.Question != nil:
		return newFormView(r)
	case p.Kind == app.NoticePart && p.Notice != nil:
		return newNoticeView(r.w)
	case p.Kind == app.AttachmentPart && p.Content != nil:
		return newMediaView(r)
	}
	return nil
}

// ticks tells whether a clock is in the row.
func (r *messageRow) ticks() bool {
	if r.message.Kind == app.FromAgent && r.message.Live() {
		return true
	}
	for _, d := range r.message.Deliveries {
		if d.State == app.Working {
			return true
		}
	}
	return false
}

// opened tells whether something in the row is unfolded: by hand, or else as
// it is by itself.
func (r *messageRow) opened(what string, byItself bool) bool {
	open, byHand := r.c.opens[key(r.message.ID)+"/"+what]
	return byHand && open || !byHand && byItself
}

// fold remembers what the person did, and shows it.
func (r *messageRow) fold(what string, open bool) {
	r.c.opens[key(r.message.ID)+"/"+what] = open
	r.c.list.RefreshRow(key(r.message.ID))
}

// mark names something in the row for tests from outside.
func (r *messageRow) mark(id string, o fyne.CanvasObject) { r.w.marks.setWithin(id, o, r.c.list) }

// openMenu offers what can be done with the message, and with what is selected
// in one of its texts.
func (r *messageRow) openMenu(at fyne.Position, f *markdown.Flow) {
	r.w.popUpAt(at, r.menuItems(f))
}

func (r *messageRow) menuItems(f *markdown.Flow) []menuItem {
	w, m := r.w, r.message
	copyText := func(text string) { w.app.Clipboard().SetContent(text) }
	var items []menuItem
	if f != nil && f.Selected() != "" {
		items = append(items, menuItem{id: "copy", text: w.text("ui.Copy"), do: f.Copy})
	}
	if f == nil {
		f = r.firstText()
	}
	if m.Text() != "" {
		items = append(items,
			menuItem{id: "copy-message", text: w.text("ui.CopyMessage"), do: func() { copyText(plainText(m)) }},
			menuItem{id: "copy-markdown", text: w.text("act.CopyMarkdown"), do: func() { copyText(m.Text()) }})
	}
	if f != nil {
		items = append(items, menuItem{id: "select-all", text: w.text("ui.SelectAll"), do: f.Take})
	}
	if len(items) == 0 {
		items = append(items, menuItem{text: w.text("act.NothingToCopy")})
	}
	return items
}

// firstText is the first text of the message, nil when there is none.
func (r *messageRow) firstText() *markdown.Flow {
	for _, p := range r.message.Parts {
		if v, ok := r.views[p.Seq].(textView); ok {
			return v.flow
		}
	}
	return nil
}

// plainText is the text of a message as it is read, without its Markdown.
func plainText(m app.Message) string {
	f := markdown.New("")
	f.HardWraps = m.Kind == app.FromPerson
	f.SetText(m.Text())
	f.SelectAll()
	return f.Selected()
}

func (r *messageRow) height(width float32) float32 {
	return max(faceSize, heightFor(r.body, width-2*rowMargin-faceSize-faceGap)) + rowGap
}

// Layout implements fyne.Layout.
func (r *messageRow) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	r.last = size.Width
	r.menu.Resize(size)
	r.face.Resize(r.face.MinSize())
	r.face.Move(fyne.NewPos(rowMargin, rowGap/2))
	r.body.Move(fyne.NewPos(rowMargin+faceSize+faceGap, rowGap/2))
	r.body.Resize(fyne.NewSize(size.Width-2*rowMargin-faceSize-faceGap, size.Height-rowGap))
}

// MinSize implements fyne.Layout, for the width of the last layout.
func (r *messageRow) MinSize([]fyne.CanvasObject) fyne.Size {
	if r.last == 0 {
		return fyne.NewSize(200, 80) // nothing is measured before the width is known
	}
	return fyne.NewSize(200, r.height(r.last))
}

// menuArea opens a menu where it is pressed with the other button.
type menuArea struct {
	widget.BaseWidget
	open    func(at fyne.Position)
	pointed func(bool) // the pointer comes and goes
}

func newMenuArea(open func(at fyne.Position)) *menuArea {
	m := &menuArea{open: open, pointed: func(bool) {}}
	m.ExtendBaseWidget(m)
	return m
}

func (m *menuArea) MouseIn(*desktop.MouseEvent)    { m.pointed(true) }
func (m *menuArea) MouseMoved(*desktop.MouseEvent) {}
func (m *menuArea) MouseOut()                      { m.pointed(false) }

func (m *menuArea) TappedSecondary(e *fyne.PointEvent) { m.open(e.AbsolutePosition) }

func (m *menuArea) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(newSurface("", "", 0))
}
