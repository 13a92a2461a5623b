//go:build unix

package agent

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

// Nobody waits at the other end of a pipe, and a folder is no text.
func TestOnlyFilesAreReadAndWritten(t *testing.T) {
	f := files{folder: t.TempDir()}
	pipe, link, folder := filepath.Join(f.folder, "pipe"), filepath.Join(f.folder, "link"), filepath.Join(f.folder, "folder")
	for _, err := range []error{syscall.Mkfifo(pipe, 0o600), os.Symlink("pipe", link), os.Mkdir(folder, 0o700)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{pipe, link, folder} {
		want := path + ": " + errNotText.Error()
		if err := f.write(t.Context(), acp.WriteTextFileRequest{Path: path, Content: "x"}); err == nil || err.Message != want {
			t.Errorf("write %s: %v", path, err)
		}
		if _, err := f.read(t.Context(), acp.ReadTextFileRequest{Path: path}); err == nil || err.Message != want {
			t.Errorf("read %s: %v", path, err)
		}
	}
}

// A file keeps its mode, and nothing stays beside it.
func TestModeIsKept(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	f := files{folder: t.TempDir()}
	for _, c := range []struct {
		name      string
		mode, got os.FileMode // mode 0: a new file, to which the umask applies
	}{{"shared", 0o666, 0o666}, {"secret", 0o600, 0o600}, {"tool", 0o755, 0o755}, {"new", 0, 0o600}, {strings.Repeat("n", 255), 0, 0o600}} {
		path := filepath.Join(f.folder, c.name)
		if c.mode != 0 {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, c.mode); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.write(t.Context(), acp.WriteTextFileRequest{Path: path, Content: "x"}); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != c.got || info.Size() != 1 {
			t.Errorf("%s: %v, %d bytes", c.name, info.Mode(), info.Size())
		}
	}
	if left, err := filepath.Glob(filepath.Join(f.folder, ".*")); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}

// Symlinks are read and written through as long as they stay in the folder.
func TestSymlinks(t *testing.T) {
	base := t.TempDir()
	f := files{folder: filepath.Join(base, "folder")}
	alias := filepath.Join(base, "alias")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(f.folder, "sub"), 0o700),
		os.WriteFile(filepath.Join(base, "outside"), []byte("before"), 0o600),
		os.WriteFile(filepath.Join(f.folder, "real"), nil, 0o600),
		os.Symlink(f.folder, alias),
		os.Symlink("real", filepath.Join(f.folder, "relative")),
		os.Symlink(filepath.Join(alias, "real"), filepath.Join(f.folder, "absolute")),
		os.Symlink(filepath.Join(f.folder, "sub"), filepath.Join(f.folder, "subalias")),
		os.Symlink("sub/made", filepath.Join(f.folder, "dangling")),
		os.Symlink("../outside", filepath.Join(f.folder, "out")),
		os.Symlink(base, filepath.Join(f.folder, "outer")),
		os.Symlink("../nowhere", filepath.Join(f.folder, "danglingout")),
		os.Symlink("loop", filepath.Join(f.folder, "loop")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, target := range map[string]string{
		"relative": "real", "absolute": "real", "subalias/new": "sub/new", "dangling": "sub/made",
		filepath.Join(alias, "real"): "real", filepath.Join(alias, "deep/er"): "deep/er",
	} {
		if err := f.write(t.Context(), acp.WriteTextFileRequest{Path: path, Content: path}); err != nil {
			t.Errorf("write %s: %v", path, err)
			continue
		}
		if got, err := f.read(t.Context(), acp.ReadTextFileRequest{Path: path}); err != nil || got.Content != path {
			t.Errorf("read %s: %q %v", path, got.Content, err)
		}
		target = filepath.Join(f.folder, target)
		if info, err := os.Lstat(target); err != nil || !info.Mode().IsRegular() {
			t.Errorf("%s is not the file that was written: %v", target, err)
		}
	}
	for _, path := range []string{"out", "outer/outside", "outer/new", "danglingout", "loop", "../outside", filepath.Join(base, "outside")} {
		if err := f.write(t.Context(), acp.WriteTextFileRequest{Path: path, Content: "x"}); err == nil {
			t.Errorf("wrote %s", path)
		}
		if _, err := f.read(t.Context(), acp.ReadTextFileRequest{Path: path}); err == nil {
			t.Errorf("read %s", path)
		}
	}
	if got, err := os.ReadFile(filepath.Join(base, "outside")); err != nil || string(got) != "before" {
		t.Errorf("outside: %q %v", got, err)
	}
	if _, err := os.Lstat(filepath.Join(base, "nowhere")); err == nil {
		t.Error("made a file outside")
	}
}
