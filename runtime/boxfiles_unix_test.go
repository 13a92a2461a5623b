//go:build unix

package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/runtime/enginetest"
)

// images are those that files must work with, as they are.
var images = map[string]func(testing.TB) string{"busybox": enginetest.Busybox, "debian": enginetest.Debian}

// inImages tests in a container of each image. The folder of this computer
// with what the tree says is /work in there, and so is the agent's folder.
func inImages(t *testing.T, tree []string, test func(t *testing.T, files Files, dir string)) {
	for name, image := range images {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files, dir := boxFolder(t, image(t), tree...)
			test(t, files, dir)
		})
	}
}

func boxFolder(t testing.TB, image string, tree ...string) (Files, string) {
	t.Helper()
	_, dir := folder(t, tree...)
	name := enginetest.Run(t, image, "-v", dir+":/work")
	return New(Spec{Kind: Container, Name: name, WorkspacePath: "/work"}, testHost(t)).Files(), dir
}

func testHost(t testing.TB) Host {
	return Host{Environ: func(context.Context) []string { return os.Environ() }, Log: func(line string) { t.Log(line) }}
}

func TestBoxStrangeNames(t *testing.T) {
	inImages(t, nil, func(t *testing.T, files Files, dir string) {
		ctx := t.Context()
		for _, name := range strange {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		entries, err := files.List(ctx, ".")
		if want := slices.Sorted(slices.Values(strange)); err != nil || !slices.Equal(names(entries), want) {
			t.Errorf("list: %q, %v, want %q", names(entries), err, want)
		}
		for i, name := range strange {
			content := "\x00\xff\r\n" + name
			if err := files.Write(ctx, name, strings.NewReader(content)); err != nil {
				t.Fatalf("%q: %v", name, err)
			}
			if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != content {
				t.Errorf("%q holds %q, %v", name, got, err)
			}
			if i == 1 || i == 3 { // every verb takes names in the same way
				changeAll(t, files, name, content)
			}
		}
	})
}

// changeAll does all that can be done with a file.
func changeAll(t *testing.T, files Files, name, content string) {
	t.Helper()
	ctx := t.Context()
	if got := read(t, files, name); got != content {
		t.Errorf("%q holds %q", name, got)
	}
	if e, err := files.Stat(ctx, name); err != nil || e.Name != name || e.Size != int64(len(content)) || e.Mode != 0o600 || e.Modified.IsZero() {
		t.Errorf("%q: %+v, %v", name, e, err)
	}
	moved := name + "\xff\n"
	for _, err := range []error{
		files.Rename(ctx, name, moved), files.Make(ctx, name), files.Rename(ctx, moved, name+"/"+moved),
	} {
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
	}
	if e, err := files.List(ctx, name); err != nil || len(e) != 1 || e[0].Name != moved {
		t.Errorf("%q: %+v, %v", name, e, err)
	}
	if err := files.Delete(ctx, name); err != nil {
		t.Fatalf("%q: %v", name, err)
	}
}

func TestBoxOutside(t *testing.T) {
	tree := []string{"a", "in/", "in/b", "up -> ..", "hosts -> /etc/passwd", "etc -> /etc", "beside -> ../tmp", "in/out -> ../../tmp", "- -> /etc"}
	inImages(t, tree, func(t *testing.T, files Files, dir string) {
		for _, name := range []string{"..", "../tmp/kept", "/etc/passwd", "in/../../tmp/kept", "up/tmp/kept", "etc/passwd", "in/out/new", "-/passwd", "a\x00"} {
			for op, do := range every(files) {
				if err := do(t.Context(), name); !errors.Is(err, ErrOutside) {
					t.Errorf("%s %q: %v", op, name, err)
				}
			}
		}
		for _, op := range []string{"open", "write", "list"} {
			for _, name := range []string{"hosts", "etc", "beside", "in/out", "-"} {
				if err := every(files)[op](t.Context(), name); !errors.Is(err, ErrOutside) {
					t.Errorf("%s %s, itself a symlink out: %v", op, name, err)
				}
			}
		}
		if got, err := os.ReadFile(filepath.Join(dir, "a")); err != nil || string(got) != "a" {
			t.Errorf("a: %q, %v", got, err)
		}
	})
}

func TestBoxSymlinks(t *testing.T) {
	tree := []string{"a", "docs/b", "link -> a", "nowhere -> gone", "out -> /etc/passwd", "folder -> docs", "loop -> loop",
		"absolute -> /work/docs", "l'i\nn\"k -> t'a\nr -> g\"et", "docs/up -> ../a", "chain -> folder/up"}
	inImages(t, tree, func(t *testing.T, files Files, dir string) {
		entries, err := files.List(t.Context(), ".")
		if err != nil {
			t.Fatal(err)
		}
		outside := map[string]bool{"link": false, "nowhere": true, "out": true, "folder": false, "absolute": false, "loop": true, "l'i\nn\"k": true, "chain": false}
		for _, e := range entries {
			want, link := outside[e.Name]
			target, _ := os.Readlink(filepath.Join(dir, e.Name))
			if e.Target != target || link != (e.Mode&fs.ModeSymlink != 0) || e.Outside != want {
				t.Errorf("%+v", e)
			}
		}
		if len(entries) != 10 {
			t.Errorf("%q", names(entries))
		}
		for name, want := range map[string]string{"link": "a", "folder/b": "docs/b", "absolute/b": "docs/b", "chain": "a"} {
			if got := read(t, files, name); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
		if err := files.Write(t.Context(), "chain", strings.NewReader("new")); err != nil {
			t.Fatal(err)
		}
		if got := read(t, files, "a"); got != "new" {
			t.Errorf("a: %q", got)
		}
		if e, err := files.Stat(t.Context(), "out"); err != nil || e.Target != "/etc/passwd" || !e.Outside {
			t.Errorf("out: %+v, %v", e, err)
		}
		for _, name := range []string{"folder", "out", "nowhere"} {
			if err := files.Delete(t.Context(), name); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got := read(t, files, "docs/b"); got != "docs/b" {
			t.Errorf("docs/b: %q", got)
		}
	})
}

func TestBoxErrors(t *testing.T) {
	inImages(t, []string{"a", "docs/b"}, func(t *testing.T, files Files, dir string) {
		ctx := t.Context()
		for what, test := range map[string]struct{ err, want error }{
			"list nothing":       {second(files.List(ctx, "gone")), fs.ErrNotExist},
			"list a file":        {second(files.List(ctx, "a")), ErrNotFolder},
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
			"delete the folder":  {files.Delete(ctx, "."), fs.ErrInvalid},
		} {
			if !errors.Is(test.err, test.want) {
				t.Errorf("%s: %v, want %v", what, test.err, test.want)
			}
		}
		if got := read(t, files, "a"); got != "a" {
			t.Errorf("a: %q", got)
		}
	})
}

func TestBoxWrite(t *testing.T) {
	inImages(t, []string{"a"}, func(t *testing.T, files Files, dir string) {
		if err := os.Chmod(filepath.Join(dir, "a"), 0o755); err != nil {
			t.Fatal(err)
		}
		broken := errors.New("broken")
		err := files.Write(t.Context(), "a", io.MultiReader(strings.NewReader("half"), failing{broken}))
		if !errors.Is(err, broken) {
			t.Errorf("a broken reader: %v", err)
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
	})
}

// 100 MB go in and out, and whoever counts what is read sees how far they are.
func TestBoxLarge(t *testing.T) {
	inImages(t, nil, func(t *testing.T, files Files, dir string) {
		const size = 100 << 20
		steps := 0
		source := progress{io.LimitReader(rand.New(rand.NewSource(1)), size), func() { steps++ }}
		if err := files.Write(t.Context(), "large", source); err != nil {
			t.Fatal(err)
		}
		if steps < 100 {
			t.Errorf("it was read in %d steps", steps)
		}
		file, err := files.Open(t.Context(), "large")
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		same := rand.New(rand.NewSource(1))
		got, want := make([]byte, 1<<20), make([]byte, 1<<20)
		for n := 0; n < size; n += len(got) {
			_, err := io.ReadFull(file, got)
			_, _ = same.Read(want)
			if err != nil || string(got) != string(want) {
				t.Fatalf("at %d: other bytes, %v", n, err)
			}
		}
		if n, err := file.Read(got); n != 0 || err != io.EOF {
			t.Errorf("at the end: %d, %v", n, err)
		}
	})
}

type progress struct {
	io.Reader
	step func()
}

func (p progress) Read(b []byte) (int, error) { p.step(); return p.Reader.Read(b) }

// Who stops reading leaves nothing running inside.
func TestBoxCloseEarly(t *testing.T) {
	name := enginetest.Run(t, enginetest.Busybox(t))
	enginetest.Docker(t, "exec", name, "sh", "-c", "mkdir /work; dd if=/dev/zero of=/work/large bs=1M count=50")
	files := New(Spec{Kind: Container, Name: name, WorkspacePath: "/work"}, testHost(t)).Files()
	file, err := files.Open(t.Context(), "large")
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	until(t, "cat has ended", func() bool {
		return !strings.Contains(enginetest.Docker(t, "exec", name, "ps"), "cat ")
	})
}

// What an image does not have is named.
func TestBoxWithoutShell(t *testing.T) {
	name := enginetest.Run(t, enginetest.Busybox(t))
	enginetest.Docker(t, "exec", name, "rm", "/bin/sh")
	files := New(Spec{Kind: Container, Name: name, WorkspacePath: "/tmp"}, testHost(t)).Files()
	_, err := files.List(t.Context(), ".")
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != NoShell {
		t.Error(err)
	}
}

func BenchmarkBoxList10000(b *testing.B) {
	for name, image := range images {
		b.Run(name, func(b *testing.B) {
			files, dir := boxFolder(b, image(b))
			for i := range 10_000 {
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file %05d.txt", i)), nil, 0o644); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				entries, err := files.List(b.Context(), ".")
				if err != nil || len(entries) != 10_000 {
					b.Fatal(len(entries), err)
				}
			}
		})
	}
}
