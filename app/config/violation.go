package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"git.rickub.com/bots-garden/sidekicks/schema"
	"git.rickub.com/bots-garden/sidekicks/schema/yamldoc"
)

// place is where a violation is: a value, and the key it belongs to.
type place struct {
	path         string
	key          string // the last key of path, "" for an item of a list
	line, column int    // of the key, or of the item
	value        *yamldoc.Value
}

// find follows the location that the schema gives to a violation.
func find(root *yamldoc.Value, location []string) place {
	at := place{line: root.Line, column: root.Column, value: root}
	for _, token := range location {
		if at.value.Kind == yamldoc.List {
			index, _ := strconv.Atoi(token)
			at.path = fmt.Sprintf("%s[%d]", at.path, index)
			at.value = at.value.Items[index]
			at.key, at.line, at.column = "", at.value.Line, at.value.Column
			continue
		}
		entry, _ := at.value.Entry(token)
		at = place{yamldoc.KeyPath(at.path, token), token, entry.Line, entry.Column, entry.Value}
	}
	return at
}

// violations reports what the schema refuses.
func (l *loader) violations(root *yamldoc.Value, err error) {
	violation, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		l.report(Problem{Line: 1, Column: 1, Code: "Syntax"})
		return
	}
	at := find(root, violation.InstanceLocation)
	switch reason := violation.ErrorKind.(type) {
	case *kind.Required:
		for _, key := range reason.Missing {
			l.missing(at, key, knownKeys(violation.SchemaURL))
		}
	case *kind.AdditionalProperties:
		l.unknown(at, reason.Properties, knownKeys(violation.SchemaURL))
	case *kind.FalseSchema:
		l.misplaced(at, root, violation.InstanceLocation)
	case *kind.UniqueItems:
		l.repeated(at)
	case *kind.AnyOf: // the only choice of the schema
		l.refuse(at, "Duration", map[string]any{"Value": at.value.Text})
	case *kind.Schema, *kind.Group, *kind.Reference:
		for _, cause := range violation.Causes {
			l.violations(root, cause)
		}
	default:
		code, args := valueProblem(at, reason)
		l.refuse(at, code, args)
	}
}

// refuse reports the value at a place, once.
func (l *loader) refuse(at place, code string, args map[string]any) {
	if at.path != "" && l.refused[at.path] {
		return
	}
	l.refused[at.path] = true
	line, column := at.value.Line, at.value.Column
	switch {
	case noBreakSpace(at.value):
		code, args = string(yamldoc.NoBreakSpace), nil
	case at.value.Kind == yamldoc.Null && (at.value.Text == "" || code != string(yamldoc.Quote) || isChoice(at.key)):
		line, column = at.line, at.column
		code, args = empty(at)
	}
	l.report(Problem{Line: line, Column: column, Path: at.path, Code: code, Args: args})
}

// isChoice reports whether a key takes one of a few words: "~" and "null" are
// none of them, between quotes either.
func isChoice(key string) bool { return key == "type" || key == "theme" || key == "language" }

// empty says what to write instead of nothing.
func empty(at place) (code string, args map[string]any) {
	fix := ""
	switch at.key {
	case "agents", "channels", "args", "protect":
		fix = "list"
	case "version", "name", "command", "type", "container", "sandbox":
		fix = "required"
	}
	switch {
	case at.path == "":
		return "EmptyFile", nil
	case isSecret(at.path):
		fix = "text"
	}
	return "Empty", map[string]any{"Key": at.key, "Fix": fix}
}

// valueProblem says what is wrong with the value at a place.
func valueProblem(at place, reason jsonschema.ErrorKind) (code string, args map[string]any) {
	value := map[string]any{"Value": at.value.Text}
	switch reason := reason.(type) {
	case *kind.Type:
		return typeProblem(at, reason.Want[0])
	case *kind.Const:
		return "Version", value
	case *kind.Enum:
		var want []string
		for _, choice := range reason.Want {
			want = append(want, fmt.Sprint(choice))
		}
		value["Want"], value["Suggestion"] = want, nearest(at.value.Text, want)
		return "Choice", value
	case *kind.Pattern:
		if at.key == "workspacePath" {
			return "NotAbsolute", value
		}
		if length := len(reason.Got); length > 32 && validName.MatchString(reason.Got) {
			return "AgentNameLength", map[string]any{"Count": length}
		}
		return "AgentName", value
	case *kind.Minimum:
		return "AtLeast", map[string]any{"Value": at.value.Text, "Least": reason.Want.RatString()}
	case *kind.MinItems:
		return "EmptyCommand", nil
	case *kind.MaxLength:
		return "ChannelName", map[string]any{"Count": reason.Got}
	case *kind.MinLength:
		return empty(at)
	}
	return "Refused", nil // every kind that the schema uses is above
}

// validName is what the schema asks of a name, but for its length.
var validName = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)

// typeProblem says what is wrong with a value that should be a want of JSON.
func typeProblem(at place, want string) (code string, args map[string]any) {
	switch want {
	case "array":
		return "WantList", nil
	case "object":
		return "WantMap", nil
	case "integer":
		if _, err := strconv.Atoi(at.value.Text); err == nil && at.value.Kind == yamldoc.Text {
			return "Unquote", map[string]any{"Value": at.value.Text}
		}
		return "WantInteger", nil
	}
	switch {
	case at.value.Kind == yamldoc.List || at.value.Kind == yamldoc.Map:
		return "WantText", nil
	case isSecret(at.path):
		return "Quote", nil
	}
	return "Quote", map[string]any{"Value": at.value.Text}
}

// noBreakSpace reports whether a value is a text, or a mapping of one, only
// because what follows ":" or "-" is a no-break space.
func noBreakSpace(value *yamldoc.Value) bool {
	text := value.Text
	if value.Kind == yamldoc.Map && len(value.Entries) > 0 {
		text = value.Entries[0].Key
	}
	_, after, found := strings.Cut(text, ":")
	return found && strings.IndexFunc(after, yamldoc.IsNoBreakSpace) == 0 ||
		strings.HasPrefix(text, "-") && strings.IndexFunc(text, yamldoc.IsNoBreakSpace) == 1
}

// missing reports a key that a mapping lacks, unless an unknown key of it is
// that one misspelt: a single mistake is reported once.
func (l *loader) missing(at place, key string, known []string) {
	if at.path != "" && l.refused[at.path] {
		return
	}
	for _, entry := range at.value.Entries {
		if !slices.Contains(known, entry.Key) && nearest(entry.Key, known) == key {
			return
		}
	}
	l.report(Problem{
		Line: at.value.Line, Column: at.value.Column, Path: at.path,
		Code: "MissingKey", Args: map[string]any{"Key": key},
	})
}

// unknown reports keys, as they are shown, that a mapping may not have.
func (l *loader) unknown(at place, shown []string, known []string) {
	for _, entry := range at.value.Entries {
		key := yamldoc.ShownKey(entry.Key)
		if _, unknown := slices.BinarySearch(shown, key); !unknown {
			continue
		}
		path := yamldoc.KeyPath(at.path, entry.Key)
		if l.refused[path] {
			continue
		}
		l.refused[path] = true
		code, args := "UnknownKey", map[string]any{"Key": key, "Suggestion": nearest(key, known), "Known": known}
		switch {
		case strings.ContainsFunc(key, yamldoc.IsNoBreakSpace):
			code, args = string(yamldoc.NoBreakSpace), nil
		case at.key == "env":
			code, args = "EnvName", nil
		}
		l.report(Problem{Line: entry.Line, Column: entry.Column, Path: path, Code: code, Args: args})
	}
}

// misplaced reports a key of a runtime that is of another type.
func (l *loader) misplaced(at place, root *yamldoc.Value, location []string) {
	runtime := find(root, location[:len(location)-1]).value
	types := map[string][]string{"container": {Container}, "sandbox": {Sbx}}[at.key]
	if types == nil {
		types = []string{Container, Sbx}
	}
	l.refused[at.path] = true
	l.report(Problem{
		Line: at.line, Column: at.column, Path: at.path, Code: "OtherRuntime",
		Args: map[string]any{"Key": at.key, "Type": runtime.Get("type").Text, "Types": types},
	})
}

// repeated reports the items of a list that are in it before.
func (l *loader) repeated(at place) {
	before := map[string]bool{}
	for i, item := range at.value.Items {
		if item.Kind != yamldoc.Text {
			continue
		}
		if before[item.Text] {
			l.refuse(place{path: fmt.Sprintf("%s[%d]", at.path, i), value: item}, "Repeated", map[string]any{"Value": item.Text})
		}
		before[item.Text] = true
	}
}

// knownKeys returns the keys that the schema at url gives to a mapping.
func knownKeys(url string) []string {
	_, pointer, _ := strings.Cut(url, "#")
	// The condition on the type of a runtime is under the keys of all types.
	pointer, _, _ = strings.Cut(pointer, "/else")
	pointer, _, _ = strings.Cut(pointer, "/then")
	node := schemaTree()
	for _, token := range append(strings.Split(strings.Trim(pointer, "/"), "/"), "properties") {
		if object, ok := node.(map[string]any); ok && token != "" {
			node = object[token]
		}
	}
	properties, _ := node.(map[string]any)
	return slices.Sorted(maps.Keys(properties))
}

// schemaTree is the schema as plain data.
var schemaTree = sync.OnceValue(func() (tree any) {
	if err := json.Unmarshal(schema.ConfigSchema(), &tree); err != nil {
		panic(err) // the schema is part of the program
	}
	return tree
})
