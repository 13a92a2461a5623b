//go:build unix && !darwin

package runtime

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// binFor gives the trash for an entry, by the freedesktop.org trash
// specification: that of the home folder when it is on the same file system,
// else that of the file system.
func binFor(path string) (bin, bool) {
	if home := homeTrash(); home != "" && sameDisk(home, path) {
		if b, ok := makeBin(home, ""); ok {
			return b, true
		}
	}
	top, uid := topOf(path), fmt.Sprint(os.Getuid())
	shared, err := os.Lstat(filepath.Join(top, ".Trash"))
	if err == nil && shared.IsDir() && shared.Mode()&fs.ModeSticky != 0 {
		if b, ok := makeBin(filepath.Join(top, ".Trash", uid), top); ok {
			return b, true
		}
	}
	return makeBin(filepath.Join(top, ".Trash-"+uid), top)
}

func makeBin(dir, top string) (bin, bool) {
	b := bin{files: filepath.Join(dir, "files"), info: filepath.Join(dir, "info"), top: top}
	return b, private(dir) && private(b.files) && private(b.info)
}

func homeTrash() string {
	data := os.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) {
		home, err := os.UserHomeDir()
		if err != nil || !filepath.IsAbs(home) {
			return ""
		}
		data = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(data, "Trash")
}

// describe is what the trash keeps to put an entry back.
func (b bin) describe(path string) string {
	if b.top != "" {
		path = strings.TrimPrefix(strings.TrimPrefix(path, b.top), "/")
	}
	escaped := (&url.URL{Path: path}).EscapedPath()
	return fmt.Sprintf("[Trash Info]\nPath=%s\nDeletionDate=%s\n", escaped, time.Now().Format("2006-01-02T15:04:05"))
}
