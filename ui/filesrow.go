package ui

import (
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/protect"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// lockIcon is drawn beside what is protected.
var lockIcon = fyne.NewStaticResource("lock.svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24"><path fill="#000000" d="M7 10V7a5 5 0 0 1 10 0v3h1a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1h1zm2 0h6V7a3 3 0 0 0-6 0v3z"/></svg>`))

func newLock() *fyne.Container {
	drawn := canvas.NewImageFromResource(theme.NewColoredResource(lockIcon, tokens.Faint))
	drawn.FillMode = canvas.ImageFillContain
	return newFixed(12, 12, drawn)
}

// fileRow shows one entry of the tree: its name, and how large and how old it
// is. What protects it is said when it is pointed at.
type fileRow struct {
	widget.BaseWidget
	t    *fileTree
	line treeLine

	hovered bool
	back    *surface
	indent  *fyne.Container
	fold    *label
	name    *label
	detail  *label
	lock    *fyne.Container
	body    *fyne.Container
	mark    string
}

func newFileRow(t *fileTree) *fileRow {
	r := &fileRow{
		t: t, back: newSurface("", "", controlRadius), fold: newLabel("", muted()),
		name: newCutLabel("", muted().in(tokens.Text)), detail: newLabel("", faint()), lock: newLock(),
	}
	r.name.least = 40
	r.indent = newFixed(1, 1, newSurface("", "", 0))
	sign := newFixed(14, 0, r.fold)
	line := newLine(4, r.name, r.indent, sign, r.name, r.detail, r.lock)
	r.body = framed(inset(0, 8), newLayers(r.back, framed(inset(0, 8), line)))
	r.ExtendBaseWidget(r)
	return r
}

// set makes the row that of an entry.
func (r *fileRow) set(l treeLine) {
	w := r.t.f.w
	r.line = l
	r.indent.Layout = fixed{float32(1 + l.depth*14), 1}
	r.fold.setText("")
	if l.Folder() {
		r.fold.setText(foldSign(r.t.f.unfolded[l.Path]))
	}
	name := visibleName(l.Name)
	look := muted().in(tokens.Text)
	switch {
	case l.Target != "":
		name += " → " + visibleName(l.Target)
		look = look.in(tokens.Muted)
		if l.Outside {
			look = look.in(tokens.Faint)
		}
	case r.t.f.pages[l.Path] != nil && r.t.f.pages[l.Path].unsaved():
		name = "● " + name
		look.style = bold
	}
	r.name.set(name, look)
	detail := ""
	if l.Mode.IsRegular() {
		detail = w.size(l.Size) + " · " + w.brief(l.Modified)
	}
	r.detail.setText(detail)
	r.lock.Hidden = l.Rule == nil
	r.paint()
	w.marks.drop(r.mark)
	r.mark = "files/" + l.Path
	w.marks.setWithin(r.mark, r, r.t.list)
	relayout(r.body)
}

// visibleName is a name on one line.
func visibleName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return '⏎'
		}
		return r
	}, name)
}

// brief is a time in few letters: of today the hour, else the day.
func (w *window) brief(t time.Time) string {
	t = t.Local()
	if sameDay(t, w.now().Local()) {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02")
}

// help says all there is to know of the entry.
func (r *fileRow) help() string {
	w, l := r.t.f.w, r.line
	var lines []string
	if r.name.isCut() || strings.ContainsAny(l.Name, "\n\r\t") {
		lines = append(lines, fmt.Sprintf("%q", l.Name))
	}
	if l.Rule != nil {
		lines = append(lines, w.protection(*l.Rule))
	}
	if l.Outside {
		lines = append(lines, w.text("files.LeadsOut", "Name", l.Name, "Target", l.Target))
	}
	return strings.Join(lines, "\n")
}

// protection says which rule protects something.
func (w *window) protection(rule protect.Rule) string {
	if rule.Kind == protect.Configured {
		return w.text("files.Protected", "Rule", error(rule))
	}
	return w.printer.Error(rule) // says that it does
}

func (r *fileRow) paint() {
	fill := fyne.ThemeColorName("")
	switch {
	case r.line.Path == r.t.chosen && r.t.focused:
		fill = tokens.AccentTint
	case r.line.Path == r.t.chosen, r.hovered:
		fill = tokens.Hover
	}
	r.back.set(fill, "")
}

func (r *fileRow) MinSize() fyne.Size { return fyne.NewSize(80, fileRowHeight) }

func (r *fileRow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.body) }

// Tapped implements fyne.Tappable.
func (r *fileRow) Tapped(*fyne.PointEvent) {
	r.t.f.w.tips.away()
	r.t.f.w.fyne.Canvas().Focus(r.t)
	r.t.open(r.line)
}

// TappedSecondary implements fyne.SecondaryTappable.
func (r *fileRow) TappedSecondary(e *fyne.PointEvent) {
	r.t.choose(r.line.Path)
	r.t.f.menu(r.line.FileEntry, e.AbsolutePosition)
}

// MouseIn implements desktop.Hoverable.
func (r *fileRow) MouseIn(*desktop.MouseEvent) {
	r.hovered = true
	r.paint()
	r.t.f.w.tips.enter(r, r.help)
}

// MouseMoved implements desktop.Hoverable.
func (r *fileRow) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (r *fileRow) MouseOut() {
	r.hovered = false
	r.paint()
	r.t.f.w.tips.leave(r)
}
