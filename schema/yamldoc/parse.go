package yamldoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

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
		fault := syntaxError(text, err)
		// What is wrong in a second document matters less than that there is one.
		if first, second = cutBefore(text, fault.Line); first == nil {
			return nil, []*Error{fault}
		}
	}
	r := reader{values: map[*yaml.Node]*Value{}, open: map[*yaml.Node]bool{}}
	root := &Value{Line: 1, Column: 1, size: 1}
	if first != nil && len(first.Content) > 0 {
		root = r.value(first.Content[0])
	}
	if second != nil {
		r.fault(second, SecondDocument, nil)
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

// cutBefore returns the first document, and where the second starts, when that
// is no later than at a line: nil otherwise.
func cutBefore(text []byte, line int) (first, second *yaml.Node) {
	end := 0
	for i, content := range splitLines(text)[:line] {
		if bytes.HasPrefix(content, []byte("---")) {
			first, _, err := decode(bytes.NewReader(text[:end]))
			if err != nil {
				return nil, nil
			}
			if first != nil {
				return first, &yaml.Node{Line: i + 1, Column: 1}
			}
		}
		end += len(content)
	}
	return nil, nil
}

// reader turns nodes into values.
type reader struct {
	errs   []*Error
	path   []step                // where the value being read is
	values map[*yaml.Node]*Value // those with an anchor that were read already
	open   map[*yaml.Node]bool   // those with an anchor being read: an alias to one would never end
	full   bool                  // whether maxCopies was reached
	unused []Value               // allocated together, as there are many
}

func (r *reader) newValue() *Value {
	if len(r.unused) == 0 {
		r.unused = make([]Value, 64)
	}
	v := &r.unused[0]
	r.unused = r.unused[1:]
	return v
}

// step is one step of a path: a key, or the index of an item.
type step struct {
	key   string
	index int // -1 for a key
}

func (r *reader) enter(key string, index int) { r.path = append(r.path, step{key, index}) }
func (r *reader) leave()                      { r.path = r.path[:len(r.path)-1] }

// fault reports what is wrong at a node with the value being read.
func (r *reader) fault(at *yaml.Node, code Code, args map[string]any) {
	path := ""
	for _, step := range r.path {
		if step.index >= 0 {
			path = fmt.Sprintf("%s[%d]", path, step.index)
		} else {
			path = KeyPath(path, step.key)
		}
	}
	r.errs = append(r.errs, &Error{Line: at.Line, Column: at.Column, Path: path, Code: code, Args: args})
}

// value reads the value written at node.
func (r *reader) value(node *yaml.Node) *Value {
	if node.Kind == yaml.AliasNode {
		return r.alias(node)
	}
	if node.Anchor != "" {
		r.open[node] = true
		defer delete(r.open, node)
	}
	v := r.newValue()
	v.Line, v.Column, v.size = node.Line, node.Column, 1
	switch node.Kind {
	case yaml.SequenceNode:
		r.list(v, node)
	case yaml.MappingNode:
		r.mapping(v, node)
	default:
		r.scalar(v, node)
	}
	if node.Anchor != "" {
		r.values[node] = v
	}
	return v
}

// alias returns the value at the anchor that node refers to.
func (r *reader) alias(node *yaml.Node) *Value {
	if r.open[node.Alias] {
		r.fault(node, Recursion, nil)
		return &Value{Kind: Map, Line: node.Line, Column: node.Column, Data: map[string]any{}, size: 1}
	}
	v, known := r.values[node.Alias]
	if !known {
		v = r.value(node.Alias) // the anchor is on a key, or on a value left out
	}
	reached := *v
	reached.Alias = &Alias{node.Line, node.Column}
	return &reached
}

// adopt counts child as a part of v. It reports whether v may still grow.
func (r *reader) adopt(v, child *Value, node *yaml.Node) bool {
	copied := child.copied
	if node.Kind == yaml.AliasNode {
		copied = child.size
	}
	if v.copied+copied > maxCopies {
		if !r.full {
			r.full = true
			r.fault(node, TooManyAliases, nil)
		}
		return false
	}
	v.copied += copied
	v.size += child.size
	return true
}

func (r *reader) list(v *Value, node *yaml.Node) {
	v.Kind = List
	r.checkTag(node, "!!seq")
	data := make([]any, 0, len(node.Content))
	v.Items = make([]*Value, 0, len(node.Content))
	for i, item := range node.Content {
		r.enter("", i)
		child := r.value(item)
		fits := r.adopt(v, child, item)
		r.leave()
		if !fits {
			break
		}
		v.Items = append(v.Items, child)
		data = append(data, child.Data)
	}
	v.Data = data
}

func (r *reader) mapping(v *Value, node *yaml.Node) {
	v.Kind = Map
	r.checkTag(node, "!!map")
	data := make(map[string]any, len(node.Content)/2)
	v.Data, v.Entries = data, make([]Entry, 0, len(node.Content)/2)
	var mergeKey *yaml.Node
	var merged *yaml.Node
	for i := 0; i+1 < len(node.Content); i += 2 {
		keyNode, valueNode := node.Content[i], node.Content[i+1]
		key, ok := r.key(keyNode)
		if !ok {
			continue
		}
		isMerge := keyNode.ShortTag() == "!!merge"
		first := 0 // the line of the key before, if any
		if entry, twice := v.Entry(key); twice {
			first = entry.Line
		} else if isMerge && mergeKey != nil {
			first = mergeKey.Line
		}
		r.enter(key, -1)
		switch {
		case first > 0:
			r.fault(keyNode, DuplicateKey, map[string]any{"Key": ShownKey(key), "First": first})
		case isMerge:
			mergeKey, merged = keyNode, valueNode
		default:
			child := r.value(valueNode)
			if !r.adopt(v, child, valueNode) {
				r.leave()
				return
			}
			v.add(Entry{Key: key, Line: keyNode.Line, Column: keyNode.Column, Value: child})
			data[key] = child.Data
		}
		r.leave()
	}
	if merged != nil {
		r.merge(v, data, merged)
	}
}

// key reads a key. One that is no text is an error: a number is read as it is
// written, a list or a mapping is left out.
func (r *reader) key(node *yaml.Node) (key string, ok bool) {
	scalar := node
	if node.Kind == yaml.AliasNode {
		scalar = node.Alias
	}
	if scalar.Kind != yaml.ScalarNode {
		r.fault(node, KeyNotText, nil)
		return "", false
	}
	if strings.Contains(scalar.Value, "\x00") {
		r.fault(node, NUL, nil)
		return "", false
	}
	if tag := scalar.ShortTag(); tag != "!!str" && tag != "!!merge" {
		r.enter(scalar.Value, -1)
		r.fault(node, QuoteKey, map[string]any{"Key": ShownKey(scalar.Value)})
		r.leave()
	}
	return scalar.Value, true
}

// merge adds to v the keys of source, a mapping or a list of them, that v
// does not have.
func (r *reader) merge(v *Value, data map[string]any, source *yaml.Node) {
	from := r.value(source)
	sources := []*Value{from}
	if from.Kind == List {
		sources = from.Items
	}
	if !r.adopt(v, from, source) {
		return
	}
	for _, from := range sources {
		if from.Kind != Map {
			r.fault(source, Merge, nil)
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

func (r *reader) scalar(v *Value, node *yaml.Node) {
	v.Kind, v.Text, v.Data = Text, node.Value, node.Value
	tag := node.ShortTag()
	switch tag {
	case "!!str", "!!merge":
		if strings.Contains(node.Value, "\x00") {
			r.fault(node, NUL, nil)
		}
		return
	case "!!timestamp":
		r.fault(node, Quote, map[string]any{"Value": node.Value})
		return
	}
	var data any
	if node.Decode(&data) != nil {
		r.fault(node, Tag, nil)
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
			r.fault(node, Quote, map[string]any{"Value": node.Value})
			return
		}
		v.Kind = Number
	default:
		r.fault(node, Tag, nil)
		return
	}
	v.Data = data
}

// checkTag refuses a list or a mapping that is tagged as anything else.
func (r *reader) checkTag(node *yaml.Node, want string) {
	if node.ShortTag() != want {
		r.fault(node, Tag, nil)
	}
}
