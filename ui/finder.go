package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/ui/list"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	finderWidth = 640
	finderTop   = 72
	finderRows  = 440 // height of the rows, if the window has room for it
)

// finder is a field over the window and what is found for what is typed in
// it. The arrows move, Enter or a press chooses, Escape leaves. Like the
// picker it is none of Fyne's pop-ups.
type finder struct {
	w      *window
	object *fyne.Container // fills the window
	panel  *fyne.Container
	field  *finderField
	list   *list.List
	note   *label // when nothing is found
	keys   *label
	amount *label
	parts  finderParts // of the panel

	search  *quest // what it finds now; nil: it is closed
	found   []finding
	buttons map[int]*button
	chosen  int
	high    float32 // of all rows
}

// quest is something to find.
type quest struct {
	id     string
	prompt string                    // in the empty field
	look   func(query string)        // finds, and calls finder.show now or later
	none   func(query string) string // says that nothing was found
	left   func()                    // optional: nothing was chosen
}

// finding is one line of what was found. Without anything to do it is a
// heading.
type finding struct {
	id     string // for tests from outside
	height float32
	draw   func() fyne.CanvasObject
	do     func()
}

func newFinder(w *window) *finder {
	f := &finder{
		w: w, note: newCutLabel("", muted()), amount: newLabel("", faint()),
		keys: newCutLabel(w.text("find.Keys"), faint()),
	}
	f.field = newFinderField(f)
	f.note.least = 400
	f.list = list.New(list.Rows{
		Length: func() int { return len(f.found) },
		Key:    func(i int) string { return fmt.Sprint(i, f.found[i].id) },
		Create: func(string) fyne.CanvasObject { return newLayers() },
		Update: f.draw,
	})
	f.parts = finderParts{
		finder: f,
		field:  framed(inset(10, 14), container.NewThemeOverride(f.field, bare{current{}})),
		rules:  [2]*surface{ruler(), ruler()},
		foot:   framed(inset(8, 16), newLine(12, f.keys, f.keys, f.amount)),
	}
	back := newSurface(tokens.Panel, tokens.Line, dialogRadius+2)
	back.lifted = true
	inside := &fyne.Container{Layout: f.parts, Objects: []fyne.CanvasObject{
		f.parts.field, f.parts.rules[0], f.list, f.note, f.parts.rules[1], f.parts.foot,
	}}
	f.panel = newLayers(back, inside)
	f.object = &fyne.Container{Layout: unshaded{f.layOut}, Objects: []fyne.CanvasObject{newCover(f.close), f.panel}}
	f.object.Hide()
	w.mark("finder", f.field)
	return f
}

func (f *finder) isOpen() bool { return f.search != nil }

// open begins to find something, with a text in the field.
func (f *finder) open(s *quest, query string) {
	if f.w.stage() != f.w.stages[0] {
		return // a dialog waits for an answer
	}
	f.w.tips.away()
	f.w.stage().menu.close()
	f.w.picker.close()
	f.search, f.found = s, nil
	f.field.SetPlaceHolder(s.prompt)
	f.object.Show()
	f.field.set(query)
	f.look(query)
	f.w.fyne.Canvas().Focus(f.field)
}

// close gives the keys back to the composer.
func (f *finder) close() {
	if !f.isOpen() {
		return
	}
	left := f.search.left
	f.search, f.found = nil, nil
	f.object.Hide()
	f.w.composer.focus()
	if left != nil {
		left()
	}
}

func (f *finder) look(query string) {
	if f.isOpen() {
		f.search.look(query)
	}
}

// show shows what was found; amount says how much that is.
func (f *finder) show(found []finding, amount string) {
	f.found, f.buttons, f.chosen, f.high = found, map[int]*button{}, -1, 0
	for i, one := range found {
		if f.high += one.height; f.chosen < 0 && one.do != nil {
			f.chosen = i
		}
	}
	f.note.setText("")
	if len(found) == 0 {
		f.note.setText(f.search.none(f.field.Text))
	}
	f.amount.setText(amount)
	f.layOut(f.object.Size())
	f.list.Reload()
	f.list.ScrollTo(f.key(0), 0)
	canvas.Refresh(f.object)
}

func (f *finder) key(i int) string {
	if i < 0 || i >= len(f.found) {
		return ""
	}
	return fmt.Sprint(i, f.found[i].id)
}

// draw fills the row of a finding.
func (f *finder) draw(i int, o fyne.CanvasObject) {
	one, row := f.found[i], o.(*fyne.Container)
	content := one.draw()
	if one.do != nil {
		b := newPressable(one.id, item, inset(0, 10), content, func() { f.pick(i) })
		b.onHover = func() { f.choose(i) }
		b.setSelected(i == f.chosen)
		f.buttons[i] = b
		f.w.marks.setWithin("found/"+one.id, b, f.list)
		content = &fyne.Container{Layout: margins{inset(1, 8)}, Objects: []fyne.CanvasObject{b}}
	}
	row.Objects = []fyne.CanvasObject{newFixed(0, one.height, content)}
	relayout(row)
	canvas.Refresh(row)
}

func (f *finder) pick(i int) {
	if i < 0 || i >= len(f.found) || f.found[i].do == nil {
		return
	}
	do := f.found[i].do
	f.search.left = nil
	f.close()
	do()
}

func (f *finder) choose(i int) {
	for _, n := range []int{f.chosen, i} {
		if b := f.buttons[n]; b != nil {
			b.setSelected(n == i)
		}
	}
	f.chosen = i
}

// move goes to the next finding that can be chosen, or the one before, round
// about.
func (f *finder) move(step int) {
	n := len(f.found)
	for i := f.chosen + step; n > 0; i += step {
		i = (i%n + n) % n
		if f.found[i].do != nil || i == f.chosen {
			f.choose(i)
			break
		}
		if f.chosen < 0 {
			break
		}
	}
	if f.chosen == 1 {
		f.list.Reveal(f.key(0)) // the heading with its first line
	}
	f.list.Reveal(f.key(f.chosen))
}

func (f *finder) typedKey(k *fyne.KeyEvent) bool {
	switch k.Name {
	case fyne.KeyUp:
		f.move(-1)
	case fyne.KeyDown, fyne.KeyTab:
		f.move(1)
	case fyne.KeyPageUp, fyne.KeyPageDown:
		step := 1
		if k.Name == fyne.KeyPageUp {
			step = -1
		}
		for range 6 {
			if next := f.chosen + step; next > 0 && next < len(f.found) {
				f.move(step)
			}
		}
	case fyne.KeyReturn, fyne.KeyEnter:
		f.pick(f.chosen)
	case fyne.KeyEscape:
		f.close()
	default:
		return false
	}
	return true
}

// layOut puts the finder near the upper edge of the window.
func (f *finder) layOut(window fyne.Size) {
	if !f.isOpen() {
		return
	}
	f.object.Objects[0].Resize(window)
	width := min(finderWidth, window.Width-32)
	top := min(finderTop, window.Height/10)
	f.panel.Resize(fyne.NewSize(width, f.parts.height(width, window.Height-top-16)))
	f.panel.Move(fyne.NewPos(float32(int((window.Width-width)/2)), top))
	relayout(f.panel)
}

// finderParts are the field, what was found and what the keys do, one below
// the other.
type finderParts struct {
	finder      *finder
	field, foot fyne.CanvasObject
	rules       [2]*surface
}

const noteHeight = 44

// rows is the height of what was found, when all may be that high.
func (p finderParts) rows(width, most float32) float32 {
	f, rest := p.finder, most-heightFor(p.field, width)-heightFor(p.foot, width)-2
	high := f.high + 12
	if f.note.text != "" {
		high = noteHeight
	} else if len(f.found) == 0 {
		high = 0
	}
	return max(0, min(high, finderRows, rest))
}

func (p finderParts) height(width, most float32) float32 {
	return heightFor(p.field, width) + 1 + p.rows(width, most) + 1 + heightFor(p.foot, width)
}

// Layout implements fyne.Layout.
func (p finderParts) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	f, y := p.finder, float32(0)
	put := func(o fyne.CanvasObject, high float32) {
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, high))
		y += high
	}
	put(p.field, heightFor(p.field, size.Width))
	put(p.rules[0], 1)
	foot := heightFor(p.foot, size.Width)
	rows := max(0, size.Height-y-1-foot)
	f.note.Move(fyne.NewPos(24, y))
	f.note.Resize(fyne.NewSize(size.Width-48, rows))
	y += 6
	put(f.list, max(0, rows-12))
	y += 6
	if rows == 0 {
		y -= 12
	}
	put(p.rules[1], 1)
	put(p.foot, foot)
}

// MinSize implements fyne.Layout.
func (finderParts) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// margins leave room around an object, which fills the rest.
type margins struct{ insets }

func (m margins) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewPos(m.left, m.top))
	o[0].Resize(size.SubtractWidthHeight(m.width(), m.height()))
}

func (m margins) MinSize(o []fyne.CanvasObject) fyne.Size {
	return o[0].MinSize().AddWidthHeight(m.width(), m.height())
}

// finderField is where one types what to find.
type finderField struct {
	widget.Entry
	f     *finder
	quiet bool // the text is being changed by the program
}

func newFinderField(f *finder) *finderField {
	t := &finderField{f: f}
	t.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	t.ExtendBaseWidget(t)
	t.OnChanged = func(text string) {
		if !t.quiet {
			f.look(text)
		}
	}
	return t
}

// set fills the field, with the caret at its end.
func (t *finderField) set(text string) {
	t.quiet = true
	t.SetText(text)
	t.quiet = false
	t.CursorColumn = len([]rune(text))
	t.Refresh()
}

func (t *finderField) TypedKey(k *fyne.KeyEvent) {
	if !t.f.typedKey(k) {
		t.Entry.TypedKey(k)
	}
}

// TypedShortcut lets the window have its shortcuts: an Entry takes every one.
func (t *finderField) TypedShortcut(s fyne.Shortcut) {
	if !t.f.w.shortcut(s) {
		t.Entry.TypedShortcut(s)
	}
}

// AcceptsTab keeps the focus in the finder.
func (t *finderField) AcceptsTab() bool { return true }
