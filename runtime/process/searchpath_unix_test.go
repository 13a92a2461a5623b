//go:build unix

package process

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// fakeShell writes a shell whose start-up files are text. It then does what the
// words say, as a shell does: -l, -i and -c, then the script.
func fakeShell(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "shell")
	script := "#!/bin/sh\n" + text + "\nwhile [ \"$1\" != -c ]; do shift; done\nshift\nexec /bin/sh -c \"$1\"\n"
	if err := os.WriteFile(file, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestLoginPath(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Dir(self)
	env := []string{"PATH=/usr/bin:/bin:relative:/usr/bin/"}
	both := []string{"/login/bin", "/usr/bin", "/bin", own}
	for name, test := range map[string]struct {
		startup string
		want    []string
		failed  bool
	}{
		"plain":                {"export PATH=/login/bin:/usr/bin", both, false},
		"order is the shell's": {"export PATH=/bin:/login/bin", []string{"/bin", "/login/bin", "/usr/bin", own}, false},
		"banner":               {"echo Welcome; printf 'no line end'; echo oops >&2; export PATH=/login/bin", both, false},
		"duplicates":           {"export PATH=/login/bin:/login/bin/::.:x:/usr/bin", both, false},
		"fails afterwards":     {"export PATH=/login/bin; sleep 600 & trap 'exit 3' EXIT", both, false},
		"replaced when interactive": {`case "$*" in *-i*) exit 0;; esac; export PATH=/login/bin`,
			both, false},
		"accepts -c only": {`[ "$1" = -c ] || exit 2; export PATH=/login/bin`, both, false},
		"says nothing":    {"exit 0", both[1:], true},
		"fails":           {"echo no good; exit 1", both[1:], true},
	} {
		t.Run(name, func(t *testing.T) {
			shell := fakeShell(t, test.startup)
			got, err := readLoginPath(t.Context(), shell, env)
			if !slices.Equal(got.Dirs, test.want) {
				t.Errorf("got %q, want %q", got.Dirs, test.want)
			}
			var failure *PathError
			if errors.As(err, &failure) != test.failed {
				t.Errorf("error %v", err)
			}
			if (got.Source == shell) == test.failed {
				t.Errorf("source %q", got.Source)
			}
		})
	}
}

func TestLoginPathOfSlowShell(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	shell := fakeShell(t, "trap '' TERM; sleep 600 & echo $! >"+pidFile+"; wait")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	begin := time.Now()
	path, err := readLoginPath(ctx, shell, []string{"PATH=/usr/bin"})
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	var failure *PathError
	if !errors.As(err, &failure) || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), shell) {
		t.Errorf("error %v", err)
	}
	if len(path.Dirs) == 0 || path.Dirs[0] != "/usr/bin" {
		t.Errorf("path %v", path)
	}
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	waitGone(t, pid)
}

func TestLoginPathOfThisUser(t *testing.T) {
	t.Setenv("HOME", t.TempDir()) // start-up files may be slow
	ctx, cancel := context.WithCancel(t.Context())
	first, err := LoginPath(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if first.Source == "" {
		t.Error("it does not come from a shell")
	}
	cancel()
	again, err := LoginPath(context.Background())
	if err != nil || again.String() != first.String() {
		t.Errorf("second time %v, %v", again, err)
	}
}

func TestLook(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	for _, folder := range []string{first, second, filepath.Join(first, "folder")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for file, mode := range map[string]os.FileMode{"first/plain": 0o644, "second/plain": 0o755, "second/folder": 0o755, "second/x": 0o755} {
		if err := os.WriteFile(filepath.Join(dir, file), nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	path := ParsePath(".:"+first+"::"+second, "")
	for name, want := range map[string]string{
		"plain":               second + "/plain",
		"folder":              second + "/folder",
		"x":                   second + "/x",
		"nosuch":              "",
		"":                    "",
		"..":                  "",
		second + "/x":         second + "/x",
		first + "/plain":      "",
		"first/../second/x":   "",
		first + "/../nothing": "",
	} {
		got, err := path.Look(name)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v; want %q", name, got, err, want)
		}
	}
}
