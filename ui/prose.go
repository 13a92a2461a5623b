package ui

import (
	"regexp"
	"strings"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/markdown"
)

// newFlow is a text in a row: its menus, links and keys are the window's.
func (r *messageRow) newFlow(set func(*markdown.Flow)) *markdown.Flow {
	w := r.w
	f := markdown.New("")
	f.Labels = markdown.Labels{Copy: w.text("ui.Copy"), Copied: w.text("ui.Copied"), ShowMore: w.text("ui.ShowMore")}
	f.Colorist = w.colorist
	f.OnLink = w.openLink
	f.OnMenu = func(at fyne.Position) { r.openMenu(at, f) }
	f.OnResized = r.refresh
	f.OnScrolled = func(e *fyne.ScrollEvent) { r.c.list.Scrolled(e) }
	f.OnKey = w.typedKey
	f.OnRune = w.typedRune
	set(f)
	return f
}

// refresh shows the row again, at the height it has now.
func (r *messageRow) refresh() { r.c.list.RefreshRow(key(r.message.ID)) }

// textView is what somebody says.
type textView struct{ flow *markdown.Flow }

func newTextView(r *messageRow) textView {
	person := r.message.Kind == app.FromPerson
	return textView{r.newFlow(func(f *markdown.Flow) {
		f.HardWraps = person
		f.Inline = r.w.mentionsIn
	})}
}

func (v textView) object() fyne.CanvasObject { return v.flow }

func (v textView) show(_ app.Message, p app.Part) { v.flow.SetText(p.Text) }

var mention = regexp.MustCompile(`@[\p{L}][\p{L}\d_-]*`)

// mentionsIn finds the names of agents, to be drawn as pills. Who gets a
// message is not decided here.
func (w *window) mentionsIn(text string) []markdown.Highlight {
	var found []markdown.Highlight
	for _, at := range mention.FindAllStringIndex(text, -1) {
		name := strings.ToLower(text[at[0]+1 : at[1]])
		if before := text[:at[0]]; before != "" && isNameRune(lastRune(before)) {
			continue // an e-mail address
		}
		if _, ok := w.backend.Agent(name); ok || name == "all" {
			found = append(found, markdown.Highlight{Start: at[0], End: at[1]})
		}
	}
	return found
}

func lastRune(s string) rune {
	r := []rune(s)
	return r[len(r)-1]
}
