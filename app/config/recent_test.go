package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

func TestRecents(t *testing.T) {
	home, _ := home(t)
	here, gone := filepath.Join(home, "here.yaml"), filepath.Join(home, "gone.yaml")
	if err := os.WriteFile(here, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if recents, err := Recents(); err != nil || len(recents) != 0 {
		t.Errorf("at first: %v, %v", recents, err)
	}
	for _, path := range []string{here, gone, "~/here.yaml"} {
		if err := Remember(path); err != nil {
			t.Fatal(err)
		}
	}
	want := []Recent{{here, false}, {gone, true}}
	if recents, err := Recents(); err != nil || !slices.Equal(recents, want) {
		t.Errorf("got %v, %v, want %v", recents, err, want)
	}
	if location, err := Locate("", func(string) string { return "" }); err != nil || location.Path != here {
		t.Errorf("located %+v, %v", location, err)
	}
	if err := Forget(here); err != nil {
		t.Fatal(err)
	}
	if recents, err := Recents(); err != nil || !slices.Equal(recents, want[1:]) {
		t.Errorf("got %v, %v", recents, err)
	}
}

func TestWindowsRememberAtTheSameTime(t *testing.T) {
	home(t)
	var windows sync.WaitGroup
	const n = 4
	for i := range n {
		windows.Go(func() {
			if err := Remember(fmt.Sprintf("/%d.yaml", i)); err != nil {
				t.Error(err)
			}
		})
	}
	windows.Wait()
	if recents, err := Recents(); err != nil || len(recents) != n {
		t.Errorf("got %v, %v", recents, err)
	}
}

func TestDamagedPreferencesAreKept(t *testing.T) {
	_, folder := home(t)
	path := filepath.Join(folder, PreferencesName)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, content := range []string{`{"lastFile": "/a.yaml", "recentFiles": ["/a.yaml"`, "null", `{"recentFiles": "x"}`, "\xff"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Recents(); !strings.Contains(i18n.For("en").Error(err), "cannot be understood") {
			t.Errorf("%q: Recents: %v", content, err)
		}
		err := Remember("/b.yaml")
		damaged, ok := errors.AsType[*PreferencesError](err)
		if !ok {
			t.Fatalf("%q: %v", content, err)
		}
		if data, err := os.ReadFile(damaged.Kept); err != nil || string(data) != content {
			t.Errorf("%q: kept %q, %v", content, data, err)
		}
		if said := i18n.For("fr").Error(err); !strings.Contains(said, damaged.Kept) {
			t.Errorf("%q: said %q", content, said)
		}
		if recents, err := Recents(); err != nil || len(recents) != 1 {
			t.Errorf("%q: then %v, %v", content, recents, err)
		}
		kept = append(kept, damaged.Kept)
	}
	slices.Sort(kept)
	if len(slices.Compact(kept)) != 4 {
		t.Errorf("kept as %q", kept)
	}
}

// TestOtherPreferencesStay keeps what a newer version writes in the file.
func TestOtherPreferencesStay(t *testing.T) {
	_, folder := home(t)
	path := filepath.Join(folder, PreferencesName)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("\uFEFF"+`{"window": {"width": 12}, "lastFile": "/a.yaml"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Remember("/b.yaml"); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), `"width": 12`) || !strings.Contains(string(data), `"lastFile": "/b.yaml"`) {
		t.Errorf("got %s, %v", data, err)
	}
}

func TestRememberSaysWhatFailed(t *testing.T) {
	home, _ := home(t)
	if err := os.WriteFile(filepath.Join(home, "config"), nil, 0o600); err != nil { // where the folder would be
		t.Fatal(err)
	}
	for name, err := range map[string]error{"Remember": Remember("/a.yaml"), "Forget": Forget("/a.yaml")} {
		if _, ok := errors.AsType[*WriteError](err); !ok {
			t.Errorf("%s: %v", name, err)
		}
		if said := i18n.For("en").Error(err); !strings.Contains(said, "cannot be written: a part of its path is a file") {
			t.Errorf("%s: %q", name, said)
		}
	}
}
