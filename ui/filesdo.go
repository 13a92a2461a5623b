package ui

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/runtime"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// menu is what can be done with an entry.
func (f *folder) menu(e app.FileEntry, at fyne.Position) {
	w := f.w
	item := func(id string, do func()) menuItem { return menuItem{id: id, text: w.text(id), do: do} }
	var items []menuItem
	if e.Rule != nil {
		items = append(items, menuItem{text: w.protection(*e.Rule)}, menuItem{})
	}
	if e.Folder() {
		items = append(items, item("files.NewFile", func() { f.askNew(false) }), item("files.NewFolder", func() { f.askNew(true) }))
	}
	if !e.Outside {
		items = append(items, item("files.Download", func() { f.askDownload(e) }))
	}
	items = append(items, item("files.CopyName", func() { w.app.Clipboard().SetContent(e.Path) }))
	if e.Rule == nil {
		remove := item("files.Delete", func() { f.askDelete(e) })
		remove.danger = true
		items = append(items, menuItem{}, item("files.Rename", func() { f.askRename(e) }), remove)
	}
	w.popUpAt(at, items)
}

// do has something done to the files, and shows what came of it.
func (f *folder) do(work func(ctx context.Context, files *app.Files) error, done func()) {
	files, ok := f.files()
	if !ok {
		return
	}
	f.tell("", "")
	f.w.bridge.beside(func(ctx context.Context) func() {
		err := work(ctx, files)
		return func() {
			if f.fail(err); err == nil {
				done()
			}
			f.refresh()
		}
	})
}

// toTree gives the keys back to the tree after a dialog.
func (f *folder) toTree() {
	if f.page == nil && f.w.shownFolder() == f {
		f.w.fyne.Canvas().Focus(f.tree)
	}
}

// errNoName is for a dialog that was left without a name.
func (f *folder) errNoName() error { return errors.New(f.w.text("files.NoName")) }

// askNew asks for the name of a new file, or folder.
func (f *folder) askNew(isFolder bool) {
	w, into := f.w, f.tree.into()
	title, confirm := w.text("files.NewFile"), w.text("files.Create")
	if isFolder {
		title = w.text("files.NewFolder")
	}
	where := ""
	if into != "." {
		where = w.text("files.Into", "Folder", visibleName(into))
	}
	name := newField("")
	w.ask(dialog{
		title: title, text: where, fields: []*field{name}, names: []string{w.text("files.Name")}, confirm: confirm,
		done: func() error {
			if strings.TrimSpace(name.Text) == "" {
				return f.errNoName()
			}
			target := path.Join(into, filepath.ToSlash(name.Text))
			f.do(func(ctx context.Context, files *app.Files) error {
				if isFolder {
					return files.Make(ctx, target)
				}
				return files.Create(ctx, target)
			}, func() {
				f.reveal(target)
				if !isFolder {
					f.open(target, 0)
				} else {
					f.toTree()
				}
			})
			return nil
		},
	})
}

// askRename asks for another name; one with a slash moves the entry.
func (f *folder) askRename(e app.FileEntry) {
	if f.refuses(e) {
		return
	}
	w := f.w
	name := newField(e.Name)
	w.ask(dialog{
		title: w.text("files.RenameTitle", "Name", visibleName(e.Name)), text: w.text("files.RenameHint"),
		fields: []*field{name}, names: []string{w.text("files.Name")}, confirm: w.text("files.Rename"),
		done: func() error {
			if strings.TrimSpace(name.Text) == "" {
				return f.errNoName()
			}
			target := path.Join(path.Dir(e.Path), name.Text)
			if target == e.Path {
				return nil
			}
			f.do(func(ctx context.Context, files *app.Files) error { return files.Rename(ctx, e.Path, target) }, func() {
				f.moved(e.Path, target)
				f.reveal(target)
				f.toTree()
			})
			return nil
		},
	})
}

// refuses says so when an entry is protected.
func (f *folder) refuses(e app.FileEntry) bool {
	if e.Rule != nil {
		f.tell(f.w.protection(*e.Rule), tokens.Warn)
	}
	return e.Rule != nil
}

// askDelete asks before something is deleted.
func (f *folder) askDelete(e app.FileEntry) {
	files, ok := f.files()
	if !ok || f.refuses(e) {
		return
	}
	w, text := f.w, "files.DeleteForGood"
	if files.HasTrash() {
		text = "files.DeleteToTrash"
	}
	w.ask(dialog{
		title: w.text("files.DeleteTitle", "Name", visibleName(e.Name)), text: w.text(text), confirm: w.text("files.Delete"), danger: true,
		done: func() error {
			f.delete(e, files.Delete)
			return nil
		},
	})
}

func (f *folder) delete(e app.FileEntry, remove func(context.Context, string) error) {
	w := f.w
	w.bridge.beside(func(ctx context.Context) func() {
		err := remove(ctx, e.Path)
		return func() {
			var trash *runtime.TrashError
			switch {
			case errors.As(err, &trash):
				f.askErase(e, trash)
			case err != nil:
				f.fail(err)
			default:
				f.tell("", "")
				f.moved(e.Path, "")
				f.toTree()
			}
			f.refresh()
		}
	})
}

// askErase asks again when there is no trash.
func (f *folder) askErase(e app.FileEntry, why *runtime.TrashError) {
	w := f.w
	files, ok := f.files()
	if !ok {
		return
	}
	w.ask(dialog{
		title: w.text("files.EraseTitle", "Name", visibleName(e.Name)), text: w.text("files.NoTrash", "Cause", why.Err.Error()),
		confirm: w.text("files.Erase"), danger: true,
		done: func() error {
			f.delete(e, files.Erase)
			return nil
		},
	})
}

// askDownload asks where on this computer to copy an entry.
func (f *folder) askDownload(e app.FileEntry) {
	w := f.w
	where := newField(f.w.downloads())
	w.ask(dialog{
		title: w.text("files.DownloadTitle", "Name", visibleName(e.Name)), fields: []*field{where},
		names: []string{w.text("files.Where")}, confirm: w.text("files.Download"),
		done: func() error {
			to := expanded(where.Text)
			if !filepath.IsAbs(to) {
				return errors.New(w.text("files.NotAbsolute"))
			}
			progress := f.progress("files.Downloading", e.Path)
			var saved string
			f.do(func(ctx context.Context, files *app.Files) (err error) {
				saved, err = files.Download(ctx, e.Path, to, progress)
				return err
			}, func() { f.tell(w.text("files.Downloaded", "Path", saved), tokens.OK) })
			return nil
		},
	})
}

// downloads is where downloads go.
func (w *window) downloads() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, "Downloads")
}

// upload copies files of this computer into a folder of the agent, one after
// the other. Before one is replaced, that is asked.
func (f *folder) upload(into string, paths []string) {
	if len(paths) == 0 {
		return
	}
	f.uploadOne(into, paths[0], false, func() { f.upload(into, paths[1:]) })
}

func (f *folder) uploadOne(into, source string, replace bool, next func()) {
	w, name := f.w, filepath.Base(source)
	progress := f.progress("files.Uploading", name)
	files, ok := f.files()
	if !ok {
		return
	}
	w.bridge.beside(func(ctx context.Context) func() {
		err := files.Upload(ctx, into, source, replace, progress)
		return func() {
			if errors.Is(err, fs.ErrExist) && !replace {
				f.tell("", "")
				f.askReplace(into, source, next)
				return
			}
			if f.tell("", ""); err != nil {
				f.fail(err)
			} else {
				f.reveal(path.Join(into, name))
				next()
			}
			f.refresh()
		}
	})
}

func (f *folder) askReplace(into, source string, next func()) {
	w := f.w
	w.ask(dialog{
		title: w.text("files.ReplaceTitle", "Name", visibleName(filepath.Base(source))), text: w.text("files.ReplaceHint"),
		confirm: w.text("files.Replace"), danger: true,
		done: func() error {
			f.uploadOne(into, source, true, next)
			return nil
		},
	})
}

// tellEvery is the shortest time between two words about how far something is.
const tellEvery = 200 * time.Millisecond

// progress says how far something is, once it takes longer than a moment.
func (f *folder) progress(id, name string) app.Progress {
	last := time.Now()
	return func(done, total int64) {
		if time.Since(last) < tellEvery || done == total {
			return
		}
		last = time.Now()
		f.w.bridge.later(func() {
			f.tell(f.w.text(id, "Name", visibleName(path.Base(name)), "Done", f.w.size(done), "Total", f.w.size(total)), tokens.Muted)
		})
	}
}
