package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"git.rickub.com/bots-garden/sidekicks/schema"
	"git.rickub.com/bots-garden/sidekicks/schema/yamldoc"
)

// files returns the content of the files of a folder of testdata, by name.
func files(tb testing.TB, folder string) map[string][]byte {
	tb.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", folder, "*.yaml"))
	if err != nil || len(names) == 0 {
		tb.Fatalf("no files in %s: %v", folder, err)
	}
	contents := map[string][]byte{}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		contents[strings.TrimSuffix(filepath.Base(name), ".yaml")] = content
	}
	return contents
}

// saved gives a document as other editors save it.
func saved(document []byte) map[string][]byte {
	crlf := bytes.ReplaceAll(document, []byte("\n"), []byte("\r\n"))
	return map[string][]byte{
		"LF": document, "CRLF": crlf, "BOM": append([]byte("\uFEFF"), document...), "BOM and CRLF": append([]byte("\uFEFF"), crlf...),
	}
}

func TestValidFiles(t *testing.T) {
	for name, content := range files(t, "valid") {
		for how, content := range saved(content) {
			if err := schema.ValidateConfig(content); err != nil {
				t.Errorf("%s, %s: %v", name, how, err)
			}
		}
	}
}

// wanted is the violation that a file of testdata/invalid says it has.
var wanted = regexp.MustCompile(`(?m)^# want: (.*?)\r?$`)

func TestInvalidFiles(t *testing.T) {
	for name, content := range files(t, "invalid") {
		var want []string
		for _, match := range wanted.FindAllSubmatch(content, -1) {
			want = append(want, string(match[1]))
		}
		for how, content := range saved(content) {
			if got := violations(t, schema.ValidateConfig(content)); !slices.Equal(got, want) {
				t.Errorf("%s, %s:\n got %q\nwant %q", name, how, got, want)
			}
		}
	}
}

// violations returns what a person reads of an error of ValidateConfig: one
// line for each violation that has no causes, or for each error of the YAML.
func violations(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*yamldoc.Error](err); ok {
		return strings.Split(err.Error(), "\n")
	}
	if _, ok := errors.AsType[*jsonschema.ValidationError](err); !ok {
		t.Fatalf("%T: %v", err, err)
	}
	var lines []string
	for _, line := range strings.Split(err.Error(), "\n")[1:] {
		// A group has no reason of its own; the two ways to write a duration
		// are causes of one violation.
		if strings.HasPrefix(line, "    - ") && len(lines) > 0 || strings.HasPrefix(line, "  - ") && strings.HasSuffix(last(lines), "'anyOf' failed") {
			continue
		}
		if line = strings.TrimLeft(line, " -"); !strings.HasSuffix(line, ": validation failed") {
			lines = append(lines, line)
		}
	}
	return lines
}

func last(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[len(lines)-1]
}

func TestErrorOfTheSpecification(t *testing.T) {
	const document = "version: 1\nagents:\n  - name: alice\n    command: mm\n    comand: mm\n"
	const want = `jsonschema validation failed with 'https://git.rickub.com/bots-garden/sidekicks/schema/config.schema.json#'
- at '/agents/0': additional properties 'comand' not allowed`
	if err := schema.ValidateConfig([]byte(document)); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestEveryViolationIsListedInTheSameOrder(t *testing.T) {
	document := []byte("z: 1\ny: 2\nui: {theme: x, language: y, w: 1, v: 2}\nagents: [{}, {name: A}]\n")
	want := schema.ValidateConfig(document).Error()
	if got := strings.Count(want, "\n- ") + strings.Count(want, "\n  - "); got < 8 {
		t.Errorf("%d violations in %s", got, want)
	}
	for range 50 {
		if got := schema.ValidateConfig(document).Error(); got != want {
			t.Fatalf("got  %s\nthen %s", want, got)
		}
	}
}

func TestErrorsHoldNoSecret(t *testing.T) {
	for _, env := range []string{
		"[TOKEN=s3cret]", "TOKEN=s3cret", "{TOKEN=s3cret}", "{TOKEN=s3cret, TOKEN=s3cret}", "{TOKEN: {s: s3cret}}",
		"{TOKEN: [s3cret]}", "{TOKEN: \"\\0s3cret\"}", "{TOKEN: !s3cret x}", "{TOKEN: *s3cret}", "{TOKEN: !!int s3cret}",
		"{TOKEN: @s3cret}", "{TOKEN: 's3cret}", "{TOKEN: \"\\s3cret\"}", "{TOKEN: a: s3cret}", "{TOKEN: s3cret",
	} {
		err := schema.ValidateConfig([]byte("version: 1\nagents:\n  - name: a\n    command: b\n    env: " + env + "\n"))
		if err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", env, err)
		}
	}
}

func TestEmptyDocument(t *testing.T) {
	for _, document := range []string{"", "\n", "# nothing\n", "\uFEFF", "null", "~"} {
		err := schema.ValidateConfig([]byte(document))
		if err == nil || !strings.HasSuffix(err.Error(), "- at '': got null, want object") {
			t.Errorf("%q: %v", document, err)
		}
	}
}

func TestConfigSchema(t *testing.T) {
	document := schema.ConfigSchema()
	var content struct {
		Schema string `json:"$schema"`
		ID     string `json:"$id"`
	}
	if err := json.Unmarshal(document, &content); err != nil {
		t.Fatal(err)
	}
	if content.Schema != "https://json-schema.org/draft/2020-12/schema" || content.ID != schema.ConfigSchemaURL {
		t.Errorf("the schema is %+v", content)
	}
	clear(document)
	if bytes.Equal(document, schema.ConfigSchema()) {
		t.Error("ConfigSchema does not return a copy")
	}
}

func FuzzValidateConfig(f *testing.F) {
	for _, folder := range []string{"valid", "invalid"} {
		for _, content := range files(f, folder) {
			f.Add(content)
		}
	}
	f.Add([]byte("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"))
	f.Fuzz(func(t *testing.T, document []byte) {
		first, second := schema.ValidateConfig(document), schema.ValidateConfig(document)
		if (first == nil) != (second == nil) || first != nil && first.Error() != second.Error() {
			t.Errorf("got %v, then %v", first, second)
		}
	})
}
