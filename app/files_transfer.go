package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/runtime"
)

// Upload copies a file or a folder of this computer into a folder of the
// agent. A file of that name is replaced only when replace is set, a folder
// never; else the error is an fs.ErrExist. Symlinks in a folder, pipes and
// devices are left out.
func (f *Files) Upload(ctx context.Context, dir, source string, replace bool, progress Progress) error {
	target := path.Join(dir, filepath.Base(source))
	return f.doing(target, func() error {
		info, err := os.Stat(source)
		if err != nil {
			return err
		}
		there, err := f.files.Stat(ctx, target)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case !replace || info.IsDir() || there.Mode.IsDir():
			return fs.ErrExist
		}
		switch {
		case info.IsDir():
			return f.uploadFolder(ctx, target, source, progress)
		case !info.Mode().IsRegular():
			return runtime.ErrNotFile
		}
		return f.uploadFile(ctx, target, source, &total{size: info.Size(), tell: progress})
	})
}

// uploadFolder copies a folder of this computer: first it is looked through,
// so that nothing is copied of one that holds what may not come.
func (f *Files) uploadFolder(ctx context.Context, target, source string, progress Progress) error {
	var folders, files []string
	t := &total{tell: progress}
	err := filepath.WalkDir(source, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(source, file)
		if err != nil {
			return err
		}
		name := path.Join(target, filepath.ToSlash(below))
		switch {
		case entry.IsDir():
			folders = append(folders, name)
		case entry.Type().IsRegular():
			info, err := entry.Info()
			if err != nil {
				return err
			}
			t.size += info.Size()
			files = append(files, filepath.ToSlash(below))
		default:
			return nil
		}
		return f.rules().Change(name)
	})
	if err == nil {
		err = f.free(ctx, target, false) // behind symlinks too
	}
	for _, folder := range folders {
		if err == nil {
			err = f.files.Make(ctx, folder)
		}
	}
	for _, file := range files {
		if err == nil {
			err = f.uploadFile(ctx, path.Join(target, file), filepath.Join(source, filepath.FromSlash(file)), t)
		}
	}
	return err
}

func (f *Files) uploadFile(ctx context.Context, target, source string, t *total) error {
	if err := f.free(ctx, target, true); err != nil {
		return err
	}
	file, err := os.Open(source)
	if err != nil {
		return err
	}
	defer file.Close()
	return f.files.Write(ctx, target, t.of(file))
}

// Download copies a file or a folder of the agent into a folder of this
// computer, under a name that is free there and is returned. Symlinks in a
// folder are left out.
func (f *Files) Download(ctx context.Context, name, folder string, progress Progress) (target string, err error) {
	err = f.doing(name, func() error {
		entry, err := f.files.Stat(ctx, name)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		target = freeName(filepath.Join(folder, localName(path.Base(name))))
		t := &total{size: entry.Size, tell: progress}
		if !entry.Mode.IsDir() {
			return f.downloadFile(ctx, name, target, t)
		}
		if t.size, err = f.sizeOf(ctx, name); err != nil {
			return err
		}
		return f.downloadFolder(ctx, name, target, t)
	})
	return target, err
}

// sizeOf is how many bytes the files in a folder have.
func (f *Files) sizeOf(ctx context.Context, dir string) (size int64, err error) {
	entries, err := f.files.List(ctx, dir)
	for _, e := range entries {
		switch {
		case err != nil:
		case e.Mode.IsDir():
			var inner int64
			inner, err = f.sizeOf(ctx, path.Join(dir, e.Name))
			size += inner
		case e.Mode.IsRegular():
			size += e.Size
		}
	}
	return size, err
}

func (f *Files) downloadFolder(ctx context.Context, name, target string, t *total) error {
	if err := os.Mkdir(target, 0o755); err != nil {
		return err
	}
	entries, err := f.files.List(ctx, name)
	for _, e := range entries {
		from, to := path.Join(name, e.Name), filepath.Join(target, localName(e.Name))
		switch {
		case err != nil:
		case e.Mode.IsDir():
			err = f.downloadFolder(ctx, from, to, t)
		case e.Mode.IsRegular():
			err = f.downloadFile(ctx, from, to, t)
		}
	}
	return err
}

// downloadFile copies one file, wholly or not at all.
func (f *Files) downloadFile(ctx context.Context, name, target string, t *total) error {
	file, err := f.files.Open(ctx, name)
	if err != nil {
		return err
	}
	defer file.Close()
	out, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, t.of(file))
	if closing := out.Close(); err == nil {
		err = closing
	}
	if err != nil {
		_ = os.Remove(target)
	}
	return err
}

// localName is a name that this computer takes for one.
func localName(name string) string {
	if filepath.IsLocal(name) && filepath.Base(name) == name {
		return name
	}
	return "_" + strings.Map(func(r rune) rune {
		if strings.ContainsRune(`\/:*?"<>|`, r) || r < ' ' {
			return '_'
		}
		return r
	}, name)
}

// freeName is a path, or one like it that nothing has yet.
func freeName(file string) string {
	extension := filepath.Ext(file)
	stem := strings.TrimSuffix(file, extension)
	for n := 2; ; n++ {
		if _, err := os.Lstat(file); err != nil {
			return file // if it cannot be made, that is said then
		}
		file = fmt.Sprintf("%s (%d)%s", stem, n, extension)
	}
}

// total counts what is copied of several files.
type total struct {
	done, size int64
	tell       Progress
}

// of counts what is read of one of them.
func (t *total) of(r io.Reader) io.Reader {
	if t.tell == nil {
		return r
	}
	before := t.done
	return counting(r, 0, func(done, _ int64) {
		t.done = before + done
		t.tell(t.done, max(t.size, t.done))
	})
}
