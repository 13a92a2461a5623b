package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

// enlarge shows a picture of a message as large as the window has room for;
// what is known of it is there at once.
func (w *window) enlarge(c *acp.ContentBlock) {
	data := pictureData(c)
	w.tips.away()
	w.stage().menu.close()
	v := &dialogView{w: w, below: w.fyne.Canvas().Focused()}
	picture := canvas.NewImageFromImage(w.thumbs.known[w.thumbs.key(data)])
	picture.FillMode = canvas.ImageFillContain
	out := newButton(w.text("ui.Close"), ordinary, v.leave)
	w.mark("dialog/cancel", out)
	name := newCutLabel(mediaName(c), muted())
	foot := framed(inset(12, 20), newLine(8, name, name, out))
	body := framed(inset(12, 12), picture)
	v.open(newPile(body, body, ruler(), foot), mostOfIt{})
	w.fyne.Canvas().FocusNext()
	w.bridge.outside(func() func() {
		m, err := wholePicture(data)
		return func() {
			if err == nil {
				picture.Image = m
				picture.Refresh()
			}
		}
	})
}

// mostOfIt leaves a margin of the window around what it holds.
type mostOfIt struct{}

func (mostOfIt) Layout(o []fyne.CanvasObject, window fyne.Size) {
	const margin = 40
	o[0].Resize(fyne.NewSize(window.Width-2*margin, window.Height-2*margin))
	o[0].Move(fyne.NewPos(margin, margin))
}

func (mostOfIt) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
