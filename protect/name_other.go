//go:build !windows

package protect

// slashed is a name with slashes only. A backslash is part of a name here.
func slashed(name string) string { return name }

// plain is a name without what the file system does not look at: nothing.
func plain(name string) string { return name }
