package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

// write makes a file in a folder of its own and returns its path.
func write(t *testing.T, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFilesThatCannotBeRead(t *testing.T) {
	folder := t.TempDir()
	file := write(t, nil)
	tests := []struct{ path, english, french string }{
		{filepath.Join(folder, "none.yaml"), "there is no configuration file {}", "le fichier de configuration {} n'existe pas"},
		{filepath.Join(folder, "no", "x.yaml"), "there is no configuration file {}: the folder " + filepath.Join(folder, "no") + " does not exist", ""},
		{folder, "{} is a folder; give the configuration file in it", "{} est un dossier\u00a0: donnez le fichier de configuration qu'il contient"},
		{write(t, bytes.Repeat([]byte("#"), MaxSize+1)), "{} is bigger than 16 MB: that is no configuration file", "{} fait plus de 16 Mo\u00a0: ce n'est pas un fichier de configuration"},
		{"\x00", "the configuration file {} cannot be read: no file can have this name", ""},
	}
	if runtime.GOOS != "windows" {
		dangling, circle := filepath.Join(folder, "dangling"), filepath.Join(folder, "circle")
		for link, target := range map[string]string{dangling: "gone.yaml", circle: circle} {
			if err := os.Symlink(target, link); err != nil {
				t.Fatal(err)
			}
		}
		tests = append(tests, []struct{ path, english, french string }{
			{dangling, "{} is a link to gone.yaml, which does not exist; correct the link", "{} est un lien vers gone.yaml, qui n'existe pas\u00a0: corrigez le lien"},
			{circle, "the configuration file {} cannot be read: its links lead back to themselves", ""},
			{"/dev/zero", "{} is not an ordinary file; give a configuration file", "{} n'est pas un fichier ordinaire\u00a0: donnez un fichier de configuration"},
			{filepath.Join(file, "x"), "the configuration file {} cannot be read: a part of its path is a file, not a folder", ""},
			{filepath.Join(folder, strings.Repeat("x", 300)), "the configuration file {} cannot be read: its name is too long", ""},
		}...)
	}
	for _, test := range tests {
		_, _, err := Load(test.path)
		if _, ok := errors.AsType[*ReadError](err); !ok {
			t.Errorf("%q: error %v", test.path, err)
		}
		for language, want := range map[string]string{"en": test.english, "fr": test.french} {
			want = strings.ReplaceAll(want, "{}", test.path)
			if got := i18n.For(language).Error(err); want != "" && got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		}
	}
}

// TestReasons goes through what the system may say: none of its words are told.
func TestReasons(t *testing.T) {
	for _, language := range []string{"en", "fr"} {
		said := map[string]bool{}
		for number := syscall.Errno(1); number < 130; number++ {
			err := &fs.PathError{Op: "open", Path: "p", Err: number}
			for _, err := range []error{&ReadError{"config.yaml", err}, &WriteError{"config.yaml", err}} {
				got := i18n.For(language).Error(err)
				if strings.Contains(got, number.Error()) && number.Error() != "is a folder" || strings.Contains(got, "config.R") || strings.Contains(got, "<no value>") {
					t.Errorf("error %d: %q", number, got)
				}
				said[got] = true
			}
		}
		if len(said) < 100 {
			t.Errorf("%s: %d texts", language, len(said))
		}
	}
	if got := i18n.For("en").Error(&WriteError{"p", errors.New("words of a library")}); got != "p cannot be written: the system does not say why" {
		t.Errorf("got %q", got)
	}
	if got := i18n.For("fr").Error(&ReadError{"p", fs.ErrPermission}); !strings.Contains(got, "droits d'accès") {
		t.Errorf("got %q", got)
	}
}

// TestFileOf5MB reads a file as long as any, with its last lines wrong.
func TestFileOf5MB(t *testing.T) {
	comment := "# " + strings.Repeat("what nobody reads ", 50) + "\n"
	text := []byte(strings.Repeat(comment, 5<<20/len(comment)))
	last := 5<<20/len(comment) + 3
	text = append(text, "version: 1\nagents: []\nchanels: []\n"...)
	for end, want := range map[string]string{
		"":      fmt.Sprintf("line %d — chanels: unknown key \"chanels\"; did you mean \"channels\"?", last),
		"x: \a": fmt.Sprintf("line %d — the character U+0007 is not allowed; remove it", last+1),
	} {
		_, problems, err := Load(write(t, append(bytes.Clone(text), end...)), anyProgram)
		if got := lines("en", problems); err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%q: got %q, %v, want %q", end, got, err, want)
		}
	}
}

// TestManyProblems reads files of many lines, right and wrong ones: all that
// is wrong is said, with its line. A time that grows faster than the file
// would be seen.
func TestManyProblems(t *testing.T) {
	const size = 48 << 10
	const start = "version: 1\nagents:\n- name: a\n  command: mm\n" // 4 lines
	tests := []struct {
		name, start, line, end string // line is repeated, with its number
		each                   string // the problem of each line, or ""
		last                   string // that after the lines, or ""
	}{
		{"comments", start, "# %d\n", "", "", ""},
		{"agents", start, "- {name: a%d, command: mm, title: x, args: [a, b, c, d, e, f, g, h]}\n", "", "", ""},
		{"unknown keys", start, "k%d: 1\n", "", "UnknownKey", ""},
		{"numbers in env", start + "  env:\n", "    K%d: 1\n", "", "Quote", ""},
		{"channels", start + "channels:\n", "- name: channel %d\n", "", "", ""},
		{"unknown members", start + "channels:\n- name: c\n  agents:\n", "  - bob-%d\n", "", "UnknownAgent", ""},
		{"tab at the end", start, "- {name: a%d, command: mm}\n", "\t- x\n", "", "Tab"},
		{"open quote", start + "  title: \"\n", "  some text %d\n", "", "", "UnclosedQuote"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := []byte(test.start)
			first, lines := strings.Count(test.start, "\n")+1, 0
			for ; len(text) < size; lines++ {
				text = fmt.Appendf(text, test.line, lines)
			}
			_, problems, err := Load(write(t, append(text, test.end...)), anyProgram)
			if err != nil {
				t.Fatal(err)
			}
			if test.last != "" {
				if len(problems) != 1 || problems[0].Code != test.last {
					t.Errorf("got %d problems, %.3v", len(problems), problems)
				}
				return
			}
			if test.each == "" {
				lines = 0
			}
			if len(problems) != lines {
				t.Fatalf("got %d problems, not %d", len(problems), lines)
			}
			for i, problem := range problems {
				if problem.Code != test.each || problem.Line != first+i {
					t.Fatalf("problem %d is %+v", i, problem)
				}
			}
		})
	}
}
