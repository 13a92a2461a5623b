package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/pflag"
	"gopkg.in/yaml.v3"

	"git.rickub.com/bots-garden/sidekicks/app/assist"
	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

// A page is a document: its path, its text without code, and its code blocks.
type page struct {
	path   string
	prose  string
	blocks []block
}

// A block is a code block. Its info says what it holds: "yaml" alone is a
// whole configuration, "yaml agent" entries of its agents, "yaml runtime" the
// runtime of an agent, "yaml other" a file of another program.
type block struct {
	info, text string
	line       int
}

// pages reads the README and all documents.
func pages(t *testing.T) []page {
	t.Helper()
	paths := []string{"README.md"}
	err := filepath.WalkDir("docs", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []page
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, read(path, string(text)))
	}
	return all
}

func read(path, text string) page {
	p := page{path: filepath.ToSlash(path)}
	var open *block
	for i, line := range strings.Split(text, "\n") {
		info, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence && open == nil:
			open = &block{info: info, line: i + 1}
		case fence:
			p.blocks = append(p.blocks, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		default:
			p.prose += line + "\n"
		}
	}
	return p
}

// TestDocumentedConfigurations reads every YAML block as what it says it is.
func TestDocumentedConfigurations(t *testing.T) {
	t.Parallel()
	found := config.WithLookPath(func(string, map[string]string) error { return nil })
	for _, p := range pages(t) {
		for _, b := range p.blocks {
			kind, ok := strings.CutPrefix(b.info, "yaml")
			if !ok {
				continue
			}
			at := fmt.Sprintf("%s:%d", p.path, b.line)
			text := b.text
			switch strings.TrimSpace(kind) {
			case "":
			case "agent":
				text = "version: 1\nagents:\n" + indented(text, 2)
			case "runtime":
				text = "version: 1\nagents:\n  - name: it\n    command: it\n" + indented(text, 4)
			case "other":
				if err := yaml.Unmarshal([]byte(text), new(any)); err != nil {
					t.Errorf("%s: %v", at, err)
				}
				continue
			default:
				t.Errorf("%s: nobody knows what a block of %q is", at, b.info)
			}
			_, problems := config.Parse([]byte(text), filepath.Join(t.TempDir(), "config.yaml"), found)
			for _, problem := range problems {
				t.Errorf("%s: %s", at, problem.Text(i18n.For("en")))
			}
		}
	}
}

func indented(text string, by int) string {
	margin := strings.Repeat(" ", by)
	return margin + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+margin) + "\n"
}

// TestDocumentedCommands parses every command line of a console block that is
// one of sidekicks, and looks for the targets of make. Those of agentbox are
// tested with it.
func TestDocumentedCommands(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages(t) {
		for _, b := range p.blocks {
			for line := range strings.Lines(b.text) {
				command, ok := strings.CutPrefix(line, "$ ")
				if b.info != "console" || !ok {
					continue
				}
				words, err := assist.Split(command)
				if err != nil {
					t.Errorf("%s:%d: %q: %v", p.path, b.line, command, err)
					continue
				}
				if words[0] == "make" && !strings.Contains(string(makefile), "\n"+words[1]+":") {
					t.Errorf("%s:%d: make has no target %s", p.path, b.line, words[1])
				}
				at := slices.Index(words, "sidekicks")
				if at < 0 || at+1 < len(words) && words[at+1] == "box" {
					continue
				}
				if err := parse(words[at+1:]); err != nil {
					t.Errorf("%s:%d: %q: %v", p.path, b.line, command, err)
				}
			}
		}
	}
}

// parse does all that running a command line does, but run it.
func parse(args []string) error {
	p := &program{streams: streams{strings.NewReader(""), io.Discard, io.Discard}, texts: i18n.For("en")}
	command, rest, err := p.root().Find(opening(args))
	if err == nil {
		err = command.ParseFlags(rest)
	}
	if err == nil && command.Args != nil {
		err = command.ValidateArgs(command.Flags().Args())
	}
	return err
}

// TestCommandLineIsDocumented looks for every command and every flag in the
// reference.
func TestCommandLineIsDocumented(t *testing.T) {
	t.Parallel()
	root := (&program{texts: i18n.For("en")}).root()
	for _, language := range []string{"en", "fr"} {
		path := filepath.Join("docs", language, "reference", "command-line.md")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range root.Commands() {
			if c.Hidden || !c.IsAvailableCommand() {
				continue
			}
			_, section, ok := strings.Cut(string(text), "\n## sidekicks "+c.Name()+"\n")
			if !ok {
				t.Errorf("%s has no section on %s", path, c.Name())
			}
			section, _, _ = strings.Cut(section, "\n## ")
			c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
				if f.Name != "help" && !strings.Contains(section, "`--"+f.Name) {
					t.Errorf("%s: %s --%s is not in it", path, c.Name(), f.Name)
				}
			})
		}
	}
}

var (
	links   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
)

// TestDocumentedLinks follows every link to a file of the repository, and to
// the heading in it.
func TestDocumentedLinks(t *testing.T) {
	t.Parallel()
	all := pages(t)
	anchors := map[string][]string{}
	for _, p := range all {
		for _, h := range heading.FindAllStringSubmatch(p.prose, -1) {
			anchors[p.path] = append(anchors[p.path], anchor(h[1]))
		}
	}
	for _, p := range all {
		for _, link := range links.FindAllStringSubmatch(p.prose, -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			file, place, named := strings.Cut(link[1], "#")
			target := p.path
			if file != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(p.path), file))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %s leads nowhere", p.path, link[1])
			} else if named && !slices.Contains(anchors[target], place) {
				t.Errorf("%s: the link %s leads to no heading", p.path, link[1])
			}
		}
	}
}

// anchor is what a heading is linked to by.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, heading)
}

// TestDocumentsInBothLanguages compares the documents with their translations:
// the same pages, headings and blocks of code in the same order. Comments and
// values in the code may differ, commands may not.
func TestDocumentsInBothLanguages(t *testing.T) {
	t.Parallel()
	form := map[string]map[string]string{"en": {}, "fr": {}}
	for _, p := range pages(t) {
		parts := strings.SplitN(p.path, "/", 3)
		if len(parts) < 3 {
			continue
		}
		levels := regexp.MustCompile(`(?m)^#+ `).FindAllString(p.prose, -1)
		infos := make([]string, len(p.blocks))
		for i, b := range p.blocks {
			infos[i] = b.info
		}
		form[parts[1]][parts[2]] = fmt.Sprintf("headings %q\nblocks %q", levels, infos)
	}
	if len(form["en"]) == 0 {
		t.Fatal("there are no documents")
	}
	for name, en := range form["en"] {
		if fr, ok := form["fr"][name]; !ok {
			t.Errorf("%s is not in French", name)
		} else if en != fr {
			t.Errorf("%s differs:\nen %s\nfr %s", name, en, fr)
		}
	}
	for name := range form["fr"] {
		if _, ok := form["en"][name]; !ok {
			t.Errorf("%s is not in English", name)
		}
	}
}

// TestExamples checks every example as "sidekicks check" does. Programs may
// be missing on this computer.
func TestExamples(t *testing.T) {
	t.Setenv("SHELL", "/bin/sh")
	var files []string
	for _, pattern := range []string{"examples/*.yaml", "examples/*/sidekicks.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no files: %v", pattern, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		var out, remarks bytes.Buffer
		args := []string{"check", "--language", "en", "--config", file}
		if code := run(t.Context(), args, streams{strings.NewReader(""), &out, &remarks}); code != 0 {
			t.Errorf("%s: check ends with %d\n%s%s", file, code, &out, &remarks)
		}
		for line := range strings.Lines(out.String()) {
			if !strings.Contains(line, "is not in PATH") {
				t.Errorf("%s: %s", file, line)
			}
		}
		c, _, err := config.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range c.Agents {
			if info, err := os.Stat(a.Workspace); err != nil || !info.IsDir() {
				t.Errorf("%s: the folder of %s is not there: %v", file, a.Name, err)
			}
			if name := placed(t, a.Runtime); name != a.Runtime.Container+a.Runtime.Sandbox {
				t.Errorf("%s: %s is said to be in %s%s, and its file makes %s", file, a.Name, a.Runtime.Container, a.Runtime.Sandbox, name)
			}
		}
	}
}

// placed is the name of the container or the sandbox that the file beside the
// lifecycle of an example makes. Without such a file, it is the one that is
// configured.
func placed(t *testing.T, r config.Runtime) string {
	t.Helper()
	inFolder := func(name string) string { return filepath.Join(r.Lifecycle.Folder, name) }
	switch {
	case r.Type == config.Container && slices.Contains(r.Lifecycle.Create, "compose.yaml"):
		team, err := assist.ReadCompose(t.Context(), inFolder("compose.yaml"), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range team.Services {
			if slices.Contains(r.Lifecycle.Create, s.Name) {
				return s.Container
			}
		}
		return ""
	case r.Type == config.Sbx:
		s, err := assist.ReadSandbox(inFolder("sbxenv.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		return s.Name
	}
	return r.Container
}
