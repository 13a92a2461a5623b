package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/ui/markdown"
)

// toolPartView draws one part of a tool call.
type toolPartView struct {
	kind   toolPartKind
	bare   bool
	object fyne.CanvasObject
	set    func(p toolPart)
}

// draw shows the parts, in the widgets there are as far as they suit.
func (v *toolView) draw() {
	v.content.Objects = v.content.Objects[:0]
	for i, p := range v.parts {
		if i == len(v.drawn) {
			v.drawn = append(v.drawn, toolPartView{})
		}
		if d := &v.drawn[i]; d.object == nil || d.kind != p.kind || d.bare != p.bare {
			*d = v.newPart(p)
		}
		v.drawn[i].set(p)
		v.content.Objects = append(v.content.Objects, v.drawn[i].object)
	}
}

func (v *toolView) newPart(p toolPart) toolPartView {
	d := toolPartView{kind: p.kind, bare: p.bare}
	switch p.kind {
	case textPart:
		d.object, d.set = v.newText(p.bare)
	case inputPart:
		d.object, d.set = v.newInput()
	case changePart:
		d.object, d.set = v.newChange()
	case mediaPart:
		media := newMediaView(v.r)
		d.object, d.set = framed(insets{4, 12, 10, 12}, media.box), func(p toolPart) { media.set(p.media) }
	case notePart:
		note := newParagraph("", muted())
		d.object, d.set = framed(insets{0, 12, 8, 12}, note), func(p toolPart) { note.set(p.text, note.look) }
	case terminalPart:
		d.object = framed(insets{0, 12, 8, 12}, newLabel(v.r.w.text("ui.InTerminal"), muted()))
		d.set = func(toolPart) {}
	}
	return d
}

// newText is code that fills the card, or Markdown with room around it.
func (v *toolView) newText(bare bool) (fyne.CanvasObject, func(toolPart)) {
	f := v.r.newOutput()
	f.Bare, f.OnResized = bare, v.resized
	var o fyne.CanvasObject = f
	if !bare {
		o = framed(insets{2, 12, 10, 12}, f)
	}
	return o, func(p toolPart) { f.SetText(p.text) }
}

// newInput is what a tool was given, folded into a line.
func (v *toolView) newInput() (fyne.CanvasObject, func(toolPart)) {
	f, name, key := v.r.newOutput(), newLabel("", muted()), v.key+"/input"
	f.OnResized = v.resized
	said := v.r.w.text("tool.Input")
	head := newPressable(said, item, inset(4, 12), name, func() {
		v.stale = true
		v.r.fold(key, f.Hidden)
	})
	v.r.mark(key, head)
	return newColumn(0, insets{}, head, f), func(p toolPart) {
		f.Hidden = !v.r.opened(key, false)
		name.setText(foldSign(!f.Hidden) + " " + said)
		if !f.Hidden {
			f.SetText(p.text)
		}
	}
}

// newChange is a diff, under the file's name if the heading does not give it.
func (v *toolView) newChange() (fyne.CanvasObject, func(toolPart)) {
	diff, path := newDiffView(v.r, v.resized), newCutLabel("", faint())
	named := framed(inset(2, 12), path)
	return newColumn(0, insets{}, named, diff.object), func(p toolPart) {
		short := shortPath(p.path, v.r.w.agent(v.r.message.Author).Workspace)
		path.setText(short)
		named.Hidden = strings.Contains(v.title.label.text, short)
		diff.show(p.lines, v.r.w.sideBySide())
	}
}

func foldSign(open bool) string {
	if open {
		return "▾"
	}
	return "▸"
}

// newOutput is for what came out of a tool.
func (r *messageRow) newOutput() *markdown.Flow {
	return r.newFlow(func(f *markdown.Flow) { f.Bare, f.MaxShown = true, mostBytes })
}

// sideBySide tells whether changes are to be shown in two columns.
func (w *window) sideBySide() (on bool) {
	w.remembered.Get(sideBySideKey, &on)
	return on
}

const sideBySideKey = "sideBySide"
