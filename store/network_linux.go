package store

import "golang.org/x/sys/unix"

// networkFileSystems are those whose memory maps two machines do not share.
var networkFileSystems = map[uint32]bool{
	unix.NFS_SUPER_MAGIC:  true,
	unix.SMB_SUPER_MAGIC:  true,
	unix.SMB2_SUPER_MAGIC: true,
	unix.CIFS_SUPER_MAGIC: true,
	unix.V9FS_MAGIC:       true, // a Windows drive seen from WSL
	unix.CODA_SUPER_MAGIC: true,
	unix.AFS_SUPER_MAGIC:  true,
	unix.CEPH_SUPER_MAGIC: true,
}

// onNetwork reports whether the folder is on a network drive, as far as can be told.
func onNetwork(folder string) bool {
	var st unix.Statfs_t
	return unix.Statfs(folder, &st) == nil && networkFileSystems[uint32(st.Type)]
}
