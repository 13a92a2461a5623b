package i18n

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"

	"git.rickub.com/bots-garden/sidekicks/assets"
)

// readTexts returns the texts of one language: id → plural form → text, the
// form of a text without plural being "other".
func readTexts(t *testing.T, language string) map[string]map[string]string {
	t.Helper()
	texts := map[string]map[string]string{}
	files, err := fs.Glob(assets.Translations, "translations/*."+language+".json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no translation in %s: %v", language, err)
	}
	for _, file := range files {
		data, err := assets.Translations.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var content map[string]json.RawMessage
		if err := json.Unmarshal(data, &content); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		area, _, _ := strings.Cut(path.Base(file), ".")
		for id, raw := range content {
			if !strings.HasPrefix(id, area+".") {
				t.Errorf("%s: the id %q does not start with %q", file, id, area+".")
			}
			if texts[id] != nil {
				t.Errorf("%s: the id %q is in another file too", file, id)
			}
			forms := map[string]string{}
			var single string
			if json.Unmarshal(raw, &single) == nil {
				forms["other"] = single
			} else if err := json.Unmarshal(raw, &forms); err != nil {
				t.Errorf("%s: %s: %v", file, id, err)
			}
			texts[id] = forms
		}
	}
	return texts
}

func TestLanguagesSayTheSame(t *testing.T) {
	english, french := readTexts(t, "en"), readTexts(t, "fr")
	for _, id := range slices.Sorted(maps.Keys(english)) {
		if french[id] == nil {
			t.Errorf("%s is missing in French", id)
			continue
		}
		if want, got := shape(t, id, english[id]), shape(t, id, french[id]); !slices.Equal(want, got) {
			t.Errorf("%s: English has %v, French %v", id, want, got)
		}
	}
	for id := range french {
		if english[id] == nil {
			t.Errorf("%s is missing in English", id)
		}
	}
}

// shape returns what both languages must have in common: the plural forms,
// and the placeholders of the general one.
func shape(t *testing.T, id string, forms map[string]string) []string {
	var shape []string
	for form, text := range forms {
		if text == "" {
			t.Errorf("%s: the form %q is empty", id, form)
		}
		if form != "one" && form != "other" {
			t.Errorf("%s: the plural form %q is not used", id, form)
		}
		if _, err := template.New(id).Parse(text); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		shape = append(shape, form)
	}
	if forms["other"] == "" {
		t.Errorf("%s has no form \"other\"", id)
	}
	names := regexp.MustCompile(`\.[A-Z]\w*`).FindAllString(placeholders(forms["other"]), -1)
	shape = append(shape, names...)
	slices.Sort(shape)
	return slices.Compact(shape)
}

// placeholders keeps what stands between {{ and }}.
func placeholders(text string) string {
	return strings.Join(regexp.MustCompile(`{{.*?}}`).FindAllString(text, -1), " ")
}

func TestCountTakesThePluralForm(t *testing.T) {
	// French says "0 problème"; for a million it has a form of its own, which
	// the catalogue leaves to the general one.
	for language, want := range map[string][]string{
		"en": {"0 problems in f", "1 problem in f", "2 problems in f", "1000000 problems in f"},
		"fr": {"0 problème dans f", "1 problème dans f", "2 problèmes dans f", "1000000 problèmes dans f"},
	} {
		for i, n := range []int{0, 1, 2, 1_000_000} {
			if got := For(language).Count("config.Problems", n, "Path", "f"); got != want[i] {
				t.Errorf("%s: Count(%d) = %q, want %q", language, n, got, want[i])
			}
		}
	}
}

// TestUsedTextsExist looks in the source of the module for the ids written
// as literals in calls of Text and Count, and in what Localize returns.
func TestUsedTextsExist(t *testing.T) {
	texts := readTexts(t, "en")
	found := 0
	err := filepath.WalkDir("../..", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") && strings.Trim(name, ".") != "" {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, id := range usedIDs(t, file, source) {
			found++
			if texts[id] == nil {
				t.Errorf("%s: the catalogue has no %q", file, id)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Error("found no text used in the module")
	}
}

func TestUsedIDs(t *testing.T) {
	source := `package p
import "strings"
func f() { p.Text("a.A"); p.Count("a.B", 2); strings.Count("no", "n"); p.Text(id); x.y.Text("a.C", "k", 1); q.Other("no") }
func (e) Localize() (string, map[string]any) { if x { return "a.D", nil }; return id, nil }
func (e) Other() (string, int) { return "no", 1 }`
	if got, want := usedIDs(t, "p.go", []byte(source)), []string{"a.A", "a.B", "a.C", "a.D"}; !slices.Equal(got, want) {
		t.Errorf("usedIDs = %v, want %v", got, want)
	}
}

// usedIDs returns the literal ids in one source file.
func usedIDs(t *testing.T, name string, source []byte) (ids []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	imported := map[string]bool{}
	for _, spec := range file.Imports {
		location, _ := strconv.Unquote(spec.Path.Value)
		imported[path.Base(location)] = true
	}
	add := func(expr ast.Expr) {
		if literal, ok := expr.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			id, _ := strconv.Unquote(literal.Value)
			ids = append(ids, id)
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CallExpr:
			method, ok := node.Fun.(*ast.SelectorExpr)
			if !ok || len(node.Args) == 0 || method.Sel.Name != "Text" && method.Sel.Name != "Count" {
				return true
			}
			if receiver, ok := method.X.(*ast.Ident); ok && imported[receiver.Name] {
				return true // strings.Count and its like
			}
			add(node.Args[0])
		case *ast.FuncDecl:
			if node.Name.Name != "Localize" || node.Body == nil {
				return true
			}
			ast.Inspect(node.Body, func(node ast.Node) bool {
				if result, ok := node.(*ast.ReturnStmt); ok && len(result.Results) == 2 {
					add(result.Results[0])
				}
				return true
			})
		}
		return true
	})
	return ids
}
