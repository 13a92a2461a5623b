package ui

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/assets"
)

// areas are the parts of the catalogue that are the window's alone.
var areas = []string{"ui", "act", "find", "system", "compose", "tool", "files", "reload", "settings", "assistant", "place", "terminal"}

// Every text the window asks for is in the catalogue, and nothing else is.
func TestCatalogue(t *testing.T) {
	for _, area := range areas {
		t.Run(area, func(t *testing.T) { checkArea(t, area) })
	}
}

func checkArea(t *testing.T, area string) {
	data, err := assets.Translations.ReadFile("translations/" + area + ".en.json")
	if err != nil {
		t.Fatal(err)
	}
	var known map[string]any
	if err := json.Unmarshal(data, &known); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("*.go")
	below, _ := filepath.Glob("../app/files*.go") // which says what goes wrong there
	files = append(files, below...)
	used := map[string]bool{}
	var prefixes []string
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"(`+area+`\.[\w.]+)"`).FindAllStringSubmatch(string(source), -1) {
			if strings.HasSuffix(m[1], ".") {
				prefixes = append(prefixes, m[1])
				continue
			}
			used[m[1]] = true
			if known[m[1]] == nil && !strings.HasSuffix(m[1], ".json") {
				t.Errorf("%s: the catalogue has no %q", file, m[1])
			}
		}
	}
	for id := range known {
		covered := used[id]
		for _, p := range prefixes {
			covered = covered || strings.HasPrefix(id, p)
		}
		if !covered {
			t.Errorf("nothing uses %q", id)
		}
	}
}
