package ui

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/list"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const fileRowHeight = 26

// treeLine is one entry of the tree.
type treeLine struct {
	app.FileEntry
	depth int
}

// fileTree is the tree of an agent's folder. It goes by the keys: the arrows
// choose and fold, Enter opens, F2 renames, Delete deletes, letters find.
type fileTree struct {
	widget.BaseWidget
	f       *folder
	lines   []treeLine
	chosen  string // the name of an entry; it need not be there
	focused bool

	list  *list.List
	rows  map[fyne.CanvasObject]*fileRow
	empty *paragraph
	ring  *surface
	body  *fyne.Container
}

func newFileTree(f *folder) *fileTree {
	t := &fileTree{f: f, rows: map[fyne.CanvasObject]*fileRow{}, empty: newParagraph("", muted()), ring: newSurface("", "", 0)}
	t.ring.thick = ringWidth
	t.list = list.New(list.Rows{
		Length: func() int { return len(t.lines) },
		Key:    func(i int) string { return t.lines[i].Path },
		Create: func(string) fyne.CanvasObject {
			r := newFileRow(t)
			t.rows[r] = r
			return r
		},
		Update: func(i int, o fyne.CanvasObject) { t.rows[o].set(t.lines[i]) },
		More:   func() bool { return true }, // it does not stick to its end
	})
	t.body = newLayers(t.list, newColumn(0, inset(12, 16), t.empty), t.ring)
	t.ExtendBaseWidget(t)
	f.w.mark("files/tree", t)
	return t
}

// set shows other lines, or a text that says why there are none.
func (t *fileTree) set(lines []treeLine, empty string) {
	t.lines = lines
	t.empty.set(empty, muted())
	t.empty.Hidden = empty == ""
	t.list.Reload()
	relayout(t.body)
	t.body.Refresh()
}

func (t *fileTree) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(t.body) }

// index is where the chosen entry is, -1 when it is not there.
func (t *fileTree) index() int {
	return slices.IndexFunc(t.lines, func(l treeLine) bool { return l.Path == t.chosen })
}

// entry is the chosen entry.
func (t *fileTree) entry() (treeLine, bool) {
	if i := t.index(); i >= 0 {
		return t.lines[i], true
	}
	return treeLine{}, false
}

// into is the folder that something new goes into.
func (t *fileTree) into() string {
	e, ok := t.entry()
	switch {
	case !ok:
		return "."
	case e.Folder():
		return e.Path
	}
	return path.Dir(e.Path)
}

// folderAt is the folder under a point of the window.
func (t *fileTree) folderAt(at fyne.Position) string {
	for o, r := range t.rows {
		place := t.f.w.place(o)
		if t.list.Row(r.line.Path) != o || at.Y < place.Y || at.Y > place.Y+place.H {
			continue
		}
		if r.line.Folder() {
			return r.line.Path
		}
		return path.Dir(r.line.Path)
	}
	return "."
}

func (t *fileTree) choose(name string) {
	before := t.chosen
	t.chosen = name
	t.list.RefreshRow(before)
	t.list.RefreshRow(name)
	t.list.Reveal(name)
}

// open does what a click on an entry does.
func (t *fileTree) open(l treeLine) {
	t.choose(l.Path)
	switch {
	case l.Folder():
		t.f.fold(l.Path, !t.f.unfolded[l.Path])
	case l.Outside:
		t.f.tell(t.f.w.text("files.LeadsOut", "Name", l.Name, "Target", l.Target), tokens.Warn)
	default:
		t.f.open(l.Path, 0)
	}
}

// TypedKey implements fyne.Focusable.
func (t *fileTree) TypedKey(k *fyne.KeyEvent) {
	i := t.index()
	l, ok := t.entry()
	switch k.Name {
	case fyne.KeyDown:
		t.chooseNth(i + 1)
	case fyne.KeyUp:
		t.chooseNth(i - 1)
	case fyne.KeyPageDown:
		t.chooseNth(i + int(t.list.Page()/fileRowHeight))
	case fyne.KeyPageUp:
		t.chooseNth(i - int(t.list.Page()/fileRowHeight))
	case fyne.KeyHome:
		t.chooseNth(0)
	case fyne.KeyEnd:
		t.chooseNth(len(t.lines) - 1)
	case fyne.KeyRight:
		if ok && l.Folder() && t.f.unfolded[l.Path] {
			t.chooseNth(i + 1)
		} else if ok && l.Folder() {
			t.f.fold(l.Path, true)
		}
	case fyne.KeyLeft:
		if ok && l.Folder() && t.f.unfolded[l.Path] {
			t.f.fold(l.Path, false)
		} else if dir := path.Dir(l.Path); ok && dir != "." {
			t.choose(dir)
		}
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		if ok {
			t.open(l)
		}
	case fyne.KeyF2:
		if ok {
			t.f.askRename(l.FileEntry)
		}
	case fyne.KeyDelete:
		if ok {
			t.f.askDelete(l.FileEntry)
		}
	case fyne.KeyF10, desktop.KeyMenu:
		if r := t.list.Row(t.chosen); ok && r != nil {
			at := t.f.w.place(r)
			t.f.menu(l.FileEntry, fyne.NewPos(at.X+24, at.Y+at.H))
		}
	case fyne.KeyEscape:
		passOn(t, k)
	}
}

func (t *fileTree) chooseNth(n int) {
	if len(t.lines) > 0 {
		t.choose(t.lines[min(max(0, n), len(t.lines)-1)].Path)
	}
}

// TypedRune finds the next entry that begins with a letter.
func (t *fileTree) TypedRune(r rune) {
	i := max(0, t.index())
	for n := range len(t.lines) {
		l := t.lines[(i+1+n)%len(t.lines)]
		if strings.HasPrefix(strings.ToLower(l.Name), string(unicode.ToLower(r))) {
			t.choose(l.Path)
			return
		}
	}
}

// FocusGained implements fyne.Focusable.
func (t *fileTree) FocusGained() {
	t.focused = true
	t.ring.set("", ringOf(true))
	if t.index() < 0 {
		t.chooseNth(0)
	}
	t.list.RefreshRow(t.chosen)
}

// FocusLost implements fyne.Focusable.
func (t *fileTree) FocusLost() {
	t.focused = false
	t.ring.set("", "")
	t.list.RefreshRow(t.chosen)
}
