// Package yamldoc reads one YAML document as plain data, and remembers where
// each value is written. It is stricter than YAML: one document, text keys,
// no key twice, no tags, no NUL, and no value that only looks like text. It knows
// nothing of what the document says.
package yamldoc

import "strings"

// Kind is the JSON type of a [Value].
type Kind int

// The kinds of values.
const (
	Null Kind = iota
	Bool
	Number
	Text
	List
	Map
)

// Value is one value of a document, its aliases and merge keys followed. A
// value reached through an alias is a copy of the one at the anchor, whose
// parts are shared; it is not to be changed.
type Value struct {
	Kind         Kind
	Line, Column int      // where it is written, from 1; columns count characters
	Alias        *Alias   // the alias it was reached through, or nil
	Text         string   // Null, Bool, Number and Text: as written, without quotes
	Items        []*Value // List
	Entries      []Entry  // Map: its own keys in file order, then the merged ones
	Data         any      // nil, bool, int, int64, uint64, float64, string, []any or map[string]any

	index  map[string]int // Map with many keys: where in Entries each is
	copied int            // how many values under this one were reached through an alias
	size   int            // how many values there are, this one and all under it
}

// Alias is where an alias is written.
type Alias struct{ Line, Column int }

// Entry is one key of a Map and its value.
type Entry struct {
	Key          string
	Line, Column int // where the key is
	Value        *Value
}

// Entry returns the entry called key. A nil Value and one that is no Map
// have none.
func (v *Value) Entry(key string) (Entry, bool) {
	if v == nil {
		return Entry{}, false
	}
	if v.index != nil {
		if i, ok := v.index[key]; ok {
			return v.Entries[i], true
		}
		return Entry{}, false
	}
	for _, entry := range v.Entries {
		if entry.Key == key {
			return entry, true
		}
	}
	return Entry{}, false
}

// manyKeys is how many keys make a Map worth an index.
const manyKeys = 16

// add puts an entry at the end of a Map that does not have its key.
func (v *Value) add(entry Entry) {
	v.Entries = append(v.Entries, entry)
	if v.index == nil && len(v.Entries) >= manyKeys {
		v.index = make(map[string]int, 2*manyKeys)
		for i, entry := range v.Entries {
			v.index[entry.Key] = i
		}
	} else if v.index != nil {
		v.index[entry.Key] = len(v.Entries) - 1
	}
}

// Get returns the value of key, or nil.
func (v *Value) Get(key string) *Value {
	entry, _ := v.Entry(key)
	return entry.Value
}

// KeyPath is path with key added: "agents[0]" and "name" are "agents[0].name".
func KeyPath(path, key string) string {
	key = ShownKey(key)
	if path == "" {
		return key
	}
	return path + "." + key
}

// ShownKey is key as it may be shown. The text after "=" is cut: in
// "env: {TOKEN=secret}" the key is all of "TOKEN=secret".
func ShownKey(key string) string {
	if name, _, found := strings.Cut(key, "="); found {
		return name + "=…"
	}
	return key
}
