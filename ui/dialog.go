package ui

import (
	"fmt"

	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const dialogWidth = 440

// dialog asks for something before anything is done. Escape leaves it.
type dialog struct {
	title, text string
	fields      []*field
	names       []string     // of the fields
	confirm     string       // text of the button
	danger      bool         // the button takes something away
	done        func() error // an error is shown and keeps the dialog open
}

// ask shows a dialog in the middle of the window.
func (w *window) ask(d dialog) {
	var shown *widget.PopUp
	leave := func() {
		w.leave = nil
		shown.Hide()
		w.composer.focus()
	}
	w.leave = leave
	trouble := newParagraph("", muted().in(tokens.Error))
	trouble.Hide()
	content := newColumn(8, insets{20, 20, 16, 20}, newLabel(d.title, title()))
	box := newFixed(dialogWidth, 0, content)
	finish := func() {
		if err := d.done(); err != nil {
			trouble.set(w.printer.Error(err), trouble.look)
			trouble.Show()
			box.Refresh()
			shown.Resize(box.MinSize())
			return
		}
		leave()
	}
	if d.text != "" {
		content.Add(newParagraph(d.text, muted()))
	}
	for i, f := range d.fields {
		f.onEscape, f.OnSubmitted = leave, func(string) { finish() }
		content.Add(newColumn(4, insets{4, 0, 0, 0}, newLabel(d.names[i], muted()), f))
		w.mark(fmt.Sprint("dialog/field/", i+1), f)
	}
	k := primary
	if d.danger {
		k = danger
	}
	cancel, confirm := newButton(w.text("ui.Cancel"), ordinary, leave), newButton(d.confirm, k, finish)
	cancel.onEscape, confirm.onEscape = leave, leave
	w.mark("dialog/cancel", cancel)
	w.mark("dialog/confirm", confirm)
	room := newLabel("", plain())
	content.Add(trouble)
	content.Add(framed(insets{8, 0, 0, 0}, newLine(8, room, room, cancel, confirm)))
	shown = widget.NewModalPopUp(box, w.fyne.Canvas())
	shown.Show()
	if len(d.fields) > 0 {
		w.fyne.Canvas().Focus(d.fields[0])
	} else {
		w.fyne.Canvas().Focus(cancel)
	}
}

func (w *window) createChannel() {
	name, description := newField(""), newField("")
	w.ask(dialog{
		title: w.text("ui.NewChannel"), text: w.text("ui.NewChannelHint"),
		fields:  []*field{name, description},
		names:   []string{w.text("ui.Name"), w.text("ui.Description")},
		confirm: w.text("ui.Create"),
		done: func() error {
			id, err := w.backend.CreateChannel(name.Text, description.Text, nil)
			if err == nil {
				w.show(id)
			}
			return err
		},
	})
}

func (w *window) renameChannel(c app.Channel) {
	name := newField(c.Name)
	w.ask(dialog{
		title:   w.text("ui.RenameTitle", "Channel", c.Name),
		fields:  []*field{name},
		names:   []string{w.text("ui.Name")},
		confirm: w.text("ui.Rename"),
		done:    func() error { return w.backend.RenameChannel(c.ID, name.Text) },
	})
}

func (w *window) describeChannel(c app.Channel) {
	description := newField(c.Description)
	w.ask(dialog{
		title:   w.text("ui.DescribeTitle", "Channel", c.Name),
		fields:  []*field{description},
		names:   []string{w.text("ui.Description")},
		confirm: w.text("ui.Save"),
		done:    func() error { return w.backend.DescribeChannel(c.ID, description.Text) },
	})
}

func (w *window) deleteChannel(c app.Channel) {
	w.ask(dialog{
		title: w.text("ui.DeleteTitle", "Channel", c.Name), text: w.text("ui.DeleteHint"),
		confirm: w.text("ui.Delete"), danger: true,
		done: func() error { return w.backend.DeleteChannel(c.ID) },
	})
}
