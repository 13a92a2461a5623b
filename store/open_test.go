package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// history makes a file with a channel and a message, and returns its path.
func history(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history.db")
	s, _, err := Open(t.Context(), path)
	must(t, err)
	say(t, s, addChannel(t, s, "general"), "kept")
	must(t, s.Close())
	return path
}

// alter changes a history behind the store's back.
func alter(t testing.TB, path, statement string) {
	t.Helper()
	db := ok(sql.Open("sqlite3", fileURI(path)))
	ok(db.Exec(statement))
	must(t, db.Close())
}

// reasons are those of the warnings, each of which must have a text.
func reasons(t testing.TB, o Opening) (all []error) {
	t.Helper()
	for _, w := range o.Warnings {
		var e *Error
		if !errors.As(w, &e) || textOf(e.Reason) == "" || e.Name == "" {
			t.Errorf("a person cannot be told: %v", w)
			continue
		}
		all = append(all, e.Reason)
	}
	return all
}

// talks checks that a Store keeps what it is told, alone and by several at once.
func talks(t testing.TB, s *Store) {
	t.Helper()
	ctx := t.Context()
	c := addChannel(t, s, "talk")
	var talkers sync.WaitGroup
	for range 4 {
		talkers.Go(func() {
			for range 10 {
				if err := s.AddMessage(ctx, said(c, "something")); err != nil {
					t.Error(err)
				}
				if _, err := s.Messages(ctx, c, 0, 5); err != nil {
					t.Error(err)
				}
			}
		})
	}
	talkers.Wait()
	equal(t, len(ok(s.Messages(ctx, c, 0, 100))), 40)
	equal(t, len(ok(s.Search(ctx, "some", 100))), 40)
	equal(t, len(ok(s.Abandoned(ctx))), 0)
	equal(t, ok(s.changes(ctx)), Changes{})
	release, held := s.LockWindow()
	release()
	equal(t, held, true)
}

func TestOpenNew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b", "ä?c#d%20&=;.db")
	s, o, err := Open(t.Context(), path)
	must(t, err)
	equal(t, o, Opening{Fresh: true})
	talks(t, s)
	for name, want := range map[string]fs.FileMode{
		filepath.Dir(path): fs.ModeDir | 0o700,
		path:               0o600,
		path + "-wal":      0o600,
		path + ".locks":    fs.ModeDir | 0o700,
	} {
		info := ok(os.Stat(name))
		if runtime.GOOS != "windows" && info.Mode() != want {
			t.Errorf("%s has mode %v, want %v", filepath.Base(name), info.Mode(), want)
		}
	}
	must(t, s.Close())
	_, err = os.Stat(path + "-wal")
	equal(t, errors.Is(err, fs.ErrNotExist), true)

	s, o, err = Open(t.Context(), path)
	must(t, err)
	defer s.Close()
	equal(t, o, Opening{})
	equal(t, names(ok(s.Channels(t.Context()))), []string{"talk"})
}

func TestOpenEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	must(t, os.WriteFile(path, nil, 0o600))
	s, o, err := Open(t.Context(), path)
	must(t, err)
	defer s.Close()
	equal(t, o, Opening{Fresh: true})
	talks(t, s)
}

// What cannot be read is moved aside as it is, with its log.
func TestSetAside(t *testing.T) {
	whole := ok(os.ReadFile(history(t)))
	for name, make := range map[string]func(t *testing.T, path string){
		"text":             func(t *testing.T, path string) { must(t, os.WriteFile(path, []byte("hello"), 0o600)) },
		"zeros":            func(t *testing.T, path string) { must(t, os.WriteFile(path, []byte{8192: 0}, 0o600)) },
		"header alone":     func(t *testing.T, path string) { must(t, os.WriteFile(path, whole[:16], 0o600)) },
		"beginning alone":  func(t *testing.T, path string) { must(t, os.WriteFile(path, whole[:5000], 0o600)) },
		"empty with a log": func(t *testing.T, path string) { must(t, os.WriteFile(path, nil, 0o600)) },
		"garbage inside": func(t *testing.T, path string) {
			damaged := bytes.Clone(whole)
			copy(damaged[100:], bytes.Repeat([]byte("garbage "), 400))
			must(t, os.WriteFile(path, damaged, 0o600))
		},
		"of another program": func(t *testing.T, path string) { alter(t, path, "CREATE TABLE bookmarks (url)") },
		"without a table": func(t *testing.T, path string) {
			must(t, os.WriteFile(path, whole, 0o600))
			alter(t, path, "DROP TABLE parts")
		},
		"without its clock": func(t *testing.T, path string) {
			must(t, os.WriteFile(path, whole, 0o600))
			alter(t, path, "DELETE FROM clock")
		},
		"without its version": func(t *testing.T, path string) {
			must(t, os.WriteFile(path, whole, 0o600))
			alter(t, path, "DROP TABLE goose_db_version")
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "history.db")
			make(t, path)
			before := ok(os.ReadFile(path))
			// A file that was set aside in this very second stays as well.
			var asides []string
			for range 2 {
				must(t, os.WriteFile(path, before, 0o600))
				must(t, os.WriteFile(path+"-wal", []byte("a log"), 0o600))
				s, o, err := Open(t.Context(), path)
				must(t, err)
				equal(t, []bool{o.Fresh, o.InMemory}, []bool{true, false})
				equal(t, reasons(t, o), []error{ErrSetAside})
				asides = append(asides, o.SetAside)
				talks(t, s)
				must(t, s.Close())
			}
			for _, aside := range asides {
				equal(t, bytes.Equal(ok(os.ReadFile(aside)), before), true)
			}
			if asides[0] == asides[1] || !strings.HasPrefix(asides[0], path+".unreadable-2") {
				t.Errorf("set aside as %q", asides)
			}
		})
	}
}

// A history of a newer version is not touched.
func TestOpenNewer(t *testing.T) {
	path := history(t)
	alter(t, path, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)")
	before := ok(os.ReadFile(path))
	s, o, err := Open(t.Context(), path)
	must(t, err)
	equal(t, reasons(t, o), []error{ErrNewer, ErrInMemory})
	equal(t, []any{o.Fresh, o.InMemory, o.SetAside}, []any{true, true, ""})
	talks(t, s)
	must(t, s.Close())
	equal(t, bytes.Equal(ok(os.ReadFile(path)), before), true)
}

func TestOpenOlder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	db := ok(sql.Open("sqlite3", fileURI(path)))
	ok(ok(migrator(db)).UpTo(t.Context(), 1))
	for _, statement := range []string{
		"INSERT INTO channels (name, folded, description, hops, position, created_at) VALUES ('old', 'old', '', 0, 0, 1)",
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450)
		 INSERT INTO messages SELECT i, 1, '', 'person', 0, 0, i, i, '', i FROM n`,
		"INSERT INTO parts SELECT id, 0, 'text', 0, 0, '', 'écrit ' || id FROM messages",
		"UPDATE clock SET revision = 450, channels = 1",
	} {
		ok(db.Exec(statement))
	}
	must(t, db.Close())

	s := open(t, path)
	equal(t, len(ok(s.Search(t.Context(), "ecrit", 1000))), 450)
	equal(t, textsOf(ok(s.Messages(t.Context(), 1, 0, 1))), []string{"écrit 450"})
	talks(t, s)
}

// Where nothing can be kept, it is said and the talk goes on.
func TestOpenUnwritable(t *testing.T) {
	for name, make := range map[string]func(dir string) (path string){
		"a folder in its place": func(dir string) string {
			must(t, os.Mkdir(dir+"/history.db", 0o700))
			return dir + "/history.db"
		},
		"a file for a folder": func(dir string) string {
			must(t, os.WriteFile(dir+"/folder", nil, 0o600))
			return dir + "/folder/history.db"
		},
		"a file in the place of the locks": func(dir string) string {
			must(t, os.WriteFile(dir+"/history.db.locks", nil, 0o600))
			return dir + "/history.db"
		},
		"a name too long": func(dir string) string { return dir + "/" + strings.Repeat("x", 300) },
		"no name":         func(dir string) string { return dir + "/\x00" },
	} {
		t.Run(name, func(t *testing.T) {
			path := make(t.TempDir())
			s, o, err := Open(t.Context(), path)
			must(t, err)
			defer s.Close()
			equal(t, reasons(t, o), []error{ErrUnwritable, ErrInMemory})
			equal(t, []any{o.Fresh, o.InMemory, o.SetAside}, []any{true, true, ""})
			talks(t, s)
		})
	}
}

// Modes that forbid to write, also for root, whose process gives up its privilege.
func TestOpenReadOnly(t *testing.T) {
	for name, make := range map[string]func(t *testing.T) (path string){
		"new folder": func(t *testing.T) string {
			dir := t.TempDir()
			must(t, os.Chmod(dir, 0o500))
			t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
			return filepath.Join(dir, "new", "history.db")
		},
		"new file": func(t *testing.T) string {
			dir := t.TempDir()
			must(t, os.Chmod(dir, 0o500))
			t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
			return filepath.Join(dir, "history.db")
		},
		"folder": func(t *testing.T) string {
			path := history(t)
			must(t, os.Chmod(filepath.Dir(path), 0o500))
			t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path), 0o700) })
			return path
		},
		"file": func(t *testing.T) string {
			path := history(t)
			must(t, os.Chmod(path, 0o400))
			return path
		},
		"unreadable file": func(t *testing.T) string {
			path := history(t)
			must(t, os.Chmod(path, 0))
			return path
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := make(t)
			before, missing := os.ReadFile(path)
			equal(t, reportOf(t, "unprivileged report", path), reported{
				InMemory: true,
				Texts:    []string{"store.Unwritable", "store.InMemory"},
				Talk:     "still talking",
			})
			after, err := os.ReadFile(path)
			equal(t, []any{bytes.Equal(after, before), err == nil}, []any{true, missing == nil})
		})
	}
}

// A disk that takes no more bytes.
func TestOpenOnFullDisk(t *testing.T) {
	existing := history(t)
	before := ok(os.ReadFile(existing))
	for _, path := range []string{existing, filepath.Join(t.TempDir(), "history.db")} {
		r := reportOf(t, "full report", path)
		equal(t, []any{r.InMemory, r.Talk}, []any{true, "still talking"})
		equal(t, r.Texts, []string{"store.Unwritable", "store.InMemory"})
	}
	equal(t, bytes.Equal(ok(os.ReadFile(existing)), before), true)
	equal(t, textsOf(ok(open(t, existing).Messages(t.Context(), 1, 0, 9))), []string{"kept"})
}

// A disk that gets full later stops writes and nothing else.
func TestDiskGetsFull(t *testing.T) {
	s, c := fresh(t)
	ctx := t.Context()
	ok(s.conn.ExecContext(ctx, "PRAGMA max_page_count = 1")) // the pages there are
	big := strings.Repeat("x", 100_000)
	err := s.AddMessage(ctx, said(c, big))
	if !errors.Is(err, ErrDiskFull) {
		t.Fatalf("got %v, want ErrDiskFull", err)
	}
	equal(t, len(ok(s.Messages(ctx, c, 0, 9))), 0)
	ok(s.conn.ExecContext(ctx, "PRAGMA max_page_count = 1000000"))
	say(t, s, c, big)
	equal(t, textsOf(ok(s.Messages(ctx, c, 0, 9))), []string{big})
}

// A file system that cannot share memory: a folder in the place of the file for it
// makes any into one.
func TestOpenWithoutWAL(t *testing.T) {
	dir := t.TempDir()
	source, c := fresh(t)
	say(t, source, c, "in the log only")
	left := filepath.Join(dir, "left.db")
	for _, suffix := range []string{"", "-wal"} {
		must(t, os.WriteFile(left+suffix, ok(os.ReadFile(source.path+suffix)), 0o600))
	}
	for _, path := range []string{filepath.Join(dir, "new.db"), left} {
		must(t, os.MkdirAll(path+"-shm/x", 0o700))
		s, o, err := Open(t.Context(), path)
		must(t, err)
		equal(t, reasons(t, o), []error{ErrNoWAL})
		equal(t, []any{o.Fresh, o.InMemory, o.SetAside}, []any{path != left, false, ""})
		if path == left {
			equal(t, textsOf(ok(s.Messages(t.Context(), c, 0, 9))), []string{"in the log only"})
		}
		talks(t, s)

		// Two may have it open, too.
		other, o, err := Open(t.Context(), path)
		must(t, err)
		equal(t, reasons(t, o), []error{ErrNoWAL})
		id := addChannel(t, other, "of the other")
		say(t, other, id, "x")
		equal(t, len(ok(s.changes(t.Context())).Messages), 1)
		must(t, other.Close())
		must(t, s.Close())
	}
}

func TestOpenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := filepath.Join(t.TempDir(), "history.db")
	if _, _, err := Open(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	open(t, path)
}

func TestClosed(t *testing.T) {
	s, _, err := Open(t.Context(), history(t))
	must(t, err)
	must(t, s.Close())
	must(t, s.Close())
	if err := s.AddMessage(t.Context(), said(1, "x")); err == nil {
		t.Error("a closed store takes a message")
	}
	if _, err := s.Messages(t.Context(), 1, 0, 1); err == nil {
		t.Error("a closed store has messages")
	}
}

// Every error has its text in every language, and every text is used.
func TestTexts(t *testing.T) {
	placeholders := regexp.MustCompile(`{{\.\w+}}`)
	want := []string{"store.Failed"}
	for _, text := range texts {
		want = append(want, text.id)
	}
	slices.Sort(want)
	catalogues := map[string]map[string]string{}
	for _, language := range []string{"en", "fr"} {
		var catalogue map[string]string
		must(t, json.Unmarshal(ok(os.ReadFile("../assets/translations/store."+language+".json")), &catalogue))
		catalogues[language] = catalogue
		var keys []string
		for key, text := range catalogue {
			keys = append(keys, key)
			used := placeholders.FindAllString(text, -1)
			if english := placeholders.FindAllString(catalogues["en"][key], -1); !reflect.DeepEqual(used, english) {
				t.Errorf("%s %s uses %v, English %v", language, key, used, english)
			}
			_, args := (&Error{Err: errors.New("x")}).Localize()
			for _, p := range used {
				if _, ok := args[strings.Trim(p, "{.}")]; !ok {
					t.Errorf("%s %s uses %s, which is not given", language, key, p)
				}
			}
		}
		slices.Sort(keys)
		equal(t, keys, want)
	}
	if id, _ := (&Error{Doing: "x", Err: fmt.Errorf("y")}).Localize(); id != "store.Failed" {
		t.Errorf("an unknown error is %s", id)
	}
}
