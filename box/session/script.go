// Package session makes what runs in the box and on the person's terminal: the
// entry script, which sets tmux up, and the small scripts that attach to it.
// It runs nothing itself.
package session

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"strings"

	"git.rickub.com/bots-garden/sidekicks/box/types"
)

// What the entry script can be told to do.
const (
	EntryUp      = "up"      // make the session, end when it ends
	EntryIdle    = "idle"    // make none
	EntrySession = "session" // make it in a box that idles
)

//go:embed entry.sh
var entry string

// EntryScript returns the script that the box runs: the settings of the
// configuration, then what is the same for every box.
func EntryScript(cfg types.Config) string {
	claude, yolo := "claude --teammate-mode tmux", ""
	if cfg.Yolo {
		claude, yolo = claude+" --dangerously-skip-permissions", "1"
	}
	var script strings.Builder
	script.WriteString("#!/usr/bin/env bash\n# Written by agentbox. The box mounts it.\n")
	fmt.Fprintf(&script, "session=%s\nport=%d\nyolo=%s\nproject=%s\nclaude=(%s)\n\n",
		quote(cfg.Session), cfg.Port, quote(yolo), quote(filepath.Base(cfg.Workspace)), claude)
	script.WriteString(entry)
	return script.String()
}

// quote makes one word of a text, for any shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
