package acp

import (
	"encoding/json"
	"errors"
)

// Decode reads the parameters or the result of a message the way the protocol
// asks: a value of the wrong type is left at its default and the rest is read.
// It fails only on text that is not JSON.
func Decode(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	// encoding/json reports a wrong type only after it has read all the rest.
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return nil
	}
	return err
}

// A List is an array of which the items that can't be read are left out.
// It is nil when the array is missing, null or not an array, and a nil List is
// written as an empty array.
type List[T any] []T

// checked is implemented by the items that are useless without some value.
type checked interface{ valid() bool }

func (l *List[T]) UnmarshalJSON(data []byte) error {
	*l = nil
	var items []json.RawMessage
	if json.Unmarshal(data, &items) != nil || items == nil {
		return nil
	}
	*l = make(List[T], 0, len(items))
	for _, item := range items {
		var v T
		keep := json.Unmarshal(item, &v) == nil && string(item) != "null"
		if c, ok := any(&v).(checked); ok {
			keep = c.valid()
		}
		if keep {
			*l = append(*l, v)
		}
	}
	return nil
}

func (l List[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return json.Marshal([]T(l))
}

// Supported is a capability that is announced by an object: {} means yes; a
// missing value or null means no. true and false are understood as well.
type Supported bool

func (s *Supported) UnmarshalJSON(data []byte) error {
	*s = Supported(meansYes(data))
	return nil
}

func (s Supported) MarshalJSON() ([]byte, error) {
	if s {
		return []byte("{}"), nil
	}
	return []byte("null"), nil
}

// Flag is a capability that is announced by a boolean. An object is understood
// as true.
type Flag bool

func (f *Flag) UnmarshalJSON(data []byte) error {
	*f = Flag(meansYes(data))
	return nil
}

func meansYes(data []byte) bool {
	return len(data) > 0 && (data[0] == '{' || string(data) == "true")
}

// present returns the value of an optional member, and nil when it is missing,
// null or can't be read.
func present[T any](data json.RawMessage) *T {
	if len(data) == 0 || string(data) == "null" {
		return nil
	}
	v := new(T)
	if json.Unmarshal(data, v) != nil {
		return nil
	}
	return v
}

// presentList is present for a list, of which only an array is a value.
func presentList[T any](data json.RawMessage) *List[T] {
	if len(data) == 0 || data[0] != '[' {
		return nil
	}
	return present[List[T]](data)
}
