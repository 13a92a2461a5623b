package runtime

import (
	"errors"
	"fmt"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/windows"
)

var fileOperation = windows.NewLazySystemDLL("shell32.dll").NewProc("SHFileOperationW")

// operation is a SHFILEOPSTRUCTW.
type operation struct {
	window   uintptr
	function uint32
	from, to *uint16
	flags    uint16
	aborted  int32
	mappings uintptr
	progress *uint16
}

// hasTrash reports whether the shell has a recycle bin for a path: it has for
// local disks, and takes no long paths.
func hasTrash(path string) bool {
	volume, err := windows.UTF16PtrFromString(filepath.VolumeName(path) + `\`)
	return err == nil && len(path) < windows.MAX_PATH && windows.GetDriveType(volume) == windows.DRIVE_FIXED
}

// trash moves the entry to the recycle bin.
func (s *spot) trash() error {
	const (
		deletion  = 3                                 // FO_DELETE
		quietBack = 0x4 | 0x10 | 0x40 | 0x200 | 0x400 // silent, no question, undo, no folder question, no error window
	)
	if !hasTrash(s.path()) {
		return errors.New("there is no recycle bin for this disk")
	}
	from, err := windows.UTF16FromString(s.path())
	if err != nil {
		return err
	}
	from = append(from, 0) // a list of paths, which an empty one ends
	op := operation{function: deletion, from: &from[0], flags: quietBack}
	code, _, _ := fileOperation.Call(uintptr(unsafe.Pointer(&op)))
	if code != 0 || op.aborted != 0 {
		return fmt.Errorf("the recycle bin refused it (code %#x)", code)
	}
	return nil
}
