package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// addTo runs "sidekicks add" with more arguments on a copy of a text, and
// returns the exit code, what it printed, what it told on standard error, and
// what the file holds then.
func addTo(t *testing.T, text []byte, args ...string) (code int, printed, told string, after []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "team.yaml")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, remarks bytes.Buffer
	args = append([]string{"add", "new-agent", "--config", path, "--title", "no", "--icon", "👩", "--program", "sidekicks"}, args...)
	code = run(t.Context(), args, streams{strings.NewReader(""), &out, &remarks})
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return code, out.String(), remarks.String(), after
}

// Whatever valid file an agent is added to, the lines shown by --dry-run come
// in and no other byte changes.
func TestAddToEveryValidFile(t *testing.T) {
	t.Setenv("SHELL", "/bin/sh")
	files, err := filepath.Glob("schema/testdata/valid/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code, lines, told, same := addTo(t, before, "--dry-run")
		if code != 0 || !bytes.Equal(before, same) {
			t.Errorf("%s: exit code %d, told %s, or not as it was", file, code, told)
			continue
		}
		code, _, told, after := addTo(t, before)
		if code != 0 {
			t.Errorf("%s: exit code %d: %s", file, code, told)
			continue
		}
		at := bytes.Index(after, []byte(strings.TrimSuffix(lines, "\n")))
		if at < 0 {
			t.Errorf("%s: %q is not in\n%s", file, lines, after)
			continue
		}
		rest := string(after[:at]) + strings.TrimPrefix(string(after[at+len(lines)-1:]), "\n")
		if original := string(before); rest != original && rest != strings.Replace(original, "agents: []", "agents: ", 1) {
			t.Errorf("%s: without the lines it is\n%s", file, rest)
		}
	}
}

// A file that nothing can be added to is as it was.
func TestAddToWhatIsNoConfiguration(t *testing.T) {
	t.Setenv("SHELL", "/bin/sh")
	for name, text := range map[string]string{
		"empty":     "",
		"comments":  "# nothing\n",
		"binary":    "\x7fELF\x00\x01\xff",
		"UTF-16":    "\xff\xfev\x00e\x00r\x00s\x00i\x00o\x00n\x00",
		"no list":   "version: 1\nagents: none\n",
		"not valid": "version: 1\nagents: []\nchanels: []\n",
		"two":       "version: 1\nagents: []\n---\nversion: 1\nagents: []\n",
		"tab":       "version: 1\nagents:\n\t- name: a\n",
	} {
		code, _, told, after := addTo(t, []byte(text))
		if code != exitFailed && code != exitUsage || told == "" || string(after) != text {
			t.Errorf("%s: exit code %d, told %q", name, code, told)
		}
		if strings.Contains(told, "<no value>") || strings.Contains(told, "yaml:") {
			t.Errorf("%s: told %q", name, told)
		}
	}
}

// What cannot be read is said, and nothing is made.
func TestAddToWhatIsNoFile(t *testing.T) {
	folder := t.TempDir()
	link := filepath.Join(folder, "dangling.yaml")
	if err := os.Symlink(filepath.Join(folder, "nowhere.yaml"), link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{folder, link, filepath.Join(folder, "none", "team.yaml"), os.DevNull} {
		var out bytes.Buffer
		code := run(t.Context(), []string{"add", "a", "--config", path, "--program", "mm"}, streams{strings.NewReader(""), &out, &out})
		if code != exitUsage && code != exitFailed || out.Len() == 0 {
			t.Errorf("%s: exit code %d, told %q", path, code, out.String())
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("made %v, %v", entries, err)
	}
}
