package store

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

// onNetwork reports whether the folder is on a network drive, as far as can be told.
func onNetwork(folder string) bool {
	root, err := windows.UTF16PtrFromString(filepath.VolumeName(folder) + `\`)
	return err == nil && windows.GetDriveType(root) == windows.DRIVE_REMOTE
}
