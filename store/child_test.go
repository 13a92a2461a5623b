package store
func isChild() bool { return false }
