package runtime

import (
	"fmt"
	"os"
	"path/filepath"
)

// binFor gives the trash for an entry: that of the home folder, or that of the
// volume.
func binFor(path string) (bin, bool) {
	home, err := os.UserHomeDir()
	dir := filepath.Join(home, ".Trash")
	if err != nil || !sameDisk(dir, path) {
		dir = filepath.Join(topOf(path), ".Trashes", fmt.Sprint(os.Getuid()))
	}
	return bin{files: dir}, private(dir)
}

// describe is nothing: the trash keeps only the entry.
func (b bin) describe(string) string { return "" }
