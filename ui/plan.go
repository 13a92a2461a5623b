package ui

import (
	"slices"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// planView is an agent's plan: its steps with check marks, and how far it is.
type planView struct {
	w     *window
	card  *fyne.Container
	body  *fyne.Container
	shown []acp.PlanEntry
}

func newPlanView(w *window) *planView {
	v := &planView{w: w, body: newColumn(4, inset(10, 12))}
	v.card = newLayers(newSurface(tokens.Panel, tokens.Line, cardRadius), v.body)
	return v
}

func (v *planView) object() fyne.CanvasObject { return v.card }

func (v *planView) show(_ app.Message, p app.Part) {
	if len(v.body.Objects) > 0 && slices.Equal(p.Plan, v.shown) {
		return
	}
	done := 0
	v.shown, v.body.Objects = p.Plan, nil
	rows := []fyne.CanvasObject{}
	for _, e := range p.Plan {
		sign, look := newLabel("○", muted()), muted().in(tokens.Text)
		switch e.Status {
		case "completed":
			done++
			sign, look = newLabel("✓", muted().in(tokens.OK)), muted()
		case "in_progress":
			sign = newLabel("●", muted().in(tokens.Accent))
		}
		rows = append(rows, &fyne.Container{Layout: hanging{18}, Objects: []fyne.CanvasObject{sign, newParagraph(e.Content, look)}})
	}
	kind := newLabel(v.w.text("ui.Plan"), muted())
	progress := newLabel(v.w.text("ui.PlanProgress", "Done", done, "All", len(p.Plan)), muted())
	room := newLabel("", muted())
	v.body.Add(newLine(8, room, kind, room, progress))
	v.body.Add(newMeter(float32(done) / float32(max(1, len(p.Plan)))))
	for _, r := range rows {
		v.body.Add(r)
	}
}

// hanging puts a sign left of a text that wraps beside it.
type hanging struct{ width float32 }

func (h hanging) heightFor(o []fyne.CanvasObject, width float32) float32 {
	return heightFor(o[1], width-h.width)
}

func (h hanging) Layout(o []fyne.CanvasObject, size fyne.Size) {
	min := o[0].MinSize()
	o[0].Resize(min)
	o[0].Move(fyne.NewPos(0, (19-min.Height)/2))
	o[1].Resize(fyne.NewSize(size.Width-h.width, size.Height))
	o[1].Move(fyne.NewPos(h.width, 0))
}

func (h hanging) MinSize(o []fyne.CanvasObject) fyne.Size {
	min := o[1].MinSize()
	return fyne.NewSize(min.Width+h.width, min.Height)
}

// newMeter is a thin bar that is filled to a part, 0 to 1.
func newMeter(part float32) fyne.CanvasObject {
	all, done := newSurface(tokens.Line, "", 2), newSurface(tokens.Accent, "", 2)
	return newFixed(0, 4, &fyne.Container{Layout: meter{part}, Objects: []fyne.CanvasObject{all, done}})
}

type meter struct{ part float32 }

func (m meter) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(size)
	o[1].Resize(fyne.NewSize(size.Width*m.part, size.Height))
}

func (meter) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(20, 4) }
