package store

import "golang.org/x/sys/unix"

// onNetwork reports whether the folder is on a network drive, as far as can be told.
func onNetwork(folder string) bool {
	var st unix.Statfs_t
	return unix.Statfs(folder, &st) == nil && st.Flags&unix.MNT_LOCAL == 0
}
