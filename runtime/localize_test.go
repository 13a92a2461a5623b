package runtime

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"text/template"

	"git.rickub.com/bots-garden/sidekicks/assets"
)

// said is an error's text in English, as a person reads it.
func said(t *testing.T, err interface {
	Localize() (string, map[string]any)
}) string {
	t.Helper()
	id, args := err.Localize()
	text, ok := texts(t, "en")[id]
	if !ok {
		t.Fatalf("the catalogue has no %s", id)
	}
	var b strings.Builder
	if err := template.Must(template.New(id).Option("missingkey=error").Parse(text)).Execute(&b, args); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func texts(t *testing.T, language string) map[string]string {
	t.Helper()
	data, err := assets.Translations.ReadFile("translations/runtime." + language + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]string
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// Every error has a text, and every text is that of an error.
func TestCatalogue(t *testing.T) {
	known := map[string]bool{}
	for code := range sentences {
		for _, kind := range []Kind{Container, Sbx} {
			err := &Error{Code: code, Kind: kind, Name: "box", Program: "docker", Command: "docker x"}
			id, _ := err.Localize()
			known[id] = true
			if text := said(t, err); strings.Contains(text, "<no value>") {
				t.Error(text)
			}
			if text := err.Error(); strings.Contains(text, "{") {
				t.Error(text)
			}
		}
	}
	for _, kind := range []Kind{Container, Sbx} {
		err := &LeftoverError{Kind: kind, Name: "box", Processes: []string{"7 mm"}}
		id, _ := err.Localize()
		known[id] = true
		if text := said(t, err); !strings.Contains(text, "7 mm") {
			t.Error(text)
		}
	}
	en, fr := texts(t, "en"), texts(t, "fr")
	for id := range en {
		if !known[id] {
			t.Errorf("nothing uses %s", id)
		}
		if fr[id] == "" {
			t.Errorf("no French for %s", id)
		}
	}
	var extra []string
	for id := range fr {
		if en[id] == "" {
			extra = append(extra, id)
		}
	}
	if slices.Sort(extra); len(extra) > 0 {
		t.Errorf("only in French: %q", extra)
	}
}

func TestWithin(t *testing.T) {
	for _, test := range []struct {
		folder, file, want string
		ok                 bool
	}{
		{"/work", "/work/a/b", "a/b", true},
		{"/work", "/work/../work/./a", "a", true},
		{"/work/", "/work", ".", true},
		{"/", "/etc", "etc", true},
		{"/work", "/workshop/a", "", false},
		{"/work", "/etc", "", false},
		{`C:\work`, `C:\work\a\b`, "a/b", true},
	} {
		if got, ok := Within(test.folder, test.file); ok != test.ok || ok && got != test.want {
			t.Errorf("%s in %s: %q, %v", test.file, test.folder, got, ok)
		}
	}
}
