//go:build !linux && !freebsd && !openbsd && !netbsd

package ui

// The system itself shows notifications and tray icons.
func canNotify() error { return nil }
func canTray() error   { return nil }
func canFollow() bool  { return true }
