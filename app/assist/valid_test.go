package assist

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/assets"
)

// What is added to any valid file is all that changes in it.
func TestPrepareEveryValidFile(t *testing.T) {
	files, err := filepath.Glob("../../schema/testdata/valid/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path := writeFile(t, "team.yaml", string(before))
		plan, err := Prepare(path, Form{Name: "new-agent", Title: "no", Icon: "👩", Program: "docker agent", Arguments: "serve acp x.yaml"}, everything)
		if err == nil {
			err = plan.Write()
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		after, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		run := strings.Join(plan.Change.Lines, "\n")
		at := bytes.Index(after, []byte(run))
		if at < 0 {
			t.Errorf("%s: %q is not in\n%s", file, run, after)
			continue
		}
		rest := string(after[:at]) + strings.TrimPrefix(string(after[at+len(run):]), "\n")
		if original := string(before); rest != original && rest != strings.Replace(original, "agents: []", "agents: ", 1) {
			t.Errorf("%s: without the lines it is\n%s", file, rest)
		}
	}
}

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
