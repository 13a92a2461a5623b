package ui

import (
	"cmp"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	dialogWidth = 480
	dialogNames = 106 // the column of the fields' names
	dialogRest  = 240 // of the window's height, beside what scrolls in a dialog
)

// dialog asks for something before anything is done. Escape leaves it.
type dialog struct {
	title, text string
	width       float32 // 0: dialogWidth
	fields      []*field
	names       []string            // of the fields
	body        fyne.CanvasObject   // optional, below the fields
	confirm     string              // text of the button; empty: the dialog is only closed
	danger      bool                // the button takes something away
	done        func() error        // an error is shown and keeps the dialog open
	press       func()              // instead of done: the dialog stays open
	aside       *paragraph          // optional, at the left of the buttons
	more        []fyne.CanvasObject // buttons before those that every dialog has
	left        func()              // optional: it was closed
}

// dialogView is a dialog that is open.
type dialogView struct {
	w       *window
	stage   *stage
	trouble *paragraph
	saying  *fyne.Container // around it
	fields  []*field
	below   fyne.Focusable // had the focus
	before  func()         // leaves the dialog below, if there is one
	confirm *button
	asked   dialog
}

// ask shows a dialog in the middle of the window.
func (w *window) ask(d dialog) *dialogView {
	w.tips.away()
	w.stage().menu.close()
	v := &dialogView{w: w, fields: d.fields, asked: d, below: w.fyne.Canvas().Focused()}
	v.trouble = newParagraph("", muted().in(tokens.Error))
	head := newColumn(4, insets{20, 20, 12, 20}, newParagraph(d.title, title()))
	if d.text != "" {
		head.Add(newParagraph(d.text, muted()))
	}
	objects := []fyne.CanvasObject{head}
	if len(d.fields) > 0 || d.body != nil {
		objects = append(objects, v.scrolling(v.middle(d)))
	}
	v.saying = framed(insets{0, 20, 8, 20}, v.trouble)
	v.saying.Hide()
	objects = append(objects, v.saying, newFixed(0, 8, newLabel("", plain())), ruler(), framed(inset(12, 20), v.buttons(d)))
	v.open(newColumn(0, insets{}, objects...), inMiddle{cmp.Or(d.width, dialogWidth)})
	if len(d.fields) > 0 {
		w.fyne.Canvas().Focus(d.fields[0])
	} else {
		w.fyne.Canvas().FocusNext()
	}
	return v
}

// middle is what there is to fill in.
func (v *dialogView) middle(d dialog) fyne.CanvasObject {
	middle := newColumn(8, insets{4, 20, 8, 20})
	for i, f := range d.fields {
		f.onEscape, f.OnSubmitted = v.leave, func(string) { v.finish() }
		name := framed(insets{8, 0, 0, 0}, newCutLabel(d.names[i], muted()))
		middle.Add(&fyne.Container{Layout: named{dialogNames}, Objects: []fyne.CanvasObject{name, f}})
		v.w.mark(fmt.Sprint("dialog/field/", i+1), f)
	}
	if d.body != nil {
		middle.Add(d.body)
	}
	return middle
}

// buttons are the way out, at the right.
func (v *dialogView) buttons(d dialog) fyne.CanvasObject {
	w, room := v.w, fyne.CanvasObject(newLabel("", plain()))
	if d.aside != nil {
		room = d.aside
	}
	if d.confirm == "" {
		out := newButton(w.text("ui.Close"), ordinary, v.leave)
		w.mark("dialog/cancel", out)
		return newLine(8, room, room, out)
	}
	k := primary
	if d.danger {
		k = danger
	}
	cancel := newButton(w.text("ui.Cancel"), ordinary, v.leave)
	v.confirm = newButton(d.confirm, k, v.finish)
	w.mark("dialog/cancel", cancel)
	w.mark("dialog/confirm", v.confirm)
	return newLine(8, room, append(append([]fyne.CanvasObject{room}, d.more...), cancel, v.confirm)...)
}

// open lays the dialog over the window, where place says.
func (v *dialogView) open(content fyne.CanvasObject, place fyne.Layout) {
	back := newSurface(tokens.Panel, tokens.Line, dialogRadius)
	back.lifted = true
	shade := newLayers(newSurface(tokens.Shade, "", 0), newCover(func() {}))
	box := &fyne.Container{Layout: place, Objects: []fyne.CanvasObject{newLayers(back, content)}}
	v.stage = newStage(v.w, shade, box)
	v.w.stages = append(v.w.stages, v.stage)
	v.before, v.w.leave = v.w.leave, v.leave
	v.w.fyne.Canvas().Overlays().Add(v.stage.object)
}

// leave closes the dialog. The focus is then where it was before.
func (v *dialogView) leave() {
	w := v.w
	if w.stage() != v.stage {
		return
	}
	w.tips.away()
	w.stages = w.stages[:len(w.stages)-1]
	w.leave = v.before
	w.fyne.Canvas().Overlays().Remove(v.stage.object)
	if v.below == nil {
		w.composer.focus()
	}
	if v.asked.left != nil {
		v.asked.left()
	}
}

func (v *dialogView) finish() {
	if v.asked.press != nil {
		v.asked.press()
		return
	}
	if err := v.asked.done(); err != nil {
		v.fail(err)
		return
	}
	v.leave()
	v.w.composer.focus()
}

// fail says what went wrong, in the dialog.
func (v *dialogView) fail(err error) {
	v.trouble.set(v.w.printer.Error(err), v.trouble.look)
	v.saying.Show()
	if len(v.fields) > 0 {
		v.fields[0].setWrong(true)
	}
	relayout(v.stage.object)
	v.stage.object.Refresh()
}

// scrolling is an object that scrolls where the window has no room for it.
func (v *dialogView) scrolling(o fyne.CanvasObject) fyne.CanvasObject {
	most := func() float32 { return v.w.fyne.Canvas().Size().Height - dialogRest }
	return &fyne.Container{Layout: ceiling{most}, Objects: []fyne.CanvasObject{container.NewVScroll(o)}}
}

// named sets a name of a fixed width before an object.
type named struct{ width float32 }

func (n named) heightFor(o []fyne.CanvasObject, width float32) float32 {
	return max(heightFor(o[0], n.width), heightFor(o[1], width-n.width-12))
}

func (n named) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(fyne.NewSize(n.width, heightFor(o[0], n.width)))
	o[0].Move(fyne.Position{})
	o[1].Resize(fyne.NewSize(size.Width-n.width-12, heightFor(o[1], size.Width-n.width-12)))
	o[1].Move(fyne.NewPos(n.width+12, 0))
}

func (n named) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(n.width+12+o[1].MinSize().Width, max(o[0].MinSize().Height, o[1].MinSize().Height))
}

// inMiddle puts a dialog in the middle of the window, a little higher.
type inMiddle struct{ width float32 }

func (m inMiddle) Layout(o []fyne.CanvasObject, window fyne.Size) {
	width := min(m.width, window.Width-40)
	size := fyne.NewSize(width, heightFor(o[0], width))
	o[0].Resize(size)
	o[0].Move(fyne.NewPos((window.Width-width)/2, max(16, (window.Height-size.Height)*0.42)))
}

func (inMiddle) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
