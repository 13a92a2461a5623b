package protect

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/assets"
)

// Every reason can be told to a person, and the catalogue tells no other.
func TestCatalogue(t *testing.T) {
	var want []string
	for _, localizable := range []interface {
		Localize() (string, map[string]any)
	}{
		Rule{Kind: Configured}, Rule{Kind: Instructions}, Rule{Kind: Skills}, Rule{Kind: AgentFile},
		Rule{Kind: ComposeFile}, Rule{Kind: Dockerfile}, Rule{Kind: SandboxFile},
		&Refusal{}, &Refusal{Holds: "x"},
		&PatternError{Reason: Empty}, &PatternError{Reason: Outside}, &PatternError{Reason: Backslash},
	} {
		id, _ := localizable.Localize()
		want = append(want, id)
	}
	// And those of the command.
	source, err := os.ReadFile("../protected.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range regexp.MustCompile(`"(protect\.\w+)"`).FindAllSubmatch(source, -1) {
		want = append(want, string(id[1]))
	}
	slices.Sort(want)
	for _, language := range []string{"en", "fr"} {
		data, err := assets.Translations.ReadFile("translations/protect." + language + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var texts map[string]string
		if err := json.Unmarshal(data, &texts); err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(maps.Keys(texts)); !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", language, got, want)
		}
	}
}
