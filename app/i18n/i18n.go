// Package i18n says everything a person reads in English or in French: the
// window, the errors and the command lines share one catalogue, the files
// assets/translations/<area>.<language>.json. It knows nothing of what is
// said; each area of the catalogue belongs to the package it is named after.
package i18n

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	goi18n "github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"git.rickub.com/bots-garden/sidekicks/assets"
)

// Localizable is an error that a person can read in their language. Packages
// below the window return such errors without importing this one.
type Localizable interface {
	error
	// Localize returns the id of the text in the catalogue, and the values
	// of its placeholders.
	Localize() (id string, args map[string]any)
}

// Printer writes the texts of the catalogue in one language. It may be used
// by several goroutines at once. The zero Printer is of no use: see [For].
type Printer struct {
	language  string
	localizer *goi18n.Localizer
}

// For returns the Printer of a language: "en", "fr", or a longer name of
// them such as "fr-CA" or "fr_FR.UTF-8". Any other language gives English.
func For(language string) *Printer {
	code := "en"
	base, _, _ := strings.Cut(strings.ReplaceAll(language, "_", "-"), "-")
	if strings.EqualFold(base, "fr") {
		code = "fr"
	}
	return &Printer{language: code, localizer: goi18n.NewLocalizer(catalogue(), code)}
}

// Language returns "en" or "fr".
func (p *Printer) Language() string { return p.language }

// Text returns the text called id. args are the names and the values of its
// placeholders in turn: "Name", agent.Name, "Line", 12. A value that is an
// error is written as by [Printer.Error]; a []string as a choice, "a, b or c".
// An id that the catalogue does not have is returned as it is.
func (p *Printer) Text(id string, args ...any) string {
	return p.localize(id, nil, pairs(args))
}

// Count returns the text called id in the form that suits n things. The
// placeholder {{.Count}} holds n; args are as for [Printer.Text].
func (p *Printer) Count(id string, n int, args ...any) string {
	values := pairs(args)
	values["Count"] = n
	return p.localize(id, n, values)
}

// Error returns what to tell a person about err. The outermost [Localizable]
// error of its chain is translated; without one, the answer is err.Error(),
// and "" when err is nil.
func (p *Printer) Error(err error) string {
	if err == nil {
		return ""
	}
	var known Localizable
	if !errors.As(err, &known) {
		return err.Error()
	}
	id, args := known.Localize()
	return p.localize(id, nil, args)
}

// localize fills the text called id. A nil count takes its general form.
func (p *Printer) localize(id string, count any, args map[string]any) string {
	values := make(map[string]any, len(args))
	for name, value := range args {
		switch value := value.(type) {
		case error:
			values[name] = p.Error(value)
		case []string:
			values[name] = p.choice(value)
		default:
			values[name] = value
		}
	}
	// The text comes with an error when it is in English for want of French,
	// or in the general form for want of a plural one: it is still the text.
	text, err := p.localizer.Localize(&goi18n.LocalizeConfig{
		MessageID: id, PluralCount: count, TemplateData: values,
	})
	if err != nil && text == "" {
		return id
	}
	return text
}

// choice writes items as "a, b or c".
func (p *Printer) choice(items []string) string {
	last := len(items) - 1
	if last < 1 {
		return strings.Join(items, "")
	}
	return p.Text("i18n.Or", "Head", strings.Join(items[:last], ", "), "Last", items[last])
}

// pairs turns names and values in turn into a map. A name without a value is
// left out, as its placeholder then shows.
func pairs(args []any) map[string]any {
	values := make(map[string]any, len(args)/2+1)
	for i := 0; i+1 < len(args); i += 2 {
		values[fmt.Sprint(args[i])] = args[i+1]
	}
	return values
}

// catalogue reads every translation once. The files are part of the program,
// so one that cannot be read is a mistake in the program.
var catalogue = sync.OnceValue(func() *goi18n.Bundle {
	bundle := goi18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	files, err := fs.Glob(assets.Translations, "translations/*.json")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		if _, err := bundle.LoadMessageFileFS(assets.Translations, file); err != nil {
			panic(fmt.Sprintf("i18n: read %s: %v", file, err))
		}
	}
	return bundle
})
