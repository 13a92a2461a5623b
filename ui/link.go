package ui

import (
	"net/url"
	"slices"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// mostAddress is how much of an address is shown: agents write long ones.
const mostAddress = 2000

// openLink shows where a link leads before it is followed: an agent wrote it.
// Nothing is opened but pages and mail.
func (w *window) openLink(address string) {
	u, err := url.Parse(address)
	if err != nil || !slices.Contains([]string{"http", "https", "mailto"}, u.Scheme) {
		w.ask(dialog{title: w.text("act.LinkRefused"), text: w.text("act.LinkRefusedHint"), body: quoted(address)})
		return
	}
	leads := w.text("act.LinkLeads", "Host", u.Host)
	if u.Scheme == "mailto" {
		leads = w.text("act.LinkMails")
	}
	w.ask(dialog{
		title: w.text("ui.OpenLinkTitle"), text: leads, body: quoted(address), confirm: w.text("ui.OpenLink"),
		done: func() error { return w.app.OpenURL(u) },
	})
}

// quoted is a text to be read letter by letter.
func quoted(text string) fyne.CanvasObject {
	if runes := []rune(text); len(runes) > mostAddress {
		text = string(runes[:mostAddress]) + "…"
	}
	return newLayers(newSurface(tokens.Code, "", controlRadius), framed(inset(8, 10), newParagraph(text, coded())))
}
