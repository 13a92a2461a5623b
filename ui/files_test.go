package ui

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

// openFiles shows the Files tab of an agent whose folder holds files: names,
// those of folders with a slash. What is in a file is its name and a line end.
func openFiles(t testing.TB, names ...string) (*window, *folder, string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		full := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(full), 0o755)
		if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(full, 0o755)
		} else if err == nil {
			err = os.WriteFile(full, []byte(name+"\n"), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	f := newFake()
	f.filesOf = config.Agent{Name: "alice", Workspace: dir, Protect: []string{"kept.md"}}
	w := openTest(t, f)
	w.showAgent("alice")
	w.panel.show(filesTab)
	w.bridge.runErrands()
	return w, w.folder("alice"), dir
}

// shownNames are the entries of the tree, deeper ones with blanks before.
func shownNames(f *folder) (names []string) {
	for _, l := range f.tree.lines {
		names = append(names, strings.Repeat(" ", l.depth)+l.Name)
	}
	return names
}

func keys(o interface{ TypedKey(*fyne.KeyEvent) }, names ...fyne.KeyName) {
	for _, n := range names {
		o.TypedKey(&fyne.KeyEvent{Name: n})
	}
}

// answer fills in the dialog that is open and confirms it.
func answer(t *testing.T, w *window, text, confirm string) {
	t.Helper()
	top := w.fyne.Canvas().Overlays().Top()
	if top == nil {
		t.Fatal("no dialog is open")
	}
	if f, ok := w.fyne.Canvas().Focused().(*field); ok && text != "" {
		f.SetText(text)
	}
	find(t, top, confirm).press()
	w.bridge.runErrands()
}

func onDisk(t *testing.T, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestTreeByKeys(t *testing.T) {
	w, f, _ := openFiles(t, "docs/a.md", "docs/deep/b.md", "empty/", "notes.md")
	if got, want := shownNames(f), []string{"docs", "empty", "notes.md"}; !slices.Equal(got, want) {
		t.Fatalf("%q, want %q", got, want)
	}
	w.fyne.Canvas().Focus(f.tree)
	if f.tree.chosen != "docs" {
		t.Errorf("at first %q is chosen", f.tree.chosen)
	}
	keys(f.tree, fyne.KeyRight)
	w.bridge.runErrands()
	if got, want := shownNames(f), []string{"docs", " deep", " a.md", "empty", "notes.md"}; !slices.Equal(got, want) {
		t.Errorf("unfolded: %q, want %q", got, want)
	}
	keys(f.tree, fyne.KeyRight, fyne.KeyDown)
	if f.tree.chosen != "docs/a.md" {
		t.Errorf("%q is chosen", f.tree.chosen)
	}
	f.tree.TypedRune('N')
	if f.tree.chosen != "notes.md" {
		t.Errorf("typing N chooses %q", f.tree.chosen)
	}
	f.tree.choose("docs/a.md")
	keys(f.tree, fyne.KeyLeft, fyne.KeyLeft)
	if got := shownNames(f); len(got) != 3 || f.tree.chosen != "docs" {
		t.Errorf("folded: %q, %q is chosen", got, f.tree.chosen)
	}
	keys(f.tree, fyne.KeyEnd, fyne.KeyReturn)
	w.bridge.runErrands()
	if f.page == nil || f.page.editor == nil || w.fyne.Canvas().Focused() != fyne.Focusable(f.page.editor) {
		t.Fatal("Enter does not open the file")
	}
	keys(f.page.editor, fyne.KeyEscape)
	if f.page != nil || w.fyne.Canvas().Focused() != fyne.Focusable(f.tree) || len(f.pages) != 0 {
		t.Error("Escape does not go back to the tree")
	}
}

func TestEditAndSave(t *testing.T) {
	w, f, dir := openFiles(t, "notes.md")
	f.open("notes.md", 0)
	w.bridge.runErrands()
	save := find(t, f.object, w.text("files.Save"))
	if !save.disabled {
		t.Error("there is something to save at once")
	}
	test.Type(f.page.editor, "My ")
	if save.disabled || !slices.Contains(texts(f.object), "● notes.md") {
		t.Error("a change is not shown")
	}
	f.page.editor.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyS, Modifier: fyne.KeyModifierShortcutDefault})
	w.bridge.runErrands()
	if got := onDisk(t, dir, "notes.md"); got != "My notes.md\n" || f.page.unsaved() {
		t.Errorf("saved %q, unsaved %v", got, f.page.unsaved())
	}
}

// Text that is not saved stays, whatever is looked at meanwhile.
func TestUnsavedTextIsKept(t *testing.T) {
	w, f, _ := openFiles(t, "a.txt", "b.txt")
	f.open("a.txt", 0)
	w.bridge.runErrands()
	test.Type(f.page.editor, "kept ")
	for what, look := range map[string]func(){
		"the tree":       f.close,
		"another file":   func() { f.open("b.txt", 0) },
		"another tab":    func() { w.panel.show("log") },
		"another agent":  func() { w.showAgent("garfield") },
		"no agent":       func() { w.openAgent(w.opened) },
		"other language": func() { w.backend.(*fake).config.UI.Language = "fr"; w.apply([]app.Event{{Kind: app.ConfigChanged}}) },
	} {
		look()
		w.bridge.runErrands()
		w.showAgent("alice")
		w.panel.show(filesTab)
		f.open("a.txt", 0)
		w.bridge.runErrands()
		if got := f.page.editor.Text(); got != "kept a.txt\n" || !f.page.unsaved() {
			t.Errorf("after %s: %q", what, got)
		}
	}
	f.close()
	if r, ok := f.tree.list.Row("a.txt").(*fileRow); !ok || !strings.HasPrefix(r.name.text, "● ") {
		t.Error("the tree does not say that it is not saved")
	}
}

// closing is a window that is only said to be closed.
type closing struct {
	fyne.Window
	closed *bool
}

func (c closing) Close() { *c.closed = true }

// Quitting asks, and can save.
func TestQuitAsksAboutUnsavedText(t *testing.T) {
	w, f, dir := openFiles(t, "a.txt", "b.txt")
	for _, name := range []string{"a.txt", "b.txt"} {
		f.open(name, 0)
		w.bridge.runErrands()
		test.Type(f.page.editor, "x")
	}
	closed := false
	w.fyne = closing{w.fyne, &closed}
	w.quit()
	w.quit()
	if n := len(w.fyne.Canvas().Overlays().List()); n != 1 || closed {
		t.Fatalf("%d dialogs, closed %v", n, closed)
	}
	if all := strings.Join(texts(w.fyne.Canvas().Overlays().Top()), "\n"); !strings.Contains(all, "2 texts are not saved: a.txt, b.txt") {
		t.Errorf("it says %q", all)
	}
	answer(t, w, "", w.text("files.SaveAll"))
	w.bridge.runErrands()
	if onDisk(t, dir, "a.txt") != "xa.txt\n" || onDisk(t, dir, "b.txt") != "xb.txt\n" || !closed {
		t.Errorf("not saved, or not closed (%v)", closed)
	}
}

// A file that something else changed: shown anew while nothing was typed, else
// both versions are kept.
func TestChangedOnDisk(t *testing.T) {
	for button, want := range map[string][2]string{ // what is in notes.md, and beside it
		"files.SaveMine":   {"mine notes.md\n", "theirs"},
		"files.TakeTheirs": {"theirs", "mine notes.md\n"},
	} {
		t.Run(button, func(t *testing.T) {
			w, f, dir := openFiles(t, "notes.md")
			f.open("notes.md", 0)
			w.bridge.runErrands()
			write := func(text string, later time.Duration) {
				t.Helper()
				file := filepath.Join(dir, "notes.md")
				at := time.Now().Add(later)
				if err := errors.Join(os.WriteFile(file, []byte(text), 0o644), os.Chtimes(file, at, at)); err != nil {
					t.Fatal(err)
				}
				f.refresh()
				w.bridge.runErrands()
			}
			write("first", time.Minute)
			if got := f.page.editor.Text(); got != "first" {
				t.Errorf("still shows %q", got)
			}
			write("notes.md\n", 2*time.Minute)
			test.Type(f.page.editor, "mine ")
			write("theirs", 3*time.Minute)
			if got := f.page.editor.Text(); got != "mine notes.md\n" {
				t.Fatalf("what was typed is now %q", got)
			}
			find(t, f.object, w.text(button)).press()
			w.bridge.runErrands()
			label := map[string]string{"files.SaveMine": "other", "files.TakeTheirs": "mine"}[button]
			if got := [2]string{onDisk(t, dir, "notes.md"), onDisk(t, dir, "notes ("+label+").md")}; got != want {
				t.Errorf("%q, want %q", got, want)
			}
			if got := f.page.editor.Text(); got != want[0] || f.page.unsaved() {
				t.Errorf("shows %q, unsaved %v", got, f.page.unsaved())
			}
		})
	}
}

// Saving notices a change that was not seen yet.
func TestSaveOverAChange(t *testing.T) {
	w, f, dir := openFiles(t, "notes.md")
	f.open("notes.md", 0)
	w.bridge.runErrands()
	test.Type(f.page.editor, "mine ")
	if err := os.WriteFile(filepath.Join(dir, "notes.md"), []byte("theirs"), 0o644); err != nil {
		t.Fatal(err)
	}
	f.page.store()
	w.bridge.runErrands()
	if got := onDisk(t, dir, "notes.md"); got != "theirs" || !f.page.clash {
		t.Errorf("%q, noticed %v", got, f.page.clash)
	}
	find(t, f.object, w.text("files.SaveMine"))
}

func TestProtectedCannotBeChanged(t *testing.T) {
	w, f, dir := openFiles(t, "kept.md", "skills/x.md")
	f.open("kept.md", 0)
	w.bridge.runErrands()
	if !f.page.editor.ReadOnly() || f.page.lock.Hidden || search(f.object, w.text("files.Save")) != nil {
		t.Error("a protected file can be changed")
	}
	test.Type(f.page.editor, "x")
	if f.page.unsaved() {
		t.Error("it was changed")
	}
	f.close()
	w.bridge.runErrands()
	for name, rule := range map[string]string{"kept.md": "“kept.md” under `protect`", "skills": "always protected"} {
		r, ok := f.tree.list.Row(name).(*fileRow)
		if !ok || r.lock.Hidden || !strings.Contains(r.help(), rule) {
			t.Errorf("%s: no lock, or it does not say why", name)
			continue
		}
		f.tree.choose(name)
		for _, key := range []fyne.KeyName{fyne.KeyF2, fyne.KeyDelete} {
			if keys(f.tree, key); w.fyne.Canvas().Overlays().Top() != nil {
				t.Errorf("%s: %s asks", name, key)
			}
		}
		if !slices.ContainsFunc(texts(f.object), func(s string) bool { return strings.Contains(s, rule) }) {
			t.Errorf("%s: it is not said why", name)
		}
	}
	onDisk(t, dir, "kept.md")
}

func TestNewRenameDelete(t *testing.T) {
	w, f, dir := openFiles(t, "docs/a.md", "b.md")
	f.tree.choose("docs")
	f.askNew(true)
	answer(t, w, "deep", w.text("files.Create"))
	f.tree.choose("docs/deep")
	f.askNew(false)
	answer(t, w, "new é.md", w.text("files.Create"))
	if f.page == nil || f.page.name != "docs/deep/new é.md" {
		t.Fatal("the new file is not opened")
	}
	test.Type(f.page.editor, "text")
	f.close()
	w.bridge.runErrands()
	f.askRename(f.tree.lines[0].FileEntry) // docs
	answer(t, w, "papers", w.text("files.Rename"))
	if p := f.pages["papers/deep/new é.md"]; p == nil || p.editor.Text() != "text" {
		t.Errorf("the text that is not saved did not move along: %v", f.pages)
	}
	f.askNew(false)
	answer(t, w, "  ", w.text("files.Create"))
	if w.fyne.Canvas().Overlays().Top() == nil {
		t.Error("a file without a name is made")
	}
	w.leave()
	f.tree.choose("b.md")
	keys(f.tree, fyne.KeyDelete)
	answer(t, w, "", w.text("files.Delete"))
	f.tree.choose("papers")
	keys(f.tree, fyne.KeyDelete)
	answer(t, w, "", w.text("files.Delete"))
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 || len(f.tree.lines) != 0 || len(f.pages) != 0 {
		t.Errorf("left: %v, %v, shown %q", left, err, shownNames(f))
	}
	shows(t, f.object, w.text("files.Empty"))
}

func TestDropUploads(t *testing.T) {
	w, f, dir := openFiles(t, "docs/", "there.txt")
	from := t.TempDir()
	for _, name := range []string{"new.txt", "there.txt"} {
		if err := os.WriteFile(filepath.Join(from, name), []byte("dropped"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	row := func(name string) fyne.Position {
		r := w.place(f.tree.list.Row(name))
		return fyne.NewPos(r.X+r.W/2, r.Y+r.H/2)
	}
	if !w.dropOnFiles(row("docs"), []string{filepath.Join(from, "new.txt")}) {
		t.Fatal("the tab does not take files")
	}
	w.bridge.runErrands()
	w.bridge.runErrands()
	if onDisk(t, dir, "docs", "new.txt") != "dropped" || f.tree.chosen != "docs/new.txt" {
		t.Errorf("chosen %q", f.tree.chosen)
	}
	w.dropOnFiles(row("there.txt"), []string{filepath.Join(from, "there.txt")})
	w.bridge.runErrands()
	if got := onDisk(t, dir, "there.txt"); got != "there.txt\n" {
		t.Fatalf("replaced without asking: %q", got)
	}
	answer(t, w, "", w.text("files.Replace"))
	if got := onDisk(t, dir, "there.txt"); got != "dropped" {
		t.Errorf("not replaced: %q", got)
	}
	if w.dropOnFiles(fyne.NewPos(400, 400), []string{"x"}) {
		t.Error("what is dropped on the conversation goes to the files")
	}
}

func TestDownload(t *testing.T) {
	w, f, _ := openFiles(t, "a.txt")
	to := t.TempDir()
	f.askDownload(f.tree.lines[0].FileEntry)
	answer(t, w, "not/absolute", w.text("files.Download"))
	shows(t, w.fyne.Canvas().Overlays().Top(), w.text("files.NotAbsolute"))
	answer(t, w, to, w.text("files.Download"))
	if got := onDisk(t, to, "a.txt"); got != "a.txt\n" {
		t.Errorf("%q", got)
	}
	shows(t, f.object, w.text("files.Downloaded", "Path", filepath.Join(to, "a.txt")))
}

func TestWhatIsNoText(t *testing.T) {
	w, f, dir := openFiles(t, "data.bin", "x.png", "gone")
	picture, err := base64.StdEncoding.DecodeString(pngData(t, 20, 10))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "data.bin"), []byte("a\x00b"), 0o644), os.WriteFile(filepath.Join(dir, "x.png"), picture, 0o644), os.Remove(filepath.Join(dir, "gone"))); err != nil {
		t.Fatal(err)
	}
	f.open("data.bin", 0)
	w.bridge.runErrands()
	shows(t, f.object, w.text("files.NoText", "Size", w.size(3)), w.text("files.Download"))
	f.open("x.png", 0)
	w.bridge.runErrands()
	if f.page.picture == nil {
		t.Error("the picture is not shown")
	}
	f.open("gone", 0)
	w.bridge.runErrands()
	shows(t, f.object, i18n.For("en").Text("files.Missing", "Name", "gone"))
}

// A place in a tool card opens in the Files tab, at its line.
func TestPlaceOfAToolOpens(t *testing.T) {
	w, f, dir := openFiles(t, "docs/a.md", "b.md")
	if err := os.WriteFile(filepath.Join(dir, "docs", "a.md"), []byte(strings.Repeat("x\n", 99)), 0o644); err != nil {
		t.Fatal(err)
	}
	w.openAgent("alice") // closes the panel
	fake := w.backend.(*fake)
	at := []acp.Location{{Path: filepath.Join(dir, "docs", "a.md"), Line: 42}}
	w.apply([]app.Event{fake.add(app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: time.Now(), EndedAt: time.Now(),
		Parts: []app.Part{{Kind: app.ToolPart, Tool: &acp.ToolCall{ID: "1", Kind: "read", Title: "Read", Status: acp.ToolCompleted, Locations: at}}}})})
	find(t, w.conversation.object, w.text("files.OpenPlace")).press()
	w.bridge.runErrands()
	if w.opened != "alice" || w.shownFolder() != f || f.page == nil || f.page.name != "docs/a.md" {
		t.Fatal("the file is not shown")
	}
	if line, _ := f.page.editor.Place(); line != 42 {
		t.Errorf("at line %d", line)
	}
	if f.tree.chosen != "docs/a.md" || !f.unfolded["docs"] {
		t.Error("the tree does not show where it is")
	}
	w.openPlace("alice", "/etc/passwd", 1)
	if f.page.name != "docs/a.md" {
		t.Error("a place outside of the folder is opened")
	}
}

func TestFindInFile(t *testing.T) {
	w, f, dir := openFiles(t, "a.txt")
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\ntwo\none\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f.open("a.txt", 0)
	w.bridge.runErrands()
	f.page.editor.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierShortcutDefault})
	f.page.finding.SetText("one")
	f.page.finding.OnSubmitted("one")
	if line, _ := f.page.editor.Place(); line != 3 {
		t.Errorf("found in line %d", line)
	}
	keys(f.page.finding, fyne.KeyEscape)
	if w.fyne.Canvas().Focused() != fyne.Focusable(f.page.editor) || f.page.finding.Visible() {
		t.Error("Escape does not go back to the text")
	}
}

func TestNoFolder(t *testing.T) {
	w, f, dir := openFiles(t)
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	f.refresh()
	w.bridge.runErrands()
	if all := strings.Join(texts(f.object), "\n"); !strings.Contains(all, "There is no folder") {
		t.Errorf("it says %q", all)
	}
}

func BenchmarkTree10000(b *testing.B) {
	names := make([]string, 10_000)
	for i := range names {
		names[i] = "file" + strings.Repeat("x", i%30) + string(rune('a'+i%26)) + time.Duration(i).String()
	}
	w, f, _ := openFiles(b, names...)
	b.ResetTimer()
	for b.Loop() {
		f.listed = nil
		f.refresh()
		w.bridge.runErrands()
	}
}
