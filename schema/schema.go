// Package schema holds the JSON Schema of the configuration file and checks
// documents against it. It knows the shape of the file, not its meaning:
// defaults, paths and the rules between several keys belong to the loader.
package schema

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"git.rickub.com/bots-garden/sidekicks/schema/yamldoc"
)

// ConfigSchemaURL is the $id of the schema of the configuration file.
const ConfigSchemaURL = "https://git.rickub.com/bots-garden/sidekicks/schema/config.schema.json"

//go:embed config.schema.json
var configSchema []byte

// ConfigSchema returns a copy of the schema of the configuration file, a
// JSON Schema 2020-12 document.
func ConfigSchema() []byte { return bytes.Clone(configSchema) }

// ValidateConfig checks a configuration file. It returns nil when the YAML
// document matches the schema, a [*jsonschema.ValidationError] that lists
// every violation when it does not, and otherwise the errors of the YAML
// text, each a [*yamldoc.Error]. No error holds the value of an env variable.
func ValidateConfig(document []byte) error {
	value, faults := yamldoc.Parse(document)
	if len(faults) > 0 {
		all := make([]error, len(faults))
		for i, fault := range faults {
			all[i] = fault
		}
		return errors.Join(all...)
	}
	return ValidateConfigData(value.Data)
}

// ValidateConfigData is [ValidateConfig] for a document that was read
// already: nil, bool, string, a Go number, []any and map[string]any.
func ValidateConfigData(data any) error {
	err := compiled().Validate(data)
	if violations, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		arrange(violations)
	}
	return err
}

// compiled is the schema ready for use. It is part of the program, so a
// schema that does not compile is a mistake in the program.
var compiled = sync.OnceValue(func() *jsonschema.Schema {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(configSchema))
	if err != nil {
		panic(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(ConfigSchemaURL, document); err != nil {
		panic(err)
	}
	return compiler.MustCompile(ConfigSchemaURL)
})

// arrange puts violations in the same order every time, as they come in that
// of Go's maps, and cuts unknown keys like yamldoc does.
func arrange(e *jsonschema.ValidationError) {
	if unknown, ok := e.ErrorKind.(*kind.AdditionalProperties); ok {
		for i, key := range unknown.Properties {
			unknown.Properties[i] = yamldoc.ShownKey(key)
		}
		slices.Sort(unknown.Properties)
	}
	for _, cause := range e.Causes {
		arrange(cause)
	}
	slices.SortFunc(e.Causes, func(a, b *jsonschema.ValidationError) int {
		if order := slices.CompareFunc(a.InstanceLocation, b.InstanceLocation, compareTokens); order != 0 {
			return order
		}
		return strings.Compare(a.Error(), b.Error())
	})
}

// compareTokens orders two keys, or the indexes of two items: numbers first,
// by their value.
func compareTokens(a, b string) int {
	number, other := isNumber(a), isNumber(b)
	switch {
	case a == b:
		return 0
	case number && other:
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	case number:
		return -1
	case other:
		return 1
	}
	return strings.Compare(a, b)
}

func isNumber(token string) bool {
	return token != "" && strings.IndexFunc(token, func(r rune) bool { return r < '0' || r > '9' }) < 0
}
