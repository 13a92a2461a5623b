//go:build unix && !darwin

package runtime

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What is deleted can be found in the trash, and says where it was.
func TestTrash(t *testing.T) {
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	files, dir := folder(t, "é 1", "docs/b", "link -> docs")
	if !sameDisk(data, dir) {
		t.Fatal("the temporary folders are on different disks")
	}
	for _, name := range []string{"é 1", "link", "docs"} {
		if err := files.Delete(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "é 1"), []byte("second"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := files.Delete(t.Context(), "é 1"); err != nil {
		t.Fatal(err)
	}
	if entries, err := files.List(t.Context(), "."); err != nil || len(entries) != 0 {
		t.Errorf("left in the folder: %v, %v", entries, err)
	}
	trash := NewLocalFiles(filepath.Join(data, "Trash"))
	entries, err := trash.List(t.Context(), "files")
	if want := []string{"docs", "link", "é 1", "é 1.2"}; err != nil || !slices.Equal(names(entries), want) {
		t.Errorf("in the trash: %v, %v, want %v", names(entries), err, want)
	}
	for name, want := range map[string]string{"é 1": "é 1", "é 1.2": "second", "docs/b": "docs/b"} {
		if got := read(t, trash, "files/"+name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	info := read(t, trash, "info/é 1.trashinfo")
	want := `^\[Trash Info\]\nPath=` + regexp.QuoteMeta(dir) + `/%C3%A9%201\nDeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\n$`
	if !regexp.MustCompile(want).MatchString(info) {
		t.Errorf("info: %q", info)
	}
}

// The trash of a disk keeps paths that hold wherever the disk is.
func TestTrashOfDisk(t *testing.T) {
	top := t.TempDir()
	b, ok := makeBin(filepath.Join(top, ".Trash-1000"), top)
	if !ok {
		t.Fatal("no trash")
	}
	name, _, err := b.reserve("x y", filepath.Join(top, "docs", "x y"))
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.ReadFile(filepath.Join(b.info, name+".trashinfo"))
	if err != nil || !strings.Contains(string(info), "\nPath=docs/x%20y\n") {
		t.Errorf("%q, %v", info, err)
	}
	// A folder that others could have put there is no trash.
	if err := os.Symlink(top, filepath.Join(top, "link")); err != nil {
		t.Fatal(err)
	}
	if _, ok := makeBin(filepath.Join(top, "link"), top); ok {
		t.Error("a symlink is taken for a trash")
	}
}
