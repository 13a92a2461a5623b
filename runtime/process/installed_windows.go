package process

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

var globalMemoryStatus = windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")

// Installed returns the memory of this computer in bytes, 0 when unknown.
func Installed() int64 {
	var status struct { // MEMORYSTATUSEX
		size, load uint32
		total      uint64
		others     [6]uint64
	}
	status.size = uint32(unsafe.Sizeof(status))
	if ok, _, _ := globalMemoryStatus.Call(uintptr(unsafe.Pointer(&status))); ok == 0 {
		return 0
	}
	return int64(status.total)
}
