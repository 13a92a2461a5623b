package process

import "golang.org/x/sys/unix"

// Installed returns the memory of this computer in bytes, 0 when unknown.
func Installed() int64 {
	size, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(size)
}
