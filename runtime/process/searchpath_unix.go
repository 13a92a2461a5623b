//go:build unix

package process

import (
	"bufio"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// executable returns file when it can be run, else an error that is
// [fs.ErrPermission] when it is there but may not be.
func executable(file string) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		return "", fs.ErrNotExist
	}
	if info.Mode()&0o111 == 0 || unix.Access(file, unix.X_OK) != nil {
		return "", fs.ErrPermission
	}
	return file, nil
}

// sameName tells whether two names are of the same environment variable.
func sameName(a, b string) bool { return a == b }

// loginShell returns the user's shell.
func loginShell() string {
	if shell := os.Getenv("SHELL"); shell != "" {
		return shell
	}
	const fallback = "/bin/sh"
	file, err := os.Open("/etc/passwd")
	if err != nil {
		return fallback
	}
	defer file.Close()
	uid := strconv.Itoa(os.Getuid())
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if fields := strings.Split(lines.Text(), ":"); len(fields) == 7 && fields[2] == uid && fields[6] != "" {
			return fields[6]
		}
	}
	return fallback
}
