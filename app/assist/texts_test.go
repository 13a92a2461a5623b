package assist

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/assets"
)

// Every text of the area is used, and every one that is used is there.
func TestTexts(t *testing.T) {
	var known map[string]any
	data, err := assets.Translations.ReadFile("translations/assist.en.json")
	if err == nil {
		err = json.Unmarshal(data, &known)
	}
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{"assist.OpenQuote": true, "assist.Missing": true} // mistakes
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "../../add.go") {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(`"(assist\.[A-Z]\w+)"`).FindAllSubmatch(source, -1) {
			used[string(match[1])] = true
		}
	}
	for id := range known {
		if !used[id] {
			t.Errorf("nothing uses %s", id)
		}
	}
	for id := range used {
		if known[id] == nil {
			t.Errorf("the catalogue has no %s", id)
		}
	}
}
