package app

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/app/i18n"
	"git.rickub.com/bots-garden/sidekicks/protect"
	"git.rickub.com/bots-garden/sidekicks/runtime"
)

// agentFolder makes the files of an agent: "a/" is a folder, "a -> b" a
// symlink, anything else a file that holds its name.
func agentFolder(t *testing.T, c config.Agent, tree ...string) (*Files, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "work")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Mkdir(dir, 0o755))
	for _, entry := range tree {
		name, target, link := strings.Cut(entry, " -> ")
		full := filepath.Join(dir, name)
		must(os.MkdirAll(filepath.Dir(full), 0o755))
		switch {
		case link:
			must(os.Symlink(target, full))
		case strings.HasSuffix(name, "/"):
			must(os.MkdirAll(full, 0o755))
		default:
			must(os.WriteFile(full, []byte(name), 0o644))
		}
	}
	t.Setenv("XDG_DATA_HOME", t.TempDir()) // where the trash is
	c.Workspace = dir
	return NewFiles(runtime.NewLocalFiles(dir), dir, c), dir
}

// inside is all that is in a folder: the names of files with what they hold.
func inside(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || file == dir {
			return err
		}
		name, _ := filepath.Rel(dir, file)
		switch {
		case e.IsDir():
			found[name+"/"] = ""
		case e.Type()&fs.ModeSymlink != 0:
			found[name], err = os.Readlink(file)
		default:
			var data []byte
			data, err = os.ReadFile(file)
			found[name] = string(data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// What is protected stays as it is, whatever is tried with it or around it.
func TestProtectedFilesStay(t *testing.T) {
	files, dir := agentFolder(t, config.Agent{Protect: []string{"kept/deep/*.key", "docs/a.md", "later/x.txt"}},
		"AGENTS.md", "skills/review.md", "kept/deep/a.key", "kept/b.txt", "docs/a.md", "docs/b.md", "free.txt",
		"link.md -> AGENTS.md", "abilities -> skills", "moving/x.txt")
	upload := t.TempDir()
	for _, name := range []string{"AGENTS.md", "skills/review.md", "new/x.txt", "later/x.txt"} {
		full := filepath.Join(upload, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte("other"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	before := inside(t, dir)
	ctx := t.Context()
	for what, try := range map[string]func() error{
		"save": func() error {
			return forget(files.Save(ctx, "AGENTS.md", []byte("x"), versionOf(t, files, "AGENTS.md")))
		},
		"save through a symlink":     func() error { return forget(files.Save(ctx, "link.md", []byte("x"), versionOf(t, files, "link.md"))) },
		"save through a folder":      func() error { return forget(files.Save(ctx, "abilities/review.md", []byte("x"), Version{})) },
		"save keeping the other":     func() error { _, _, err := files.SaveKeeping(ctx, "AGENTS.md", nil, "x"); return err },
		"create in skills":           func() error { return files.Create(ctx, "skills/new.md") },
		"create through a symlink":   func() error { return files.Create(ctx, "abilities/new.md") },
		"make a folder in skills":    func() error { return files.Make(ctx, "skills/new") },
		"delete":                     func() error { return files.Delete(ctx, "AGENTS.md") },
		"delete for good":            func() error { return files.Erase(ctx, "AGENTS.md") },
		"delete its folder":          func() error { return files.Delete(ctx, "skills") },
		"delete a folder above":      func() error { return files.Delete(ctx, "kept") },
		"delete the folder between":  func() error { return files.Delete(ctx, "kept/deep") },
		"delete a folder of another": func() error { return files.Erase(ctx, "docs") },
		"delete behind a symlink":    func() error { return files.Delete(ctx, "abilities/review.md") },
		"rename":                     func() error { return files.Rename(ctx, "AGENTS.md", "x.md") },
		"rename the folder":          func() error { return files.Rename(ctx, "kept", "kept2") },
		"move out of its folder":     func() error { return files.Rename(ctx, "skills/review.md", "review.md") },
		"move onto":                  func() error { return files.Rename(ctx, "free.txt", "AGENTS.md") },
		"move into skills":           func() error { return files.Rename(ctx, "free.txt", "skills/free.txt") },
		"move a folder onto it":      func() error { return files.Rename(ctx, "moving", "later") },
		"upload onto":                func() error { return files.Upload(ctx, ".", filepath.Join(upload, "AGENTS.md"), true, nil) },
		"upload into skills":         func() error { return files.Upload(ctx, "skills", filepath.Join(upload, "AGENTS.md"), true, nil) },
		"upload a folder onto it":    func() error { return files.Upload(ctx, ".", filepath.Join(upload, "later"), true, nil) },
		"upload behind a symlink":    func() error { return files.Upload(ctx, "abilities", filepath.Join(upload, "new"), true, nil) },
	} {
		err := try()
		var refusal *protect.Refusal
		if !errors.As(err, &refusal) {
			t.Errorf("%s: %v, want a refusal", what, err)
		}
		if text := i18n.For("fr").Error(err); !strings.Contains(text, "protégé") {
			t.Errorf("%s: says %q", what, text)
		}
		if after := inside(t, dir); !maps.Equal(before, after) {
			t.Fatalf("%s: %v became %v", what, before, after)
		}
	}
}

func forget[T any](_ T, err error) error { return err }

func versionOf(t *testing.T, f *Files, name string) Version {
	t.Helper()
	c, err := f.Read(t.Context(), name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c.Version
}

// What is not protected can be worked with.
func TestFreeFiles(t *testing.T) {
	files, dir := agentFolder(t, config.Agent{Protect: []string{"docs/a.md"}}, "docs/a.md", "docs/b.md", "out/x/y", "free.txt", "link -> docs")
	ctx := t.Context()
	for what, err := range map[string]error{
		"save":          forget(files.Save(ctx, "free.txt", []byte("saved"), versionOf(t, files, "free.txt"))),
		"create":        files.Create(ctx, "new.txt"),
		"make":          files.Make(ctx, "made"),
		"delete a link": files.Delete(ctx, "link"),
		"delete beside": files.Delete(ctx, "docs/b.md"),
	} {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := files.Create(ctx, "new.txt"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("create again: %v", err)
	}
	if err := files.Rename(ctx, "out", "made"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("rename onto: %v", err)
	}
	if err := files.Rename(ctx, "out", "made/out"); err != nil {
		t.Errorf("move: %v", err)
	}
	if err := files.Erase(ctx, "made"); err != nil {
		t.Errorf("erase: %v", err)
	}
	want := map[string]string{"docs/": "", "docs/a.md": "docs/a.md", "free.txt": "saved", "new.txt": ""}
	if got := inside(t, dir); !maps.Equal(got, want) {
		t.Errorf("left: %v, want %v", got, want)
	}
}

func TestList(t *testing.T) {
	files, _ := agentFolder(t, config.Agent{}, "b.txt", "A.txt", "skills/x", "Docs/", "AGENTS.md", "out -> /etc")
	entries, err := files.List(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		name := e.Path
		if e.Rule != nil {
			name += "=" + string(e.Rule.Kind)
		}
		if e.Outside {
			name += "!"
		}
		got = append(got, name)
	}
	if want := []string{"Docs", "skills=Skills", "A.txt", "AGENTS.md=Instructions", "b.txt", "out!"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A file that changed since it was read is not overwritten, and both versions
// can be kept.
func TestChangedOnDisk(t *testing.T) {
	files, dir := agentFolder(t, config.Agent{}, "notes.md", ".env", "docs/a.tar.gz")
	ctx := t.Context()
	base := versionOf(t, files, "notes.md")
	write := func(content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "notes.md"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("theirs!!") // as long as before
	var changed *ChangedError
	if _, err := files.Save(ctx, "notes.md", []byte("mine"), base); !errors.As(err, &changed) {
		t.Fatalf("save: %v", err)
	}
	beside, saved, err := files.SaveKeeping(ctx, "notes.md", []byte("mine"), "other")
	if err != nil || beside != "notes (other).md" || saved != versionOf(t, files, "notes.md") {
		t.Fatalf("%q, %v", beside, err)
	}
	if beside, err = files.SaveBeside(ctx, "notes.md", []byte("mine too"), "other"); err != nil || beside != "notes (other 2).md" {
		t.Fatalf("%q, %v", beside, err)
	}
	if beside, err = files.SaveBeside(ctx, ".env", nil, "x"); err != nil || beside != ".env (x)" {
		t.Fatalf("%q, %v", beside, err)
	}
	if beside, err = files.SaveBeside(ctx, "docs/a.tar.gz", nil, "x"); err != nil || beside != "docs/a.tar (x).gz" {
		t.Fatalf("%q, %v", beside, err)
	}
	got := inside(t, dir)
	for name, want := range map[string]string{"notes.md": "mine", "notes (other).md": "theirs!!", "notes (other 2).md": "mine too"} {
		if got[name] != want {
			t.Errorf("%s: %q", name, got[name])
		}
	}
	// The same change by both, and a file that is gone, are no conflict.
	write("same")
	if _, err := files.Save(ctx, "notes.md", []byte("same"), saved); err != nil {
		t.Errorf("the same: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "notes.md")); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Save(ctx, "notes.md", []byte("again"), saved); err != nil {
		t.Errorf("gone: %v", err)
	}
}

func TestRead(t *testing.T) {
	files, dir := agentFolder(t, config.Agent{}, "a.txt", "AGENTS.md", "link -> AGENTS.md", "docs/")
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("nul", []byte("text, then \x00"))
	write("latin1", []byte("caf\xe9"))
	write("p.png", []byte("\x89PNG\r\n\x1a\n\x00\x00"))
	write("large", bytes.Repeat([]byte("x"), MostShown+1))
	write("empty", nil)
	for name, want := range map[string]struct{ text, picture, whole, locked bool }{
		"a.txt": {text: true, whole: true}, "AGENTS.md": {text: true, whole: true, locked: true},
		"link": {text: true, whole: true, locked: true}, "nul": {whole: true}, "latin1": {whole: true},
		"p.png": {picture: true, whole: true}, "large": {text: true}, "empty": {text: true, whole: true},
	} {
		var told int64
		c, err := files.Read(t.Context(), name, func(done, total int64) { told = done })
		if err != nil || c.File.Text != want.text || c.File.Picture != want.picture || c.Whole != want.whole || (c.Rule != nil) != want.locked {
			t.Errorf("%s: %+v, whole %v, rule %v, %v", name, c.File, c.Whole, c.Rule, err)
		}
		if told != int64(len(c.Data)) {
			t.Errorf("%s: told of %d bytes of %d", name, told, len(c.Data))
		}
	}
	for name, want := range map[string]string{
		"gone": "“gone” is not there any more; refresh the list", "docs": "“docs” is neither a file nor a folder and is left alone",
		"../x": "“x” leads out of the agent's folder and is left alone",
	} {
		_, err := files.Read(t.Context(), name, nil)
		if got := i18n.For("en").Error(err); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestTransfer(t *testing.T) {
	files, dir := agentFolder(t, config.Agent{}, "there.txt", "docs/a")
	source := t.TempDir()
	for _, name := range []string{"there.txt", "tree/a b", "tree/sub/é"} {
		full := filepath.Join(source, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(name), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	if err := files.Upload(ctx, ".", filepath.Join(source, "there.txt"), false, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("onto a file: %v", err)
	}
	if err := files.Upload(ctx, ".", filepath.Join(source, "there.txt"), true, nil); err != nil {
		t.Errorf("replace: %v", err)
	}
	var done, size int64
	progress := func(d, s int64) { done, size = d, s }
	if err := files.Upload(ctx, "docs", filepath.Join(source, "tree"), false, progress); err != nil || done != 19 || size != 19 {
		t.Errorf("a folder: %v, %d of %d bytes", err, done, size)
	}
	if err := files.Upload(ctx, "docs", filepath.Join(source, "tree"), true, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("onto a folder: %v", err)
	}
	if err := files.Upload(ctx, ".", os.DevNull, false, nil); !errors.Is(err, runtime.ErrNotFile) {
		t.Errorf("a device: %v", err)
	}
	want := map[string]string{"there.txt": "there.txt", "docs/": "", "docs/a": "docs/a", "docs/tree/": "", "docs/tree/a b": "tree/a b", "docs/tree/sub/": "", "docs/tree/sub/é": "tree/sub/é"}
	if got := inside(t, dir); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}

	to := filepath.Join(t.TempDir(), "new", "folder")
	for _, want := range []string{"docs", "docs (2)"} {
		got, err := files.Download(ctx, "docs", to, progress)
		if err != nil || got != filepath.Join(to, want) || done != size {
			t.Errorf("%s: %q, %v, %d of %d bytes", want, got, err, done, size)
		}
	}
	if got, err := files.Download(ctx, "there.txt", to, nil); err != nil || filepath.Base(got) != "there.txt" {
		t.Errorf("%q, %v", got, err)
	}
	if got := inside(t, to); got["docs (2)/tree/sub/é"] != "tree/sub/é" || got["there.txt"] != "there.txt" {
		t.Errorf("downloaded: %v", got)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if err := files.Upload(cancelled, ".", filepath.Join(source, "tree", "a b"), false, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, there := inside(t, dir)["a b"]; there {
		t.Error("half a file was left")
	}
}

func TestLocate(t *testing.T) {
	files := NewFiles(nil, "/box/work", config.Agent{Workspace: "/home/me/work", Runtime: config.Runtime{WorkspacePath: "/box/work"}})
	for place, want := range map[string]string{
		"/box/work/a/b.go": "a/b.go", "/home/me/work/c.go": "c.go", "/box/work": ".", "d/../e.go": "e.go",
		"/box/workshop/x": "", "/etc/passwd": "", "../x": "", "/box/work/../x": "",
	} {
		if got, ok := files.Locate(place); got != want && ok || ok != (want != "") {
			t.Errorf("%s: %q, %v", place, got, ok)
		}
	}
}
