package ui

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const mostListed = 5000 // of a folder that are listed

// fileFinder finds a file by its path: what is typed after the last separator
// narrows the folder before it.
type fileFinder struct {
	w      *window
	chosen func(path string)
	whole  string // what choosing the folder itself is called; empty: it cannot be
	left   func() // optional: nothing was chosen
	typed  string // of a name
	folder string // that entries are of
	read   bool
	err    error // why it cannot be read
	list   []fileEntry
}

type fileEntry struct {
	name   string
	folder bool
	size   int64
}

// chooseFiles asks for a file, beginning where the last one was.
func (c *composer) chooseFiles() {
	if c.folder == "" {
		c.folder, _ = os.UserHomeDir()
	}
	f := &fileFinder{w: c.w, whole: "compose.AttachFolder"}
	f.chosen = func(path string) {
		c.folder = f.folder
		c.attach([]string{path})
	}
	f.open(c.folder)
}

func (f *fileFinder) open(folder string) {
	w := f.w
	w.finder.open(&quest{
		id: "files", prompt: w.text("compose.FilePrompt"), look: f.look, left: f.left,
		none: func(string) string {
			switch {
			case !f.read:
				return ""
			case f.err != nil:
				return w.printer.Error(f.err)
			}
			return w.text("compose.NoSuchFile")
		},
	}, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}

// look lists what the path may mean.
func (f *fileFinder) look(query string) {
	folder, typed := filepath.Split(expanded(query))
	if folder == "" || !filepath.IsAbs(folder) {
		f.w.finder.show(nil, "")
		return
	}
	f.typed = typed
	if folder = filepath.Clean(folder); folder != f.folder {
		f.folder, f.read, f.list = folder, false, nil
		f.w.bridge.outside(func() func() {
			list, err := entries(folder)
			return func() {
				if folder == f.folder {
					f.read, f.list, f.err = true, list, err
					f.show()
				}
			}
		})
	}
	f.show()
}

func expanded(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok {
		home, _ := os.UserHomeDir()
		return home + rest
	}
	return path
}

// entries are what is in a folder, the folders in it first.
func entries(folder string) ([]fileEntry, error) {
	if _, err := app.Examine(folder); err != nil {
		return nil, err
	}
	dir, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	found, err := dir.ReadDir(mostListed)
	var list []fileEntry
	for _, e := range found {
		one := fileEntry{name: e.Name(), folder: e.IsDir()}
		if info, err := os.Stat(filepath.Join(folder, e.Name())); err == nil { // behind a link too
			one.folder, one.size = info.IsDir(), info.Size()
			if m := info.Mode(); !m.IsDir() && !m.IsRegular() {
				continue
			}
		} else if e.Type()&fs.ModeSymlink != 0 {
			continue // leads nowhere
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b fileEntry) int {
		if a.folder != b.folder {
			if a.folder {
				return -1
			}
			return 1
		}
		return strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name))
	})
	if errors.Is(err, io.EOF) { // an empty folder
		err = nil
	}
	return list, err
}

func (f *fileFinder) show() {
	w, typed := f.w, f.typed
	if w.finder.search == nil || w.finder.search.id != "files" {
		return
	}
	var fit ranking
	for _, e := range f.list {
		if strings.HasPrefix(e.name, ".") && !strings.HasPrefix(typed, ".") {
			continue
		}
		if rank, ok := match(typed, e.name); ok {
			fit.add(choice{insert: e.name}, rank)
		}
	}
	known := map[string]fileEntry{}
	for _, e := range f.list {
		known[e.name] = e
	}
	var found []finding
	for _, c := range fit.sorted() {
		found = append(found, f.finding(known[c.insert]))
	}
	amount := ""
	if f.read && f.err == nil {
		amount = w.printer.Count("compose.Entries", len(found))
		if typed == "" && f.whole != "" {
			found = append(found, f.itself())
		}
	}
	w.finder.show(found, amount)
}

func (f *fileFinder) finding(e fileEntry) finding {
	path := filepath.Join(f.folder, e.name)
	detail, kind := f.w.size(e.size), fileKind(app.File{Text: true})
	do := func() { f.chosen(path) }
	if e.folder {
		detail, kind, do = "", theme.FolderIcon(), func() { f.open(path) }
	}
	return finding{id: e.name, height: paletteRow, do: do, draw: func() fyne.CanvasObject { return fileLine(kind, e.name, detail) }}
}

// itself is the folder that is listed.
func (f *fileFinder) itself() finding {
	text := f.w.text(f.whole, "Name", filepath.Base(f.folder))
	return finding{
		id: "this-folder", height: paletteRow, draw: func() fyne.CanvasObject { return fileLine(theme.ContentAddIcon(), text, "") },
		do: func() { f.chosen(f.folder) },
	}
}

func fileLine(icon fyne.Resource, name, detail string) fyne.CanvasObject {
	drawn := canvas.NewImageFromResource(theme.NewColoredResource(icon, tokens.Muted))
	drawn.FillMode = canvas.ImageFillContain
	text := newCutLabel(oneLine(name), plain())
	return newLine(10, text, newFixed(fileIcon, fileIcon, drawn), text, newLabel(detail, faint()))
}
