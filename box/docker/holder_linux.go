package docker

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// program names the program that listens on a port, if it is the user's own.
func program(_ context.Context, port int) string {
	inodes := listening(port)
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, link := range links {
		target, err := os.Readlink(link)
		if err != nil || !inodes[target] {
			continue
		}
		pid := strings.Split(link, "/")[2]
		name, _ := os.ReadFile("/proc/" + pid + "/comm")
		return fmt.Sprintf("%s (process %s)", strings.TrimSpace(string(name)), pid)
	}
	return ""
}

// listening returns the sockets that listen on a port, as links to them read.
func listening(port int) map[string]bool {
	const stateListen = "0A"
	inodes := map[string]bool{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		content, _ := os.ReadFile(table)
		for line := range strings.Lines(string(content)) {
			f := strings.Fields(line)
			if len(f) > 9 && f[3] == stateListen && strings.HasSuffix(f[1], fmt.Sprintf(":%04X", port)) {
				inodes["socket:["+f[9]+"]"] = true
			}
		}
	}
	return inodes
}
