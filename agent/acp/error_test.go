package acp

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"text/template"
)

// What a person may see is in every catalogue, with what it wants to say.
func TestMessages(t *testing.T) {
	for _, language := range []string{"en", "fr"} {
		data, err := os.ReadFile("../../assets/translations/acp." + language + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var catalogue map[string]string
		if err := json.Unmarshal(data, &catalogue); err != nil {
			t.Fatal(err)
		}
		used := map[string]bool{}
		for _, failure := range []interface {
			error
			Localize() (string, map[string]any)
		}{
			&Error{Code: CodeAuthRequired}, &Error{Code: CodeMethodNotFound}, &Error{Code: CodeNotFound}, &Error{Code: 7, Message: "why"},
			&ClosedError{io.EOF}, &StuckError{MaxUnsent}, &TooLongError{MaxLine},
		} {
			id, args := failure.Localize()
			used[id] = true
			var text strings.Builder
			message, err := template.New(id).Option("missingkey=error").Parse(catalogue[id])
			if err == nil {
				err = message.Execute(&text, args)
			}
			if err != nil || text.Len() == 0 || failure.Error() == "" {
				t.Errorf("%s, %s: %q, %v", language, id, text.String(), err)
			}
		}
		if len(used) != len(catalogue) {
			t.Errorf("%s has messages that nobody says", language)
		}
	}
}

func TestErrorDetailIsBounded(t *testing.T) {
	long := strings.Repeat("é", maxDetail)
	for _, e := range []*Error{
		{Message: long},
		{Message: "m", Data: json.RawMessage(`"` + long + `"`)},
		{Message: "m", Data: json.RawMessage(`{"details":7,"message":"` + long + `"}`)},
	} {
		if n := len(e.Error()); n < maxDetail || n > maxDetail+50 {
			t.Errorf("%.60s: %d bytes", e.Error(), n)
		}
	}
	if err := error(&ClosedError{io.ErrUnexpectedEOF}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}
