//go:build unix

package runtime

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// A bin is a trash: a folder on some file system.
type bin struct {
	files string // where what was deleted goes
	info  string // where is kept what is known of it; "" for nowhere
	top   string // what the kept paths are relative to; "" for none
}

// trash moves the entry to the trash, by its name in its open folder: no
// symlink can come in between.
func (s *spot) trash() error {
	b, ok := binFor(s.path())
	if !ok {
		return errors.New("there is no trash for this disk")
	}
	dir, err := s.root.Open(filepath.Dir(s.name))
	if err != nil {
		return err
	}
	defer dir.Close()
	base := filepath.Base(s.name)
	name, forget, err := b.reserve(base, s.path())
	if err != nil {
		return err
	}
	err = unix.Renameat(int(dir.Fd()), base, unix.AT_FDCWD, filepath.Join(b.files, name))
	if err != nil {
		forget()
	}
	return err
}

// reserve finds a name that nothing in the trash has yet, and keeps what is to
// be known of the entry under it. forget undoes that.
func (b bin) reserve(base, path string) (name string, forget func(), err error) {
	const longest = 200 // leaves room for what is added, in the 255 of a name
	if len(base) > longest {
		base = base[:longest]
	}
	for n := 1; n < 10_000; n++ {
		name = base
		if n > 1 {
			name = fmt.Sprintf("%s.%d", base, n)
		}
		if _, err := os.Lstat(filepath.Join(b.files, name)); err == nil {
			continue
		}
		if b.info == "" {
			return name, func() {}, nil
		}
		info := filepath.Join(b.info, name+".trashinfo")
		err = writeNew(info, b.describe(path))
		if !errors.Is(err, fs.ErrExist) {
			return name, func() { _ = os.Remove(info) }, err
		}
	}
	return "", nil, fs.ErrExist
}

func writeNew(path, content string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}

// sameDisk reports whether both paths, or what exists of them, are on one
// file system.
func sameDisk(a, b string) bool {
	x, okA := disk(a)
	y, okB := disk(b)
	return okA && okB && x == y
}

func disk(path string) (uint64, bool) {
	var st unix.Stat_t
	for {
		if err := unix.Lstat(path, &st); err == nil {
			return uint64(st.Dev), true //nolint:unconvert // its type depends on the system
		}
		dir := filepath.Dir(path)
		if dir == path {
			return 0, false
		}
		path = dir
	}
}

// topOf is the highest folder on the file system of a path.
func topOf(path string) string {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if parent := filepath.Dir(dir); parent == dir || !sameDisk(parent, dir) {
			return dir
		}
	}
}

// private makes a folder for this user alone, and reports whether it is one.
func private(dir string) bool {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return false
	}
	var st unix.Stat_t
	err := unix.Lstat(dir, &st)
	return err == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR && int(st.Uid) == os.Getuid() && unix.Access(dir, unix.W_OK) == nil
}
