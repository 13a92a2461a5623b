package ui

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"time"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app/config"
)

// rememberedName is the name of the file in [config.Folder].
const rememberedName = "window.json"

// settleTime is how long the window waits for more to remember before it
// writes: a column that is dragged changes many times a second.
const settleTime = time.Second

// remembered is what windows keep between two runs and no configuration file
// says: sizes, folds, choices. A nil one remembers nothing. Its methods may be
// called from any goroutine; only save waits for the disk.
type remembered struct {
	path string // empty: kept in memory alone

	mu      sync.Mutex
	values  map[string]json.RawMessage
	changed map[string]bool // since the file was written
	later   *time.Timer
	failed  bool // to write, and said so

	writing sync.Mutex
}

// openRemembered reads what was kept in a file. One that is missing or makes
// no sense holds nothing.
func openRemembered(path string) *remembered {
	return &remembered{path: path, values: readRemembered(path), changed: map[string]bool{}}
}

// rememberedPath is where windows keep what they remember, "" when there is no
// place for it.
func rememberedPath() string {
	folder, err := config.Folder()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, rememberedName)
}

func readRemembered(path string) map[string]json.RawMessage {
	values := map[string]json.RawMessage{}
	if data, err := os.ReadFile(path); err == nil {
		_ = json.Unmarshal(data, &values)
	}
	if values == nil { // the file says null
		values = map[string]json.RawMessage{}
	}
	return values
}

// Get reads the value of a key into what into points to. It leaves that alone
// and reports false when nothing of its type is remembered.
func (r *remembered) Get(key string, into any) bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	data, ok := r.values[key]
	r.mu.Unlock()
	if !ok {
		return false
	}
	value := reflect.New(reflect.TypeOf(into).Elem())
	if json.Unmarshal(data, value.Interface()) != nil {
		return false
	}
	reflect.ValueOf(into).Elem().Set(value.Elem())
	return true
}

// Set remembers a value, which must be one that JSON can hold, under a key.
func (r *remembered) Set(key string, value any) {
	if r == nil {
		return
	}
	data, err := json.Marshal(value)
	if err != nil {
		fyne.LogError("remember "+key, err)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if string(r.values[key]) == string(data) {
		return
	}
	r.values[key], r.changed[key] = data, true
	if r.later == nil && r.path != "" {
		r.later = time.AfterFunc(settleTime, r.save)
	}
}

// save writes what changed. What another window wrote meanwhile stays.
func (r *remembered) save() {
	if r == nil {
		return
	}
	r.writing.Lock()
	defer r.writing.Unlock()
	r.mu.Lock()
	mine := map[string]json.RawMessage{}
	for key := range r.changed {
		mine[key] = r.values[key]
	}
	clear(r.changed)
	if r.later != nil {
		r.later.Stop()
		r.later = nil
	}
	r.mu.Unlock()
	if len(mine) == 0 || r.path == "" {
		return
	}
	all := readRemembered(r.path)
	maps.Copy(all, mine)
	data, err := json.MarshalIndent(all, "", "  ")
	if err == nil {
		err = config.ReplaceFile(r.path, append(data, '\n'))
	}
	if err != nil && !r.failed {
		r.failed = true
		fyne.LogError("remember the window", err)
	}
}
