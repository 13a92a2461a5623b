package config

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/app/config/edit"
	"git.rickub.com/bots-garden/sidekicks/app/i18n"
	"git.rickub.com/bots-garden/sidekicks/assets"
)

const savedBefore = "version: 1\nagents:\n  - name: a\n    command: mm\n"

// adding is the change that adds an agent to a text.
func adding(t *testing.T, text, name string) edit.Change {
	t.Helper()
	change, err := edit.Append([]byte(text), edit.Agent{Name: name, Command: "mm"})
	if err != nil {
		t.Fatal(err)
	}
	return change
}

func writeConfig(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "team.yaml")
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

func expectContent(t *testing.T, path, want string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(content) != want {
		t.Errorf("%s holds\n%s, want\n%s", path, content, want)
	}
	others, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"))
	if err != nil || len(others) > 0 {
		t.Errorf("left behind: %v %v", others, err)
	}
}

func TestSaveThroughLink(t *testing.T) {
	path := writeConfig(t, savedBefore)
	link := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	change := adding(t, savedBefore, "bob")
	if err := Save(link, change); err != nil {
		t.Fatal(err)
	}
	expectContent(t, path, savedBefore+"  - name: bob\n    command: mm\n")
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", info, err)
	}
}

func TestSaveRefuses(t *testing.T) {
	good := adding(t, savedBefore, "bob")
	for name, test := range map[string]struct {
		text   string
		change edit.Change
		mode   fs.FileMode
		want   any
		told   string
	}{
		"invalid":   {savedBefore, adding(t, savedBefore, "Bob Smith"), 0o644, new(*InvalidError), "agents[1].name"},
		"name":      {savedBefore, adding(t, savedBefore, "a"), 0o644, new(*InvalidError), "line 5"},
		"unsafe":    {savedBefore, edit.Change{Before: []byte(savedBefore), After: []byte("version: 1\nagents: []\n")}, 0o644, new(*edit.Error), "by hand"},
		"changed":   {savedBefore + "# mine\n", good, 0o644, new(*ChangedError), "changed"},
		"read-only": {savedBefore, good, 0o444, new(*WriteError), ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := writeConfig(t, test.text)
			if err := os.Chmod(path, test.mode); err != nil {
				t.Fatal(err)
			}
			err := Save(path, test.change)
			if !errors.As(err, test.want) {
				t.Fatalf("got %T %v, want %T", err, err, test.want)
			}
			if told := i18n.For("en").Error(err); !strings.Contains(told, test.told) || strings.Contains(told, "no value") {
				t.Errorf("told %q, want %q in it", told, test.told)
			}
			expectContent(t, path, test.text)
		})
	}
}

func TestSaveGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.yaml")
	err := Save(path, adding(t, savedBefore, "bob"))
	if !errors.As(err, new(*WriteError)) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the file was made")
	}
}

// Of several windows that read the same text, one writes it, and the others
// are told.
func TestSaveAtOnce(t *testing.T) {
	path := writeConfig(t, savedBefore)
	change := adding(t, savedBefore, "bob")
	var group sync.WaitGroup
	results := make(chan error, 8)
	for range cap(results) {
		group.Go(func() { results <- Save(path, change) })
	}
	group.Wait()
	close(results)
	written := 0
	for err := range results {
		switch {
		case err == nil:
			written++
		case !errors.As(err, new(*ChangedError)):
			t.Errorf("got %v", err)
		}
	}
	if written != 1 {
		t.Errorf("written %d times", written)
	}
	expectContent(t, path, string(change.After))
}

// Every text of the area is one of these errors, and the other way round.
func TestSaveTexts(t *testing.T) {
	var ids []string
	for _, err := range []i18n.Localizable{
		&edit.Error{Code: edit.Unsupported}, &edit.Error{Code: edit.NoAgents}, &edit.Error{Code: edit.NoLineEnd},
		errBusy, errReadOnly, errOwner, &InvalidError{}, &ChangedError{},
	} {
		id, _ := err.Localize()
		ids = append(ids, id)
	}
	var known map[string]string
	data, err := assets.Translations.ReadFile("translations/edit.en.json")
	if err == nil {
		err = json.Unmarshal(data, &known)
	}
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ids)
	if all := slices.Sorted(maps.Keys(known)); !slices.Equal(ids, all) {
		t.Errorf("the catalogue has %v, the errors %v", all, ids)
	}
}
