package config

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"git.rickub.com/bots-garden/sidekicks/app/i18n"
	"git.rickub.com/bots-garden/sidekicks/assets"
	"git.rickub.com/bots-garden/sidekicks/schema"
)

// elsewhere are the texts of this area that other packages ask for.
var elsewhere = []string{"config.Problems"}

// TestCatalogue checks that each text of the area is used: named in the source
// as a whole, or as the code of a problem.
func TestCatalogue(t *testing.T) {
	named := map[string]bool{}
	for _, pattern := range []string{"*.go", "../../schema/yamldoc/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range regexp.MustCompile(`"(?:config\.)?([A-Z]\w+)"`).FindAllSubmatch(source, -1) {
				named["config."+string(match[1])] = true
			}
		}
	}
	for _, language := range []string{"en", "fr"} {
		data, err := assets.Translations.ReadFile("translations/config." + language + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var texts map[string]any
		if err := json.Unmarshal(data, &texts); err != nil {
			t.Fatal(err)
		}
		for _, id := range slices.Sorted(maps.Keys(texts)) {
			if !named[id] && !slices.Contains(elsewhere, id) {
				t.Errorf("%s: nothing uses %q", language, id)
			}
		}
	}
}

// wrongTexts are documents that make the libraries complain, each in its way.
var wrongTexts = []string{
	"a: [", "a: {", "a: [b", "a: {b: c", "a: \"b", "a: 'b", "a: |\n\tb", "\ta: b", "a:\n\t- b", "a: b: c", "a\nb: c", "- a\nb: c", "a: b\n- c",
	"a: @b", "a: `b", "a: %b", "%a", "%YAML 3.0\n---\na: 1", "%YAML 1.1\n%YAML 1.1\n---\na: 1", "%TAG ! a\n%TAG ! b\n---\na", "a: *b", "a: &", "a: *",
	"a: &b &c d", "a: !<b", "a: !! b", "a: !b!c d", "a: \"\\q\"", "a: \"\\xzz\"", "a: \"\\UFFFFFFFF\"", "a: |5x\n b", "a: >0\n b", "a: 'b\n---\nc'",
	"? a\n? b\n  - c\n d", "[a]: b: c", "{a, b}: [c", "a: }", "a: ]", "a: ,", "- - a\n - b", "a:\n  b: 1\n c: 2", "a: 1\n...\nb: 2\n--- c\n", "---\n---\n",
	"a: &x {b: *x}", "<<: 1", "<<: [1]", "1: 2", "2024-01-02: a", "a: 2024-01-02", "a: .nan", "a: !!binary x", "a: !!int b", "a: !!float b", "a: !!set {b}", "a: !!omap [b: c]",
	strings.Repeat("[", 20_000), strings.Repeat("a: ", 1200) + "b", "a: \x01", "a: \xff", "a\x00b", "\xef\xbb\xbfa: [", "a:\u00a0b", "key " + strings.Repeat("x", 2000) + ": a",
	"null", "[]", "1", "a", "version: 1.5\nagents: {}", "version: 1\nagents: [1, a, [], null]", "version: 1\nagents:\n- {name: 1, command: [], args: a, env: [], afterStop: [], workspace: 1, protect: {}, runtime: []}",
	"version: 1\nagents:\n- {name: a, command: b, runtime: {type: container, workspacePath: a, lifecycle: {create: [], stop: [1], remove: a}}}",
	"version: 1\nlimits: {maxRunningAgents: 0, stopIdleAgentsAfter: [a]}\nagents: []\nchannels: [{name: \"\"}, {name: 1, agents: [a, a, 1, 1]}]",
	"version: 1\nui: {theme: a, language: [b]}\nagents: []", "version: 1\nui: {theme: \"\\e[31m\\u202e\", \"\\n\": 1}\nagents: []",
}

// TestNoWordsOfLibraries checks that what is said of any mistake is a text of
// the catalogue, in which no library has a word.
func TestNoWordsOfLibraries(t *testing.T) {
	for _, pattern := range []string{"../../schema/testdata/invalid/*.yaml", "testdata/invalid/*.yaml"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			checkWords(t, data)
		}
	}
	for _, text := range wrongTexts {
		if problems := checkWords(t, []byte(text)); Valid(problems) {
			t.Errorf("%.50q is valid", text)
		}
	}
}

// checkWords reads a file, and compares what is said of it with what the
// libraries say.
func checkWords(t *testing.T, data []byte) []Problem {
	t.Helper()
	_, problems := Parse(data, "config.yaml", anyProgram)
	complaints := libraryWords(data)
	for _, problem := range problems {
		for _, language := range []string{"en", "fr"} {
			text := problem.Text(i18n.For(language))
			for _, complaint := range complaints {
				if strings.Contains(text, complaint) {
					t.Errorf("%.50q: %s says %q", data, text, complaint)
				}
			}
			if strings.Contains(text, "<no value>") || strings.Contains(text, "config."+problem.Code) ||
				strings.Contains(text, "%!") || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == '\u202e' }) ||
				len(text) > 2000 || problem.Code == "Refused" || problem.Line < 1 || problem.Column < 1 {
				t.Errorf("%.50q: %+v: %q", data, problem, text)
			}
		}
	}
	return problems
}

// libraryWords returns what the libraries say of a document.
func libraryWords(data []byte) (complaints []string) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for range 2 {
		var node yaml.Node
		err := decoder.Decode(&node)
		if err == io.EOF {
			break
		}
		if err == nil {
			var value any
			err = node.Decode(&value)
		}
		if err != nil {
			for _, line := range strings.Split(err.Error(), "\n") {
				line = strings.TrimPrefix(strings.TrimSpace(line), "yaml: ")
				line = regexp.MustCompile(`^line \d+: `).ReplaceAllString(line, "")
				complaints = append(complaints, line)
			}
			break
		}
	}
	if violation, ok := schema.ValidateConfig(data).(*jsonschema.ValidationError); ok {
		for _, line := range strings.Split(violation.Error(), "\n") {
			_, reason, found := strings.Cut(line, "': ")
			if found {
				complaints = append(complaints, reason)
			}
		}
	}
	return complaints
}
