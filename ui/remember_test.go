package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRemembered(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "window.json")
	first, second := openRemembered(path), openRemembered(path)
	first.Set("width", 300)
	first.Set("width", 320)
	first.Set("folds", map[string]bool{"agents": true})
	first.save()
	second.Set("theme", "dark") // knows nothing of the first
	second.save()

	r := openRemembered(path)
	width, folds, theme := 1, map[string]bool{}, ""
	if !r.Get("width", &width) || !r.Get("folds", &folds) || !r.Get("theme", &theme) || width != 320 || !folds["agents"] || theme != "dark" {
		t.Errorf("width %d, folds %v, theme %q", width, folds, theme)
	}
	if r.Get("other", &width) || r.Get("theme", &width) || width != 320 {
		t.Errorf("what is not there, or no number, made %d", width)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the file: %v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("files are left over: %v", left)
	}
}

// A file that makes no sense is no obstacle, and a nil remembered neither.
func TestRememberedTolerates(t *testing.T) {
	for _, text := range []string{"", "{", "null", "[1]", `{"width": "wide"}`, "\xff\xfe", strings.Repeat("{", 1e5)} {
		path := filepath.Join(t.TempDir(), "window.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r := openRemembered(path)
		width := 7
		if r.Get("width", &width) || width != 7 {
			t.Errorf("%.20q: width %d", text, width)
		}
		r.Set("width", 8)
		r.save()
		if openRemembered(path).Get("width", &width); width != 8 {
			t.Errorf("%.20q: nothing is remembered", text)
		}
	}
	var none *remembered
	none.Set("width", 1)
	if width := 2; none.Get("width", &width) {
		t.Error("nil remembers")
	}
	none.save()
	alone := openRemembered("")
	alone.Set("width", 1)
	alone.save()
	if width := 2; !alone.Get("width", &width) || width != 1 {
		t.Error("memory alone remembers nothing")
	}
}

// The file is written although nobody asks for it.
func TestRememberedWritesByItself(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	r := openRemembered(path)
	r.Set("width", 1)
	r.mu.Lock()
	waits := r.later != nil
	r.mu.Unlock()
	if !waits {
		t.Error("nothing will write the file")
	}
	r.save()
	if r.later != nil {
		t.Error("it is written twice")
	}
}
