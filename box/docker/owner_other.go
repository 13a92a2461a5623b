//go:build !linux

package docker

import "io/fs"

func mayWrite(fs.FileInfo, int, int) bool { return true }
