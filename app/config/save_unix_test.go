//go:build unix

package config

import (
	"os"
	"syscall"
	"testing"
)

func TestSaveKeepsModeAndOwner(t *testing.T) {
	path := writeConfig(t, savedBefore)
	if err := os.Chmod(path, 0o664); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 { // nobody else may give a file away
		if err := os.Chown(path, 1234, 2345); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Save(path, adding(t, savedBefore, "bob")); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	is, was := after.Sys().(*syscall.Stat_t), before.Sys().(*syscall.Stat_t)
	if after.Mode() != before.Mode() || is.Uid != was.Uid || is.Gid != was.Gid {
		t.Errorf("was %v %d:%d, is %v %d:%d", before.Mode(), was.Uid, was.Gid, after.Mode(), is.Uid, is.Gid)
	}
}

// A program that holds the lock is waited for; one that keeps it is told of.
func TestSaveWaits(t *testing.T) {
	path := writeConfig(t, savedBefore)
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unlock, err := lock(file)
	if err != nil {
		t.Fatal(err)
	}
	saved := make(chan error)
	go func() { saved <- Save(path, adding(t, savedBefore, "bob")) }()
	unlock()
	if err := <-saved; err != nil {
		t.Error(err)
	}
	other, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := lock(other); err != nil {
		t.Error(err)
	}
	again, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if _, err := lock(again); err != errBusy {
		t.Errorf("got %v, want busy", err)
	}
}
