package docker

import (
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/box/types"
)

// mount is one --mount: unlike --volume it refuses a source that is missing,
// and takes paths with colons.
type mount struct {
	volume         bool // source is the name of a volume
	source, target string
	readonly       bool
}

// String is the value of --mount, a record of CSV.
func (m mount) String() string {
	kind := "bind"
	if m.volume {
		kind = "volume"
	}
	fields := []string{"type=" + kind, "source=" + m.source, "target=" + m.target}
	if m.readonly {
		fields = append(fields, "readonly")
	}
	var line strings.Builder
	w := csv.NewWriter(&line)
	_ = w.Write(fields) // neither fails on a strings.Builder
	w.Flush()
	return strings.TrimSuffix(line.String(), "\n")
}

// mounts returns what the box sees of the host (section 5 of the contract),
// and the volumes.
func mounts(cfg types.Config) ([]mount, error) {
	all := []mount{
		{source: cfg.Workspace, target: types.WorkspacePath},
		{source: cfg.ClaudeDir, target: types.ClaudeDirPath},
		{source: Transcripts(cfg), target: types.TranscriptsPath},
		{source: cfg.ClaudeJSON, target: types.ClaudeJSON},
		{source: cfg.EntryScript, target: types.EntryPath, readonly: true},
		{source: cfg.ObserverAsset, target: types.ObserverPath, readonly: true},
	}
	if cfg.GitConfig != "" {
		all = append(all, mount{source: cfg.GitConfig, target: types.GitConfigPath, readonly: true})
	}
	if cfg.GHConfigDir != "" {
		all = append(all, mount{source: cfg.GHConfigDir, target: types.GHConfigPath, readonly: true})
	}
	git, err := commonGit(cfg.Workspace)
	if err != nil {
		return nil, err
	}
	all = append(all, git...)
	for i := range all {
		// The engine may be unable to follow a symlink, and it mounts a
		// file as it is: what a link leads to is what must be written.
		source, err := filepath.EvalSymlinks(all[i].source)
		if err != nil {
			return nil, &types.Error{Problem: fmt.Sprintf("%s cannot be mounted in the box: %v", all[i].source, err),
				Fix: "make it, or the file that it links to", Err: err}
		}
		all[i].source = source
	}
	for _, v := range types.CacheVolumes {
		all = append(all, mount{volume: true, source: v.Name, target: v.Path})
	}
	return all, nil
}

// Prepare makes the folders and files of the host that the box mounts, where
// they are missing: a mount has to find them.
func Prepare(cfg types.Config) error {
	for _, dir := range []string{cfg.ClaudeDir, filepath.Join(cfg.ClaudeDir, "sessions"),
		filepath.Join(cfg.ClaudeDir, "projects", "-workspace"), Transcripts(cfg)} {
		if err := makeDir(dir, cfg); err != nil {
			return err
		}
	}
	return prepareJSON(cfg)
}

// makeDir makes a folder, and those above it, for the user of the box.
func makeDir(dir string, cfg types.Config) error {
	info, err := os.Stat(dir)
	switch {
	case err == nil && !info.IsDir():
		return &types.Error{Problem: dir + " is not a folder", Fix: "move it away; agentbox makes the folder"}
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := makeDir(filepath.Dir(dir), cfg); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return &types.Error{Problem: fmt.Sprintf("the folder %s cannot be made: %v", dir, err),
			Fix: "check who owns the folder above it", Err: err}
	}
	return giveTo(dir, cfg)
}

// prepareJSON makes ~/.claude.json an empty object where it is missing, or
// empty: Claude Code calls an empty file broken.
func prepareJSON(cfg types.Config) error {
	info, err := os.Stat(cfg.ClaudeJSON)
	switch {
	case err == nil && info.IsDir():
		return &types.Error{
			Problem: cfg.ClaudeJSON + " is a folder, made by a container that was started before the file existed",
			Fix:     fmt.Sprintf("remove it with 'rmdir %s' (with sudo when it is root's), then run agentbox again", cfg.ClaudeJSON),
		}
	case err == nil && info.Size() > 0:
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := os.WriteFile(cfg.ClaudeJSON, []byte("{}\n"), 0o600); err != nil {
		return &types.Error{Problem: fmt.Sprintf("%s cannot be written: %v", cfg.ClaudeJSON, err),
			Fix: "check who owns it, and what it links to", Err: err}
	}
	return giveTo(cfg.ClaudeJSON, cfg)
}

// giveTo gives what root just made to the user of the box.
func giveTo(name string, cfg types.Config) error {
	if os.Getuid() != 0 {
		return nil
	}
	return os.Chown(name, cfg.UID, cfg.GID)
}

// Unwritable returns what the user of the box could not write among the
// folders and files it works on. It knows on Linux alone; elsewhere the engine
// makes ids up.
func Unwritable(cfg types.Config) []string {
	var names []string
	for _, name := range []string{cfg.Workspace, cfg.ClaudeDir, cfg.ClaudeJSON} {
		if info, err := os.Stat(name); err == nil && !mayWrite(info, cfg.UID, cfg.GID) {
			names = append(names, name)
		}
	}
	return names
}

// Owned is an error when the user of the box cannot write what it works on:
// Claude Code would start, and save nothing without a word.
func Owned(cfg types.Config) error {
	names := Unwritable(cfg)
	if len(names) == 0 {
		return nil
	}
	return &types.Error{
		Problem: fmt.Sprintf("the box's user, with the id %d, cannot write %s", cfg.UID, strings.Join(names, ", ")),
		Fix: fmt.Sprintf("give it to that user: sudo chown -R %d:%d %[3]s; sudo chmod -R u+w %[3]s",
			cfg.UID, cfg.GID, quoted(names)),
	}
}

func quoted(names []string) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return strings.Join(words, " ")
}

// notSlug is what Claude Code replaces in the name it gives a project.
var notSlug = regexp.MustCompile(`[^A-Za-z0-9-]`)

// Transcripts returns the folder of the host where the box keeps what Claude
// Code knows of the project. Every project is /workspace in its box: in one
// folder, their talks and memories would mix.
func Transcripts(cfg types.Config) string {
	slug := notSlug.ReplaceAllString(cfg.Workspace, "-")
	if len(slug) > 180 {
		slug = fmt.Sprintf("%s-%x", slug[:160], sha256.Sum256([]byte(cfg.Workspace)))[:180]
	}
	return filepath.Join(cfg.ClaudeDir, "projects", slug+"--agentbox")
}
