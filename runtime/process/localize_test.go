package process

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"text/template"
)

type localizer interface {
	Localize() (id string, args map[string]any)
}

// checkLocalized checks that a text is in both catalogues and can be filled in.
func checkLocalized(t *testing.T, value localizer) {
	t.Helper()
	id, args := value.Localize()
	for _, language := range []string{"en", "fr"} {
		data, err := os.ReadFile("../../assets/translations/process." + language + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var catalogue map[string]string
		if err := json.Unmarshal(data, &catalogue); err != nil {
			t.Fatal(err)
		}
		text, ok := catalogue[id]
		if !ok {
			t.Errorf("%s is not in the catalogue of %q", id, language)
			continue
		}
		var filled strings.Builder
		parsed, err := template.New(id).Option("missingkey=error").Parse(text)
		if err == nil {
			err = parsed.Execute(&filled, args)
		}
		if err != nil || filled.Len() == 0 {
			t.Errorf("%s in %q: %q, %v", id, language, filled.String(), err)
		}
	}
}

func TestLocalize(t *testing.T) {
	for _, value := range []localizer{
		&StartError{Reason: Refused, Err: errors.New("no")},
		&RunError{Command: "x", State: ExitState{Code: 1}},
		&RunError{Command: "x", State: ExitState{Code: -1, Signal: "SIGKILL"}, Output: []string{"a", "b"}},
		&RunError{Command: "x", Err: context.DeadlineExceeded},
		&RunError{Command: "x", Err: context.Canceled},
		&LeftoverError{Program: "x", PIDs: []int{1, 2}},
		&PathError{Shell: "/bin/zsh", Err: context.DeadlineExceeded},
		&PathError{Shell: "/bin/zsh", Err: errors.New("no")},
		ExitState{Running: true}, ExitState{Code: 3}, ExitState{Code: -1, Signal: "SIGTERM"},
	} {
		checkLocalized(t, value)
	}
}
