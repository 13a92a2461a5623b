package app

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/app/assist"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// editors are those that open a window of their own, with the arguments that
// open a file, {file}, at a line, {line}.
var editors = map[string][]string{
	"code": {"-g", "{file}:{line}"}, "code-insiders": {"-g", "{file}:{line}"}, "codium": {"-g", "{file}:{line}"},
	"vscodium": {"-g", "{file}:{line}"}, "cursor": {"-g", "{file}:{line}"}, "windsurf": {"-g", "{file}:{line}"},
	"subl": {"{file}:{line}"}, "sublime_text": {"{file}:{line}"}, "zed": {"{file}:{line}"}, "zeditor": {"{file}:{line}"},
	"atom": {"{file}:{line}"}, "pulsar": {"{file}:{line}"}, "lapce": {"{file}:{line}"},
	"gedit": {"+{line}", "{file}"}, "gnome-text-editor": {"+{line}", "{file}"}, "xed": {"+{line}", "{file}"},
	"pluma": {"+{line}", "{file}"}, "geany": {"+{line}", "{file}"}, "gvim": {"+{line}", "{file}"}, "mvim": {"+{line}", "{file}"},
	"kate": {"-l", "{line}", "{file}"}, "kwrite": {"-l", "{line}", "{file}"}, "mousepad": {"-l", "{line}", "{file}"},
	"mate": {"-l", "{line}", "{file}"}, "bbedit": {"+{line}", "{file}"}, "notepad++": {"-n{line}", "{file}"},
	"idea": {"--line", "{line}", "{file}"}, "goland": {"--line", "{line}", "{file}"}, "pycharm": {"--line", "{line}", "{file}"},
	"webstorm": {"--line", "{line}", "{file}"},
}

// editorCommand is how the editor that VISUAL or EDITOR names opens a file at
// a line; nil when they name none that opens a window.
func editorCommand(env func(string) string, file string, line int) []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		words, err := assist.Split(env(name))
		if err != nil || len(words) == 0 {
			continue
		}
		program := strings.TrimSuffix(strings.ToLower(filepath.Base(words[0])), ".exe")
		fill := strings.NewReplacer("{file}", file, "{line}", fmt.Sprint(max(1, line)))
		for _, arg := range editors[program] {
			words = append(words, fill.Replace(arg))
		}
		if _, known := editors[program]; known {
			return words
		}
	}
	return nil
}

// Edit opens a file at a line in the editor that the person has chosen, as
// VISUAL and EDITOR say. It reports false when they name none that opens a
// window: the desktop then knows a program for the file. The editor lives on
// when Sidekicks ends.
func (a *App) Edit(file string, line int) (bool, error) {
	command := editorCommand(os.Getenv, file, line)
	if command == nil {
		return false, nil
	}
	path, _ := process.LoginPath(a.ctx) // with an error, that of this process
	program, err := path.Look(command[0])
	if err != nil {
		return false, fmt.Errorf("open %s: %w", file, err)
	}
	c := exec.Command(program, command[1:]...)
	alone(c)
	if err := c.Start(); err != nil {
		return false, fmt.Errorf("open %s: %w", file, err)
	}
	go func() { _ = c.Wait() }()
	return true, nil
}
