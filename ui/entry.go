package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// entry is a message in the conversation with what stands above it: the day,
// where one begins, and a line before what is new. It is the layout of its
// object.
type entry struct {
	*messageRow
	object *fyne.Container
	glow   *surface // behind a message that was looked for
	day    *divider
	news   *divider
}

func newEntry(c *conversation) *entry {
	e := &entry{
		messageRow: newMessageRow(c), glow: newSurface(tokens.AccentTint, "", cardRadius),
		day: newDivider(tokens.Muted, tokens.Line), news: newDivider(tokens.Accent, tokens.Accent),
	}
	e.object = &fyne.Container{Layout: e, Objects: []fyne.CanvasObject{
		e.glow, e.day.object, e.news.object, e.messageRow.object,
	}}
	return e
}

// show makes the entry the one of a message of the conversation.
func (e *entry) show(i int) {
	c, m := e.c, e.c.messages[i]
	e.day.set(c.dayAbove(i))
	news := ""
	if m.ID == c.news {
		news = c.w.text("find.New")
	}
	e.news.set(news)
	e.glow.Hidden = m.ID != c.found
	e.messageRow.show(m)
	e.Layout(nil, e.object.Size())
	e.glow.Refresh()
}

// above is the height of what stands above the message.
func (e *entry) above() float32 {
	h := float32(0)
	for _, d := range []*divider{e.day, e.news} {
		if d.object.Visible() {
			h += dividerHeight
		}
	}
	return h
}

// Layout implements fyne.Layout.
func (e *entry) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	for _, d := range []*divider{e.day, e.news} {
		if d.object.Visible() {
			d.object.Resize(fyne.NewSize(size.Width, dividerHeight))
			d.object.Move(fyne.NewPos(0, y))
			y += dividerHeight
		}
	}
	e.messageRow.object.Move(fyne.NewPos(0, y))
	e.messageRow.object.Resize(fyne.NewSize(size.Width, max(0, size.Height-y)))
	e.glow.Move(fyne.NewPos(rowMargin/2, y+2))
	e.glow.Resize(fyne.NewSize(size.Width-rowMargin, max(0, size.Height-y-4)))
}

// MinSize implements fyne.Layout.
func (e *entry) MinSize([]fyne.CanvasObject) fyne.Size {
	return e.messageRow.object.MinSize().AddWidthHeight(0, e.above())
}

const dividerHeight = 30

// divider is a text in the middle of a thin line.
type divider struct {
	object *fyne.Container
	text   *label
}

func newDivider(text, line fyne.ThemeColorName) *divider {
	d := &divider{text: newCutLabel("", look{text, tokens.Small, fyne.TextStyle{}})}
	d.text.least = 400
	left, right := newSurface(line, "", 0), newSurface(line, "", 0)
	d.object = &fyne.Container{Layout: d, Objects: []fyne.CanvasObject{left, d.text, right}}
	d.object.Hide()
	return d
}

// set says something; an empty text takes the line away.
func (d *divider) set(text string) {
	d.object.Hidden = text == ""
	d.text.setText(text)
	d.Layout(d.object.Objects, d.object.Size())
}

// Layout implements fyne.Layout.
func (d *divider) Layout(o []fyne.CanvasObject, size fyne.Size) {
	text := d.text.MinSize()
	text.Width = min(text.Width, max(0, size.Width-2*rowMargin))
	x := (size.Width - text.Width) / 2
	y := float32(int(size.Height / 2))
	d.text.Resize(text)
	d.text.Move(fyne.NewPos(x, (size.Height-text.Height)/2))
	long := max(0, x-rowMargin-theme.InnerPadding())
	for i, from := range map[int]float32{0: rowMargin, 2: size.Width - rowMargin - long} {
		o[i].Resize(fyne.NewSize(long, 1))
		o[i].Move(fyne.NewPos(from, y))
	}
}

// MinSize implements fyne.Layout.
func (d *divider) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(100, dividerHeight) }

// dayAbove is the day that begins with a message, if one does. Above the first
// message that was read it is not known.
func (c *conversation) dayAbove(i int) string {
	at := c.messages[i].CreatedAt
	switch {
	case i == 0 && !c.whole:
		return ""
	case i > 0 && sameDay(c.messages[i-1].CreatedAt, at):
		return ""
	}
	return c.w.day(at)
}
