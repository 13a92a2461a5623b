package ui

import (
	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// controlName is what a control is called: the agent's word, if it has one.
func (w *window) controlName(c app.Control) string {
	switch {
	case c.Name != "":
		return oneLine(c.Name)
	case c.Kind == app.ModeControl:
		return w.text("act.Mode")
	case c.Kind == app.ModelControl:
		return w.text("act.Model")
	}
	return oneLine(c.ID)
}

// control is something to choose of an agent's session: a switch, or a list.
func (w *window) control(channel app.ChannelID, agent string, c app.Control) fyne.CanvasObject {
	name := w.controlName(c)
	if len(c.Values) == 0 {
		s := newSwitch(name, c.Current == "true", func(on bool) {
			value := "false"
			if on {
				value = "true"
			}
			w.backend.SetControl(channel, agent, c, value)
		})
		w.mark("control/"+name, s)
		return s
	}
	var offers []alternative
	for _, v := range c.Values {
		offers = append(offers, alternative{v.ID, v.Name, v.Description, v.Group})
	}
	s := newSelector(w, name, offers, c.Current, func(value string) { w.backend.SetControl(channel, agent, c, value) })
	w.mark("control/"+name, s.button)
	return s.button
}

// mode is the control for the mode of an agent in a channel, if there is one.
func (w *window) mode(channel app.ChannelID, agent string) (app.Control, bool) {
	for _, c := range w.backend.Controls(channel, agent) {
		if len(c.Values) > 1 && (c.Kind == app.ModeControl || c.ID == "mode") {
			return c, true
		}
	}
	return app.Control{}, false
}

// chooseMode offers the modes of an agent under an object.
func (w *window) chooseMode(under fyne.CanvasObject, channel app.ChannelID, agent string) {
	c, ok := w.mode(channel, agent)
	if !ok {
		return
	}
	var items []menuItem
	for _, v := range c.Values {
		items = append(items, menuItem{
			id: v.ID, text: oneLine(v.Name), detail: oneLine(v.Description), checked: v.ID == c.Current,
			do: func() { w.backend.SetControl(channel, agent, c, v.ID) },
		})
	}
	w.popUp(under, items)
}
