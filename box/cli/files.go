package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"git.rickub.com/bots-garden/sidekicks/assets"
	"git.rickub.com/bots-garden/sidekicks/box/docker"
	"git.rickub.com/bots-garden/sidekicks/box/session"
	"git.rickub.com/bots-garden/sidekicks/box/types"
)

// writeFiles writes what the box and the build of its image are made of into
// the folder of this user.
func writeFiles(cfg types.Config) error {
	if err := ownFolder(cfg.Dir); err != nil {
		return err
	}
	err := fs.WalkDir(assets.Box, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(cfg.BuildContext, filepath.FromSlash(name))
		if entry.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		content, err := assets.Box.ReadFile(name)
		if err != nil {
			return err
		}
		return replace(target, content)
	})
	if err == nil {
		err = docker.WriteCA(cfg)
	}
	if err == nil {
		err = replace(cfg.EntryScript, []byte(session.EntryScript(cfg)))
	}
	var known *types.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	return &types.Error{Problem: fmt.Sprintf("the files of the box cannot be written in %s: %v", cfg.Dir, err),
		Fix: "make room on that disk, or set TMPDIR to another folder", Err: err}
}

// ownFolder makes a folder that nobody else may enter, since a program of the
// box is in it. One that somebody else made is refused.
func ownFolder(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return &types.Error{Problem: fmt.Sprintf("the folder %s cannot be made: %v", dir, err),
			Fix: "set TMPDIR to a folder that you may write", Err: err}
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		return nil // the folder of temporary files is the user's
	}
	if uid, _ := owner(dir); !info.IsDir() || uid != os.Getuid() {
		return &types.Error{Problem: dir + " is not yours alone: somebody else made it, or it is a link",
			Fix: "have it removed, or set TMPDIR to a folder that only you may write"}
	}
	return os.Chmod(dir, 0o700)
}

// replace writes a file wholly or not at all. A box that runs keeps the one it
// has mounted.
func replace(name string, content []byte) error {
	if now, err := os.ReadFile(name); err == nil && string(now) == string(content) {
		return nil
	}
	next := name + "." + strconv.Itoa(os.Getpid())
	if err := os.WriteFile(next, content, 0o644); err != nil {
		return err
	}
	return os.Rename(next, name)
}
