package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// quietFor is how long a working agent may say nothing before that is said.
const quietFor = time.Minute

// showFoot shows the line under the message: where the person's message is on
// its way to each agent, or what the agent that writes it is doing.
func (r *messageRow) showFoot() {
	r.foot.Objects = nil
	for _, d := range r.message.Deliveries {
		r.foot.Objects = append(r.foot.Objects, r.delivery(d)...)
	}
	if r.message.Kind == app.FromAgent && r.message.Live() {
		r.foot.Objects = append(r.foot.Objects, r.writing()...)
	}
	if len(r.foot.Objects) > 0 {
		r.body.Add(r.foot)
	}
}

func footnote(c fyne.ThemeColorName) look { return muted().in(c) }

// writing says what the agent that writes the message is doing, and offers to
// end it when nothing has been heard for long.
func (r *messageRow) writing() []fyne.CanvasObject {
	d, ok := r.answered()
	if quiet := r.quiet(d); ok && quiet != "" {
		return r.status(tokens.Warn, r.working()+" · "+quiet, r.endings(d)...)
	}
	return []fyne.CanvasObject{newParagraph(r.working(), footnote(tokens.Muted))}
}

// answered is the delivery that the message answers, if it is known here.
func (r *messageRow) answered() (app.Delivery, bool) {
	for _, m := range slices.Backward(r.c.messages) {
		for _, d := range m.Deliveries {
			if d.Answer == r.message.ID && r.message.ID != 0 {
				return d, true
			}
		}
	}
	return app.Delivery{}, false
}

// quiet says for how long nothing has been heard, if that is long.
func (r *messageRow) quiet(d app.Delivery) string {
	if d.State != app.Working || d.Heard.IsZero() || d.Asking || r.w.now().Sub(d.Heard) <= quietFor {
		return ""
	}
	return r.w.text("ui.QuietFor", "Time", r.w.since(d.Heard))
}

// endings are the ways to end what takes too long.
func (r *messageRow) endings(d app.Delivery) []fyne.CanvasObject {
	w := r.w
	return []fyne.CanvasObject{
		r.action(d, "stop", "ui.Stop", func() { w.backend.Stop(r.message.Channel, d.Agent) }),
		r.action(d, "restart", "ui.RestartAgent", func() { w.backend.RestartAgent(d.Agent) }),
	}
}

// working says since when the agent has been at this message, and with what.
func (r *messageRow) working() string {
	since := r.w.since(r.message.CreatedAt)
	doing := ""
	for _, p := range r.message.Parts {
		switch {
		case p.Question != nil && p.Question.State == app.QuestionOpen:
			return r.w.text("ui.WorkingOn", "Time", since, "Doing", r.w.text("ui.WaitingForYou"))
		case p.Tool != nil && p.Tool.Status == acp.ToolInProgress:
			doing = r.w.doing(p.Tool.Title)
		}
	}
	if doing == "" {
		return r.w.text("ui.Working", "Time", since)
	}
	return r.w.text("ui.WorkingOn", "Time", since, "Doing", doing)
}

// oneLine is the first line of a text, not too long for a line of the window.
func oneLine(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if runes := []rune(text); len(runes) > 80 {
		text = string(runes[:80]) + "…"
	}
	return text
}

// delivery is one addressee's state with what a click can do about it.
func (r *messageRow) delivery(d app.Delivery) []fyne.CanvasObject {
	w := r.w
	name := w.agent(d.Agent).Title
	switch d.State {
	case app.Queued:
		return r.status(tokens.Warn, r.queued(d, name), r.queueActions(d)...)
	case app.Starting:
		return r.status(tokens.Muted, r.because(d, w.text("ui.Starting", "Agent", name)))
	case app.Working:
		text, answering := r.workingAgent(d, name)
		if quiet := r.quiet(d); quiet != "" && !answering {
			return r.status(tokens.Warn, text+" · "+quiet, r.endings(d)...)
		}
		return r.status(tokens.Muted, text)
	case app.Answered:
		return r.status(tokens.OK, w.text("ui.Answered", "Agent", name))
	case app.Silent:
		return r.status(tokens.Muted, r.because(d, w.text("ui.Silent", "Agent", name)))
	case app.Cancelled:
		return r.status(tokens.Muted, r.because(d, w.text("ui.Stopped", "Agent", name)))
	case app.Failed:
		// A reason may be long, and is read to its end.
		said := newParagraph(r.failure(d, name), footnote(tokens.Error))
		return append([]fyne.CanvasObject{said}, r.fixes(d)...)
	}
	return nil
}

// status is a short text with its buttons, which stay on its line.
func (r *messageRow) status(c fyne.ThemeColorName, text string, buttons ...fyne.CanvasObject) []fyne.CanvasObject {
	said := newCutLabel(text, footnote(c))
	return []fyne.CanvasObject{newFittingLine(4, said, append([]fyne.CanvasObject{said}, buttons...)...)}
}

// because adds why a delivery is where it is.
func (r *messageRow) because(d app.Delivery, text string) string {
	if d.Reason != nil {
		text += " · " + r.w.printer.Error(d.Reason)
	}
	return text
}

// queueActions are what can be done about a message that waits. Its text is
// changed for all who wait for it: that is offered once.
func (r *messageRow) queueActions(d app.Delivery) []fyne.CanvasObject {
	actions := []fyne.CanvasObject{r.action(d, "withdraw", "ui.Withdraw", func() { r.w.backend.Withdraw(d.ID) })}
	first := slices.IndexFunc(r.message.Deliveries, func(d app.Delivery) bool { return d.State == app.Queued })
	if r.message.Deliveries[first].ID == d.ID {
		edit := r.action(d, "edit", "ui.Edit", func() { r.w.composer.editQueued(r.message) })
		actions = append([]fyne.CanvasObject{edit}, actions...)
	}
	return actions
}

func (r *messageRow) queued(d app.Delivery, name string) string {
	switch {
	case d.Place == 1:
		return r.because(d, r.w.text("ui.QueuedNext", "Agent", name))
	case d.Place > 1:
		return r.because(d, r.w.text("ui.QueuedAt", "Agent", name, "Place", r.ordinal(d.Place)))
	}
	return r.because(d, r.w.text("ui.Queued", "Agent", name))
}

// ordinal is 2nd, 3rd, 4th: the language says how.
func (r *messageRow) ordinal(n int) string {
	id := "ui.Nth"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			id = "ui.Nst"
		case 2:
			id = "ui.Nnd"
		case 3:
			id = "ui.Nrd"
		}
	}
	return r.w.text(id, "N", n)
}

// workingAgent says what an agent does about the message; answering: its
// answer is there and says the rest.
func (r *messageRow) workingAgent(d app.Delivery, name string) (text string, answering bool) {
	w := r.w
	if _, answering := locate(r.c.messages, d.Answer); answering && d.Answer != 0 {
		return w.text("ui.Answering", "Agent", name), true
	}
	since := w.since(d.Since)
	switch {
	case d.Asking:
		return w.text("ui.AgentWorkingOn", "Agent", name, "Time", since, "Doing", w.text("ui.WaitingForYou")), false
	case d.Doing != "":
		return w.text("ui.AgentWorkingOn", "Agent", name, "Time", since, "Doing", w.doing(d.Doing)), false
	}
	return w.text("ui.AgentWorking", "Agent", name, "Time", since), false
}

// doing says that a tool runs.
func (w *window) doing(tool string) string { return w.text("act.Running", "Tool", oneLine(tool)) }

func (r *messageRow) failure(d app.Delivery, name string) string {
	reason := r.w.text("ui.UnknownReason")
	if d.Reason != nil {
		reason = r.w.printer.Error(d.Reason)
	}
	if d.Agent == "" || strings.HasPrefix(reason, name) {
		return reason
	}
	return r.w.text("ui.Failed", "Agent", name, "Reason", reason)
}

// fixes are the buttons under a failed delivery.
func (r *messageRow) fixes(d app.Delivery) []fyne.CanvasObject {
	w := r.w
	retry := r.action(d, "retry", "ui.Retry", func() { w.backend.Retry(d.ID) })
	switch d.Fix {
	case app.FixRetry:
		return []fyne.CanvasObject{retry}
	case app.FixAdd:
		return []fyne.CanvasObject{r.action(d, "add", "ui.AddToChannel", func() {
			if err := w.backend.AddMember(r.message.Channel, d.Agent); err != nil {
				w.report(err)
				return
			}
			w.backend.Retry(d.ID)
		})}
	case app.FixSignIn:
		return append(r.signIns(d), retry)
	}
	return nil
}

// signIns are the ways to sign in that the agent can run itself; the others
// are explained in its panel.
func (r *messageRow) signIns(d app.Delivery) []fyne.CanvasObject {
	var buttons []fyne.CanvasObject
	for _, m := range r.w.agent(d.Agent).AuthMethods {
		if !m.Callable() {
			continue
		}
		b := newButton(m.Name, quiet, func() { r.w.backend.Authenticate(d.Agent, m.ID) })
		r.mark("sign-in/"+m.ID, b)
		buttons = append(buttons, b)
	}
	if len(buttons) == 0 {
		buttons = append(buttons, r.action(d, "sign-in", "ui.HowToSignIn", func() { r.w.showAgent(d.Agent) }))
	}
	return buttons
}

// action is a small button in the line. It stays the same one while the rest
// of the line changes: it may be about to be pressed.
func (r *messageRow) action(d app.Delivery, id, text string, do func()) *button {
	k := fmt.Sprint(d.ID, id)
	b := r.actions[k]
	if b == nil {
		l := newLabel(r.w.text(text), footnote(tokens.Accent))
		b = newPressable(l.text, quiet, inset(1, 3), l, do)
		r.actions[k] = b
	}
	b.onTapped = do
	r.mark(id, b)
	return b
}
