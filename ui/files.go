package ui

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// filesTab is the panel's tab of the files.
const filesTab = "files"

// How often the folder that is shown is looked at for what others did to it: a
// container takes longer.
const (
	lookLocal     = 2 * time.Second
	lookElsewhere = 10 * time.Second
)

// readingWidth is how wide the panel is at least while a file is open.
const readingWidth = 560

// folder is the Files tab of an agent's panel: the tree of its folder, or one
// file of it. It stays while other tabs and agents are shown, and so does the
// text that is not saved yet.
type folder struct {
	w      *window
	agent  string
	object *fyne.Container

	listed   map[string][]app.FileEntry // what is in the folders that were looked at
	unfolded map[string]bool
	wrong    error // why the agent's folder cannot be listed
	tree     *fileTree
	says     *paragraph // what goes on, or went wrong
	saying   *fyne.Container

	listing bool // somebody looks at the moment
	again   bool // and must once more
	looked  time.Time

	pages map[string]*filePage // by name: the one shown, and all that are not saved
	page  *filePage            // shown; nil: the tree is
}

// folder is the Files tab of an agent.
func (w *window) folder(agent string) *folder {
	if f := w.folders[agent]; f != nil {
		return f
	}
	f := &folder{
		w: w, agent: agent, listed: map[string][]app.FileEntry{}, unfolded: map[string]bool{},
		pages: map[string]*filePage{}, object: newLayers(),
	}
	f.build()
	if w.folders == nil {
		w.folders = map[string]*folder{}
	}
	w.folders[agent] = f
	return f
}

// files are the agent's files, as the configuration has it now.
func (f *folder) files() (*app.Files, bool) { return f.w.backend.Files(f.agent) }

// build makes everything, in the language of the window.
func (f *folder) build() {
	chosen := ""
	if f.tree != nil {
		chosen = f.tree.chosen
	}
	f.tree = newFileTree(f)
	f.tree.chosen = chosen
	f.says = newParagraph("", muted())
	f.saying = framed(inset(8, 16), f.says)
	f.saying.Hide()
	for _, p := range f.pages {
		p.build()
	}
	f.flatten()
	f.show()
}

// show shows the page, or the tree.
func (f *folder) show() {
	content := fyne.CanvasObject(f.tree)
	head := f.head()
	if f.page != nil {
		content, head = f.page.object, nil
	}
	objects := []fyne.CanvasObject{f.saying, content}
	if head != nil {
		objects = append([]fyne.CanvasObject{head, ruler()}, objects...)
	}
	f.object.Objects = []fyne.CanvasObject{newPile(content, objects...)}
	f.w.fitPanel()
	relayout(f.object)
	f.object.Refresh()
}

// head is above the tree.
func (f *folder) head() fyne.CanvasObject {
	w := f.w
	row := newLine(2, nil)
	for _, t := range []struct {
		id, text string
		do       func()
	}{
		{"new-file", "files.NewFile", func() { f.askNew(false) }},
		{"new-folder", "files.NewFolder", func() { f.askNew(true) }},
		{"refresh", "files.Refresh", f.refresh},
	} {
		b := newButton(w.text(t.text), quiet, t.do)
		w.mark("files/"+t.id, b)
		row.Add(b)
	}
	return framed(inset(4, 10), row)
}

// tell says what goes on, or went wrong; an empty text says nothing.
func (f *folder) tell(text string, color fyne.ThemeColorName) {
	f.says.set(text, muted().in(color))
	f.saying.Hidden = text == ""
	relayout(f.object)
	f.object.Refresh()
}

// fail says what went wrong.
func (f *folder) fail(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		f.tell(f.w.printer.Error(err), tokens.Error)
	}
}

// follow looks again now and then while the tab is shown.
func (f *folder) follow() {
	pause := lookLocal
	if k, ok := f.w.know(f.agent); ok && k.config.Runtime.Type != "" && k.config.Runtime.Type != config.Local {
		pause = lookElsewhere
	}
	if f.w.now().Sub(f.looked) >= pause {
		f.refresh()
	}
}

// refresh looks at the folders that are unfolded, and at the file that is
// open.
func (f *folder) refresh() {
	f.looked = f.w.now()
	files, ok := f.files()
	if !ok { // the agent is not in the configuration any more
		return
	}
	if f.listing {
		f.again = true
		return
	}
	f.listing = true
	folders := append([]string{"."}, slices.Sorted(maps.Keys(f.unfolded))...)
	var look func(context.Context) func()
	if f.page != nil {
		look = f.page.look(files)
	}
	f.w.bridge.beside(func(ctx context.Context) func() {
		listed := map[string][]app.FileEntry{}
		var wrong error
		for _, name := range folders {
			entries, err := files.List(ctx, name)
			switch {
			case err == nil:
				listed[name] = entries
			case name == ".":
				wrong = err
			}
		}
		var seen func()
		if look != nil {
			seen = look(ctx)
		}
		return func() {
			f.take(listed, wrong)
			if seen != nil {
				seen()
			}
		}
	})
}

// take shows what was found.
func (f *folder) take(listed map[string][]app.FileEntry, wrong error) {
	f.listing = false
	first := len(f.listed) == 0
	if !reflect.DeepEqual(listed, f.listed) || wrong != f.wrong {
		f.listed, f.wrong = listed, wrong
		f.flatten()
		if first {
			f.show()
		}
	}
	if f.again {
		f.again = false
		f.refresh()
	}
}

// flatten gives the tree its lines.
func (f *folder) flatten() {
	var lines []treeLine
	var add func(name string, depth int)
	add = func(name string, depth int) {
		for _, e := range f.listed[name] {
			lines = append(lines, treeLine{e, depth})
			if e.Folder() && f.unfolded[e.Path] {
				add(e.Path, depth+1)
			}
		}
	}
	add(".", 0)
	text := ""
	switch {
	case errors.Is(f.wrong, fs.ErrNotExist):
		text = f.w.text("files.NoFolder", "Folder", short(f.w.agent(f.agent).Workspace))
	case f.wrong != nil:
		text = f.w.printer.Error(f.wrong)
	case len(lines) == 0 && f.listed["."] != nil:
		text = f.w.text("files.Empty")
	}
	f.tree.set(lines, text)
}

// fold unfolds a folder, or folds it.
func (f *folder) fold(name string, open bool) {
	if open == f.unfolded[name] {
		return
	}
	if delete(f.unfolded, name); open {
		f.unfolded[name] = true
	}
	f.flatten()
	f.refresh()
}

// reveal unfolds the folders above an entry and chooses it.
func (f *folder) reveal(name string) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		f.unfolded[dir] = true
	}
	f.tree.chosen = name
	f.flatten()
	f.refresh()
}

// open shows a file, from a line on if it is above 0.
func (f *folder) open(name string, line int) {
	if f.page != nil && f.page.name != name {
		f.leavePage()
	}
	f.tell("", "")
	p := f.pages[name]
	if p == nil {
		p = newFilePage(f, name)
		f.pages[name] = p
		p.read(line)
	} else if p.editor != nil && line > 0 {
		p.editor.GoTo(line)
	}
	f.page = p
	f.tree.chosen = name
	f.show()
	p.focus()
}

// close shows the tree again. A text that is not saved stays.
func (f *folder) close() {
	f.leavePage()
	f.flatten()
	f.show()
	f.refresh()
	f.w.fyne.Canvas().Focus(f.tree)
}

func (f *folder) leavePage() {
	p := f.page
	f.page = nil
	if p != nil && !p.unsaved() {
		delete(f.pages, p.name)
	}
}

// moved gives the open files their new names after a rename; to is empty for
// what was deleted.
func (f *folder) moved(from, to string) {
	for name, p := range f.pages {
		below, in := strings.CutPrefix(name, from+"/")
		if name != from && !in {
			continue
		}
		delete(f.pages, name)
		if to == "" {
			if f.page == p {
				f.page = nil
			}
			continue
		}
		p.name = path.Join(to, below)
		if !in {
			p.name = to
		}
		f.pages[p.name] = p
		p.build()
	}
	f.show()
}

// unsaved are the files whose text is not saved, by name.
func (f *folder) unsaved() (names []string) {
	for name, p := range f.pages {
		if p.unsaved() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// shownFolder is the Files tab in view, nil when another tab is.
func (w *window) shownFolder() *folder {
	if w.panel == nil || w.panel.tab != filesTab || w.opened == "" {
		return nil
	}
	return w.folders[w.opened]
}

// openPlace shows a file that an agent speaks of in the Files tab.
func (w *window) openPlace(agent, place string, line int) {
	files, ok := w.backend.Files(agent)
	if !ok {
		return
	}
	name, ok := files.Locate(place)
	if !ok || name == "." {
		w.tell(w.text("files.PlaceOutside", "Place", place, "Agent", oneLine(w.agent(agent).Title)))
		return
	}
	w.showAgent(agent)
	w.panel.show(filesTab)
	f := w.folder(agent)
	f.reveal(name)
	f.open(name, line)
	w.relayout()
}

// dropOnFiles puts files that were dropped on the Files tab into the folder
// under the pointer, and reports whether they were meant for it.
func (w *window) dropOnFiles(at fyne.Position, paths []string) bool {
	f := w.shownFolder()
	if f == nil || len(paths) == 0 || w.fyne.Canvas().Overlays().Top() != nil {
		return false
	}
	r := w.place(f.object)
	if at.X < r.X || at.X > r.X+r.W || at.Y < r.Y || at.Y > r.Y+r.H {
		return false
	}
	for i, p := range paths {
		paths[i] = filepath.Clean(p)
	}
	f.upload(f.tree.folderAt(at), paths)
	return true
}
