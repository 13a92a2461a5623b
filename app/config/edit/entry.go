package edit

import (
	"maps"
	"slices"
	"strings"
)

// field is a key with its value: a text, a list of texts or fields.
type field struct {
	key    string
	text   string
	list   []string
	fields []field
}

// fields are the entry of an agent in the order of the specification.
func (a Agent) fields() []field {
	all := []field{
		{key: "name", text: a.Name}, {key: "title", text: a.Title}, {key: "icon", text: a.Icon},
		{key: "description", text: a.Description}, {key: "command", text: a.Command}, {key: "args", list: a.Args},
		{key: "env", fields: variables(a.Env)}, {key: "workspace", text: a.Workspace},
	}
	if r := a.Runtime; r.Type != "" {
		runtime := []field{{key: "type", text: r.Type}, {key: "container", text: r.Container}, {key: "sandbox", text: r.Sandbox}}
		if l := r.Lifecycle; len(l.Create)+len(l.Stop)+len(l.Remove) > 0 {
			runtime = append(runtime, field{key: "lifecycle", fields: filled([]field{
				{key: "folder", text: l.Folder}, {key: "create", list: l.Create}, {key: "stop", list: l.Stop}, {key: "remove", list: l.Remove},
			})})
		}
		all = append(all, field{key: "runtime", fields: filled(runtime)})
	}
	return filled(all)
}

// variables are those of env. An empty value is one too.
func variables(env map[string]string) []field {
	var all []field
	for _, name := range slices.Sorted(maps.Keys(env)) {
		all = append(all, field{key: name, text: env[name]})
	}
	return all
}

func filled(fields []field) []field {
	return slices.DeleteFunc(fields, func(f field) bool { return f.text == "" && len(f.list) == 0 && len(f.fields) == 0 })
}

// data is what YAML reads in fields.
func data(fields []field) map[string]any {
	all := map[string]any{}
	for _, f := range fields {
		switch {
		case f.fields != nil:
			all[f.key] = data(f.fields)
		case f.list != nil:
			list := make([]any, len(f.list))
			for i, text := range f.list {
				list[i] = text
			}
			all[f.key] = list
		default:
			all[f.key] = f.text
		}
	}
	return all
}

// blockLines writes fields in block style, one a line; those inside others are
// indented by step more.
func blockLines(fields []field, step int) []string {
	var lines []string
	for _, f := range fields {
		if f.fields == nil {
			lines = append(lines, quote(f.key, false)+": "+f.inline(false))
			continue
		}
		lines = append(lines, quote(f.key, false)+":")
		for _, line := range blockLines(f.fields, step) {
			lines = append(lines, strings.Repeat(" ", step)+line)
		}
	}
	return lines
}

// flowText writes fields in flow style.
func flowText(fields []field) string {
	parts := make([]string, len(fields))
	for i, f := range fields {
		parts[i] = quote(f.key, true) + ": " + f.inline(true)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// inline is the value of f on one line, within brackets or not.
func (f field) inline(flow bool) string {
	switch {
	case f.fields != nil:
		return flowText(f.fields)
	case f.list != nil:
		parts := make([]string, len(f.list))
		for i, text := range f.list {
			parts[i] = quote(text, true)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return quote(f.text, flow)
}
