//go:build unix

package runtime

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// fakeDocker writes a program called docker and returns its folder.
func fakeDocker(t *testing.T, script string) string {
	t.Helper()
	return fakeProgram(t, "docker", script)
}

func fakeProgram(t *testing.T, name, script string) string {
	t.Helper()
	folder := t.TempDir()
	syscall.ForkLock.RLock() // a child of a parallel test that has the file open to write keeps it from being run
	err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// before is the environment with a folder before the PATH.
func before(folder string) []string {
	return append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"))
}

func realDocker(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("docker")
	if err != nil {
		t.Fatal(err)
	}
	return path
}
