package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/ui/markdown"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// known is all that the panel says about an agent.
type known struct {
	agent    app.Agent
	config   config.Agent // the entry that counts for it
	sessions []string     // names of the channels it has a session in
	channel  app.Channel  // the one that is shown
	controls []app.Control
}

// know gathers what there is to say about an agent; false: it is not known.
func (w *window) know(name string) (k known, ok bool) {
	if k.agent, ok = w.backend.Agent(name); !ok {
		return known{}, false
	}
	k.config = k.agent.Entry
	for _, id := range w.backend.Sessions(name) {
		if c, ok := w.backend.Channel(id); ok {
			k.sessions = append(k.sessions, "#"+oneLine(c.Name))
		}
	}
	if k.controls = w.backend.Controls(w.channel, name); len(k.controls) > 0 {
		c, _ := w.backend.Channel(w.channel)
		k.channel = app.Channel{ID: c.ID, Name: c.Name}
	}
	return k, true
}

// where is under the name of the agent: how it is called, and where it runs.
func (w *window) where(k known) string {
	text := "@" + k.agent.Name
	switch r := k.config.Runtime; r.Type {
	case config.Container:
		text += " · " + w.text("act.InContainer", "Name", r.Container)
	case config.Sbx:
		text += " · " + w.text("act.InSandbox", "Name", r.Sandbox)
	}
	return text
}

// state says how the agent is, since when, and why.
func (w *window) state(a app.Agent) string {
	text := w.text("ui.State." + string(a.State))
	switch {
	case a.Removed:
		return w.text("ui.RemovedAgent")
	case a.Reason != nil && a.State != app.AgentError:
		return text + " · " + w.printer.Error(a.Reason)
	case !a.Since.IsZero():
		return w.text("act.StateSince", "State", text, "Time", w.at(a.Since))
	}
	return text
}

// command is the command line as the file has it, and found the program that
// it is.
func (w *window) command(k known) (command, found string) {
	command = k.agent.Command
	if k.config.Command != "" {
		command = strings.Join(append([]string{k.config.Command}, k.config.Args...), " ")
	}
	program := firstWord(k.agent.Command)
	switch {
	case program == "" || program == k.config.Command:
		return command, ""
	case k.agent.PathSource != "":
		return command, w.text("act.FoundByShell", "Program", program, "Shell", k.agent.PathSource)
	}
	return command, w.text("act.FoundInPath", "Program", program)
}

// firstWord is the program of a command line, which may be quoted.
func firstWord(line string) string {
	if rest, quoted := strings.CutPrefix(line, "'"); quoted {
		word, _, _ := strings.Cut(rest, "'")
		return word
	}
	word, _, _ := strings.Cut(line, " ")
	return word
}

// factRow sets a name before what there is to say.
type factRow struct{}

const (
	factWidth  = 104
	factHeight = 19
)

// fact is a name with what there is to say.
func (w *window) fact(id string, value fyne.CanvasObject) fyne.CanvasObject {
	return w.factNamed(w.text(id), value)
}

func (w *window) factNamed(text string, value fyne.CanvasObject) fyne.CanvasObject {
	name := newCutHint(w, newCutLabel(text, muted()))
	return &fyne.Container{Layout: factRow{}, Objects: []fyne.CanvasObject{name, value}}
}

func (factRow) heightFor(o []fyne.CanvasObject, width float32) float32 {
	return max(factHeight, heightFor(o[1], width-factWidth))
}

func (f factRow) Layout(o []fyne.CanvasObject, size fyne.Size) {
	high := f.heightFor(o, size.Width)
	top := float32(0)
	if _, text := o[1].(*paragraph); !text {
		top = (high - factHeight) / 2
	}
	o[0].Move(fyne.NewPos(0, top))
	o[0].Resize(fyne.NewSize(factWidth-8, factHeight))
	o[1].Move(fyne.NewPos(factWidth, 0))
	o[1].Resize(fyne.NewSize(size.Width-factWidth, high))
}

func (factRow) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(160, factHeight) }

// said is one line, whole on hover.
func (w *window) said(text string) fyne.CanvasObject {
	return newCutHint(w, newCutLabel(text, muted().in(tokens.Text)))
}

// saidInCode is one line of code, whole on hover.
func (w *window) saidInCode(text string) fyne.CanvasObject {
	c := newChip(text)
	h := newHint(w, c, func() string {
		if c.label.isCut() {
			return text
		}
		return ""
	})
	return newFittingLine(0, h, h)
}

// codePanel is lines of code, or of an output, with a button that copies them.
func (w *window) codePanel(text string) fyne.CanvasObject {
	f := markdown.New("")
	f.Labels = markdown.Labels{Copy: w.text("ui.Copy"), Copied: w.text("ui.Copied"), ShowMore: w.text("ui.ShowMore")}
	f.OnKey, f.OnRune = w.typedKey, w.typedRune
	f.OnResized = func() { w.panel.layOut() }
	f.SetText(markdown.Fence("", text))
	return f
}
