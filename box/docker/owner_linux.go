package docker

import (
	"io/fs"
	"syscall"
)

// mayWrite tells whether a user may write a file or a folder, groups besides
// its own left out.
func mayWrite(info fs.FileInfo, uid, gid int) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return true
	}
	mode := info.Mode().Perm()
	switch {
	case int(stat.Uid) == uid:
		return mode&0o200 != 0
	case int(stat.Gid) == gid:
		return mode&0o020 != 0
	}
	return mode&0o002 != 0
}
