package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/app/i18n"
	"git.rickub.com/bots-garden/sidekicks/schema"
)

// home makes a temporary folder the home of the test, and returns it with
// the folder of the application.
func home(t *testing.T) (home, folder string) {
	t.Helper()
	home = t.TempDir()
	for _, name := range []string{"HOME", "USERPROFILE"} {
		t.Setenv(name, home)
	}
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	t.Setenv("AppData", filepath.Join(home, "config"))
	folder, err := Folder()
	if err != nil {
		t.Fatal(err)
	}
	return home, folder
}

func TestLocate(t *testing.T) {
	home, folder := home(t)
	current := t.TempDir()
	t.Chdir(current)
	current, _ = os.Getwd()
	last := filepath.Join(t.TempDir(), "last.yaml")
	byDefault := filepath.Join(folder, "config.yaml")
	tests := []struct {
		name, flag, env, last string
		want                  Location
	}{
		{"flag first", "~/a.yaml", "b.yaml", last, Location{Path: filepath.Join(home, "a.yaml"), Source: FromFlag}},
		{"relative flag", "sub/../a.yaml", "", "", Location{Path: filepath.Join(current, "a.yaml"), Source: FromFlag}},
		{"absolute flag", last, "", "", Location{Path: last, Source: FromFlag}},
		{"environment", "", "~/b.yaml", last, Location{Path: filepath.Join(home, "b.yaml"), Source: FromEnvironment}},
		{"last file", "", "", last, Location{Path: last, Source: FromPreferences}},
		{"last file gone", "", "", last + ".none", Location{Path: byDefault, Source: FromDefault, Gone: last + ".none"}},
		{"default", "", "", "", Location{Path: byDefault, Source: FromDefault}},
	}
	if err := os.WriteFile(last, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		if err := (Preferences{LastFile: test.last}).Write(filepath.Join(folder, PreferencesName)); err != nil {
			t.Fatal(err)
		}
		env := func(name string) string { return map[string]string{"SIDEKICKS_CONFIG": test.env}[name] }
		if got, err := Locate(test.flag, env); err != nil || got != test.want {
			t.Errorf("%s: got %+v, %v, want %+v", test.name, got, err, test.want)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, PreferencesName), []byte("{damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Locate("", func(string) string { return "" })
	if _, ok := errors.AsType[*PreferencesError](got.Damaged); !ok || err != nil || got.Path != byDefault {
		t.Errorf("with damaged preferences: got %+v, %v", got, err)
	}
}

func TestLocateWithoutHome(t *testing.T) {
	for _, name := range []string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, "")
	}
	none := func(string) string { return "" }
	for _, flag := range []string{"", "~/a.yaml"} {
		_, err := Locate(flag, none)
		if _, ok := errors.AsType[*LocateError](err); !ok {
			t.Errorf("%q: error %v", flag, err)
		}
		if got := i18n.For("en").Error(err); !strings.Contains(got, "set HOME, or give the file with --config") {
			t.Errorf("got %q", got)
		}
	}
	path := filepath.Join(t.TempDir(), "a.yaml")
	if got, err := Locate(path, none); err != nil || got.Path != path {
		t.Errorf("got %+v, %v", got, err)
	}
	_, problems := Parse([]byte(agentAt+"    workspace: ~/a\n"), "c.yaml", anyProgram)
	if len(problems) != 1 || problems[0].Code != "NoHome" || problems[0].Line != 5 {
		t.Errorf("got %+v", problems)
	}
}

func TestPreferences(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "folder", PreferencesName)
	read, err := ReadPreferences(path)
	if err != nil || !reflect.DeepEqual(read, Preferences{}) {
		t.Errorf("without a file: %+v, %v", read, err)
	}
	var preferences Preferences
	for i := range maxRecent + 3 {
		preferences.Opened(fmt.Sprintf("/%d.yaml", i))
	}
	preferences.Opened("/5.yaml")
	preferences.Forget("/12.yaml")
	if err := preferences.Write(path); err != nil {
		t.Fatal(err)
	}
	want := Preferences{LastFile: "/5.yaml", RecentFiles: []string{
		"/5.yaml", "/11.yaml", "/10.yaml", "/9.yaml", "/8.yaml", "/7.yaml", "/6.yaml", "/4.yaml", "/3.yaml",
	}}
	if read, err = ReadPreferences(path); err != nil || !reflect.DeepEqual(read, want) {
		t.Errorf("got %+v, %v, want %+v", read, err, want)
	}
	preferences.Forget("/5.yaml")
	if preferences.LastFile != "" {
		t.Errorf("forgot %+v", preferences)
	}
	for _, damaged := range []string{"", "{", "[]", `{"lastFile": 1}`, "\x00"} {
		if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if read, err := ReadPreferences(path); err == nil || !reflect.DeepEqual(read, Preferences{}) {
			t.Errorf("%q: got %+v, %v", damaged, read, err)
		}
	}
	assertAlone(t, path)
}

// assertAlone checks that no temporary file stays beside path.
func assertAlone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
}

func TestPreferencesAreWrittenThroughALink(t *testing.T) {
	target := filepath.Join(t.TempDir(), "target.json")
	link := filepath.Join(t.TempDir(), PreferencesName)
	if err := os.WriteFile(target, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if err := (Preferences{LastFile: "/a"}).Write(link); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if read, err := ReadPreferences(target); err != nil || read.LastFile != "/a" {
		t.Errorf("the target holds %+v, %v", read, err)
	}
}

func TestWriteErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	inFile := filepath.Join(file, "below")
	for name, err := range map[string]error{
		"preferences": Preferences{}.Write(inFile),
		"default":     EnsureDefault(inFile, "en"),
		"folder":      Preferences{}.Write(filepath.Dir(file)),
	} {
		if _, ok := errors.AsType[*WriteError](err); !ok {
			t.Errorf("%s: error %v", name, err)
		}
		if got := i18n.For("en").Error(err); !strings.Contains(got, "cannot be written: ") {
			t.Errorf("%s: got %q", name, got)
		}
	}
	assertAlone(t, file)
}

func TestDefaultFile(t *testing.T) {
	for _, language := range []string{"en", "fr"} {
		path := filepath.Join(t.TempDir(), "new", "config.yaml")
		if err := EnsureDefault(path, language); err != nil {
			t.Fatal(err)
		}
		assertAlone(t, path)
		config, problems, err := Load(path, anyProgram)
		if err != nil || len(problems) > 0 {
			t.Fatalf("%s: %v, %v", language, lines(language, problems), err)
		}
		if config.UI.Language != language || len(config.Agents) != 1 || len(config.Channels) != 1 {
			t.Errorf("%s: got %+v", language, config)
		}
		guide, channel := config.Agents[0], config.Channels[0]
		if guide.Name != "guide" || guide.Title != "Guide" || guide.Icon != "🧭" || guide.Description == "" ||
			guide.Command != "sidekicks" || !slices.Equal(guide.Args, []string{"guide"}) {
			t.Errorf("%s: the agent is %+v", language, guide)
		}
		if channel.Name != "general" || !slices.Equal(channel.Agents, []string{"guide"}) {
			t.Errorf("%s: the channel is %+v", language, channel)
		}
	}
}

func TestDefaultFileExplainsEveryKey(t *testing.T) {
	var document map[string]any
	if err := json.Unmarshal(schema.ConfigSchema(), &document); err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	var collect func(any)
	collect = func(node any) {
		object, _ := node.(map[string]any)
		properties, _ := object["properties"].(map[string]any)
		for key := range properties {
			keys[key] = true
		}
		for _, child := range object {
			collect(child)
		}
	}
	collect(document)
	for name, content := range map[string][]byte{"en": defaultEnglish, "fr": defaultFrench} {
		for key := range keys {
			// A comment, then the key, itself in a comment or not.
			explained := regexp.MustCompile(`(?m)^ *# .*\n(?:ui:\n|limits:\n)?(?: *#)*[ #-]*` + key + `:`)
			if key != "ui" && key != "limits" && !explained.Match(content) {
				t.Errorf("%s: %q is not explained", name, key)
			}
		}
		// The example works when its comment marks are removed.
		before, rest, _ := strings.Cut(string(content), "args: [guide]\n")
		example, after, _ := strings.Cut(rest, "\nchannels:")
		example = regexp.MustCompile(`(?m)^  # `).ReplaceAllString(example, "  ")
		text := []byte(before + "args: [guide]\n" + example + "\nchannels:" + after)
		config, problems := Parse(text, "config.yaml", anyProgram)
		if len(problems) > 0 || len(config.Agents) != 2 || config.Agents[1].Runtime.Type != Sbx {
			t.Errorf("%s: the example gives %q", name, lines(name, problems))
		}
	}
}

func TestEnsureDefaultChangesNothing(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "config.yaml")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	dangling := filepath.Join(folder, "dangling.yaml")
	if err := os.Symlink(filepath.Join(folder, "none"), dangling); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, dangling, folder} {
		if err := EnsureDefault(path, "en"); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "mine" {
		t.Errorf("the file holds %q, %v", data, err)
	}
	if _, err := os.Stat(filepath.Join(folder, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was written through the link: %v", err)
	}
	// What appears between the check and the write is not replaced either.
	if err := createFile(file, []byte("other")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("createFile: %v", err)
	}
	if err := writeNew(file, []byte("other")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("writeNew: %v", err)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"command", "env", "args", "agents", "a"}
	for word, want := range map[string]string{
		"comand": "command", "Command": "command", "commnad": "command", "agent": "agents", "evn": "env", "arg": "args",
		"com": "", "environment": "", "b": "", "": "", "x": "", "A": "a",
	} {
		if got := nearest(word, names); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
