package assist

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/app/i18n"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		"":                       nil,
		"  -acp \t -config x ":   {"-acp", "-config", "x"},
		`a "b c" 'd "e"'`:        {"a", "b c", `d "e"`},
		`--x="a b"c ""`:          {"--x=a bc", ""},
		`C:\a\b "C:\with space"`: {`C:\a\b`, `C:\with space`},
		`"it's"`:                 {"it's"},
	} {
		got, err := Split(line)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Split(%q) = %q, %v; want %q", line, got, err, want)
		}
		if again, err := Split(Join(got)); err != nil || !slices.Equal(again, got) {
			t.Errorf("%q became %q by way of %q: %v", got, again, Join(got), err)
		}
	}
	for _, line := range []string{`a "b`, `'`, `"a'`} {
		if words, err := Split(line); err == nil {
			t.Errorf("Split(%q) = %q", line, words)
		}
	}
}

func FuzzJoin(f *testing.F) {
	f.Add("a b", `it's "`)
	f.Add("", "\n\\")
	f.Fuzz(func(t *testing.T, a, b string) {
		words := []string{strings.ToValidUTF8(a, ""), strings.ToValidUTF8(b, "")}
		if got, err := Split(Join(words)); err != nil || !slices.Equal(got, words) {
			t.Errorf("%q became %q by way of %s: %v", words, got, Join(words), err)
		}
	})
}

// Each form, and the lines that are written for it.
func TestPrepare(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my agents", "agent.yaml")
	for name, test := range map[string]struct {
		form Form
		want string
	}{
		"on this computer": {
			Form{Name: "alice", Title: "Alice (assistante)", Icon: "👩", Description: "Questions simples, sans outils", Program: "mm", Arguments: "-acp -config agent.yaml", Workspace: "./agents/alice"},
			`- name: alice
title: Alice (assistante)
icon: "👩"
description: Questions simples, sans outils
command: mm
args: [-acp, -config, agent.yaml]
workspace: ./agents/alice`,
		},
		"docker agent": {
			Form{Name: "a", Program: "docker agent"}.WithAgentFile(file),
			"- name: a\ncommand: docker\nargs: [agent, serve, acp, " + file + "]\nworkspace: " + filepath.Dir(file),
		},
		"docker-agent": {
			Form{Name: "a", Program: "docker-agent"}.WithAgentFile(file),
			"- name: a\ncommand: docker-agent\nargs: [serve, acp, " + file + "]\nworkspace: " + filepath.Dir(file),
		},
		"mm": {
			Form{Arguments: "typed"}.WithAgentFile(file).WithProgram(Candidate{Program: "mm"}),
			"- name: my-agents\ncommand: mm\nargs: [--acp, --config, " + file + "]\nworkspace: " + filepath.Dir(file),
		},
		"another program keeps what was typed": {
			Form{Name: "a", Program: "other", Arguments: "serve me"}.WithAgentFile(file),
			"- name: a\ncommand: other\nargs: [serve, me]\nworkspace: " + filepath.Dir(file),
		},
		"a path with a space": {
			Form{Name: "a", Program: "/opt/my agents/run", Arguments: `"1 2"`},
			"- name: a\ncommand: /opt/my agents/run\nargs: [\"1 2\"]",
		},
		"container": {
			Form{Name: "a", Where: config.Container, Container: "box", Program: "docker agent", Arguments: "serve acp x.yaml", Stop: "docker stop box"},
			`- name: a
command: docker
args: [exec, -i, box, docker, agent, serve, acp, x.yaml]
runtime:
  type: container
  container: box
  lifecycle:
    stop: [docker, stop, box]`,
		},
		"sandbox": {
			Form{Name: "a", Where: config.Sbx, Sandbox: "milo-sbx", Program: "mm", Arguments: "-acp", LifecycleFolder: "/x", Create: "sbx env create --force"},
			`- name: a
command: sbx
args: [exec, -i, milo-sbx, mm, -acp]
runtime:
  type: sbx
  sandbox: milo-sbx
  lifecycle:
    folder: /x
    create: [sbx, env, create, --force]`,
		},
		"sandbox without lifecycle": {
			Form{Name: "a", Where: config.Sbx, Sandbox: "s", Program: "mm", LifecycleFolder: "/x"},
			"- name: a\ncommand: sbx\nargs: [exec, -i, s, mm]\nruntime:\n  type: sbx\n  sandbox: s",
		},
		"on this computer after all": {
			Form{Name: "a", Where: config.Local, Sandbox: "s", Container: "c", Program: "mm", Create: "x"},
			"- name: a\ncommand: mm",
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := writeFile(t, "team.yaml", "version: 1\nagents: []\n")
			plan, err := Prepare(path, test.form, everything)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.ReplaceAll("\n"+strings.Join(plan.Change.Lines, "\n"), "\n    ", "\n"); got != "\n  "+test.want {
				t.Errorf("got%s\nwant\n%s", got, test.want)
			}
			if plan.Change.Line != 3 || plan.Agent.Name != test.form.Name || len(plan.Warnings) > 0 {
				t.Errorf("got %+v", plan)
			}
		})
	}
}

// everything finds every program.
var everything = config.WithLookPath(func(string, map[string]string) error { return nil })

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// What is wrong is told at its field, in words of the catalogue.
func TestPrepareRefuses(t *testing.T) {
	const file = "version: 1\nagents:\n  - name: bob\n    command: mm\n"
	for name, test := range map[string]struct {
		file string
		form Form
		want map[Field]string
	}{
		"empty":      {file, Form{}, map[Field]string{Name: "fill", Program: "fill"}},
		"containers": {file, Form{Where: config.Container, Name: "a", Program: "mm"}, map[Field]string{Container: "fill"}},
		"quotes":     {file, Form{Where: config.Sbx, Name: "a", Program: `'mm`, Arguments: `"`, Stop: "'"}, map[Field]string{Sandbox: "fill", Program: "quote", Arguments: "quote", Stop: "quote"}},
		"name":       {file, Form{Name: "Alice Smith", Program: "mm"}, map[Field]string{Name: `"Alice Smith" is not a valid name`}},
		"taken":      {file, Form{Name: "bob", Program: "mm"}, map[Field]string{Name: `"bob"`}},
		"nul":        {file, Form{Name: "a", Title: "\x00", Program: "mm", Arguments: "\x00", Stop: "mm \x00", Where: config.Container, Container: "\x00"}, map[Field]string{Title: "NUL", Arguments: "NUL", Stop: "NUL", Container: "NUL"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := writeFile(t, "team.yaml", test.file)
			_, err := Prepare(path, test.form, everything)
			for _, field := range []Field{Name, Title, Icon, Description, Workspace, Program, Arguments, Container, Sandbox, LifecycleFolder, Create, Stop, Remove} {
				problem := FieldProblem(err, field)
				if (problem != nil) != (test.want[field] != "") {
					t.Errorf("%s: got %v", field, problem)
				} else if told := i18n.For("en").Error(problem); !strings.Contains(told, test.want[field]) {
					t.Errorf("%s: told %q", field, told)
				}
			}
		})
	}
	for name, test := range map[string]struct {
		file string
		want any
		told string
	}{
		"wrong file": {"version: 1\nagents:\n  - name: A\n    command: mm\n", new(*config.InvalidError), "line 3"},
		"no YAML":    {"version: 1\nagents: [\n", new(*config.InvalidError), "line"},
		"empty file": {"", new(*config.InvalidError), "empty"},
		"no agents":  {"version: 1\n", new(*config.InvalidError), "agents"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Prepare(writeFile(t, "team.yaml", test.file), Form{Name: "bob", Program: "mm"}, everything)
			if !errors.As(err, test.want) || !strings.Contains(i18n.For("en").Error(err), test.told) {
				t.Errorf("got %T %v", err, i18n.For("en").Error(err))
			}
		})
	}
	if _, err := Prepare(filepath.Join(t.TempDir(), "none.yaml"), Form{Name: "a", Program: "mm"}); !errors.As(err, new(*config.ReadError)) {
		t.Errorf("got %v", err)
	}
}

func TestSuggestName(t *testing.T) {
	for text, want := range map[string]string{
		"Alice Smith": "alice-smith", "Équipe n°2": "equipe-n-2", "42 agents": "agents", "--x__": "x", "": "", "日本": "",
		"a-very-long-name-that-does-not-end-at-all": "a-very-long-name-that-does-not-e", "bob": "bob-3",
	} {
		if got := SuggestName(text, []string{"bob", "bob-2"}); got != want {
			t.Errorf("SuggestName(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestFound(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("DOCKER_CONFIG", folder)
	look := func() (names []string) {
		for _, c := range Found(process.Path{Dirs: []string{folder}}) {
			names = append(names, c.Program)
			if known, ok := Known(c.Program); !ok || known.Arguments != c.Arguments || c.File == "" {
				t.Errorf("%+v is known as %+v", c, known)
			}
		}
		return names
	}
	for _, name := range []string{"docker", "gemini", "mm", "qwen", "unheard-of"} {
		if err := os.WriteFile(filepath.Join(folder, name+programSuffix), []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := look(), []string{"mm", "gemini", "qwen"}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
	plugin := filepath.Join(folder, "cli-plugins", "docker-agent"+programSuffix)
	if err := os.MkdirAll(filepath.Dir(plugin), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(plugin, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if got, want := look(), []string{"mm", "docker agent", "gemini", "qwen"}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}

func TestWithProgram(t *testing.T) {
	f := Form{Program: "gemini", Arguments: "--acp"}.WithProgram(Candidate{Program: "opencode", Arguments: "acp"})
	if f.Program != "opencode" || f.Arguments != "acp" {
		t.Errorf("the arguments of another program stayed: %+v", f)
	}
	f.Arguments = "acp --verbose"
	if f = f.WithProgram(Candidate{Program: "goose"}); f.Arguments != "acp --verbose" {
		t.Errorf("what was typed is gone: %+v", f)
	}
}
