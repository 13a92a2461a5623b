//go:build unix

package cli

import (
	"os"
	"syscall"
)

// owner returns who owns a file, 0 and 0 when it cannot be known.
func owner(name string) (uid, gid int) {
	info, err := os.Lstat(name)
	if err != nil {
		return 0, 0
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return int(stat.Uid), int(stat.Gid)
}
