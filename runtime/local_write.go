package runtime

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write replaces a file, or makes it, with all that r gives: what is read is
// written beside it, and takes its place when all is there.
func (f *LocalFiles) Write(ctx context.Context, name string, r io.Reader) error {
	at, err := f.open(name, true)
	if err != nil {
		return err
	}
	defer at.Close()
	mode := fs.FileMode(0o644)
	old, err := at.regular()
	switch {
	case err == nil:
		mode = old.Mode().Perm()
		err = at.mayWrite()
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err == nil {
		err = at.replace(mode, old != nil, reader{ctx, r})
	}
	return at.failed("write", err)
}

// mayWrite returns an error for a file that is not to be written, although
// its folder lets it be replaced.
func (s *spot) mayWrite() error {
	file, err := s.root.OpenFile(s.name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return file.Close()
}

// replace writes beside the file and renames. The mode is kept whatever the
// umask when the file was there.
func (s *spot) replace(mode fs.FileMode, keep bool, r io.Reader) error {
	beside := filepath.Join(filepath.Dir(s.name), ".sidekicks-"+rand.Text()[:8])
	file, err := s.root.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, r)
	if err == nil && keep {
		err = file.Chmod(mode)
	}
	if err == nil {
		err = file.Sync()
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = s.root.Rename(beside, s.name)
	}
	if err != nil {
		_ = s.root.Remove(beside) // the first error is the one to tell
	}
	return err
}

// reader reads until its context ends.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
