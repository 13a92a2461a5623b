package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// The files of the window's last words, beside its history.
const (
	lastWordsName = "crash.txt"               // of the window that runs, or of one that crashed
	reportName    = "crash-20060102-1504.txt" // of one that crashed, by when
	mostReports   = 5
)

// lastWords is the file that the runtime writes into when the window crashes,
// in whatever goroutine and for whatever reason. It holds one line until then,
// and is removed when the window ends as it should.
type lastWords struct{ path string }

// keepLastWords begins the file in a folder, and returns what the last window
// left in its own, nil when it ended as it should. Without a place for it
// there are none.
func keepLastWords(folder string) (w lastWords, left []byte, err error) {
	w.path = filepath.Join(folder, lastWordsName)
	if left, err = os.ReadFile(w.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return w, nil, err
	}
	if _, said, _ := bytes.Cut(left, []byte("\n")); len(bytes.TrimSpace(said)) == 0 {
		left = nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return w, left, err
	}
	f, err := os.OpenFile(w.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|os.O_APPEND, 0o600)
	if err != nil {
		return w, left, err
	}
	defer f.Close() // the runtime keeps a copy
	_, err = fmt.Fprintf(f, "Sidekicks %s, %s, %s/%s, started %s\n",
		buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, time.Now().Format(time.RFC3339))
	if err == nil {
		err = debug.SetCrashOutput(f, debug.CrashOptions{})
	}
	return w, left, err
}

// end removes the file: the window has ended as it should.
func (w lastWords) end() {
	_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
	_ = os.Remove(w.path)
}

// report keeps what a window left as a file of its own, without what hide
// hides, and returns its path.
func (w lastWords) report(left []byte, hide func(string) string) (string, error) {
	folder := filepath.Dir(w.path)
	path := filepath.Join(folder, time.Now().Format(reportName))
	if err := os.WriteFile(path, []byte(hide(strings.ToValidUTF8(string(left), "\uFFFD"))), 0o600); err != nil {
		return "", fmt.Errorf("keep a crash report: %w", err)
	}
	reports, _ := filepath.Glob(filepath.Join(folder, "crash-*.txt")) // sorted: the oldest first
	for _, old := range reports[:max(0, len(reports)-mostReports)] {
		_ = os.Remove(old)
	}
	return path, nil
}

// crashed tells that the window crashed the last time.
type crashed struct{ path string }

func (c crashed) Error() string {
	return "Sidekicks crashed the last time it ran; the report is " + c.path
}

// Localize gives the catalogue's key and arguments.
func (c crashed) Localize() (string, map[string]any) {
	return "cli.Crashed", map[string]any{"Name": filepath.Base(c.path)}
}

// File is what there is to read about it.
func (c crashed) File() string { return c.path }
