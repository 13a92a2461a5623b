package runtime

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// ErrNotFile is for reading or writing what is no regular file: a pipe or a
// device would block for ever.
var ErrNotFile = errors.New("not a regular file")

// LocalFiles is a folder of this computer. Nothing outside of it is touched,
// whoever replaces a folder by a symlink meanwhile: it works through [os.Root].
type LocalFiles struct {
	folder string            // absolute
	trash  func(*spot) error // moves an entry to the system's trash
}

// NewLocalFiles gives the files of a folder, which may not exist yet.
func NewLocalFiles(folder string) *LocalFiles {
	return &LocalFiles{folder: folder, trash: (*spot).trash}
}

// List gives what a folder holds, by name.
func (f *LocalFiles) List(ctx context.Context, dir string) ([]Entry, error) {
	at, err := f.open(dir, true)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	folder, err := at.root.OpenRoot(at.name)
	if err != nil {
		return nil, at.failed("list", err)
	}
	defer folder.Close()
	names, err := namesIn(folder)
	if err != nil {
		return nil, at.failed("list", err)
	}
	entries := make([]Entry, 0, len(names))
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		info, err := folder.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // gone since
		}
		if err != nil {
			return nil, at.failed("list", err)
		}
		entries = append(entries, f.entry(info, filepath.Join(at.path(), name)))
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	return entries, nil
}

func namesIn(folder *os.Root) ([]string, error) {
	dir, err := folder.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.Readdirnames(-1)
}

// Stat gives one entry, a symlink itself.
func (f *LocalFiles) Stat(ctx context.Context, name string) (Entry, error) {
	at, err := f.open(name, false)
	if err != nil {
		return Entry{}, err
	}
	defer at.Close()
	info, err := at.root.Lstat(at.name)
	if err != nil {
		return Entry{}, at.failed("stat", err)
	}
	return f.entry(info, at.path()), nil
}

// entry describes what is at an absolute path.
func (f *LocalFiles) entry(info fs.FileInfo, path string) Entry {
	e := Entry{Name: info.Name(), Size: info.Size(), Modified: info.ModTime(), Mode: info.Mode()}
	if e.Mode&fs.ModeSymlink == 0 {
		return e
	}
	e.Target, _ = os.Readlink(path)
	_, err := f.relative(path)
	e.Outside = err != nil
	return e
}

// Open reads a file.
func (f *LocalFiles) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	at, err := f.open(name, true)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	if _, err := at.regular(); err != nil {
		return nil, at.failed("open", err)
	}
	file, err := at.root.Open(at.name)
	if err != nil {
		return nil, at.failed("open", err)
	}
	return file, nil
}

// Make makes a folder.
func (f *LocalFiles) Make(ctx context.Context, dir string) error {
	at, err := f.open(dir, false)
	if err != nil {
		return err
	}
	defer at.Close()
	return at.failed("make", at.root.Mkdir(at.name, 0o755))
}

// Rename moves an entry. A name that differs by its case alone is another,
// even where the file system takes them for the same.
func (f *LocalFiles) Rename(ctx context.Context, from, to string) error {
	source, err := f.open(from, false)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := f.open(to, false)
	if err != nil {
		return err
	}
	defer target.Close()
	if source.name == "." || target.name == "." {
		return source.failed("rename", fs.ErrInvalid)
	}
	moved, err := source.root.Lstat(source.name)
	if err != nil {
		return source.failed("rename", err)
	}
	if there, err := target.root.Lstat(target.name); err == nil && !os.SameFile(moved, there) {
		return target.failed("rename", fs.ErrExist)
	}
	return source.failed("rename", source.root.Rename(source.name, target.name))
}

// A spot is an entry that need not exist, inside the folder.
type spot struct {
	root *os.Root
	name string // in the root, without symlinks but perhaps itself
	said string // as it was called
}

func (s *spot) Close() error { return s.root.Close() }

// path is the absolute path of the entry.
func (s *spot) path() string { return filepath.Join(s.root.Name(), s.name) }

// regular returns what is known of a regular file.
func (s *spot) regular() (fs.FileInfo, error) {
	info, err := s.root.Stat(s.name)
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotFile
	}
	return info, err
}

// failed says what was being done when something failed; nil stays nil.
func (s *spot) failed(op string, err error) error { return failed(op, s.said, err) }

func failed(op, name string, err error) error {
	if err == nil {
		return nil
	}
	var inner *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &inner):
		err = inner.Err
	case errors.As(err, &link):
		err = link.Err
	}
	if err.Error() == "path escapes from parent" { // what os.Root says
		err = ErrOutside
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// open finds an entry in the folder: behind the symlinks on the way to it,
// and itself when follow is set. They may be absolute as long as they lead to
// the folder, unlike for os.Root, which has the last word all the same.
func (f *LocalFiles) open(name string, follow bool) (*spot, error) {
	said := name
	name = path.Clean(name)
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, failed("find", said, ErrOutside)
	}
	full := filepath.Join(f.folder, filepath.FromSlash(name))
	if follow {
		// What does not exist may be about to be made, but not by a symlink
		// to nowhere.
		if info, err := os.Lstat(full); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			follow = false
		}
	}
	var inside string
	var err error
	if follow || name == "." {
		inside, err = f.relative(full)
	} else if inside, err = f.relative(filepath.Dir(full)); err == nil {
		inside = filepath.Join(inside, filepath.Base(full))
	}
	if err != nil {
		return nil, failed("find", said, err)
	}
	root, err := os.OpenRoot(f.folder)
	if err != nil {
		return nil, failed("find", said, err)
	}
	return &spot{root: root, name: inside, said: said}, nil
}

// relative gives what is behind all symlinks of an absolute path, as a name in
// the folder. One that leads out, or nowhere, is an ErrOutside.
func (f *LocalFiles) relative(full string) (string, error) {
	folder, err := filepath.EvalSymlinks(f.folder)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		if info, missing := os.Lstat(full); missing == nil && info.Mode()&fs.ModeSymlink != 0 {
			err = ErrOutside
		}
		return "", err
	}
	name, err := filepath.Rel(folder, real)
	if err != nil || !filepath.IsLocal(name) {
		return "", ErrOutside
	}
	return name, nil
}

// IgnoresCase reports whether a folder's file system takes a.md and A.MD for
// the same file.
func IgnoresCase(folder string) bool {
	probe := folder
	if dir, err := os.Open(folder); err == nil {
		names, _ := dir.Readdirnames(64)
		dir.Close()
		for _, name := range names {
			if swapCase(name) != name {
				probe = filepath.Join(folder, name)
				break
			}
		}
	}
	here, err := os.Lstat(probe)
	if err != nil {
		return false
	}
	swapped := filepath.Join(filepath.Dir(probe), swapCase(filepath.Base(probe)))
	there, err := os.Lstat(swapped)
	return err == nil && swapped != probe && os.SameFile(here, there)
}

func swapCase(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, name)
}
