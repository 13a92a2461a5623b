package acp

import (
	"bytes"
	"encoding/json"
	"slices"
)

// MethodElicit is the request by which an agent asks the user for values.
const MethodElicit = "elicitation/create"

// Modes of an ElicitationRequest. There may be others, to be cancelled.
const (
	ElicitForm = "form"
	ElicitURL  = "url"
)

// An ElicitationRequest asks the user to fill in a form or to visit a page. It
// belongs to a session, or to a request that precedes any.
type ElicitationRequest struct {
	Message    string          `json:"message"`
	Mode       string          `json:"mode"`
	SessionID  string          `json:"sessionId,omitempty"`
	ToolCallID string          `json:"toolCallId,omitempty"`
	RequestID  json.RawMessage `json:"requestId,omitempty"`
	Schema     json.RawMessage `json:"requestedSchema,omitempty"` // form: a flat JSON Schema; see Form
	URL        string          `json:"url,omitempty"`             // url
	ID         string          `json:"elicitationId,omitempty"`   // url
}

// An ElicitationResponse answers an ElicitationRequest.
type ElicitationResponse struct {
	Action  string         `json:"action"` // accept, decline, cancel
	Content map[string]any `json:"content,omitempty"`
}

// Accept answers with the values of the form's fields by name: string, int64,
// float64, bool or []string.
func Accept(values map[string]any) ElicitationResponse {
	return ElicitationResponse{Action: "accept", Content: values}
}

// Decline answers that the user does not want to.
func Decline() ElicitationResponse { return ElicitationResponse{Action: "decline"} }

// Dismiss answers that the question was cancelled or can't be put.
func Dismiss() ElicitationResponse { return ElicitationResponse{Action: "cancel"} }

// A Form is the fields that an agent asks for.
type Form struct {
	Title       string
	Description string
	Fields      []Field // in the agent's order
}

// A Field is one value of a form.
type Field struct {
	Name        string
	Type        FieldType
	Title       string // Name when the agent gave none
	Description string
	Required    bool
	// Choices are the only values of a string or of the items of an array, when
	// there are any.
	Choices []FieldChoice
	// Default is a string, int64, float64, bool or []string after Type; nil when
	// there is none.
	Default any
	// Min and Max bound a number, the characters of a string or the items of an
	// array, inclusively; nil when they don't.
	Min, Max *float64
	Pattern  string // string: a regular expression (ECMA-262)
	Format   string // string: email, uri, date, date-time, …
}

// A FieldType is the type of a Field. There may be others, which can't be
// asked for.
type FieldType string

// The types of fields.
const (
	FieldString  FieldType = "string"
	FieldNumber  FieldType = "number"
	FieldInteger FieldType = "integer"
	FieldBoolean FieldType = "boolean"
	FieldArray   FieldType = "array" // any number of Choices
)

// A FieldChoice is a value with its name for people.
type FieldChoice struct {
	Value       string `json:"const"`
	Title       string `json:"title"`
	Description string `json:"description"`
}

func (c FieldChoice) valid() bool { return c.Value != "" }

// Form returns the fields that r asks for; what can't be read of its schema is
// left out.
func (r ElicitationRequest) Form() Form {
	var schema struct {
		Title, Description string
		Properties         json.RawMessage
		Required           List[string]
	}
	_ = Decode(r.Schema, &schema) // what can be read is
	form := Form{Title: schema.Title, Description: schema.Description}
	for name, property := range members(schema.Properties) {
		f, ok := decodeField(property)
		if !ok {
			continue
		}
		f.Name, f.Required = name, slices.Contains(schema.Required, name)
		if f.Title == "" {
			f.Title = name
		}
		form.Fields = append(form.Fields, f)
	}
	return form
}

// members ranges over the members of an object in their order.
func members(object json.RawMessage) func(yield func(string, json.RawMessage) bool) {
	return func(yield func(string, json.RawMessage) bool) {
		dec := json.NewDecoder(bytes.NewReader(object))
		if start, _ := dec.Token(); start != json.Delim('{') {
			return
		}
		for dec.More() {
			key, _ := dec.Token()
			name, _ := key.(string)
			var value json.RawMessage
			if dec.Decode(&value) != nil || !yield(name, value) {
				return
			}
		}
	}
}

func decodeField(property json.RawMessage) (Field, bool) {
	var p struct {
		Type                                FieldType
		Title, Description, Pattern, Format string
		Default                             json.RawMessage
		Enum                                List[string]
		OneOf                               List[FieldChoice]
		Items                               struct {
			Enum         List[string]
			OneOf, AnyOf List[FieldChoice]
		}
		Minimum, MinLength, MinItems, Maximum, MaxLength, MaxItems json.RawMessage
	}
	if Decode(property, &p) != nil || p.Type == "" {
		return Field{}, false
	}
	f := Field{Type: p.Type, Title: p.Title, Description: p.Description, Pattern: p.Pattern, Format: p.Format}
	switch f.Type {
	case FieldString:
		f.Choices = choices(p.Enum, p.OneOf)
		f.Min, f.Max = present[float64](p.MinLength), present[float64](p.MaxLength)
		f.Default = value[string](p.Default)
	case FieldNumber:
		f.Min, f.Max = present[float64](p.Minimum), present[float64](p.Maximum)
		f.Default = value[float64](p.Default)
	case FieldInteger:
		f.Min, f.Max = present[float64](p.Minimum), present[float64](p.Maximum)
		f.Default = value[int64](p.Default)
	case FieldBoolean:
		f.Default = value[bool](p.Default)
	case FieldArray:
		f.Choices = choices(p.Items.Enum, p.Items.AnyOf, p.Items.OneOf)
		f.Min, f.Max = present[float64](p.MinItems), present[float64](p.MaxItems)
		f.Default = value[[]string](p.Default)
	}
	return f, true
}

func choices(plain List[string], titled ...List[FieldChoice]) []FieldChoice {
	all := slices.Concat(titled...)
	for _, v := range plain {
		all = append(all, FieldChoice{Value: v})
	}
	for i := range all {
		if all[i].Title == "" {
			all[i].Title = all[i].Value
		}
	}
	return all
}

// value is present as an interface that is nil when there is none.
func value[T any](data json.RawMessage) any {
	if v := present[T](data); v != nil {
		return *v
	}
	return nil
}
