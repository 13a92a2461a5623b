package yamldoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"gopkg.in/yaml.v3"
)

// maxCopies bounds how many values may be reached through aliases. A few
// lines of aliases of aliases stand for billions of values.
const maxCopies = 100_000

// Parse reads a document. The errors are in file order. When the text is no
// YAML, or stands for too many values, there is no Value; when it is YAML,
// but says what this package refuses, the Value is what was understood. An
// empty document is Null.
func Parse(document []byte) (*Value, []*Error) {
	text := bytes.TrimPrefix(document, []byte("\uFEFF"))
	if faults := checkText(text); len(faults) > 0 {
		return nil, faults
	}
	first, second, err := decode(bytes.NewReader(text))
	if err != nil {
		return nil, []*Error{syntaxError(text, err)}
	}
	r := reader{values: map[*yaml.Node]*Value{}, open: map[*yaml.Node]bool{}}
	root := &Value{Line: 1, Column: 1, size: 1}
	if first != nil && len(first.Content) > 0 {
		root = r.value(first.Content[0], "")
	}
	if second != nil {
		r.fault(second, "", SecondDocument, nil)
	}
	sortErrors(r.errs)
	if r.full {
		return nil, r.errs
	}
	return root, r.errs
}

// decode returns the nodes of the first two documents, nil for those that
// are not there.
func decode(text io.Reader) (first, second *yaml.Node, err error) {
	decoder := yaml.NewDecoder(text)
	next := func() (*yaml.Node, error) {
		var node yaml.Node
		err := decoder.Decode(&node)
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return &node, err
	}
	if first, err = next(); err != nil || first == nil {
		return nil, nil, err
	}
	second, err = next()
	return first, second, err
}

// reader turns nodes into values.
type reader struct {
	errs   []*Error
	values map[*yaml.Node]*Value // those read already: an alias gives the same one
	open   map[*yaml.Node]bool   // those being read: an alias to one would never end
	full   bool                  // whether maxCopies was reached
}

func (r *reader) fault(at *yaml.Node, path string, code Code, args map[string]any) {
	r.errs = append(r.errs, &Error{Line: at.Line, Column: at.Column, Path: path, Code: code, Args: args})
}

// value reads the value written at node. path is where it is for a person.
func (r *reader) value(node *yaml.Node, path string) *Value {
	if node.Kind == yaml.AliasNode {
		return r.alias(node, path)
	}
	r.open[node] = true
	defer delete(r.open, node)
	v := &Value{Line: node.Line, Column: node.Column, size: 1}
	switch node.Kind {
	case yaml.SequenceNode:
		r.list(v, node, path)
	case yaml.MappingNode:
		r.mapping(v, node, path)
	default:
		r.scalar(v, node, path)
	}
	r.values[node] = v
	return v
}

// alias returns the value at the anchor that node refers to.
func (r *reader) alias(node *yaml.Node, path string) *Value {
	if r.open[node.Alias] {
		r.fault(node, path, Recursion, nil)
		return &Value{Kind: Map, Line: node.Line, Column: node.Column, Data: map[string]any{}, size: 1}
	}
	v, known := r.values[node.Alias]
	if !known {
		v = r.value(node.Alias, path) // the anchor is on a key, or on a value left out
	}
	reached := *v
	reached.Alias = &Alias{node.Line, node.Column}
	return &reached
}

// adopt counts child as a part of v. It reports whether v may still grow.
func (r *reader) adopt(v, child *Value, node *yaml.Node, path string) bool {
	copied := child.copied
	if node.Kind == yaml.AliasNode {
		copied = child.size
	}
	if v.copied+copied > maxCopies {
		if !r.full {
			r.full = true
			r.fault(node, path, TooManyAliases, nil)
		}
		return false
	}
	v.copied += copied
	v.size += child.size
	return true
}

func (r *reader) list(v *Value, node *yaml.Node, path string) {
	v.Kind = List
	r.checkTag(node, path, "!!seq")
	data := make([]any, 0, len(node.Content))
	for i, item := range node.Content {
		itemPath := fmt.Sprintf("%s[%d]", path, i)
		child := r.value(item, itemPath)
		if !r.adopt(v, child, item, itemPath) {
			break
		}
		v.Items = append(v.Items, child)
		data = append(data, child.Data)
	}
	v.Data = data
}

func (r *reader) mapping(v *Value, node *yaml.Node, path string) {
	v.Kind, v.index = Map, map[string]int{}
	r.checkTag(node, path, "!!map")
	var merged []*yaml.Node
	lines := map[string]int{} // of each key
	data := map[string]any{}
	v.Data = data
	for i := 0; i+1 < len(node.Content); i += 2 {
		keyNode, valueNode := node.Content[i], node.Content[i+1]
		key, ok := r.key(keyNode, path)
		if !ok {
			continue
		}
		if line, twice := lines[key]; twice {
			r.fault(keyNode, KeyPath(path, key), DuplicateKey, map[string]any{"Key": ShownKey(key), "First": line})
			continue
		}
		lines[key] = keyNode.Line
		if keyNode.ShortTag() == "!!merge" {
			merged = append(merged, valueNode)
			continue
		}
		child := r.value(valueNode, KeyPath(path, key))
		if !r.adopt(v, child, valueNode, KeyPath(path, key)) {
			return
		}
		v.add(Entry{Key: key, Line: keyNode.Line, Column: keyNode.Column, Value: child})
		data[key] = child.Data
	}
	for _, source := range merged {
		r.merge(v, data, source, path)
	}
}

// key reads a key. One that is no text is an error: a number is read as it is
// written, a list or a mapping is left out.
func (r *reader) key(node *yaml.Node, path string) (key string, ok bool) {
	scalar := node
	if node.Kind == yaml.AliasNode {
		scalar = node.Alias
	}
	if scalar.Kind != yaml.ScalarNode {
		r.fault(node, path, KeyNotText, nil)
		return "", false
	}
	if tag := scalar.ShortTag(); tag != "!!str" && tag != "!!merge" {
		r.fault(node, KeyPath(path, scalar.Value), QuoteKey, map[string]any{"Key": ShownKey(scalar.Value)})
	}
	return scalar.Value, true
}

// merge adds to v the keys of source, a mapping or a list of them, that v
// does not have.
func (r *reader) merge(v *Value, data map[string]any, source *yaml.Node, path string) {
	from := r.value(source, path)
	sources := []*Value{from}
	if from.Kind == List {
		sources = from.Items
	}
	if !r.adopt(v, from, source, path) {
		return
	}
	for _, from := range sources {
		if from.Kind != Map {
			r.fault(source, path, Merge, nil)
			return
		}
		for _, entry := range from.Entries {
			if _, known := data[entry.Key]; !known {
				v.add(entry)
				data[entry.Key] = entry.Value.Data
			}
		}
	}
}

func (r *reader) scalar(v *Value, node *yaml.Node, path string) {
	v.Kind, v.Text, v.Data = Text, node.Value, node.Value
	tag := node.ShortTag()
	switch tag {
	case "!!str", "!!merge":
		return
	case "!!timestamp":
		r.fault(node, path, Quote, map[string]any{"Value": node.Value})
		return
	}
	var data any
	if node.Decode(&data) != nil {
		r.fault(node, path, Tag, nil)
		return
	}
	switch data := data.(type) {
	case nil:
		v.Kind = Null
	case bool:
		v.Kind = Bool
	case int, int64, uint64:
		v.Kind = Number
	case float64:
		if math.IsInf(data, 0) || math.IsNaN(data) {
			r.fault(node, path, Quote, map[string]any{"Value": node.Value})
			return
		}
		v.Kind = Number
	default:
		r.fault(node, path, Tag, nil)
		return
	}
	v.Data = data
}

// checkTag refuses a list or a mapping that is tagged as anything else.
func (r *reader) checkTag(node *yaml.Node, path, want string) {
	if node.ShortTag() != want {
		r.fault(node, path, Tag, nil)
	}
}
