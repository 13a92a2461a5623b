package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"git.rickub.com/bots-garden/sidekicks/protect"
)

// MostShown is how many bytes of a file can be shown, as a text or a picture.
const MostShown = 16 << 20

// Version identifies what is in a file: two files with the same bytes have the
// same.
type Version [sha256.Size]byte

// Content is a file as it was read.
type Content struct {
	Name    string
	File    File // what it is: a text, a picture, or neither
	Data    []byte
	Version Version
	Whole   bool          // Data is all of it: it is not larger than MostShown
	Rule    *protect.Rule // that protects it; nil: none does
}

// Progress is told how many bytes of how many were moved; the total is 0 while
// it is not known.
type Progress func(done, total int64)

// Read reads a file to show it.
func (f *Files) Read(ctx context.Context, name string, progress Progress) (Content, error) {
	c := Content{Name: path.Clean(name), Rule: f.Protects(name)}
	err := f.doing(name, func() error {
		if c.Rule == nil { // it may be a symlink to something that is
			real, err := f.behind(ctx, name, true)
			if err != nil {
				return err
			}
			c.Rule = f.Protects(real)
		}
		data, err := f.read(ctx, name, progress)
		if err != nil {
			return err
		}
		c.File = File{Name: path.Base(name), Path: c.Name, Size: int64(len(data)), MIME: "application/octet-stream"}
		c.File.guess(data[:min(len(data), 512)])
		c.File.Text = c.File.Text && utf8.Valid(data) && !bytes.ContainsRune(data, 0)
		c.Data, c.Whole, c.Version = data, len(data) <= MostShown, sha256.Sum256(data)
		return nil
	})
	return c, err
}

// read reads a file, of a larger one a byte more than can be shown.
func (f *Files) read(ctx context.Context, name string, progress Progress) ([]byte, error) {
	var total int64
	if entry, err := f.files.Stat(ctx, name); err == nil {
		total = entry.Size
	}
	file, err := f.files.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(counting(file, total, progress), MostShown+1))
}

// counting tells how much was read.
func counting(r io.Reader, total int64, progress Progress) io.Reader {
	if progress == nil {
		return r
	}
	return &counter{r: r, total: total, tell: progress}
}

type counter struct {
	r           io.Reader
	done, total int64
	tell        Progress
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.done += int64(n)
	c.tell(c.done, max(c.total, c.done))
	return n, err
}

// Save writes a file that was read as the version base. When it is another by
// now, nothing is written and the error is a [*ChangedError]; a file that is
// gone is made again.
func (f *Files) Save(ctx context.Context, name string, data []byte, base Version) (Version, error) {
	saved := Version(sha256.Sum256(data))
	return saved, f.doing(name, func() error {
		if err := f.free(ctx, name, true); err != nil {
			return err
		}
		now, err := f.read(ctx, name, nil)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case sha256.Sum256(now) != base && !bytes.Equal(now, data):
			return &ChangedError{Name: name}
		}
		return f.files.Write(ctx, name, bytes.NewReader(data))
	})
}

// SaveKeeping writes a file whatever is in it, which is kept beside it under
// the name that is returned: "notes (label).md".
func (f *Files) SaveKeeping(ctx context.Context, name string, data []byte, label string) (beside string, saved Version, err error) {
	saved = sha256.Sum256(data)
	err = f.doing(name, func() error {
		if err := f.free(ctx, name, true); err != nil {
			return err
		}
		other, err := f.files.Open(ctx, name)
		if err != nil {
			return err
		}
		defer other.Close()
		if beside, err = f.writeBeside(ctx, name, other, label); err != nil {
			return err
		}
		return f.files.Write(ctx, name, bytes.NewReader(data))
	})
	return beside, saved, err
}

// SaveBeside writes a text beside the file it was meant for.
func (f *Files) SaveBeside(ctx context.Context, name string, data []byte, label string) (beside string, err error) {
	err = f.doing(name, func() error {
		beside, err = f.writeBeside(ctx, name, bytes.NewReader(data), label)
		return err
	})
	return beside, err
}

// writeBeside writes a file under a name that nothing has yet.
func (f *Files) writeBeside(ctx context.Context, name string, r io.Reader, label string) (string, error) {
	extension := path.Ext(name)
	stem := strings.TrimSuffix(name, extension)
	if path.Base(stem) == "." || strings.HasSuffix(stem, "/") || stem == "" { // .env
		stem, extension = name, ""
	}
	for n := 1; ; n++ {
		beside := fmt.Sprintf("%s (%s)%s", stem, label, extension)
		if n > 1 {
			beside = fmt.Sprintf("%s (%s %d)%s", stem, label, n, extension)
		}
		switch err := f.missing(ctx, beside); {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return "", err
		}
		if err := f.free(ctx, beside, false); err != nil {
			return "", err
		}
		return beside, f.files.Write(ctx, beside, r)
	}
}
