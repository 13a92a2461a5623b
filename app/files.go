package app

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/protect"
	"git.rickub.com/bots-garden/sidekicks/runtime"
)

// Files is the folder of one agent as a person may work in it: nothing that is
// protected is changed, deleted, moved, moved onto, or lost with its folder
// (specification, `protect`). Names are those of [runtime.Files]. Its methods
// take as long as a disk or a container does; their errors are localizable. It
// may be used by several goroutines at once.
type Files struct {
	files  runtime.Files
	folder string // as the agent sees it; places in its tool calls begin with it
	agent  config.Agent
	rules  func() *protect.Rules
}

// NewFiles gives the files of an agent. folder is the absolute path that the
// agent has for it.
func NewFiles(files runtime.Files, folder string, agent config.Agent) *Files {
	return &Files{files: files, folder: folder, agent: agent, rules: sync.OnceValue(func() *protect.Rules { return protection(agent) })}
}

// protection is what is protected of an agent's folder.
func protection(c config.Agent) *protect.Rules {
	p := protect.Agent{
		Folder: c.Workspace, WorkspacePath: c.Runtime.WorkspacePath, Patterns: c.Protect, Args: c.Args,
		Runtime: c.Runtime.Type, LifecycleFolder: c.Runtime.Lifecycle.Folder,
		IgnoreCase: runtime.IgnoresCase(c.Workspace),
	}
	for _, command := range [][]string{c.Runtime.Lifecycle.Create, c.Runtime.Lifecycle.Stop, c.Runtime.Lifecycle.Remove} {
		if len(command) > 0 {
			p.Lifecycle = append(p.Lifecycle, command)
		}
	}
	return protect.New(p)
}

// FileEntry is one thing in an agent's folder.
type FileEntry struct {
	runtime.Entry
	Path string        // its name in the agent's folder
	Rule *protect.Rule // that protects it; nil: none does
}

// Folder reports whether the entry holds others.
func (e FileEntry) Folder() bool { return e.Mode.IsDir() }

// Protects tells which rule protects an entry, nil for none.
func (f *Files) Protects(name string) *protect.Rule {
	if rule, ok := f.rules().Protects(name); ok {
		return &rule
	}
	return nil
}

// List gives what a folder holds: folders first, by name without the case.
func (f *Files) List(ctx context.Context, dir string) ([]FileEntry, error) {
	found, err := f.files.List(ctx, dir)
	if err != nil {
		return nil, explain(dir, err)
	}
	entries := make([]FileEntry, len(found))
	folded := make(map[string]string, len(found))
	for i, e := range found {
		name := path.Join(dir, e.Name)
		entries[i] = FileEntry{Entry: e, Path: name, Rule: f.Protects(name)}
		folded[e.Name] = strings.ToLower(e.Name)
	}
	slices.SortFunc(entries, func(a, b FileEntry) int {
		switch {
		case a.Folder() != b.Folder() && a.Folder():
			return -1
		case a.Folder() != b.Folder():
			return 1
		}
		return cmp.Or(cmp.Compare(folded[a.Name], folded[b.Name]), cmp.Compare(a.Name, b.Name))
	})
	return entries, nil
}

// Stat gives one entry, a symlink itself.
func (f *Files) Stat(ctx context.Context, name string) (FileEntry, error) {
	e, err := f.files.Stat(ctx, name)
	if err != nil {
		return FileEntry{}, explain(name, err)
	}
	return FileEntry{Entry: e, Path: path.Clean(name), Rule: f.Protects(name)}, nil
}

// Create makes an empty file.
func (f *Files) Create(ctx context.Context, name string) error {
	return f.doing(name, func() error {
		if err := f.free(ctx, name, true); err != nil {
			return err
		}
		if err := f.missing(ctx, name); err != nil {
			return err
		}
		return f.files.Write(ctx, name, strings.NewReader(""))
	})
}

// Make makes a folder.
func (f *Files) Make(ctx context.Context, dir string) error {
	return f.doing(dir, func() error {
		if err := f.free(ctx, dir, false); err != nil {
			return err
		}
		return f.files.Make(ctx, dir)
	})
}

// Rename moves an entry with all it holds, never onto another one.
func (f *Files) Rename(ctx context.Context, from, to string) error {
	return f.doing(from, func() error {
		if err := f.freeWithAll(ctx, from, from); err != nil {
			return err
		}
		if err := f.freeWithAll(ctx, to, from); err != nil {
			return err
		}
		if err := f.files.Rename(ctx, from, to); err != nil {
			return explain(to, err)
		}
		return nil
	})
}

// Delete removes an entry and all it holds, to the system's trash when
// [Files.HasTrash]. Where the trash does not take it, the error is a
// [*runtime.TrashError], and [Files.Erase] removes it for good.
func (f *Files) Delete(ctx context.Context, name string) error {
	return f.doing(name, func() error {
		if err := f.freeWithAll(ctx, name, name); err != nil {
			return err
		}
		return f.files.Delete(ctx, name)
	})
}

// Erase removes an entry and all it holds for good.
func (f *Files) Erase(ctx context.Context, name string) error {
	return f.doing(name, func() error {
		if err := f.freeWithAll(ctx, name, name); err != nil {
			return err
		}
		if e, ok := f.files.(eraser); ok {
			return e.Erase(ctx, name)
		}
		return f.files.Delete(ctx, name)
	})
}

// HasTrash reports whether what is deleted goes to the system's trash.
func (f *Files) HasTrash() bool {
	_, ok := f.files.(eraser)
	return ok
}

// eraser is what files have whose Delete is not for good.
type eraser interface {
	Erase(ctx context.Context, name string) error
}

func (f *Files) doing(name string, do func() error) error { return explain(name, do()) }

// missing returns fs.ErrExist when there is something.
func (f *Files) missing(ctx context.Context, name string) error {
	_, err := f.files.Stat(ctx, name)
	switch {
	case err == nil:
		return fs.ErrExist
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}

// free returns nil when an entry may be changed, as it is called and as it is
// behind the symlinks on the way to it. With follow, a symlink itself stands
// for what it leads to.
func (f *Files) free(ctx context.Context, name string, follow bool) error {
	if err := f.rules().Change(name); err != nil {
		return err
	}
	real, err := f.behind(ctx, name, follow)
	if err != nil || real == path.Clean(name) {
		return err
	}
	return f.rules().Change(real)
}

// freeWithAll returns nil when an entry may be touched with all it holds,
// which is what source holds now.
func (f *Files) freeWithAll(ctx context.Context, name, source string) error {
	if err := f.free(ctx, name, false); err != nil {
		return err
	}
	entry, err := f.files.Stat(ctx, source)
	if err != nil {
		return err
	}
	real, err := f.behind(ctx, name, false)
	if err != nil {
		return err
	}
	return f.rules().ChangeAll(real, entry.Mode.IsDir(), func(dir string) (folders, others []string, err error) {
		below := strings.TrimPrefix(strings.TrimPrefix(dir, real), "/")
		entries, err := f.files.List(ctx, path.Join(source, below))
		for _, e := range entries {
			if e.Mode.IsDir() {
				folders = append(folders, e.Name)
			} else {
				others = append(others, e.Name)
			}
		}
		return folders, others, err
	})
}

// Check returns nil when an entry may be changed and deleted with all it
// holds, else a [*protect.Refusal]. The entry need not exist.
func (f *Files) Check(ctx context.Context, name string) error {
	return f.doing(name, func() error {
		if err := f.free(ctx, name, true); err != nil {
			return err
		}
		err := f.freeWithAll(ctx, name, name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

// mostLinks is how many symlinks are followed on the way to an entry.
const mostLinks = 40

// behind gives the name of what is behind the symlinks on the way to an entry.
// What is missing needs no following.
func (f *Files) behind(ctx context.Context, name string, follow bool) (string, error) {
	todo := strings.Split(path.Clean(name), "/")
	done, links := ".", 0
	for len(todo) > 0 {
		next := path.Join(done, todo[0])
		todo = todo[1:]
		if next == ".." || strings.HasPrefix(next, "../") || strings.HasPrefix(next, "/") {
			return "", runtime.ErrOutside
		}
		if len(todo) == 0 && !follow {
			return next, nil
		}
		entry, err := f.files.Stat(ctx, next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return path.Join(append([]string{next}, todo...)...), nil
		case err != nil:
			return "", err
		case entry.Mode&fs.ModeSymlink == 0:
			done = next
			continue
		}
		if links++; links > mostLinks || entry.Outside {
			return "", runtime.ErrOutside
		}
		target := entry.Target
		if path.IsAbs(target) {
			var ok bool
			if target, ok = f.Locate(target); !ok {
				return "", runtime.ErrOutside
			}
			done = "."
		}
		todo = append(strings.Split(target, "/"), todo...)
	}
	return done, nil
}

// Locate gives the name of a file that an agent speaks of by its path, and
// whether it is in the agent's folder.
func (f *Files) Locate(place string) (name string, ok bool) {
	place = path.Clean(filepath.ToSlash(place))
	if !path.IsAbs(place) && filepath.VolumeName(place) == "" {
		return place, place != ".." && !strings.HasPrefix(place, "../")
	}
	for _, folder := range []string{f.folder, f.agent.Workspace, f.agent.Runtime.WorkspacePath} {
		folder = path.Clean(filepath.ToSlash(folder))
		if place == folder {
			return ".", true
		}
		if name, ok := strings.CutPrefix(place, strings.TrimSuffix(folder, "/")+"/"); ok && folder != "." {
			return name, true
		}
	}
	return "", false
}

// Files gives the files of an agent of the configuration, where it runs.
func (a *App) Files(agent string) (*Files, bool) {
	place := a.Place(agent)
	for _, c := range a.Config().Agents {
		if c.Name == agent && place != nil {
			return NewFiles(place.Files(), place.Folder(), c), true
		}
	}
	return nil, false
}
