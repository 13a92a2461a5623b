package config

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

var update = flag.Bool("update", false, "write testdata/messages.txt anew")

// anyProgram finds every program.
var anyProgram = WithLookPath(func(string, map[string]string) error { return nil })

// lines gives the problems of a file as a person reads them.
func lines(language string, problems []Problem) []string {
	var lines []string
	for _, problem := range problems {
		lines = append(lines, problem.Text(i18n.For(language)))
	}
	return lines
}

// agentAt is a file whose agent starts on line 3.
const agentAt = "version: 1\nagents:\n  - name: alice\n    command: mm\n"

func TestMessagesOfTheSpecification(t *testing.T) {
	start := strings.Repeat("\n", 8) + "version: 1\nagents:\n"
	tests := []struct{ text, english, french string }{
		{
			start + "  - command: mm\n    name: Alice Smith\n",
			`line 12 — agents[0].name: "Alice Smith" is not a valid name: lowercase letters, digits, "-" or "_", no space, starting with a letter (e.g. "alice")`,
			"ligne 12 — agents[0].name\u00a0: «\u00a0Alice Smith\u00a0» n'est pas un nom valide\u00a0: lettres minuscules sans accent, chiffres, «\u00a0-\u00a0» ou «\u00a0_\u00a0», sans espace, en commençant par une lettre (par exemple «\u00a0alice\u00a0»)",
		},
		{
			start + "\n  - name: alice\n    title: A\n    comand: mm\n",
			`line 14 — agents[0].comand: unknown key "comand"; did you mean "command"?`,
			"ligne 14 — agents[0].comand\u00a0: clé inconnue «\u00a0comand\u00a0»\u00a0; vouliez-vous dire «\u00a0command\u00a0»\u00a0?",
		},
		{
			"version: 1\nagents:\n  - name: alice\n",
			`line 3 — agents[0]: the key "command" is missing`,
			"ligne 3 — agents[0]\u00a0: la clé «\u00a0command\u00a0» manque",
		},
	}
	for _, test := range tests {
		_, problems := Parse([]byte(test.text), "config.yaml", anyProgram)
		if got := lines("en", problems); !slices.Equal(got, []string{test.english}) {
			t.Errorf("got %q, want %q", got, test.english)
		}
		if got := lines("fr", problems); !slices.Equal(got, []string{test.french}) {
			t.Errorf("got %q, want %q", got, test.french)
		}
	}
}

// TestMessages compares what is said of each invalid file of the schema, and
// of those that only the loader refuses, with testdata/messages.txt.
func TestMessages(t *testing.T) {
	var got strings.Builder
	for _, folder := range []string{"../../schema/testdata/invalid", "testdata/invalid"} {
		names, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
		if err != nil || len(names) == 0 {
			t.Fatalf("no files in %s: %v", folder, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			_, problems := Parse(data, name, anyProgram)
			if Valid(problems) {
				t.Errorf("%s is valid", name)
			}
			fmt.Fprintln(&got, strings.TrimSuffix(filepath.Base(name), ".yaml"))
			for i, problem := range problems {
				fmt.Fprintf(&got, "  %s\n  %s\n", lines("en", problems)[i], lines("fr", problems)[i])
				if problem.Code == "Refused" || problem.Severity != Error || problem.Column < 1 {
					t.Errorf("%s: %+v", name, problem)
				}
				for _, text := range []string{problem.Text(i18n.For("en")), problem.Text(i18n.For("fr"))} {
					if strings.Contains(text, "<no value>") || strings.Contains(text, "config.") {
						t.Errorf("%s: %s", name, text)
					}
				}
			}
		}
	}
	const golden = "testdata/messages.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("the messages differ from %s; got\n%s", golden, got.String())
	}
}

func TestEveryProblemIsReportedOnceInFileOrder(t *testing.T) {
	const text = `version: 2
ui: {theme: drak, langage: fr}
agents:
  - name: Alice
    title: 2024-01-02
    env: {8080: x, PORT: 80}
    args: --acp
  - name: bob
    command: mm
    command: nn
  - name: bob
    command: mm
    runtime: {type: local, sandbox: x}
channels:
  - name: a
    agents: [bob, bab, Alice, bob]
  - name: A
`
	want := []string{
		"1 version", "2 ui.theme", "2 ui.langage", "4 agents[0]", "4 agents[0].name", "5 agents[0].title",
		"6 agents[0].env.8080", "6 agents[0].env.PORT", "7 agents[0].args", "10 agents[1].command", "11 agents[2].name",
		"13 agents[2].runtime.sandbox", "16 channels[0].agents[1]", "16 channels[0].agents[3]", "17 channels[1].name",
	}
	for range 20 { // the schema gives its violations in the order of Go's maps
		_, problems := Parse([]byte(text), "config.yaml", anyProgram)
		var got []string
		for _, problem := range problems {
			got = append(got, fmt.Sprint(problem.Line, " ", problem.Path))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got  %q\nwant %q", got, want)
		}
	}
}

func TestParseAppliesDefaultsAndPaths(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	if runtime.GOOS == "windows" {
		t.Setenv("USERPROFILE", "/home/me")
	}
	text := agentAt + `  - name: bob
    title: Bob
    icon: 👩
    description: One sentence
    command: bin/agent
    args: ["-x", ./y, ""]
    env: {A: "1", B: ""}
    afterStop: [../scripts/agents.sh, ./unload]
    workspace: ~/agents/../bob
    protect: [AGENTS.md]
    runtime:
      type: container
      container: box
      lifecycle: {create: [docker, run], stop: [~/stop.sh], remove: [./rm.sh]}
  - name: carol
    command: ~/bin/carol
    workspace: sub
    runtime: {type: sbx, sandbox: s, workspacePath: /work, lifecycle: {folder: ..}}
channels:
  - {name: général, description: d, agents: [alice, bob]}
  - name: vide
`
	folder := filepath.Join(t.TempDir(), "team")
	path := filepath.Join(folder, "config.yaml")
	in := func(elements ...string) string { return filepath.Join(append([]string{folder}, elements...)...) }
	got, problems := Parse([]byte(text), path, anyProgram)
	if len(problems) > 0 {
		t.Fatal(lines("en", problems))
	}
	local := func(workspace string) Runtime {
		return Runtime{Type: Local, WorkspacePath: workspace, Lifecycle: Lifecycle{Folder: workspace}}
	}
	bob := filepath.Clean("/home/me/bob")
	want := &Config{
		Path: path, Folder: folder,
		UI:     UI{Theme: "system", Language: "en"},
		Limits: Limits{MaxRunningAgents: 2, StopIdleAgentsAfter: 10 * time.Minute},
		Agents: []Agent{
			{Name: "alice", Title: "alice", Command: "mm", Workspace: folder, Runtime: local(folder), Line: 3},
			{
				Name: "bob", Title: "Bob", Icon: "👩", Description: "One sentence",
				Command: in("bin", "agent"), Args: []string{"-x", "./y", ""}, Env: map[string]string{"A": "1", "B": ""},
				AfterStop: []string{in("..", "scripts", "agents.sh"), "./unload"}, Workspace: bob, Protect: []string{"AGENTS.md"},
				Runtime: Runtime{
					Type: Container, Container: "box", WorkspacePath: bob,
					Lifecycle: Lifecycle{
						Folder: bob, Create: []string{"docker", "run"},
						Stop: []string{filepath.Clean("/home/me/stop.sh")}, Remove: []string{in("rm.sh")},
					},
				},
				Line: 5,
			},
			{
				Name: "carol", Title: "carol", Command: filepath.Clean("/home/me/bin/carol"), Workspace: in("sub"), Line: 19,
				Runtime: Runtime{Type: Sbx, Sandbox: "s", WorkspacePath: "/work", Lifecycle: Lifecycle{Folder: in("..")}},
			},
		},
		Channels: []Channel{
			{Name: "général", Description: "d", Agents: []string{"alice", "bob"}, Line: 24},
			{Name: "vide", Line: 25},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestLimitsAndUI(t *testing.T) {
	tests := []struct {
		text string
		most int
		idle time.Duration
	}{
		{"{}", 2, 10 * time.Minute},
		{"{maxRunningAgents: 1}", 1, 10 * time.Minute},
		{"{maxRunningAgents: 3.0, stopIdleAgentsAfter: 0}", 3, 0},
		{"{maxRunningAgents: 2147483647, stopIdleAgentsAfter: '0'}", 1<<31 - 1, 0},
		{"{maxRunningAgents: 1e1, stopIdleAgentsAfter: 0s}", 10, 0},
		{"{stopIdleAgentsAfter: 1h30m}", 2, 90 * time.Minute},
		{"{stopIdleAgentsAfter: 1.5s}", 2, 1500 * time.Millisecond},
	}
	for _, test := range tests {
		config, problems := Parse([]byte("version: 1\nui: {theme: dark, language: fr}\nlimits: "+test.text+"\nagents: []\n"), "c.yaml")
		if want := (Limits{test.most, test.idle}); config.Limits != want || len(problems) > 0 {
			t.Errorf("%s: got %+v, %v", test.text, config.Limits, lines("en", problems))
		}
		if want := (UI{"dark", "fr"}); config.UI != want {
			t.Errorf("got %+v", config.UI)
		}
	}
}

func TestInvalidFilesKeepTheirLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"version: 2\nui: {language: fr}\nagents: []\n":                "fr",
		"ui:\n  theme: x\n  language: fr\n":                           "fr",
		"ui:\n  language: 'fr' # français\nagents: [\n":               "fr",
		"ui:\r\n  language: fr\r\nagents:\r\n\t- x\r\n":               "fr",
		"ui: {language: de}\n":                                        "en",
		"ui:\n  language: french\nagents: [\n":                        "en",
		"agents: [\n":                                                 "en",
		"version: 1\nui: {language: fr}\nagents: []\n---\na: \"b\"\n": "fr",
	} {
		config, problems := Parse([]byte(text), "c.yaml")
		if config.UI.Language != want || Valid(problems) {
			t.Errorf("%q: language %q, problems %v", text, config.UI.Language, problems)
		}
	}
}

func TestLineEndsAndMark(t *testing.T) {
	const text = "version: 1\nagents:\n  # the first\n  - name: alice\n    comand: mm\n"
	const want = `line 5 — agents[0].comand: unknown key "comand"; did you mean "command"?`
	crlf := strings.ReplaceAll(text, "\n", "\r\n")
	for _, text := range []string{text, crlf, "\uFEFF" + text, "\uFEFF" + crlf} {
		_, problems := Parse([]byte(text), "c.yaml", anyProgram)
		if got := lines("en", problems); !slices.Equal(got, []string{want}) || problems[0].Column != 5 {
			t.Errorf("%q: got %q at %d", text, got, problems[0].Column)
		}
	}
	_, problems := Parse([]byte("\uFEFFverson: 1\r\nagents: []\r\n"), "c.yaml")
	if len(problems) != 1 || problems[0].Line != 1 || problems[0].Column != 1 || problems[0].Path != "verson" {
		t.Errorf("got %+v", problems)
	}
}

func TestProblemsHoldNoSecret(t *testing.T) {
	for _, env := range []string{
		"[TOKEN=5ecret]", "TOKEN=5ecret", "{TOKEN=5ecret}", "{TOKEN=5ecret, TOKEN=5ecret}", "{TOKEN: {s: 5ecret}}",
		"{TOKEN: [5ecret]}", "{TOKEN: \"\\x005ecret\"}", "{TOKEN: !5ecret x}", "{TOKEN: *5ecret}", "{TOKEN: !!int 5ecret}",
		"{TOKEN: @5ecret}", "{TOKEN: '5ecret}", "{TOKEN: \"\\y5ecret\"}", "{TOKEN: a: 5ecret}", "{TOKEN: 5ecret",
		"{TOKEN: 2024-01-02}", "{TOKEN: 20240102}", "{TOKEN: .inf}", "{TOKEN: }",
	} {
		_, problems := Parse([]byte(agentAt+"    env: "+env+"\n"), "c.yaml", anyProgram)
		if Valid(problems) {
			t.Errorf("%s is valid", env)
		}
		for _, problem := range problems {
			said := fmt.Sprintf("%+v %v %s", problem.Args, problem, problem.Text(i18n.For("fr")))
			if strings.Contains(said, "5ecret") || strings.Contains(said, "2024") || strings.Contains(said, "inf}") {
				t.Errorf("%s: %s", env, said)
			}
		}
	}
}

func TestProgramsNotFound(t *testing.T) {
	const text = "version: 1\nagents:\n" +
		"  - {name: a, command: none, afterStop: [here]}\n" +
		"  - {name: b, command: ./none, afterStop: [nothing, x], env: {PATH: /p}}\n" +
		"  - {name: c, command: \"\", afterStop: [./nothing]}\n"
	folder := t.TempDir()
	var asked []string
	find := WithLookPath(func(program string, env map[string]string) error {
		asked = append(asked, program+env["PATH"])
		if program == "here" {
			return nil
		}
		return fs.ErrNotExist
	})
	_, problems := Parse([]byte(text), filepath.Join(folder, "c.yaml"), find)
	none, nothing := filepath.Join(folder, "none"), filepath.Join(folder, "nothing")
	want := []string{
		`line 3 — agents[0].command: the program "none" is not in PATH; install it, or give its whole path`,
		`line 4 — agents[1].command: no program can be run at ` + none + `; correct the path, or install the agent there`,
		`line 4 — agents[1].afterStop[0]: the program "nothing" to run after the agent stops is not in PATH; install it, or give its whole path`,
		`line 5 — agents[2].command: the value is empty; write one`,
		`line 5 — agents[2].afterStop[0]: no program can be run at ` + nothing + ` after the agent stops; correct the path`,
	}
	if got := lines("en", problems); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	for _, problem := range problems {
		if wantWarning := problem.Code != "Empty"; (problem.Severity == Warning) != wantWarning {
			t.Errorf("%s has severity %d", problem.Code, problem.Severity)
		}
	}
	if want := []string{"none", "here", none + "/p", "nothing/p", nothing}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
}

func TestLookPath(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder, name := filepath.Split(self)
	tests := []struct {
		program string
		env     map[string]string
		found   bool
	}{
		{self, nil, true},
		{self, map[string]string{"PATH": ""}, true},
		{name, map[string]string{"PATH": t.TempDir() + string(filepath.ListSeparator) + folder}, true},
		{name, map[string]string{"PATH": t.TempDir()}, false},
		{name, nil, false},
		{self + ".none", nil, false},
		{folder, nil, false},
	}
	for _, test := range tests {
		if got := lookPath(test.program, test.env); (got == nil) != test.found {
			t.Errorf("lookPath(%q, %v) = %v", test.program, test.env, got)
		}
	}
}

func TestLoad(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "c.yaml")
	if err := os.WriteFile(path, []byte(agentAt), 0o600); err != nil {
		t.Fatal(err)
	}
	config, problems, err := Load(path, anyProgram)
	if err != nil || len(problems) > 0 || config.Path != path || len(config.Agents) != 1 {
		t.Errorf("got %+v, %v, %v", config, problems, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"../../schema/testdata/*/*.yaml", "testdata/*/*.yaml", "*.yaml"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		config, problems := Parse(data, "c.yaml", anyProgram)
		if config == nil {
			t.Fatal("no configuration")
		}
		for _, problem := range problems {
			if text := problem.Error(); problem.Line < 1 || problem.Column < 1 || problem.Code == "Refused" || strings.Contains(text, "<no value>") {
				t.Errorf("%+v: %s", problem, text)
			}
		}
		if Valid(problems) && (config.Limits.MaxRunningAgents < 1 || config.Limits.StopIdleAgentsAfter < 0 || config.UI.Theme == "") {
			t.Errorf("%+v", config)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	data, err := os.ReadFile("../../schema/testdata/valid/spec-example.yaml")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		Parse(data, "config.yaml", anyProgram)
	}
}

func TestPatternsThatProtectNothing(t *testing.T) {
	const text = agentAt + `    protect:
      - notes.md
      - "**/*.md"
      - /elsewhere/x.md
      - ../x.md
      - ""
      - ./skills/
  - name: bob
    command: mm
    protect: [/work/a.md, /other/a.md]
    runtime: {type: container, container: box, workspacePath: /work}
`
	_, problems := Parse([]byte(text), "/team/config.yaml", anyProgram)
	want := []string{
		"line 8 — agents[0].protect[2]: “/elsewhere/x.md” is not in the agent's folder, so it protects nothing; write a path relative to that folder (e.g. \"AGENTS.md\", \"skills/**\")",
		"line 9 — agents[0].protect[3]: “../x.md” is not in the agent's folder, so it protects nothing; write a path relative to that folder (e.g. \"AGENTS.md\", \"skills/**\")",
		"line 10 — agents[0].protect[4]: an empty pattern protects nothing; remove it, or write a file of the agent's folder",
		"line 14 — agents[1].protect[1]: “/other/a.md” is not in the agent's folder, so it protects nothing; write a path relative to that folder (e.g. \"AGENTS.md\", \"skills/**\")",
	}
	if got := lines("en", problems); !slices.Equal(got, want) || !Valid(problems) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := lines("fr", problems)[0]; !strings.HasPrefix(got, "ligne 8 — agents[0].protect[2]\u00a0: ") {
		t.Errorf("got %q", got)
	}
}

// TestOnlySlipsAreSuggested: what is far from every name gets no suggestion,
// and a long list of names is not told.
func TestOnlySlipsAreSuggested(t *testing.T) {
	tests := []struct{ text, code, suggestion string }{
		{"version: 1\nagents: []\nchanels: []\n", "UnknownKey", "channels"},
		{"version: 1\nagents: []\nrooms: []\n", "UnknownKey", ""},
		{"version: 1\nui: {theme: drak}\nagents: []\n", "Choice", "dark"},
		{"version: 1\nui: {theme: purple}\nagents: []\n", "Choice", ""},
		{agentAt + "    runtime: {type: contaner, container: x}\n", "Choice", "container"},
		{agentAt + "    runtime: {type: vm}\n", "Choice", ""},
		{agentAt + "channels: [{name: c, agents: [alcie]}]\n", "UnknownAgent", "alice"},
		{agentAt + "channels: [{name: c, agents: [bob]}]\n", "UnknownAgent", ""},
	}
	for _, test := range tests {
		_, problems := Parse([]byte(test.text), "c.yaml", anyProgram)
		if len(problems) != 1 || problems[0].Code != test.code || problems[0].Args["Suggestion"] != test.suggestion {
			t.Errorf("%q: got %+v", test.text, problems)
		}
	}
	_, problems := Parse(append(team(1000), "  - {name: c, agents: [nobody-at-all]}\n"...), "c.yaml", anyProgram)
	if got := lines("en", problems); len(got) != 1 || !strings.HasSuffix(got[0], "no agent is called \"nobody-at-all\"; add it to \"agents\"") {
		t.Errorf("got %q", got)
	}
}
