package runtime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// folder makes an agent's folder with what a tree says: "a/" is a folder,
// "a -> b" a symlink, anything else a file that holds its name.
func folder(t testing.TB, tree ...string) (*LocalFiles, string) {
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
	return NewLocalFiles(dir), dir
}

func names(entries []Entry) (list []string) {
	for _, e := range entries {
		list = append(list, e.Name)
	}
	return list
}

// strange are names that programs trip over.
var strange = []string{
	"with space", "quo'te", `quo"te`, "new\nline", "tab\t", "-rf", "$HOME", "été", "e\u0301", "日本", "👩‍💻", "a*b?[c]", `back\slash`, "...",
	strings.Repeat("x", 255), "\xff\xfe",
}

func TestStrangeNames(t *testing.T) {
	files, _ := folder(t)
	ctx := t.Context()
	for _, name := range strange {
		t.Run(name, func(t *testing.T) {
			content := "\x00\xff\r\n" + name
			if err := files.Write(ctx, name, strings.NewReader(content)); err != nil {
				t.Fatal(err)
			}
			entry, err := files.Stat(ctx, name)
			if err != nil || entry.Name != name || entry.Size != int64(len(content)) || !entry.Mode.IsRegular() || entry.Modified.IsZero() {
				t.Errorf("Stat: %+v, %v", entry, err)
			}
			entries, err := files.List(ctx, ".")
			if err != nil || !slices.Contains(names(entries), name) {
				t.Errorf("List: %q, %v", names(entries), err)
			}
			if got := read(t, files, name); got != content {
				t.Errorf("Open: %q", got)
			}
			if err := files.Rename(ctx, name, "moved"); err != nil {
				t.Fatal(err)
			}
			if err := files.Erase(ctx, "moved"); err != nil {
				t.Fatal(err)
			}
			if err := files.Make(ctx, name); err != nil {
				t.Fatal(err)
			}
			if entries, err := files.List(ctx, name); err != nil || len(entries) != 0 {
				t.Errorf("List of a folder: %v, %v", entries, err)
			}
			if err := files.Erase(ctx, name); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func read(t testing.TB, files Files, name string) string {
	t.Helper()
	file, err := files.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// every gives a name to each operation of Files.
func every(files Files) map[string]func(ctx context.Context, name string) error {
	return map[string]func(ctx context.Context, name string) error{
		"list":  func(ctx context.Context, name string) error { _, err := files.List(ctx, name); return err },
		"stat":  func(ctx context.Context, name string) error { _, err := files.Stat(ctx, name); return err },
		"write": func(ctx context.Context, name string) error { return files.Write(ctx, name, strings.NewReader("x")) },
		"make":  files.Make,
		"open": func(ctx context.Context, name string) error {
			file, err := files.Open(ctx, name)
			if err == nil {
				file.Close()
			}
			return err
		},
		"rename from": func(ctx context.Context, name string) error { return files.Rename(ctx, name, "moved") },
		"rename to":   func(ctx context.Context, name string) error { return files.Rename(ctx, "a", name) },
		"delete":      files.Delete,
	}
}

// What leads out is refused whatever is done, and nothing out there changes.
func TestOutside(t *testing.T) {
	files, dir := folder(t, "a", "in/", "in/b", "up -> ..", "hosts -> /etc/hosts", "etc -> /etc", "beside -> ../outside", "in/out -> ../../outside")
	outside := filepath.Join(filepath.Dir(dir), "outside")
	if err := os.Mkdir(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "kept"), []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"..", "../outside/kept", "/etc/hosts", "in/../../outside/kept", outside, "up/outside/kept", "etc/hosts", "beside/kept", "in/out/kept", "beside/new"} {
		for op, do := range every(files) {
			if err := do(t.Context(), name); !errors.Is(err, ErrOutside) {
				t.Errorf("%s %q: %v", op, name, err)
			}
		}
	}
	for _, op := range []string{"open", "write", "list"} {
		for _, name := range []string{"hosts", "etc", "beside", "in/out"} {
			if err := every(files)[op](t.Context(), name); !errors.Is(err, ErrOutside) {
				t.Errorf("%s %s, itself a symlink out: %v", op, name, err)
			}
		}
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) != 1 {
		t.Errorf("outside now has %v (%v)", left, err)
	}
	if content, err := os.ReadFile(filepath.Join(outside, "kept")); err != nil || string(content) != "kept" {
		t.Errorf("outside: %q, %v", content, err)
	}
}

func TestSymlinks(t *testing.T) {
	files, dir := folder(t, "a", "docs/b", "link -> a", "nowhere -> gone", "out -> /etc/hosts", "folder -> docs", "loop -> loop")
	if err := os.Symlink(filepath.Join(dir, "docs"), filepath.Join(dir, "absolute")); err != nil {
		t.Fatal(err)
	}
	entries, err := files.List(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	outside := map[string]bool{"link": false, "nowhere": true, "out": true, "folder": false, "absolute": false, "loop": true}
	for _, e := range entries {
		want, link := outside[e.Name]
		if link != (e.Target != "") || link != (e.Mode&fs.ModeSymlink != 0) || e.Outside != want {
			t.Errorf("%+v", e)
		}
	}
	for name, want := range map[string]string{"link": "a", "folder/b": "docs/b", "absolute/b": "docs/b"} {
		if got := read(t, files, name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	// A file is written through its symlink, which stays.
	if err := files.Write(t.Context(), "link", strings.NewReader("new")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, files, "a"); got != "new" {
		t.Errorf("a: %q", got)
	}
	if e, err := files.Stat(t.Context(), "link"); err != nil || e.Target != "a" {
		t.Errorf("link: %+v, %v", e, err)
	}
	// Deleting a symlink leaves what it leads to.
	for _, name := range []string{"folder", "out", "nowhere"} {
		if err := files.Erase(t.Context(), name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := read(t, files, "docs/b"); got != "docs/b" {
		t.Errorf("docs/b: %q", got)
	}
}

func TestErrors(t *testing.T) {
	files, dir := folder(t, "a", "docs/b")
	ctx := t.Context()
	for what, test := range map[string]struct{ err, want error }{
		"list nothing":       {second(files.List(ctx, "gone")), fs.ErrNotExist},
		"stat nothing":       {second(files.Stat(ctx, "gone")), fs.ErrNotExist},
		"open nothing":       {second(files.Open(ctx, "gone")), fs.ErrNotExist},
		"open a folder":      {second(files.Open(ctx, "docs")), ErrNotFile},
		"write a folder":     {files.Write(ctx, "docs", strings.NewReader("")), ErrNotFile},
		"write into nothing": {files.Write(ctx, "gone/x", strings.NewReader("")), fs.ErrNotExist},
		"make again":         {files.Make(ctx, "docs"), fs.ErrExist},
		"make into nothing":  {files.Make(ctx, "gone/x"), fs.ErrNotExist},
		"rename nothing":     {files.Rename(ctx, "gone", "x"), fs.ErrNotExist},
		"rename onto a file": {files.Rename(ctx, "docs/b", "a"), fs.ErrExist},
		"rename the folder":  {files.Rename(ctx, ".", "x"), fs.ErrInvalid},
		"rename onto itself": {files.Rename(ctx, "a", "a"), nil},
		"delete nothing":     {files.Delete(ctx, "gone"), fs.ErrNotExist},
		"delete the folder":  {files.Erase(ctx, "."), fs.ErrInvalid},
		"no folder":          {second(NewLocalFiles(filepath.Join(dir, "none")).List(ctx, ".")), fs.ErrNotExist},
	} {
		if !errors.Is(test.err, test.want) {
			t.Errorf("%s: %v, want %v", what, test.err, test.want)
		}
	}
	if got := read(t, files, "a"); got != "a" {
		t.Errorf("a: %q", got)
	}
	if _, err := NewLocalFiles(filepath.Join(dir, "a")).List(ctx, "."); err == nil {
		t.Error("a file is listed like a folder")
	}
}

func second[T any](_ T, err error) error { return err }

// A file is replaced wholly or not at all, keeps its mode, and leaves nothing
// beside it.
func TestWrite(t *testing.T) {
	files, dir := folder(t, "a")
	if err := os.Chmod(filepath.Join(dir, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := files.Write(t.Context(), "a", io.MultiReader(strings.NewReader("half"), failing{broken}))
	if !errors.Is(err, broken) {
		t.Errorf("a broken reader: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := files.Write(ctx, "a", strings.NewReader("late")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if got := read(t, files, "a"); got != "a" {
		t.Errorf("after what failed: %q", got)
	}
	if err := files.Write(t.Context(), "a", strings.NewReader("new")); err != nil {
		t.Fatal(err)
	}
	entries, err := files.List(t.Context(), ".")
	if err != nil || len(entries) != 1 || entries[0].Mode != 0o755 || entries[0].Size != 3 {
		t.Errorf("%+v, %v", entries, err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// 100 MB go through without being held in memory.
func TestWriteLarge(t *testing.T) {
	files, _ := folder(t)
	const size = 100 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := files.Write(t.Context(), "large", io.LimitReader(zeros{}, size)); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > size/10 {
		t.Errorf("%d bytes were allocated", n)
	}
	if e, err := files.Stat(t.Context(), "large"); err != nil || e.Size != size {
		t.Errorf("%+v, %v", e, err)
	}
}

// zeros is without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Without a trash nothing is lost, until it is asked for.
func TestNoTrash(t *testing.T) {
	files, _ := folder(t, "a")
	full := errors.New("full")
	files.trash = func(*spot) error { return full }
	err := files.Delete(t.Context(), "a")
	var none *TrashError
	if !errors.As(err, &none) || none.Name != "a" || !errors.Is(err, full) {
		t.Fatalf("%v", err)
	}
	if got := read(t, files, "a"); got != "a" {
		t.Errorf("a: %q", got)
	}
	if err := files.Erase(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if entries, err := files.List(t.Context(), "."); err != nil || len(entries) != 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

func TestIgnoresCase(t *testing.T) {
	_, dir := folder(t, "Name")
	_, err := os.Lstat(filepath.Join(dir, "nAME"))
	if got := IgnoresCase(dir); got != (err == nil) {
		t.Errorf("IgnoresCase = %v, looking for the other case gives %v", got, err)
	}
	if IgnoresCase(filepath.Join(dir, "none")) {
		t.Error("a folder that is not there ignores the case")
	}
}

func BenchmarkLocalList10000(b *testing.B) {
	files, dir := folder(b)
	for i := range 10_000 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file %05d", i)), nil, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		entries, err := files.List(b.Context(), ".")
		if err != nil || len(entries) != 10_000 {
			b.Fatal(len(entries), err)
		}
	}
}

func BenchmarkLocalWrite(b *testing.B) {
	files, _ := folder(b)
	content := bytes.Repeat([]byte("x"), 5<<20)
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		if err := files.Write(b.Context(), "file", bytes.NewReader(content)); err != nil {
			b.Fatal(err)
		}
	}
}
