//go:build !linux

package docker

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// program names the program that listens on a port, where lsof tells.
func program(ctx context.Context, port int) string {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	var pid, name string
	lsof := process.Command{Path: "lsof", Args: []string{"-nP", "-iTCP:" + strconv.Itoa(port), "-sTCP:LISTEN", "-Fpc"}}
	_ = process.Run(ctx, lsof, func(line string) {
		if value, found := strings.CutPrefix(line, "p"); found {
			pid = value
		} else if value, found := strings.CutPrefix(line, "c"); found {
			name = value
		}
	})
	if name == "" {
		return ""
	}
	return fmt.Sprintf("%s (process %s)", name, pid)
}
