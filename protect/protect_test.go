package protect

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPatterns(t *testing.T) {
	for _, test := range []struct {
		pattern         string
		protected, free string // names, separated by blanks
	}{
		{"notes.md", "notes.md ./notes.md notes.md/x", "a/notes.md notes.mdx Notes.md"},
		{"docs/a.md", "docs/a.md docs//a.md x/../docs/a.md", "docs docs/b.md a.md"},
		{"./a.md", "a.md", "b.md"},
		{"docs//x/../a.md", "docs/a.md", "docs/x"},
		{"docs/", "docs docs/a.md docs/sub/a.md", "doc docs.md"},
		{"docs", "docs docs/a.md", "docs2"},
		{"*.md", "a.md .md é.md", "docs/a.md a.txt"},
		{"*.md/", "a.md a.md/b a.md/b/c", "docs/a.md"},
		{"?.md", "a.md é.md", "ab.md .md"},
		{"docs/*", "docs/a docs/b.md", "docs docs/a/b"},
		{"docs/**", "docs docs/a docs/a/b.md", "doc/a"},
		{"docs/**/", "docs docs/a docs/a/b.md", "doc/a"},
		{"**/*.key", "a.key x/a.key x/y/a.key", "key a.key/b"},
		{"**.md", "a.md x/y/a.md", "a.txt"},
		{"a/**/b", "a/b a/x/b a/x/y/b", "a/c ab b"},
		{"a/***/b", "a/b a/x/y/b", "a/c"},
		{"**", "a a/b", ""},
		{".", "a a/b", ""},
		// All else is literal.
		{"[a-z].md", "[a-z].md", "b.md"},
		{"[", "[", "]"},
		{"{a,b}", "{a,b}", "a b"},
		{"!x*", "!x !xy", "y"},
		{"[!a]*", "[!a]b", "bb"},
		{"*{a,b}*", "x{a,b}", "xa"},
		{"(a|b)+$^", "(a|b)+$^", "a"},
		{"é*", "é.md", "e.md"},
	} {
		t.Run(test.pattern, func(t *testing.T) {
			r := New(Agent{Folder: "/work", Patterns: []string{test.pattern}})
			for _, name := range strings.Fields(test.protected) {
				if rule, ok := r.Protects(name); !ok || rule != (Rule{Configured, test.pattern}) {
					t.Errorf("%s: %v, %v", name, rule, ok)
				}
			}
			for _, name := range strings.Fields(test.free) {
				if rule, ok := r.Protects(name); ok {
					t.Errorf("%s is protected: %v", name, rule)
				}
			}
		})
	}
}

// A name with wildcards in it is one before it is a pattern.
func TestLiteralBeforePattern(t *testing.T) {
	r := New(Agent{Folder: "/work", Patterns: []string{"*", "a*.md"}})
	if rule, _ := r.Protects("a*.md"); rule.Pattern != "a*.md" {
		t.Errorf("a*.md: %v", rule)
	}
	if rule, _ := r.Protects("ab.md"); rule.Pattern != "*" {
		t.Errorf("ab.md: %v", rule)
	}
}

// How é is written makes no difference; the case does not where the file
// system ignores it.
func TestNamesCompared(t *testing.T) {
	const composed, decomposed = "caf\u00e9.md", "cafe\u0301.md"
	exact := New(Agent{Folder: "/work", Patterns: []string{composed, "d*/*.\u00e9"}})
	for _, name := range []string{composed, decomposed, "d/x.e\u0301"} {
		if _, ok := exact.Protects(name); !ok {
			t.Errorf("%q is free", name)
		}
	}
	for _, name := range []string{"agents.md", "CAF\u00c9.md"} {
		if _, ok := exact.Protects(name); ok {
			t.Errorf("%q is protected although the case counts", name)
		}
	}
	folding := New(Agent{Folder: "/work", Patterns: []string{composed, "Docs/*.MD"}, IgnoreCase: true})
	for _, name := range []string{"agents.md", "Agents.MD", "SKILLS/x", "CAF\u00c9.MD", "CAFE\u0301.md", "docs/a.md", "DOCS/a.Md"} {
		if _, ok := folding.Protects(name); !ok {
			t.Errorf("%q is free although the case does not count", name)
		}
	}
}

func TestAlways(t *testing.T) {
	container := func(commands ...string) Agent {
		a := Agent{Folder: "/work", Runtime: "container"}
		for _, c := range commands {
			a.Lifecycle = append(a.Lifecycle, strings.Fields(c))
		}
		return a
	}
	sbx := func(commands ...string) Agent {
		a := container(commands...)
		a.Runtime = "sbx"
		return a
	}
	args := func(words string) Agent { return Agent{Folder: "/work", Args: strings.Fields(words)} }
	elsewhere := container("docker compose up")
	elsewhere.LifecycleFolder = "/work/deploy"
	outside := container("docker compose up")
	outside.LifecycleFolder = "/other"
	inBox := args("exec -i box mm --config /agent/conf/agent.yaml")
	inBox.WorkspacePath = "/agent"

	for name, test := range map[string]struct {
		agent           Agent
		protected, free string // "name=Kind" and names
	}{
		"any agent":         {Agent{Folder: "/work"}, "AGENTS.md=Instructions skills=Skills skills/a/b.md=Skills", "sub/AGENTS.md sub/skills/x Dockerfile compose.yaml sbxenv.yaml agent.yaml agents.md"},
		"--config":          {args("--acp --config agent.yaml"), "agent.yaml=AgentFile", "--acp"},
		"-config":           {args("-acp -config ./conf/agent.yaml"), "conf/agent.yaml=AgentFile", "agent.yaml"},
		"--config=":         {args("--config=agent.yaml"), "agent.yaml=AgentFile", ""},
		"--config last":     {args("--config"), "", "agent.yaml ."},
		"serve acp":         {args("agent serve acp team.yaml"), "team.yaml=AgentFile", "serve acp"},
		"serve acp, flag":   {args("serve acp --debug team.yaml"), "team.yaml=AgentFile", ""},
		"serve acp, none":   {args("serve acp"), "", "acp"},
		"absolute":          {args("--config /work/agent.yaml"), "agent.yaml=AgentFile", ""},
		"absolute, outside": {args("--config /other/agent.yaml"), "", "agent.yaml"},
		"dots, outside":     {args("--config ../agent.yaml"), "", "agent.yaml"},
		"seen in a box":     {inBox, "conf/agent.yaml=AgentFile", ""},

		"no lifecycle":      {container(), "", "Dockerfile compose.yaml"},
		"compose -f":        {container("docker compose -f dev.yaml up -d scout"), "dev.yaml=ComposeFile Dockerfile=Dockerfile", "compose.yaml scout sbxenv.yaml"},
		"compose --file":    {container("docker compose --file=a.yaml --file b.yaml -p x up"), "a.yaml=ComposeFile b.yaml=ComposeFile", "compose.yaml x"},
		"compose usual":     {container("docker compose -p x up"), "compose.yaml=ComposeFile compose.yml=ComposeFile docker-compose.yaml=ComposeFile docker-compose.yml=ComposeFile compose.override.yml=ComposeFile", "dev.yaml"},
		"compose rm -f":     {container("docker-compose rm -f scout"), "compose.yaml=ComposeFile", "scout"},
		"compose only stop": {container("docker compose -fprod.yaml stop"), "prod.yaml=ComposeFile", ""},
		"docker run":        {container("docker run -d my-image"), "Dockerfile=Dockerfile compose.yaml=ComposeFile", "my-image"},
		"folder below":      {elsewhere, "deploy/compose.yaml=ComposeFile deploy/Dockerfile=Dockerfile", "compose.yaml Dockerfile"},
		"folder elsewhere":  {outside, "AGENTS.md=Instructions", "compose.yaml Dockerfile"},

		"sbx none":    {sbx(), "", "sbxenv.yaml"},
		"sbx usual":   {sbx("sbx env create --force"), "sbxenv.yaml=SandboxFile .sbxenv.yaml=SandboxFile", "Dockerfile compose.yaml"},
		"sbx named":   {sbx("sbx env create dev.yaml --force", "sbx stop milo"), "dev.yaml=SandboxFile", "sbxenv.yaml milo"},
		"sbx removal": {sbx("sbx rm milo --force"), "sbxenv.yaml=SandboxFile", "milo"},
	} {
		t.Run(name, func(t *testing.T) {
			r := New(test.agent)
			for _, want := range strings.Fields(test.protected) {
				name, kind, _ := strings.Cut(want, "=")
				if rule, ok := r.Protects(name); !ok || string(rule.Kind) != kind {
					t.Errorf("%s: %v, %v, want %s", name, rule, ok, kind)
				}
			}
			for _, name := range strings.Fields(test.free) {
				if rule, ok := r.Protects(name); ok {
					t.Errorf("%s is protected: %v", name, rule)
				}
			}
		})
	}
}

// The folders of a configuration may be written through symlinks.
func TestFolderBehindSymlink(t *testing.T) {
	real := filepath.Join(t.TempDir(), "real")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Mkdir(real, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	r := New(Agent{Folder: link, Args: []string{"--config", filepath.Join(real, "agent.yaml")}, Patterns: []string{filepath.Join(real, "*.txt")}})
	for _, name := range []string{"agent.yaml", "a.txt"} {
		if _, ok := r.Protects(name); !ok {
			t.Errorf("%s is free", name)
		}
	}
}

func TestChangeAll(t *testing.T) {
	tree := fstest(map[string]string{
		"work": "docs/ empty/ out/ AGENTS.md", "work/docs": "deep/ a.md", "work/docs/deep": "secret.key", "work/out": "x.txt", "work/empty": "",
	})
	r := New(Agent{Folder: "/work", Patterns: []string{"work/docs/b.md", "work/**/*.key"}})
	for name, held := range map[string]string{
		"work": "work/docs/deep/secret.key", "work/docs": "work/docs/deep/secret.key", "work/out": "", "work/empty": "",
	} {
		err := r.ChangeAll(name, true, tree)
		var refusal *Refusal
		switch {
		case held == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case held != "" && (!errors.As(err, &refusal) || refusal.Holds != held):
			t.Errorf("%s: %v, want it to hold %s", name, err, held)
		}
	}
	if err := r.ChangeAll("AGENTS.md", false, nil); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("AGENTS.md: %v", err)
	}
}

// A folder in which nothing can be protected is not listed: in a container
// that takes long.
func TestChangeAllLooksOnlyWhereNeeded(t *testing.T) {
	r := New(Agent{Folder: "/work", Patterns: []string{"docs/*/b.md", "a*/x/**/c"}})
	for _, folder := range []string{"out", "docs/x/y", "abc/y", "x/docs"} {
		err := r.ChangeAll(folder, true, func(folder string) ([]string, []string, error) {
			t.Errorf("%s is looked into", folder)
			return nil, nil, nil
		})
		if err != nil {
			t.Errorf("%s: %v", folder, err)
		}
	}
	failure := errors.New("no answer")
	for _, folder := range []string{"docs", "docs/y", "abc", "abc/x", "abc/x/y/z"} {
		err := r.ChangeAll(folder, true, func(string) ([]string, []string, error) { return nil, nil, failure })
		if err != failure {
			t.Errorf("%s: %v, want the error of looking into it", folder, err)
		}
	}
}

// fstest gives what is in the folders of a tree: names, those of folders with
// a slash.
func fstest(tree map[string]string) Inside {
	return func(folder string) (folders, others []string, err error) {
		for _, name := range strings.Fields(tree[folder]) {
			if dir, ok := strings.CutSuffix(name, "/"); ok {
				folders = append(folders, dir)
			} else {
				others = append(others, name)
			}
		}
		return folders, others, nil
	}
}

func TestCheck(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]Reason{
		"AGENTS.md": "", "./AGENTS.md": "", "skills/": "", "**.md": "", "skills/**/": "", "[": "", "/work/x": "", "a/../b": "", "...": "",
		"": Empty, "/abs/x": Outside, "../x": Outside, "a/../../x": Outside, "..": Outside, "*/../../x": Outside, "~/x": Outside,
		`docs\x.md`: Backslash,
	} {
		err := Check("/work", pattern)
		var bad *PatternError
		if want == "" && err != nil || want != "" && (!errors.As(err, &bad) || bad.Reason != want) {
			t.Errorf("%q: %v, want %q", pattern, err, want)
		}
	}
	if err := Check(home, "~/x"); err != nil {
		t.Errorf("~/x in the home folder: %v", err)
	}
}

// What Check refuses protects nothing, and nothing else.
func TestRefusedPatternsMatchNothing(t *testing.T) {
	r := New(Agent{Folder: "/work", Patterns: []string{"", "/abs/x", "../y"}})
	for _, name := range []string{"x", "abs/x", "y", "a"} {
		if rule, ok := r.Protects(name); ok {
			t.Errorf("%s is protected: %v", name, rule)
		}
	}
}

func FuzzPattern(f *testing.F) {
	for _, seed := range []string{"*.md", "a/**/b", `\*`, "[!", "{a,", "***?", "é/**", "**/*a*a*a*a*b", "\x86*/"} {
		f.Add(seed, "a/b.md")
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) > 100 || len(name) > 100 {
			return
		}
		r := New(Agent{Folder: "/work", Patterns: []string{pattern}})
		r.Protects(name)
		// Whatever is written stands for itself at least.
		if Check("/work", pattern) == nil && !strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "~") {
			if _, ok := r.Protects(pattern); !ok {
				t.Errorf("%q does not match itself", pattern)
			}
		}
	})
}

func BenchmarkProtects(b *testing.B) {
	r := New(Agent{Folder: "/work", Patterns: []string{"AGENTS.md", "docs/**", "**/*.key", "*a*b*c*d*"}})
	for b.Loop() {
		r.Protects("some/folder/deep/inside/a-file-with-a-long-name.txt")
	}
}
