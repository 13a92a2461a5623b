package ui

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"git.rickub.com/bots-garden/sidekicks/app/assist"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	assistantWidth = 644
	assistantNames = 162 // the column of the fields' names
	previewHeight  = 150 // of the lines that will be added, at most
	fieldsLeast    = 120 // of the height that the fields have
)

// assistant is the dialog that adds an agent. What is filled in is planned
// again after each change: it shows the lines that will be added, or what is
// wrong, at the fields. Nothing is written before "Add".
type assistant struct {
	w     *window
	form  assist.Form
	shown *dialogView

	programs []assist.Candidate // of this computer
	source   string             // the file that was given; empty: none
	compose  *assist.Compose    // what is in it, if it is one of Compose
	service  string             // of it
	asked    []*variableField   // what its variables are asked for
	warnings []error            // about the file

	where     *segments
	offers    *button // the programs that were found
	rows      map[assist.Field]*assistantField
	body      *fyne.Container
	preview   *fyne.Container
	trial     *paragraph // how the trial goes, beside the buttons
	try       *button
	plan      *assist.Plan // of the form as it is; nil: something is wrong
	planned   int          // counts the changes
	taken     int          // and the readings of files
	tried     bool         // to add or to try it: what is missing is said
	stopTrial context.CancelFunc
}

// addAgent opens the assistant.
func (w *window) addAgent() { w.openAssistant(assist.Form{}) }

func (w *window) openAssistant(f assist.Form) *assistant {
	a := &assistant{
		w: w, form: f, rows: map[assist.Field]*assistantField{}, stopTrial: func() {},
		body: newColumn(10, insets{0, 0, 8, 0}), preview: newColumn(6, insets{8, 0, 0, 0}), trial: newParagraph("", muted()),
	}
	a.try = newButton(w.text("assistant.Try"), ordinary, a.tryIt)
	w.mark("assistant/try", a.try)
	fields := &fyne.Container{Layout: ceiling{a.room}, Objects: []fyne.CanvasObject{container.NewVScroll(a.body)}}
	a.makeFields()
	a.draw()
	a.shown = w.ask(dialog{
		title: w.text("assistant.Title"), text: w.text("assistant.Hint", "File", filepath.Base(w.backend.Config().Path)),
		width: assistantWidth, body: newColumn(0, insets{}, fields, a.preview),
		aside: a.trial, more: []fyne.CanvasObject{a.try}, confirm: w.text("assistant.Add"), press: a.add, left: func() {
			a.stopTrial()
			w.assistant = nil
		},
	})
	w.assistant = a
	w.fyne.Canvas().Focus(a.rows[assist.Name].field)
	a.changed()
	w.bridge.beside(func(context.Context) func() {
		found := w.backend.Programs()
		return func() {
			a.programs = found
			a.draw()
			a.layOut()
		}
	})
	return a
}

// doubt takes the plan back: something changes.
func (a *assistant) doubt() {
	a.planned++
	a.plan = nil
	a.stopTrial()
	a.say("", tokens.Muted)
	a.shown.confirm.setDisabled(true)
	a.shown.saying.Hide()
}

// changed plans the form again, outside the window's goroutine.
func (a *assistant) changed() {
	a.doubt()
	n, form := a.planned, a.form
	a.w.bridge.outside(func() func() {
		plan, err := a.w.backend.PlanAgent(form)
		return func() {
			if n == a.planned {
				a.showPlan(plan, err)
			}
		}
	})
}

// showPlan shows the lines that will be added, or what is wrong.
func (a *assistant) showPlan(plan *assist.Plan, err error) {
	known := err == nil
	for _, row := range a.rows {
		problem := assist.FieldProblem(err, row.id)
		known = known || problem != nil
		if problem != nil && row.field.Text == "" && !a.tried {
			problem = nil // it is being filled in
		}
		row.show(a.w.printer.Error(problem))
	}
	a.preview.Objects = nil
	switch {
	case err == nil:
		a.plan = plan
		a.showLines(plan)
	case !known:
		a.preview.Add(edged(tokens.Error, newParagraph(a.w.printer.Error(err), muted().in(tokens.Text))))
	default:
		a.preview.Add(newParagraph(a.w.text("assistant.NothingYet"), faint()))
	}
	a.shown.confirm.setDisabled(err != nil)
	a.layOut()
}

func (a *assistant) showLines(plan *assist.Plan) {
	w, first := a.w, plan.Change.Line
	lines := newColumn(1, inset(6, 12))
	for _, text := range plan.Change.Lines {
		lines.Add(newCutLabel("+ "+text, coded()))
	}
	heading := newCutLabel(w.text("assistant.Lines", "First", first, "Last", first+len(plan.Change.Lines)-1), muted())
	w.mark("assistant/lines", heading)
	a.preview.Add(heading)
	a.preview.Add(newLayers(newSurface(tokens.DiffAdded, "", controlRadius), capped(lines, previewHeight)))
	for _, warning := range plan.Warnings {
		a.preview.Add(newParagraph(w.printer.Error(warning), faint().in(tokens.Warn)))
	}
}

// tryIt starts the agent as it would be written, and says what it answers.
func (a *assistant) tryIt() {
	if a.tried = true; a.plan == nil {
		a.changed()
		return
	}
	w, plan, n := a.w, a.plan, a.planned
	ctx, cancel := context.WithCancel(context.Background())
	a.stopTrial()
	a.stopTrial = cancel
	a.try.setDisabled(true)
	a.say(w.text("assistant.Trying"), tokens.Muted)
	w.bridge.beside(func(closing context.Context) func() {
		defer context.AfterFunc(closing, cancel)()
		defer cancel()
		answer, err := w.backend.TryAgent(ctx, plan)
		return func() {
			a.try.setDisabled(false)
			if n == a.planned {
				a.showTrial(answer, err)
			}
		}
	})
}

func (a *assistant) showTrial(answer assist.Answer, err error) {
	w := a.w
	if err == nil {
		name := strings.TrimSpace(answer.Name + " " + answer.Version)
		if name == "" {
			name = a.form.Name
		}
		a.say(w.text("assistant.Answers", "Agent", name, "Time", w.duration(answer.Took)), tokens.OK)
		return
	}
	a.say(w.text("assistant.NoAnswer"), tokens.Error)
	why := newColumn(8, insets{}, newParagraph(w.printer.Error(err), muted().in(tokens.Text)))
	if failed := new(assist.TryError); errors.As(err, &failed) && len(failed.Stderr) > 0 {
		why.Add(newParagraph(w.text("ui.LastWords"), faint()))
		why.Add(capped(newParagraph(strings.Join(failed.Stderr, "\n"), coded()), 90))
	}
	a.preview.Objects = append([]fyne.CanvasObject{edged(tokens.Error, why)}, a.preview.Objects...)
	a.layOut()
}

// say says how the trial goes.
func (a *assistant) say(text string, c fyne.ThemeColorName) {
	a.trial.set(text, muted().in(c))
	a.layOut()
}

// add writes the entry. The dialog closes once the agent is there.
func (a *assistant) add() {
	w, plan := a.w, a.plan
	if a.tried = true; plan == nil {
		a.changed()
		return
	}
	a.shown.confirm.setDisabled(true)
	w.bridge.outside(func() func() {
		err := w.backend.AddAgent(plan)
		return func() {
			if err != nil {
				a.changed()
				a.shown.fail(err)
				return
			}
			a.shown.leave()
			w.openTalk(plan.Agent.Name)
		}
	})
}

// room is the height that is left for the fields: they scroll, the lines stay.
func (a *assistant) room() float32 {
	const inner, margins = assistantWidth - 40, 20
	most := a.w.fyne.Canvas().Size().Height - dialogRest - margins - heightFor(a.preview, inner)
	return max(fieldsLeast, most)
}

// layOut places what is in the dialog again after something grew.
func (a *assistant) layOut() {
	if a.shown != nil {
		fields := a.body.Layout.(*column)
		fields.right = 0
		if heightFor(a.body, assistantWidth-40) > a.room() {
			fields.right = 12 // beside the scroll bar
		}
		relayout(a.body)
		relayout(a.shown.stage.object)
		a.shown.stage.object.Refresh()
	}
}
