package agent

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/runtime"
)

// maxFile bounds what `fs/read_text_file` gives, in bytes.
const maxFile = 16 << 20

// files serves `fs/*` inside an agent's folder. Sidekicks does not advertise
// it: some agents break when it does, others call it all the same.
type files struct {
	folder string
	inside runtime.Files // of an agent that does not run on this computer
}

func filesOf(spec Spec, place runtime.Place) files {
	if kind := spec.Runtime.Kind; kind != runtime.Container && kind != runtime.Sbx {
		return files{folder: spec.Workspace}
	}
	return files{folder: place.Folder(), inside: place.Files()}
}

// read answers `fs/read_text_file`.
func (f files) read(ctx context.Context, p acp.ReadTextFileRequest) (acp.ReadTextFileResponse, *acp.Error) {
	text, err := f.text(ctx, p.Path)
	if err != nil {
		return acp.ReadTextFileResponse{}, fileError(p.Path, err)
	}
	return acp.ReadTextFileResponse{Content: lines(text, p.Line, p.Limit)}, nil
}

func (f files) text(ctx context.Context, path string) (string, error) {
	file, err := f.reader(ctx, path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return "", err
	}
	if len(data) > maxFile {
		return "", errTooLarge
	}
	if !utf8.Valid(data) {
		return "", errNotText
	}
	return string(data), nil
}

func (f files) reader(ctx context.Context, path string) (io.ReadCloser, error) {
	if f.inside != nil {
		name, err := f.name(path)
		if err != nil {
			return nil, err
		}
		return f.inside.Open(ctx, name)
	}
	root, name, err := f.open(path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	// A pipe or a device would block for ever or never end.
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotText
	}
	return root.Open(name)
}

// name is a path of the agent as the place has it.
func (f files) name(file string) (string, error) {
	if !path.IsAbs(file) {
		file = path.Join(f.folder, file)
	}
	name, ok := runtime.Within(f.folder, file)
	if !ok {
		return "", errOutside
	}
	return name, nil
}

// lines is the part of a text that was asked for: from line (1 = the first;
// 0 too), at most limit lines (0 = all).
func lines(text string, line, limit int) string {
	rest := text
	for n := 1; n < line && rest != ""; n++ {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	if limit <= 0 {
		return rest
	}
	end := 0
	for n := 0; n < limit && end < len(rest); n++ {
		if i := strings.IndexByte(rest[end:], '\n'); i >= 0 {
			end += i + 1
		} else {
			end = len(rest)
		}
	}
	return rest[:end]
}

// write answers `fs/write_text_file`: the file and its folders are made when
// they are missing. A file is replaced whole or not at all.
func (f files) write(ctx context.Context, p acp.WriteTextFileRequest) *acp.Error {
	if err := f.put(ctx, p.Path, p.Content); err != nil {
		return fileError(p.Path, err)
	}
	return nil
}

func (f files) put(ctx context.Context, file, content string) error {
	if f.inside == nil {
		root, name, err := f.open(file)
		if err != nil {
			return err
		}
		defer root.Close()
		return replace(root, name, content)
	}
	name, err := f.name(file)
	if err != nil {
		return err
	}
	err = f.inside.Write(ctx, name, strings.NewReader(content))
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := f.makeAll(ctx, path.Dir(name)); err != nil {
		return err
	}
	return f.inside.Write(ctx, name, strings.NewReader(content))
}

// makeAll makes a folder inside, with those it lies in.
func (f files) makeAll(ctx context.Context, dir string) error {
	err := f.inside.Make(ctx, dir)
	if errors.Is(err, fs.ErrNotExist) && dir != "." {
		if err = f.makeAll(ctx, path.Dir(dir)); err == nil {
			err = f.inside.Make(ctx, dir)
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// replace writes beside the file and renames, keeping its mode.
func replace(root *os.Root, name, content string) error {
	mode := fs.FileMode(0o644)
	old, err := root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := root.Lstat(name); err == nil { // a symlink to a file that is still to be made
			return root.WriteFile(name, []byte(content), mode)
		}
		if dir := filepath.Dir(name); dir != "." {
			if err := root.MkdirAll(dir, 0o755); err != nil {
				return err
			}
		}
	case err != nil:
		return err
	case !old.Mode().IsRegular(): // a pipe or a device would block for ever
		return errNotText
	default:
		mode = old.Mode().Perm()
	}
	temp := filepath.Join(filepath.Dir(name), ".sidekicks-"+rand.Text()[:8])
	file, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	if err == nil && old != nil {
		err = file.Chmod(mode) // whatever the umask
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		_ = root.Remove(temp)
	}
	return err
}

// open gives the agent's folder and the path's name in it, behind all
// symlinks: a file is written through them, as any editor does, and they may
// be absolute. os.Root refuses what leads out all the same. ACP's paths are
// absolute; a relative one is taken as inside the folder.
func (f files) open(path string) (*os.Root, string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(f.folder, path)
	}
	name, err := filepath.Rel(behind(f.folder), behind(path))
	if err != nil || !filepath.IsLocal(name) {
		return nil, "", errOutside
	}
	root, err := os.OpenRoot(f.folder)
	if err != nil {
		return nil, "", err
	}
	return root, name, nil
}

// behind is where the symlinks of a path lead, as far as it exists.
func behind(path string) string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(behind(dir), filepath.Base(path))
}

var (
	errOutside  = errors.New("outside the agent's folder")
	errTooLarge = errors.New("larger than 16 MiB")
	errNotText  = errors.New("not a text file")
)

// fileError is the answer to a failed call: -32002 for a missing file, as the
// protocol says, else -32602 with the reason.
func fileError(path string, err error) *acp.Error {
	if errors.Is(err, fs.ErrNotExist) {
		return &acp.Error{Code: acp.CodeNotFound, Message: "Resource not found: " + path}
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return &acp.Error{Code: acp.CodeInvalidParams, Message: path + ": " + err.Error()}
}
