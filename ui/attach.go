package ui

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// attachments are the files that go with the message that is being written,
// shown above its text. Each is looked at outside the window's goroutine; one
// that cannot be sent says why, and stays until it is taken off.
type attachments struct {
	c      *composer
	object *fyne.Container
	chips  *fyne.Container
	wrong  *paragraph // why some of them cannot be sent
	files  []*attached
}

type attached struct {
	file app.File
	err  error // why it cannot be sent
	chip *fileChip
}

func newAttachments(c *composer) *attachments {
	a := &attachments{c: c, chips: newWrap(6, 6), wrong: newParagraph("", muted().in(tokens.Error))}
	a.object = newColumn(6, insets{0, 0, 4, 0}, a.chips, a.wrong)
	a.object.Hide()
	return a
}

// paths are where the files are, in the order in which they were attached.
func (a *attachments) paths() []string {
	var list []string
	for _, f := range a.files {
		list = append(list, f.file.Path)
	}
	return list
}

// set shows other files.
func (a *attachments) set(paths []string) {
	a.files = nil
	a.append(paths)
	a.show()
}

// add attaches more files, each once.
func (a *attachments) add(paths []string) {
	if a.append(paths); len(a.files) > app.MaxFiles {
		a.files = a.files[:app.MaxFiles]
		a.c.w.tell(a.c.w.text("attach.TooManyFiles", "Limit", app.MaxFiles))
	}
	a.show()
	a.c.changed()
}

func (a *attachments) append(paths []string) {
	for _, p := range paths {
		if p = filepath.Clean(p); slices.Contains(a.paths(), p) {
			continue
		}
		f := &attached{file: app.File{Path: p, Name: filepath.Base(p)}}
		f.chip = newFileChip(a.c.w, f, func() { a.remove(f) })
		a.files = append(a.files, f)
	}
	a.examine()
}

func (a *attachments) remove(f *attached) {
	a.files = slices.DeleteFunc(a.files, func(other *attached) bool { return other == f })
	a.show()
	a.c.changed()
	a.c.focus()
}

// take takes files off again.
func (a *attachments) take(paths []string) {
	a.files = slices.DeleteFunc(a.files, func(f *attached) bool { return slices.Contains(paths, f.file.Path) })
	a.show()
}

// examine looks at every file again.
func (a *attachments) examine() {
	for _, f := range a.files {
		path := f.file.Path
		a.c.w.bridge.outside(func() func() {
			file, err := app.Examine(path)
			return func() {
				f.file, f.err = file, err
				if slices.Contains(a.files, f) {
					a.show()
					a.c.w.relayout()
				}
			}
		})
	}
}

// show draws the chips, and what is wrong.
func (a *attachments) show() {
	a.chips.Objects = nil
	var wrong []string
	for _, f := range a.files {
		f.chip.show()
		a.chips.Objects = append(a.chips.Objects, f.chip)
		a.c.w.mark("attached/"+f.file.Name, f.chip)
		if f.err != nil {
			wrong = append(wrong, a.c.w.printer.Error(f.err))
		}
	}
	a.wrong.set(strings.Join(wrong, "\n"), a.wrong.look)
	a.wrong.Hidden = len(wrong) == 0
	a.object.Hidden = len(a.files) == 0 || a.c.editing != 0
	a.chips.Refresh()
}

// refused takes a message back that was not sent, and tells whether it was
// because of a file, which then says so itself.
func (a *attachments) refused(err error) bool {
	var f *app.FileError
	if !errors.As(err, &f) {
		return false
	}
	for _, one := range a.files {
		if one.file.Path == f.Path {
			one.err = err
		}
	}
	a.show()
	a.examine()
	return true
}

// dropped attaches what was dropped on the window, wherever that was.
func (c *composer) dropped(at fyne.Position, uris []fyne.URI) {
	var paths []string
	for _, u := range uris {
		if u.Scheme() == "file" {
			paths = append(paths, filepath.FromSlash(u.Path()))
		}
	}
	c.w.dropped(at, paths)
}

// tell shows a text above the conversation.
func (w *window) tell(text string) {
	w.alerts.add(text)
	w.relayout()
}

// attach adds files to the message that is being written.
func (c *composer) attach(paths []string) {
	if len(paths) == 0 || c.channel == 0 || c.w.fyne.Canvas().Overlays().Top() != nil {
		return
	}
	if c.editing != 0 {
		c.w.tell(c.w.text("compose.FilesWhileEditing"))
		return
	}
	c.files.add(paths)
	c.focus()
}

// paste types what is in the clipboard, unless it names files that exist:
// those are attached, as a file manager means it. A long text is attached as a
// file too. The disk is looked at outside the window's goroutine.
func (c *composer) paste(text string) {
	paths, ok := pathsIn(text)
	switch {
	case c.editing == 0 && ok:
		c.w.bridge.outside(func() func() {
			exist := !slices.ContainsFunc(paths, func(p string) bool {
				_, err := app.Examine(p)
				return err != nil
			})
			return func() { c.pasteFiles(text, paths, exist) }
		})
	case c.editing == 0 && len(text) > maxTyped/4 && len(c.input.Text)+len(text) > maxTyped:
		c.w.bridge.outside(func() func() {
			path, err := keepPasted(text)
			if err != nil {
				return func() { c.w.tell(c.w.text("compose.NotKept", "Reason", err)) }
			}
			return func() { c.pasteFiles(text, []string{path}, true) }
		})
	default:
		c.input.insert(text)
	}
}

func (c *composer) pasteFiles(text string, paths []string, exist bool) {
	if !exist {
		c.input.insert(text)
		return
	}
	c.attach(paths)
	c.pasted, c.pastedAs = text, paths
	c.changed()
}

// maxTyped is how long a text may be in the composer, in bytes: Fyne's Entry
// takes longer than a frame for each key in a longer one.
const maxTyped = 8 << 10

// keepPasted writes a text beside the preferences: it belongs to the message,
// and is read again when an agent gets that.
func keepPasted(text string) (path string, err error) {
	folder, err := config.Folder()
	if err != nil {
		return "", err
	}
	folder = filepath.Join(folder, "pasted")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(folder, time.Now().Format("2006-01-02 150405")+" *.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	return f.Name(), errors.Join(err, f.Close())
}

// pathsIn are the files that a text names: file: URIs or absolute paths, one a
// line, and nothing else.
func pathsIn(text string) (paths []string, ok bool) {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' || r == 0 })
	if len(lines) > app.MaxFiles || len(text) > app.MaxFiles*4096 {
		return nil, false
	}
	for _, line := range lines {
		path, uri := app.FilePath(line)
		if !uri {
			path = line
		}
		if !filepath.IsAbs(path) || path == filepath.Dir(path) {
			return nil, false
		}
		paths = append(paths, path)
	}
	return paths, len(paths) > 0
}
