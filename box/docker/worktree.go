package docker

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/box/types"
)

// commonGit returns the mount of a repository that the workspace is a linked
// worktree or a submodule of, at the place where git looks for it in the box:
// without it git is dead there.
func commonGit(workspace string) ([]mount, error) {
	pointer, err := os.ReadFile(filepath.Join(workspace, ".git"))
	if err != nil { // none, or a folder
		return nil, nil
	}
	gitDir, found := strings.CutPrefix(strings.TrimSpace(string(pointer)), "gitdir:")
	if !found {
		return nil, nil
	}
	gitDir = filepath.ToSlash(strings.TrimSpace(gitDir))
	there, inBox := gitDir, gitDir
	if !filepath.IsAbs(gitDir) {
		there, inBox = filepath.Join(workspace, gitDir), path.Join(types.WorkspacePath, gitDir)
	}
	common, err := os.ReadFile(filepath.Join(there, "commondir"))
	switch {
	case err == nil:
		up := filepath.ToSlash(strings.TrimSpace(string(common)))
		if filepath.IsAbs(up) {
			there, inBox = up, up
		} else {
			there, inBox = filepath.Join(there, up), path.Join(inBox, up)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("read what the worktree is of: %w", err)
	}
	if _, err := os.Stat(filepath.Join(there, "objects")); err != nil {
		return nil, &types.Error{
			Problem: fmt.Sprintf("the workspace is a git worktree of %s, which is no repository", there),
			Fix:     "run 'git worktree repair' in the repository, or remove the file .git of the workspace",
			Err:     err,
		}
	}
	if runtime.GOOS == "windows" || strings.HasPrefix(inBox+"/", types.WorkspacePath+"/") {
		return nil, nil // a path such as C:/src is none in the box; the other is there already
	}
	return []mount{{source: there, target: inBox}}, nil
}
