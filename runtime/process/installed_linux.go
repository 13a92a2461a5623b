package process

import "golang.org/x/sys/unix"

// Installed returns the memory of this computer in bytes, 0 when unknown.
func Installed() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}
