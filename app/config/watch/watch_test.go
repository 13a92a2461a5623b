package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// limit bounds every wait; a test that needs it has failed.
const limit = time.Minute

// watched is a file that is being watched.
type watched struct {
	t    testing.TB
	path string
	seen chan Content
}

func begin(t testing.TB, path string) *watched {
	t.Helper()
	w := &watched{t: t, path: path, seen: make(chan Content, 100)}
	ctx, stop := context.WithCancel(context.Background())
	read := func() Content {
		data, err := os.ReadFile(path)
		return Content{data, err}
	}
	ended := make(chan struct{})
	known := read()
	go func() {
		defer close(ended)
		File(ctx, path, known, read, func(c Content) { w.seen <- c })
	}()
	t.Cleanup(func() { stop(); <-ended })
	return w
}

// next is the next content that the watcher tells of.
func (w *watched) next() string {
	w.t.Helper()
	select {
	case c := <-w.seen:
		if c.Err != nil {
			return "unreadable"
		}
		return string(c.Data)
	case <-time.After(limit):
		w.t.Fatal("nothing was seen")
		return ""
	}
}

// want waits for a content, and for no other before it.
func (w *watched) want(content string) {
	w.t.Helper()
	if got := w.next(); got != content {
		w.t.Fatalf("saw %q, want %q", got, content)
	}
}

// after saves the file and waits for its content, and for no other before it:
// unless the computer is so busy that the save took longer than the watcher
// waits for one, which may have begun with something before.
func (w *watched) after(save func(), content string) {
	w.t.Helper()
	began := time.Now()
	save()
	took := time.Since(began)
	got := w.next()
	for took >= patience-settleMost && got != content {
		got = w.next()
	}
	if got != content {
		w.t.Fatalf("saw %q, want %q", got, content)
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Every way in which editors save is seen, again and again.
func TestSaves(t *testing.T) {
	for _, c := range []struct {
		name string
		save func(t *testing.T, path, text string)
	}{
		{"in place", func(t *testing.T, path, text string) {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			must(t, err)
			_, err = f.WriteString(text)
			must(t, err, f.Truncate(int64(len(text))), f.Close())
		}},
		{"renamed over", func(t *testing.T, path, text string) {
			write(t, path+".new", text)
			must(t, os.Rename(path+".new", path))
		}},
		{"moved away, then made again", func(t *testing.T, path, text string) {
			must(t, os.Rename(path, path+"~"))
			write(t, path, text)
		}},
		{"removed, then made again", func(t *testing.T, path, text string) {
			must(t, os.Remove(path))
			write(t, path, text)
		}},
		{"truncated, then written", func(t *testing.T, path, text string) {
			write(t, path, "")
			write(t, path, text)
		}},
		{"written in another folder, moved in", func(t *testing.T, path, text string) {
			other := filepath.Join(t.TempDir(), "file")
			write(t, other, text)
			must(t, os.Rename(other, path))
		}},
		{"with its permissions only a moment later", func(t *testing.T, path, text string) {
			must(t, os.Remove(path))
			write(t, path, text)
			must(t, os.Chmod(path, 0o640))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "team.yaml")
			write(t, path, "version: 1\n")
			w := begin(t, path)
			for i := range 3 {
				text := fmt.Sprintf("version: 1 # %d\n", i)
				w.after(func() { c.save(t, path, text) }, text)
			}
		})
	}
}

// A save that leaves the file empty, or away, for 50 ms shows nothing of that.
func TestSavesInSteps(t *testing.T) {
	for name, first := range map[string]func(path string) error{
		"truncated": func(path string) error { return os.Truncate(path, 0) },
		"removed":   os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "team.yaml")
			write(t, path, "before")
			w := begin(t, path)
			for i := range 3 {
				text := fmt.Sprint("after ", i)
				w.after(func() {
					must(t, first(path))
					time.Sleep(50 * time.Millisecond) // what editors do; nothing is waited for
					write(t, path, text)
				}, text)
			}
		})
	}
}

// A file that stays empty or away is told of in the end.
func TestGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "team.yaml")
	write(t, path, "before")
	w := begin(t, path)
	must(t, os.Truncate(path, 0))
	w.want("")
	must(t, os.Remove(path))
	w.want("unreadable")
	w.after(func() { write(t, path, "again") }, "again")
	must(t, os.RemoveAll(filepath.Dir(path)))
	w.want("unreadable")
	must(t, os.Mkdir(filepath.Dir(path), 0o700))
	save := func(text string) {
		w.after(func() { write(t, path+".new", text); must(t, os.Rename(path+".new", path)) }, text)
	}
	save("in a new folder")
	save("and again")
}

// What lies behind symbolic links is followed, wherever they lead meanwhile.
func TestLinks(t *testing.T) {
	swap := func(t *testing.T, link, target string) {
		must(t, os.Symlink(target, link+".new"), os.Rename(link+".new", link))
	}
	t.Run("the file is a link", func(t *testing.T) {
		folder, dotfiles := t.TempDir(), t.TempDir()
		path, real := filepath.Join(folder, "config.yaml"), filepath.Join(dotfiles, "team.yaml")
		write(t, real, "one")
		must(t, os.Symlink(real, path))
		w := begin(t, path)
		w.after(func() { write(t, real, "two") }, "two")
		write(t, real+".new", "three")
		must(t, os.Rename(real+".new", real))
		w.want("three")
		write(t, filepath.Join(dotfiles, "other.yaml"), "four")
		swap(t, path, filepath.Join(dotfiles, "other.yaml"))
		w.want("four")
		w.after(func() { write(t, filepath.Join(dotfiles, "other.yaml"), "five") }, "five")
		must(t, os.Remove(path))
		w.want("unreadable")
		w.after(func() { write(t, path, "six") }, "six")
	})
	t.Run("the folder is one", func(t *testing.T) { // as Kubernetes mounts a ConfigMap
		folder := t.TempDir()
		path := filepath.Join(folder, "config.yaml")
		for _, version := range []string{"v1", "v2"} {
			must(t, os.Mkdir(filepath.Join(folder, version), 0o700))
			write(t, filepath.Join(folder, version, "config.yaml"), version)
		}
		must(t, os.Symlink("v1", filepath.Join(folder, "data")), os.Symlink("data/config.yaml", path))
		w := begin(t, path)
		swap(t, filepath.Join(folder, "data"), "v2")
		w.want("v2")
		w.after(func() { write(t, filepath.Join(folder, "v2", "config.yaml"), "v2 again") }, "v2 again")
	})
	t.Run("a ring", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "config.yaml")
		must(t, os.Symlink(path, path))
		w := begin(t, path)
		w.after(func() { must(t, os.Remove(path)); write(t, path, "a file") }, "a file")
	})
}

// A change between the reading of the file and the first look at its folder
// is seen too, and one content twice is told once.
func TestKnown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "team.yaml")
	write(t, path, "new")
	seen := make(chan Content, 10)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		read := func() Content {
			data, err := os.ReadFile(path)
			return Content{data, err}
		}
		File(ctx, path, Content{Data: []byte("old")}, read, func(c Content) { seen <- c })
	}()
	defer func() { stop(); <-ended }()
	w := &watched{t: t, path: path, seen: seen}
	w.want("new")
	write(t, path, "new")
	write(t, filepath.Join(filepath.Dir(path), "other"), "nothing to do with it")
	w.after(func() { write(t, path, "newer") }, "newer")
}

// Without anybody telling of changes the file is looked at now and then.
func TestUntold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "team.yaml")
	write(t, path, "before")
	w := &watcher{path: path, folders: map[string]os.FileInfo{}, settled: time.NewTimer(time.Hour), look: time.NewTimer(time.Hour)}
	w.lookAgain()
	if !w.stirred.IsZero() {
		t.Error("nothing changed yet")
	}
	write(t, path, "after, and longer")
	w.lookAgain()
	if w.stirred.IsZero() {
		t.Error("the change was not seen")
	}
}

// From the end of a save to the call that tells of it.
func BenchmarkSave(b *testing.B) {
	path := filepath.Join(b.TempDir(), "team.yaml")
	write(b, path, "before")
	w := begin(b, path)
	for i := 0; b.Loop(); i++ {
		text := fmt.Sprint("after ", i)
		write(b, path, text)
		w.want(text)
	}
}
