package store

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"
)

// An instant is a time as a column keeps it: microseconds since 1970, 0 for none.
type instant time.Time

func (i instant) Value() (driver.Value, error) {
	if time.Time(i).IsZero() {
		return int64(0), nil
	}
	return time.Time(i).UnixMicro(), nil
}

func (i *instant) Scan(v any) error {
	n, ok := v.(int64)
	if !ok {
		return fmt.Errorf("a time is kept as %T", v)
	}
	*i = instant{}
	if n != 0 {
		*i = instant(time.UnixMicro(n))
	}
	return nil
}

// A document is JSON as a column keeps it: text, "" for none.
type document json.RawMessage

func (d document) Value() (driver.Value, error) { return string(d), nil }

func (d *document) Scan(v any) error {
	text, ok := v.(string)
	if !ok {
		return fmt.Errorf("JSON is kept as %T", v)
	}
	*d = nil
	if text != "" {
		*d = document(text)
	}
	return nil
}

// orNow returns t, or the present when t is zero, as precise as a column.
func orNow(t time.Time) time.Time {
	if t.IsZero() {
		t = time.Now()
	}
	return t.Truncate(time.Microsecond)
}
