package i18n_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

// said is an error that says the text id with args.
type said struct {
	id   string
	args map[string]any
}

func (e said) Error() string                      { return "plain " + e.id }
func (e said) Localize() (string, map[string]any) { return e.id, e.args }

func TestForChoosesTheLanguage(t *testing.T) {
	for asked, want := range map[string]string{
		"en": "en", "fr": "fr", "FR": "fr", "fr-CA": "fr", "fr_FR.UTF-8": "fr",
		"": "en", "de": "en", "frisian": "en", "C": "en",
	} {
		if got := i18n.For(asked).Language(); got != want {
			t.Errorf("For(%q).Language() = %q, want %q", asked, got, want)
		}
	}
}

func TestText(t *testing.T) {
	tests := []struct {
		language string
		args     []any
		want     string
	}{
		{"en", []any{"Head", "a", "Last", "b"}, "a or b"},
		{"fr", []any{"Head", "a", "Last", "b"}, "a ou b"},
		{"en", []any{"Head", "{{.Last}}", "Last", "<b>"}, "{{.Last}} or <b>"},
		{"en", []any{"Head", []string{"a", "b"}, "Last", []string{"c"}}, "a or b or c"},
		{"fr", []any{"Head", []string{"x", "y", "z"}, "Last", []string{}}, "x, y ou z ou "},
		{"fr", []any{"Head", said{"i18n.Or", map[string]any{"Head": 1, "Last": 2}}, "Last", fs.ErrExist}, "1 ou 2 ou file already exists"},
	}
	for _, test := range tests {
		if got := i18n.For(test.language).Text("i18n.Or", test.args...); got != test.want {
			t.Errorf("%s: Text(%q) = %q, want %q", test.language, test.args, got, test.want)
		}
	}
}

func TestUnknownTextIsItsID(t *testing.T) {
	p := i18n.For("fr")
	for _, id := range []string{"", "no.Such", "{{.Broken", "i18n"} {
		if got := p.Text(id, "Name", 1, "alone"); got != id {
			t.Errorf("Text(%q) = %q", id, got)
		}
		if got := p.Count(id, 3); got != id {
			t.Errorf("Count(%q) = %q", id, got)
		}
	}
}

func TestError(t *testing.T) {
	inner := said{"i18n.Or", map[string]any{"Head": "a", "Last": "b"}}
	nested := said{"i18n.Or", map[string]any{"Head": inner, "Last": fs.ErrNotExist}}
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"nil", nil, ""},
		{"plain", errors.New("disk full"), "disk full"},
		{"known", inner, "a ou b"},
		{"known in a chain", fmt.Errorf("start alice: %w", inner), "a ou b"},
		{"known among several", errors.Join(fs.ErrClosed, inner), "a ou b"},
		{"errors in the values", nested, "a ou b ou file does not exist"},
		{"unknown id", said{"no.Such", nil}, "no.Such"},
	}
	for _, test := range tests {
		if got := i18n.For("fr").Error(test.err); got != test.want {
			t.Errorf("%s: Error() = %q, want %q", test.name, got, test.want)
		}
	}
}
