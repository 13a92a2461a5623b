package ui

import (
	"bytes"
	"context"
	"errors"
	"image"
	"path"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/editor"
	"git.rickub.com/bots-garden/sidekicks/ui/markdown"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// filePage is one file that is open: a text in an editor, a picture, or what
// there is to say of anything else.
type filePage struct {
	f      *folder
	name   string
	object *fyne.Container

	content app.Content // as it was read last; its Data is dropped
	entry   app.FileEntry
	editor  *editor.Editor // of a text
	picture image.Image    // of a picture
	err     error          // why it cannot be shown
	loading bool
	saving  bool
	clash   bool // it is another on the disk than what was read
	asked   bool // for colours, which are on the way

	title   *label
	detail  *label
	lock    *fyne.Container
	save    *button
	banner  *fyne.Container
	finding *field
	body    *fyne.Container
}

func newFilePage(f *folder, name string) *filePage {
	p := &filePage{f: f, name: name}
	p.build()
	return p
}

func (p *filePage) unsaved() bool { return p.editor != nil && p.editor.Changed() }

// build makes everything but the editor, in the language of the window.
func (p *filePage) build() {
	w := p.f.w
	back := newButton("‹", quiet, p.f.close)
	back.name = w.text("files.Back")
	w.help(back)
	p.title, p.detail, p.lock = newCutLabel("", strong()), newCutLabel("", faint()), newLock()
	p.save = newButton(w.text("files.Save"), primary, p.store)
	more := newButton("···", quiet, nil)
	more.name = w.text("files.More")
	w.help(more)
	more.onTapped = func() {
		at := w.place(more)
		p.f.menu(p.entry, fyne.NewPos(at.X, at.Y+at.H))
	}
	w.mark("file/back", back)
	w.mark("file/save", p.save)
	w.mark("file/more", more)
	lock := newHint(w, p.lock, func() string {
		if p.content.Rule == nil {
			return ""
		}
		return w.protection(*p.content.Rule)
	})
	names := newColumn(0, insets{}, newCutHint(w, p.title), newCutHint(w, p.detail))
	head := framed(inset(6, 10), newLine(6, names, back, names, lock, p.save, more))
	p.finding = newField("")
	p.finding.SetPlaceHolder(w.text("files.Find"))
	p.finding.OnChanged = func(text string) { p.editor.Find(text, false) }
	p.finding.OnSubmitted = func(text string) { p.editor.Find(text, false) }
	p.finding.onEscape = p.endFind
	p.finding.Hide()
	w.mark("file/find", p.finding)
	p.banner = newColumn(0, insets{})
	p.body = newLayers()
	p.object = newPile(p.body, head, ruler(), p.banner, p.finding, p.body)
	p.show()
}

// show shows what there is by now.
func (p *filePage) show() {
	w := p.f.w
	p.body.Objects = []fyne.CanvasObject{p.view()}
	p.showHead()
	p.showBanner()
	w.mark("file/editor", p.body)
	relayout(p.object)
	p.object.Refresh()
}

func (p *filePage) view() fyne.CanvasObject {
	w := p.f.w
	says := func(text string) fyne.CanvasObject {
		return newColumn(12, inset(16, 16), newParagraph(text, muted()))
	}
	switch {
	case p.err != nil:
		return says(w.printer.Error(p.err))
	case p.loading:
		return says(w.text("files.Opening"))
	case p.editor != nil:
		return p.editor
	case p.picture != nil:
		drawn := canvas.NewImageFromImage(p.picture)
		drawn.FillMode = canvas.ImageFillContain
		size := p.picture.Bounds().Size()
		return &fyne.Container{Layout: noLarger{fyne.NewSize(float32(size.X), float32(size.Y))}, Objects: []fyne.CanvasObject{drawn}}
	}
	id := "files.NoText"
	if !p.content.Whole {
		id = "files.TooLarge"
	}
	download := newButton(w.text("files.Download"), ordinary, func() { p.f.askDownload(p.entry) })
	return newColumn(12, inset(16, 16), newParagraph(w.text(id, "Size", w.size(p.entry.Size)), muted()), newWrap(0, 0, download))
}

// noLarger puts a picture in the middle, no larger than it is.
type noLarger struct{ most fyne.Size }

func (n noLarger) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const margin = 16
	room := size.SubtractWidthHeight(2*margin, 2*margin)
	scale := min(1, room.Width/n.most.Width, room.Height/n.most.Height)
	fit := fyne.NewSize(max(1, n.most.Width*scale), max(1, n.most.Height*scale))
	o[0].Resize(fit)
	o[0].Move(fyne.NewPos((size.Width-fit.Width)/2, (size.Height-fit.Height)/2))
}

func (noLarger) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(40, 40) }

func (p *filePage) showHead() {
	w := p.f.w
	title := visibleName(path.Base(p.name))
	if p.unsaved() {
		title = "● " + title
	}
	p.title.setText(title)
	detail := ""
	if !p.entry.Modified.IsZero() {
		detail = w.size(p.entry.Size) + " · " + w.brief(p.entry.Modified)
	}
	if dir := path.Dir(p.name); dir != "." {
		detail = visibleName(dir) + "/ · " + detail
	}
	p.detail.setText(detail)
	p.lock.Hidden = p.content.Rule == nil
	p.save.Hidden = p.editor == nil || p.editor.ReadOnly()
	p.save.setDisabled(!p.unsaved() || p.saving || p.clash)
}

// showBanner says that the file is another on the disk, and what can be done
// so that no version is lost.
func (p *filePage) showBanner() {
	w := p.f.w
	p.banner.Objects = nil
	if p.clash {
		mine := newButton(w.text("files.SaveMine"), primary, p.storeMine)
		theirs := newButton(w.text("files.TakeTheirs"), ordinary, p.takeTheirs)
		w.mark("file/save-mine", mine)
		w.mark("file/take-theirs", theirs)
		says := newParagraph(w.text("files.Clash"), muted().in(tokens.Text))
		p.banner.Add(framed(inset(8, 12), edged(tokens.Warn, newColumn(8, insets{}, says, newWrap(8, 8, mine, theirs)))))
	}
	relayout(p.object)
	p.object.Refresh()
}

// focus gives the keys to the text.
func (p *filePage) focus() {
	if p.editor != nil && p.f.page == p && p.f.w.shownFolder() == p.f {
		p.f.w.fyne.Canvas().Focus(p.editor)
	}
}

// read reads the file and shows it, from a line on if it is above 0.
func (p *filePage) read(line int) {
	files, ok := p.f.files()
	if !ok {
		return
	}
	p.loading = true
	p.show()
	name := p.name
	progress := p.f.progress("files.Reading", name)
	p.f.w.bridge.beside(func(ctx context.Context) func() {
		entry, content, picture, err := fetch(ctx, files, name, progress)
		return func() {
			p.f.tell("", "")
			p.take(entry, content, picture, err)
			if p.editor != nil && line > 0 {
				p.editor.GoTo(line)
			}
			p.focus()
		}
	})
}

// fetch reads a file, and decodes a picture.
func fetch(ctx context.Context, files *app.Files, name string, progress app.Progress) (app.FileEntry, app.Content, image.Image, error) {
	entry, err := files.Stat(ctx, name)
	if err != nil {
		return entry, app.Content{}, nil, err
	}
	content, err := files.Read(ctx, name, progress)
	if err != nil || !content.File.Picture || !content.Whole {
		return entry, content, nil, err
	}
	picture, _ := decodedPicture(content.Data) // what is none is said to be none
	return entry, content, picture, nil
}

func decodedPicture(data []byte) (image.Image, error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || c.Width <= 0 || c.Height <= 0 || c.Width*c.Height > mostPixels {
		return nil, errPicture
	}
	source, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, errPicture
	}
	return forScreen(source), nil
}

// take shows what was read.
func (p *filePage) take(entry app.FileEntry, content app.Content, picture image.Image, err error) {
	p.loading, p.clash, p.err = false, false, err
	p.entry, p.picture = entry, picture
	if err == nil && content.File.Text && content.Whole {
		p.setText(string(content.Data), content.Rule != nil)
	} else {
		p.editor = nil
	}
	content.Data = nil
	p.content = content
	p.show()
}

func (p *filePage) setText(text string, readOnly bool) {
	if p.editor == nil {
		e := editor.New(text)
		e.OnChanged = func() {
			p.showHead()
			p.colourSoon()
		}
		e.OnEscape = p.f.close
		e.OnShortcut = p.shortcut
		e.OnMenu = p.editMenu
		p.editor = e
	} else {
		p.editor.Set(text)
	}
	p.editor.SetReadOnly(readOnly)
	p.colour()
}

// colourPause is how long a text is left alone before it is coloured again.
const colourPause = 400 * time.Millisecond

func (p *filePage) colourSoon() {
	if !p.asked {
		p.asked = true
		p.f.w.after(colourPause, func() {
			p.asked = false
			p.colour()
		})
	}
}

// colour has the colours of the text found out.
func (p *filePage) colour() {
	e := p.editor
	if e == nil {
		return
	}
	name, text := p.name, e.Text()
	if len(text) > markdown.MostColored {
		return
	}
	p.f.w.bridge.beside(func(context.Context) func() {
		var spans []editor.Span
		markdown.FileColors(name, text, time.Now().Add(5*time.Second), func(length int, color fyne.ThemeColorName) {
			spans = append(spans, editor.Span{Length: length, Color: color})
		})
		return func() {
			if p.editor == e && e.Text() == text {
				e.Colour(text, spans)
			}
		}
	})
}

// shortcut runs Save and Find; all else is the window's.
func (p *filePage) shortcut(s fyne.Shortcut) {
	if c, ok := s.(*desktop.CustomShortcut); ok && c.Modifier == fyne.KeyModifierShortcutDefault {
		switch c.KeyName {
		case fyne.KeyS:
			p.store()
			return
		case fyne.KeyF:
			p.find()
			return
		}
	}
	p.f.w.shortcut(s)
}

func (p *filePage) find() {
	p.finding.Show()
	relayout(p.object)
	p.object.Refresh()
	p.finding.SetText(firstLine(p.editor.SelectedText()))
	p.f.w.fyne.Canvas().Focus(p.finding)
}

func firstLine(text string) string {
	for i, r := range text {
		if r == '\n' {
			return text[:i]
		}
	}
	return text
}

func (p *filePage) endFind() {
	p.finding.Hide()
	relayout(p.object)
	p.object.Refresh()
	p.focus()
}

func (p *filePage) editMenu(at fyne.Position) {
	w, e := p.f.w, p.editor
	item := func(id string, do func()) menuItem { return menuItem{id: id, text: w.text(id), do: do} }
	items := []menuItem{item("ui.Copy", func() { e.TypedShortcut(&fyne.ShortcutCopy{}) })}
	if !e.ReadOnly() {
		items = append(items,
			item("files.Cut", func() { e.TypedShortcut(&fyne.ShortcutCut{}) }),
			item("files.Paste", func() { e.TypedShortcut(&fyne.ShortcutPaste{}) }),
			menuItem{},
			item("files.Undo", e.Undo), item("files.Redo", e.Redo))
	}
	w.popUpAt(at, append(items, menuItem{}, item("files.Find", p.find)))
}

// store saves the text.
func (p *filePage) store() {
	if !p.unsaved() || p.saving {
		return
	}
	version := p.content.Version
	p.keep(func(ctx context.Context, files *app.Files, data []byte) (app.Version, string, error) {
		saved, err := files.Save(ctx, p.name, data, version)
		return saved, "", err
	})
}

// storeMine saves the text in place of the other version, which is kept.
func (p *filePage) storeMine() {
	label := p.f.w.text("files.OtherLabel")
	p.keep(func(ctx context.Context, files *app.Files, data []byte) (app.Version, string, error) {
		beside, saved, err := files.SaveKeeping(ctx, p.name, data, label)
		return saved, beside, err
	})
}

// keep saves the text in some way, which may have kept something beside it.
func (p *filePage) keep(save func(ctx context.Context, files *app.Files, data []byte) (saved app.Version, beside string, err error)) {
	files, ok := p.f.files()
	if !ok || p.editor == nil {
		return
	}
	w, text, name := p.f.w, p.editor.Text(), p.name
	p.saving = true
	p.showHead()
	w.bridge.beside(func(ctx context.Context) func() {
		saved, beside, err := save(ctx, files, []byte(text))
		var entry app.FileEntry
		if err == nil {
			entry, _ = files.Stat(ctx, name)
		}
		return func() { p.kept(text, saved, beside, entry, err) }
	})
}

func (p *filePage) kept(text string, saved app.Version, beside string, entry app.FileEntry, err error) {
	p.saving = false
	var changed *app.ChangedError
	switch {
	case errors.As(err, &changed):
		p.clash = true
	case err != nil:
		p.f.fail(err)
	default:
		p.clash, p.content.Version, p.entry = false, saved, entry
		if p.editor != nil && p.editor.Text() == text {
			p.editor.Saved()
		}
		p.f.tell("", "")
		if beside != "" {
			p.f.tell(p.f.w.text("files.KeptBeside", "Name", path.Base(beside)), tokens.OK)
		}
		p.f.refresh()
	}
	p.showHead()
	p.showBanner()
	p.refocus()
}

// refocus gives the keys back to the text after a button took them.
func (p *filePage) refocus() {
	if p.f.w.fyne.Canvas().Focused() == nil {
		p.focus()
	}
}

// takeTheirs shows the version on the disk; the text is kept beside it.
func (p *filePage) takeTheirs() {
	files, ok := p.f.files()
	if !ok || p.editor == nil {
		return
	}
	w, text, name, label := p.f.w, p.editor.Text(), p.name, p.f.w.text("files.MineLabel")
	w.bridge.beside(func(ctx context.Context) func() {
		beside, err := files.SaveBeside(ctx, name, []byte(text), label)
		if err != nil {
			return func() { p.f.fail(err) }
		}
		entry, content, picture, err := fetch(ctx, files, name, nil)
		return func() {
			p.take(entry, content, picture, err)
			p.f.tell(w.text("files.KeptBeside", "Name", path.Base(beside)), tokens.OK)
			p.f.refresh()
			p.refocus()
		}
	})
}

// look is how the file is compared with what is shown: as long as nothing is
// typed, the page shows what is on the disk.
func (p *filePage) look(files *app.Files) func(context.Context) func() {
	if p.loading || p.saving || p.err != nil {
		return nil
	}
	name, before, version := p.name, p.entry, p.content.Version
	return func(ctx context.Context) func() {
		entry, err := files.Stat(ctx, name)
		if err != nil || entry.Modified.Equal(before.Modified) && entry.Size == before.Size {
			return nil // one that is gone is made again when it is saved
		}
		entry, content, picture, err := fetch(ctx, files, name, nil)
		if err != nil {
			return nil // perhaps it is being written: next time
		}
		return func() {
			switch {
			case p.name != name || p.content.Version != version || p.saving:
			case content.Version == version:
				p.entry = entry
			case p.unsaved():
				p.clash = true
				p.showBanner()
			default:
				p.take(entry, content, picture, nil)
			}
		}
	}
}
