package edit

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/schema"
)

var bob = Agent{Name: "bob", Command: "mm", Args: []string{"--acp", "a, b"}}

// Each text, and what it becomes when bob is added.
var appended = []struct{ name, before, after string }{
	{"block",
		"version: 1\nagents:\n  - name: a\n    command: mm\nchannels: []\n",
		"version: 1\nagents:\n  - name: a\n    command: mm\n  - name: bob\n    command: mm\n    args: [--acp, \"a, b\"]\nchannels: []\n"},
	{"at the column of the key, last, without a line end",
		"version: 1\nagents:\n- name: a\n  command: mm",
		"version: 1\nagents:\n- name: a\n  command: mm\n- name: bob\n  command: mm\n  args: [--acp, \"a, b\"]"},
	{"own indentation, CRLF, empty lines between",
		"version: 1\r\nagents:\r\n    -   name: a\r\n        command: mm\r\n\r\n    -   name: b\r\n        command: mm # b\r\n\r\n# channels\r\nchannels: []\r\n",
		"version: 1\r\nagents:\r\n    -   name: a\r\n        command: mm\r\n\r\n    -   name: b\r\n        command: mm # b\r\n\r\n    -   name: bob\r\n        command: mm\r\n        args: [--acp, \"a, b\"]\r\n\r\n# channels\r\nchannels: []\r\n"},
	{"byte order mark, comments of the last agent, document end",
		bom + "version: 1\nagents:\n  - name: a\n    command: mm\n    # env:\n  # - name: old\n# end\n...\n",
		bom + "version: 1\nagents:\n  - name: a\n    command: mm\n    # env:\n  # - name: old\n  - name: bob\n    command: mm\n    args: [--acp, \"a, b\"]\n# end\n...\n"},
	{"indented root, dash on a line of its own",
		"---\n  version: 1\n  agents:\n    -\n      name: a\n      command: mm\n  channels: []\n",
		"---\n  version: 1\n  agents:\n    -\n      name: a\n      command: mm\n    - name: bob\n      command: mm\n      args: [--acp, \"a, b\"]\n  channels: []\n"},
	{"anchors",
		"version: 1\nagents: &all\n  - &base\n    name: a\n    command: mm\n  - {<<: *base, name: b}\nchannels: []\n",
		"version: 1\nagents: &all\n  - &base\n    name: a\n    command: mm\n  - {<<: *base, name: b}\n  - name: bob\n    command: mm\n    args: [--acp, \"a, b\"]\nchannels: []\n"},
	{"no value",
		"version: 1\nagents: # none yet\n  # - name: alice\nchannels:\n- name: c\n",
		"version: 1\nagents: # none yet\n  # - name: alice\n- name: bob\n  command: mm\n  args: [--acp, \"a, b\"]\nchannels:\n- name: c\n"},
	{"no value, last",
		"ui:\n    theme: dark\nversion: 1\nagents:",
		"ui:\n    theme: dark\nversion: 1\nagents:\n    - name: bob\n      command: mm\n      args: [--acp, \"a, b\"]"},
	{"empty brackets",
		"version: 1\nagents: [ ] # none\nchannels: []\n",
		"version: 1\nagents:  # none\n  - name: bob\n    command: mm\n    args: [--acp, \"a, b\"]\nchannels: []\n"},
	{"empty brackets with a comment",
		"version: 1\nagents: [\n  # none yet\n]\n",
		"version: 1\nagents: [\n  # none yet\n  {name: bob, command: mm, args: [--acp, \"a, b\"]}\n]\n"},
	{"brackets on a line",
		"version: 1\nagents: [{name: a, command: mm},] # all\n",
		"version: 1\nagents: [{name: a, command: mm}, {name: bob, command: mm, args: [--acp, \"a, b\"]},] # all\n"},
	{"brackets, comments after commas",
		"version: 1\nagents: [ # équipe\n  {name: a, command: mm}, # doublure\n]\n",
		"version: 1\nagents: [ # équipe\n  {name: a, command: mm}, # doublure\n  {name: bob, command: mm, args: [--acp, \"a, b\"]},\n]\n"},
	{"brackets, comment without comma",
		"version: 1\nagents: [ # équipe\n  {name: a, command: mm}, # titulaire\n  {name: b, command: mm} # doublure\n]\n",
		"version: 1\nagents: [ # équipe\n  {name: a, command: mm}, # titulaire\n  {name: b, command: mm} # doublure\n  , {name: bob, command: mm, args: [--acp, \"a, b\"]}\n]\n"},
	{"brackets, a line each",
		"version: 1\nagents: [\n  {name: a, command: mm},\n  {name: b, command: mm}\n]\n",
		"version: 1\nagents: [\n  {name: a, command: mm},\n  {name: b, command: mm},\n  {name: bob, command: mm, args: [--acp, \"a, b\"]}\n]\n"},
	{"brackets all the way",
		`{"version": 1, "agents": [], "channels": []}`,
		`{"version": 1, "agents": [{name: bob, command: mm, args: [--acp, "a, b"]}], "channels": []}`},
	{"a text that looks like structure",
		"version: 1\nagents:\n  - name: a\n    command: mm\n    description: |+\n      agents:\n\n      # not a comment\n\nchannels: []\n",
		"version: 1\nagents:\n  - name: a\n    command: mm\n    description: |+\n      agents:\n\n      # not a comment\n\n  - name: bob\n    command: mm\n    args: [--acp, \"a, b\"]\nchannels: []\n"},
	{"a text to the end of the file",
		"version: 1\nagents:\n  - name: a\n    command: >-\n      mm",
		"version: 1\nagents:\n  - name: a\n    command: >-\n      mm\n  - name: bob\n    command: mm\n    args: [--acp, \"a, b\"]"},
	{"quotes over lines",
		"version: 1\nagents:\n  - name: a\n    command: mm\n    title: 'it''s\n# not a comment'\n    description: two\n      - lines # comment\nchannels: []\n",
		"version: 1\nagents:\n  - name: a\n    command: mm\n    title: 'it''s\n# not a comment'\n    description: two\n      - lines # comment\n  - name: bob\n    command: mm\n    args: [--acp, \"a, b\"]\nchannels: []\n"},
}

func TestAppend(t *testing.T) {
	for _, test := range appended {
		t.Run(test.name, func(t *testing.T) {
			change, err := Append([]byte(test.before), bob)
			if err != nil {
				t.Fatal(err)
			}
			if string(change.After) != test.after {
				t.Errorf("got\n%q, want\n%q", change.After, test.after)
			}
			if err := change.Verify(); err != nil {
				t.Error(err)
			}
			checkInsertion(t, change)
		})
	}
}

// checkInsertion checks that before is after without one run of bytes, and
// perhaps without the brackets of an empty list; and that the lines said to
// be added are where they are said to be.
func checkInsertion(t *testing.T, c Change) {
	t.Helper()
	without := c.Before
	if start := commonPrefix(c.Before, c.After); !isInsertion(c.Before, c.After) {
		brackets := regexp.MustCompile(`^\[[ \t]*\]`).Find(c.Before[start:])
		without = slices.Concat(c.Before[:start], c.Before[start+len(brackets):])
	}
	if !isInsertion(without, c.After) {
		t.Errorf("more than an insertion: %q became %q", c.Before, c.After)
	}
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(c.After)), "\n")
	if len(c.Lines) == 0 || c.Line < 1 || c.Line-1+len(c.Lines) > len(lines) {
		t.Fatalf("lines %d of %q", c.Line, c.Lines)
	}
	for i, line := range c.Lines {
		if !strings.Contains(lines[c.Line-1+i], line) {
			t.Errorf("line %d is %q, said to be %q", c.Line+i, lines[c.Line-1+i], line)
		}
	}
}

// isInsertion reports whether after is before with one more run of bytes.
func isInsertion(before, after []byte) bool {
	start := commonPrefix(before, after)
	return bytes.HasSuffix(after, before[start:]) && len(after) > len(before)
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func TestAppendEverything(t *testing.T) {
	agent := Agent{
		Name: "scout", Title: "Scout (éclaireur)", Icon: "👩", Description: "no", Command: "docker",
		Args: []string{"exec", "-i", "team-scout-1", "mm", ""}, Env: map[string]string{"TEAM": "on", "A": ""}, Workspace: "~/agents/scout",
		Runtime: Runtime{Type: "container", Container: "team-scout-1", Lifecycle: Lifecycle{
			Folder: "/Users/me/agents/team", Create: []string{"docker", "compose", "-f", "compose.yaml", "up", "-d", "--wait", "scout"},
			Stop: []string{"docker", "stop", "a:b"},
		}},
	}
	change, err := Append([]byte("version: 1\nagents: []\n"), agent)
	if err != nil {
		t.Fatal(err)
	}
	const want = `version: 1
agents: 
  - name: scout
    title: Scout (éclaireur)
    icon: "👩"
    description: "no"
    command: docker
    args: [exec, -i, team-scout-1, mm, ""]
    env:
      A: ""
      TEAM: "on"
    workspace: "~/agents/scout"
    runtime:
      type: container
      container: team-scout-1
      lifecycle:
        folder: /Users/me/agents/team
        create: [docker, compose, -f, compose.yaml, up, -d, --wait, scout]
        stop: [docker, stop, "a:b"]
`
	if string(change.After) != want {
		t.Errorf("got\n%s\nwant\n%s", change.After, want)
	}
	if err := change.Verify(); err != nil {
		t.Error(err)
	}
	if err := schema.ValidateConfig(change.After); err != nil {
		t.Error(err)
	}
}

func TestAppendRefuses(t *testing.T) {
	for _, test := range []struct {
		text string
		code Code
		line int
	}{
		{"", Unsupported, 1},
		{"# nothing\n", Unsupported, 1},
		{"- a\n", Unsupported, 1},
		{"version: 1\n", NoAgents, 1},
		{"version: 1\nagents: none\n", Unsupported, 2},
		{"base: &x []\nagents: *x\n", Unsupported, 2},
		{"agents: [{name: a\n", Unsupported, 2},
		{"agents:\n  - name: a\n    command: |\n      mm", NoLineEnd, 4},
		{"{version: 1, agents: }", Unsupported, 1},
		{"version: 1\n? agents\n: - {name: a, command: mm}\n", Unsupported, 2},
		{"version: 1\n\"\\x61gents\": []\n", Unsupported, 2},
	} {
		_, err := Append([]byte(test.text), bob)
		var refused *Error
		if !errors.As(err, &refused) || refused.Code != test.code || refused.Line != test.line {
			t.Errorf("%q: got %v, want %s at line %d", test.text, err, test.code, test.line)
		}
	}
}

// The lines of the schema's valid files stay, whatever their style.
func TestAppendToValidFiles(t *testing.T) {
	files, err := filepath.Glob("../../../schema/testdata/valid/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{text, bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), bytes.TrimRight(text, "\n")} {
			change, err := Append(text, bob)
			if err == nil {
				err = change.Verify()
			}
			if err == nil {
				err = schema.ValidateConfig(change.After)
			}
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			checkInsertion(t, change)
		}
	}
}

// FuzzAppend checks that an addition that is made is right, for any text and
// any value.
func FuzzAppend(f *testing.F) {
	files, _ := filepath.Glob("../../../schema/testdata/*/*.yaml")
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil {
			f.Add(text, "no")
		}
	}
	for _, test := range appended {
		f.Add([]byte(test.before), "12:30 # \u2028\x00\"'")
	}
	f.Fuzz(func(t *testing.T, text []byte, value string) {
		for _, key := range []string{"theme", "language"} {
			if change, err := SetUI(text, key, "fr"); err == nil && schema.ValidateConfig(text) == nil {
				if err := change.Verify(); err != nil && !openEnd(text) {
					t.Fatalf("%s: %v in %q", key, err, change.After)
				}
			}
		}
		change, err := Append(text, Agent{Name: "bob", Command: value, Args: []string{value}, Title: value})
		if err != nil || !bytes.Equal(change.Before, text) || schema.ValidateConfig(text) != nil {
			return
		}
		checkInsertion(t, change)
		if err := change.Verify(); err != nil && strings.ToValidUTF8(value, "") == value {
			t.Fatalf("%v in %q", err, change.After)
		}
	})
}

func openEnd(text []byte) bool {
	tokens, _ := scan(text)
	return slices.ContainsFunc(tokens, func(t token) bool { return t.open })
}

// TestAppendInEveryStyle adds to lists written in many ways, one after the
// other.
func TestAppendInEveryStyle(t *testing.T) {
	pieces := [][]string{
		{"", bom},
		{"", "%YAML 1.2\n---\n", "--- # start\n"},
		{"", "# comment: [\n\n"},
		{"version: 1\n", "\"version\": 1 # one\nchannels:\n- name: 'c: #'\n  agents: []\n", "ui: {language: fr,\n theme: dark}\nversion: 1\n\n"},
		{"agents:", "agents: ", "'agents': # list", "agents: &a", "\"agents\" :"},
		{
			"", " []", " [ ]", "\n  []", " [\n]", " [ # none\n  ]",
			"\n- name: a\n  command: mm", "\n  - name: a\n    command: mm\n\n  -\n    # b\n    name: b\n    command: |\n      mm\n\n",
			"\n    - {name: a, command: \"mm\\\n  x\"}", "\n  - command: >+\n\n     mm\n\n    name: a\n    env: {A: ']', B: \"}\"}",
			" [{name: a, command: mm}]", " [\n  {name: a, # comment ]\n   command: mm} ,\n]", " [ {name: a,\n  command: mm, args: [a b,\n 'c']}\n  # ]\n]",
			"\n  - name: a\n    command: mm\n    description: one\n\n      two: # three\n  # end\n",
		},
		{"", " # last"},
		{"", "\n", "\n# end", "\n\nlimits: {}\n", "\n...\n# after\n"},
		{"\n", "\r\n"},
	}
	total, refused := 0, 0
	var walk func(text string, rest [][]string)
	walk = func(text string, rest [][]string) {
		if len(rest) > 1 {
			for _, piece := range rest[0] {
				walk(text+piece, rest[1:])
			}
			return
		}
		for _, nl := range rest[0] {
			if total++; total%53 != 0 { // enough of them for every pair of styles
				continue
			}
			text := []byte(strings.ReplaceAll(text, "\n", nl))
			before := schema.ValidateConfig(text)
			change, err := Append(text, bob)
			if err == nil {
				err = change.Verify()
			}
			switch {
			case err == nil:
				checkInsertion(t, change)
			case before == nil:
				refused++
				t.Errorf("%q: %v", text, err)
			}
			if refused > 5 {
				t.FailNow()
			}
		}
	}
	walk("", pieces)
}

func BenchmarkAppend(b *testing.B) {
	var text strings.Builder
	text.WriteString("version: 1\nagents:\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "  - name: agent-%d\n    title: Agent %d\n    icon: \"👩\"\n    command: mm\n    args: [\"-acp\", \"-config\", \"agent.yaml\"]\n    workspace: ./agents/a%d\n\n", i, i, i)
	}
	text.WriteString("channels: []\n")
	for b.Loop() {
		if _, err := Append([]byte(text.String()), bob); err != nil {
			b.Fatal(err)
		}
	}
}
