// Package watch tells when a file has another content, however that came
// about: written in place, renamed over, removed and made again, or through a
// symbolic link that leads elsewhere. It knows nothing of what the file says.
package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// settle is how long a file must be left alone before it is read: a save
	// is several steps.
	settle = 100 * time.Millisecond
	// settleMost is when a file that is never left alone is read all the same.
	settleMost = 300 * time.Millisecond
	// patience is how long an empty or a missing file is taken for one that
	// is just being saved.
	patience = 400 * time.Millisecond
	// lookEvery is how often the file is looked at without being told: network
	// folders tell nothing, and a folder may come back after it was removed.
	lookEvery = 2 * time.Second
	// lookOften is how often while a folder cannot be watched.
	lookOften = 200 * time.Millisecond
)

// Content is what a file holds, or why it cannot be read.
type Content struct {
	Data []byte
	Err  error
}

func (c Content) equal(other Content) bool {
	return bytes.Equal(c.Data, other.Data) && fmt.Sprint(c.Err) == fmt.Sprint(other.Err)
}

// unlikely tells of a content that a save in several steps passes through.
func (c Content) unlikely() bool {
	return len(c.Data) == 0 && (c.Err == nil || errors.Is(c.Err, fs.ErrNotExist))
}

// File calls changed each time the file at path has another content, beginning
// with known, until ctx ends. read reads the file. Both are called in the
// goroutine of the caller.
func File(ctx context.Context, path string, known Content, read func() Content, changed func(Content)) {
	w := &watcher{path: path, known: known, read: read, changed: changed, folders: map[string]os.FileInfo{}}
	var events <-chan fsnotify.Event
	var failures <-chan error
	if told, err := fsnotify.NewWatcher(); err == nil {
		defer told.Close()
		w.told, events, failures = told, told.Events, told.Errors
	}
	w.stirred, w.settled = time.Now(), time.NewTimer(0) // it may have changed since it was read
	w.look = time.NewTimer(0)
	defer w.settled.Stop()
	defer w.look.Stop()
	for {
		select {
		case e := <-events:
			w.touched(e)
		case <-failures: // events were lost
			w.stir()
		case <-w.look.C:
			w.lookAgain()
		case <-w.settled.C:
			w.take()
		case <-ctx.Done():
			return
		}
	}
}

type watcher struct {
	path    string
	known   Content
	read    func() Content
	changed func(Content)

	told    *fsnotify.Watcher      // nil: the system has none left
	folders map[string]os.FileInfo // that are watched, as they were then
	names   places
	stamp   stamp // of the file when it was last looked at

	stirred time.Time // when the save in progress began; zero: there is none
	doubted time.Time // when the file was first found in a state that it hardly stays in
	settled *time.Timer
	look    *time.Timer
}

// touched takes up what happened in a folder, if it is about the file.
func (w *watcher) touched(e fsnotify.Event) {
	folder, name := filepath.Split(e.Name)
	mine := slices.ContainsFunc(w.names[filepath.Clean(folder)], func(n string) bool { return strings.EqualFold(n, name) })
	_, itself := w.folders[filepath.Clean(e.Name)]
	if itself { // it is gone, and may be made again
		delete(w.folders, filepath.Clean(e.Name))
	}
	if mine || itself {
		w.stir()
		w.look.Reset(0)
	}
}

// stir waits until the file is left alone.
func (w *watcher) stir() {
	now := time.Now()
	if w.stirred.IsZero() {
		w.stirred = now
	}
	w.settled.Reset(min(settle, max(0, w.stirred.Add(settleMost).Sub(now))))
}

// take reads the file, and tells when it is another one.
func (w *watcher) take() {
	began := w.stirred
	w.stirred = time.Time{}
	now := time.Now() // what is read was there then, however long it takes to read
	content := w.read()
	if content.unlikely() && !content.equal(w.known) {
		if w.doubted.IsZero() {
			w.doubted = began
		}
		if left := w.doubted.Add(patience).Sub(now); left > 0 {
			w.stirred = now
			w.settled.Reset(min(left, settle))
			return
		}
	}
	w.doubted = time.Time{}
	if content.equal(w.known) {
		return
	}
	w.known = content
	w.changed(content)
}

// lookAgain watches the folders that lead to the file now, and sees whether
// the file changed without anybody telling.
func (w *watcher) lookAgain() {
	next := lookEvery
	if !w.watchFolders() {
		next = lookOften
	}
	if s := stampOf(w.path); s != w.stamp {
		first := w.stamp == stamp{}
		w.stamp = s
		if !first {
			w.stir()
		}
	}
	w.look.Reset(next)
}

// watchFolders reports whether all of them are watched.
func (w *watcher) watchFolders() bool {
	w.names = follow(w.path)
	if w.told == nil {
		return false
	}
	for folder := range w.folders {
		if _, needed := w.names[folder]; !needed {
			_ = w.told.Remove(folder)
			delete(w.folders, folder)
		}
	}
	all := true
	for folder := range w.names {
		info, err := os.Stat(folder)
		if err == nil && w.folders[folder] != nil && os.SameFile(info, w.folders[folder]) {
			continue
		}
		_ = w.told.Remove(folder) // another folder has its name now
		if err == nil {
			err = w.told.Add(folder)
		}
		if err != nil {
			delete(w.folders, folder)
			all = false
			continue
		}
		w.folders[folder] = info
		w.stir() // what happened before it was watched
	}
	return all
}

// stamp is how a file that changed is told without reading it.
type stamp struct {
	size     int64
	modified time.Time
	missing  bool
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{missing: true}
	}
	return stamp{size: info.Size(), modified: info.ModTime()}
}

// places are the folders, with the names in each, that decide what file a path
// leads to.
type places map[string][]string

// mostLinks is how many symbolic links a path may lead through.
const mostLinks = 40

func follow(path string) places {
	p, left := places{}, mostLinks
	end := p.resolve(path, &left)
	p.add(filepath.Dir(end), filepath.Base(end))
	return p
}

// resolve returns where a path leads, and notes every link on the way.
func (p places) resolve(path string, left *int) string {
	path = filepath.Clean(path)
	folder, name := filepath.Dir(path), filepath.Base(path)
	if folder == path || *left == 0 {
		return path
	}
	folder = p.resolve(folder, left)
	path = filepath.Join(folder, name)
	target, err := os.Readlink(path)
	if err != nil {
		return path
	}
	*left--
	p.add(folder, name)
	if !filepath.IsAbs(target) {
		target = filepath.Join(folder, target)
	}
	return p.resolve(target, left)
}

func (p places) add(folder, name string) {
	if !slices.Contains(p[folder], name) {
		p[folder] = append(p[folder], name)
	}
}
