//go:build unix

package agent

import (
	"os"
	"path/filepath"
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
		if err := f.write(acp.WriteTextFileRequest{Path: path, Content: "x"}); err == nil || err.Message != want {
			t.Errorf("write %s: %v", path, err)
		}
		if _, err := f.read(acp.ReadTextFileRequest{Path: path}); err == nil || err.Message != want {
			t.Errorf("read %s: %v", path, err)
		}
	}
}
