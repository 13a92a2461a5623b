package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
)

// put writes a file in a folder and returns its path.
func put(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDroppedFilesAreSent(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	folder := t.TempDir()
	note := put(t, folder, "été.txt", "hello")
	w.composer.dropped(fyne.Position{}, []fyne.URI{storage.NewFileURI(note), storage.NewFileURI(folder), storage.NewFileURI(note)})
	w.bridge.runErrands()
	shows(t, w.composer.files.object, "été.txt", "5 bytes", filepath.Base(folder), "folder")
	if w.composer.send.disabled {
		t.Error("files alone cannot be sent")
	}
	w.show(2)
	if w.composer.files.object.Visible() {
		t.Error("the files go along to another channel")
	}
	w.show(1)
	w.bridge.runErrands()
	shows(t, w.composer.files.object, "été.txt")
	test.Type(w.composer.input, "look")
	press(w.composer.input, fyne.KeyReturn)
	if !asked(f, `send 1 "look" []`) || !asked(f, "with "+note) || !asked(f, "with "+folder) {
		t.Errorf("%q", f.called())
	}
	if len(w.composer.files.files) > 0 || len(f.Draft(1).Files) > 0 {
		t.Error("the files stay")
	}
}

func TestFilesThatCannotBeSentStay(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	gone := put(t, t.TempDir(), "gone.txt", "x")
	w.composer.attach([]string{gone})
	w.bridge.runErrands()
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	_, f.refuse = app.Examine(gone)
	test.Type(w.composer.input, "look")
	press(w.composer.input, fyne.KeyReturn)
	w.bridge.runErrands()
	shows(t, w.composer.files.object, "gone.txt is not there any more: put it back, or take it off the message")
	if w.composer.input.Text != "look" || len(w.composer.files.files) != 1 {
		t.Errorf("lost: %q", w.composer.input.Text)
	}
	test.Tap(find(t, w.composer.files.object, "Take gone.txt off the message"))
	if len(w.composer.files.files) > 0 || w.composer.files.object.Visible() {
		t.Error("it cannot be taken off")
	}
}

func TestPastedFiles(t *testing.T) {
	folder := t.TempDir()
	note, other := put(t, folder, "a b.txt", "x"), put(t, folder, "c.txt", "x")
	for name, c := range map[string]struct {
		clipboard string
		files     []string
	}{
		"a path":            {note, []string{note}},
		"URIs":              {app.FileURI(note) + "\r\n" + app.FileURI(other) + "\r\n", []string{note, other}},
		"a missing path":    {folder + "/none", nil},
		"a path and a text": {note + "\nis nice", nil},
		"a text":            {"see " + note, nil},
		"nothing":           {"", nil},
		"the root":          {"/", nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := openTest(t, newFake())
			in := w.composer.input
			in.TypedShortcut(&fyne.ShortcutPaste{Clipboard: given(c.clipboard)})
			w.bridge.runErrands()
			if got := w.composer.files.paths(); !slices.Equal(got, c.files) {
				t.Errorf("attached %q, want %q", got, c.files)
			}
			if c.files == nil && in.Text != c.clipboard || c.files != nil && in.Text != "" {
				t.Errorf("the text is %q", in.Text)
			}
			if c.files == nil {
				return
			}
			test.Tap(w.composer.advice.fix) // as text, after all
			if in.Text != c.clipboard || len(w.composer.files.files) > 0 {
				t.Errorf("as text: %q with %q", in.Text, w.composer.files.paths())
			}
		})
	}
}

func TestALongPasteIsAFile(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	w := openTest(t, newFake())
	text := strings.Repeat("a line\n", maxTyped/4)
	test.Type(w.composer.input, "see: ")
	w.composer.input.TypedShortcut(&fyne.ShortcutPaste{Clipboard: given(text)})
	w.bridge.runErrands()
	w.bridge.runErrands()
	paths := w.composer.files.paths()
	if len(paths) != 1 || w.composer.input.Text != "see: " {
		t.Fatalf("attached %q to %q", paths, w.composer.input.Text)
	}
	if data, err := os.ReadFile(paths[0]); err != nil || string(data) != text {
		t.Errorf("kept %d bytes, %v", len(data), err)
	}
	shows(t, w.composer.object, "The long text that you pasted is attached as a file.")
}

func TestFilesOfARecalledMessage(t *testing.T) {
	f := newFake()
	w := openTest(t, f)
	note := put(t, t.TempDir(), "note.txt", "x")
	block := acp.ResourceLink("note.txt", app.FileURI(note))
	link := app.Part{Seq: 1, Kind: app.AttachmentPart, Content: &block}
	w.apply([]app.Event{f.add(app.Message{Channel: 1, Kind: app.FromPerson, CreatedAt: time.Now(), EndedAt: time.Now(), Parts: append(say("again"), link)})})
	press(w.composer.input, fyne.KeyUp)
	if w.composer.input.Text != "again" || !slices.Equal(w.composer.files.paths(), []string{note}) {
		t.Errorf("%q with %q", w.composer.input.Text, w.composer.files.paths())
	}
}

func TestChoosingAFile(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("HOME", folder)
	if err := os.Mkdir(filepath.Join(folder, "work"), 0o700); err != nil {
		t.Fatal(err)
	}
	report := put(t, filepath.Join(folder, "work"), "Report.md", "x")
	put(t, folder, ".hidden", "x")
	put(t, folder, "zebra.txt", "x")
	w := openTest(t, newFake())
	names := func() (all []string) {
		w.bridge.runErrands()
		for _, one := range w.finder.found {
			all = append(all, one.id)
		}
		return all
	}
	test.Tap(w.composer.file)
	if got := names(); !slices.Equal(got, []string{"work", "zebra.txt", "this-folder"}) {
		t.Fatalf("it lists %q", got)
	}
	test.Type(w.finder.field, "wo")
	if got := names(); !slices.Equal(got, []string{"work"}) {
		t.Errorf("%q is offered", got)
	}
	w.finder.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if got := names(); !slices.Equal(got, []string{"Report.md", "this-folder"}) {
		t.Fatalf("in the folder: %q", got)
	}
	w.finder.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if got := w.composer.files.paths(); !slices.Equal(got, []string{report}) || w.finder.isOpen() {
		t.Errorf("attached %q", got)
	}
	test.Tap(w.composer.file)
	test.Type(w.finder.field, "nothing like that")
	if names(); w.finder.note.text != "Nothing of that name is here" {
		t.Errorf("it says %q", w.finder.note.text)
	}
}
