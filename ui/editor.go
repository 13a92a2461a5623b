package ui

import (
	"net/url"
	"path/filepath"
	"strings"
)

// edit opens a file at a line in the person's editor, or where the desktop
// opens such files.
func (w *window) edit(path string, line int) {
	w.bridge.outside(func() func() {
		opened, err := w.backend.Edit(path, line)
		return func() {
			switch {
			case err != nil:
				w.report(err)
			case !opened:
				w.openFile(path)
			}
		}
	})
}

// openFile opens a file in the program that the desktop has for it.
func (w *window) openFile(path string) { w.report(w.app.OpenURL(fileURL(path))) }

// showInFolder shows a file in the desktop's file manager: marked, where that
// can be asked for, else the folder.
func (w *window) showInFolder(path string) {
	w.bridge.outside(func() func() {
		err := reveal(path)
		return func() {
			if err != nil {
				w.report(w.app.OpenURL(fileURL(filepath.Dir(path))))
			}
		}
	})
}

func fileURL(path string) *url.URL {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/… on Windows
	}
	return &url.URL{Scheme: "file", Path: path}
}
