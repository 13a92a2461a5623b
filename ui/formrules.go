package ui

import (
	"math"
	"net/mail"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

// parse reads what was typed into a field; nil when nothing was.
func parse(t acp.FieldType, text string) (any, bool) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return nil, true
	}
	switch t {
	case acp.FieldInteger:
		n, err := strconv.ParseInt(trimmed, 10, 64)
		return n, err == nil
	case acp.FieldNumber:
		n, err := strconv.ParseFloat(strings.Replace(trimmed, ",", ".", 1), 64)
		return n, err == nil && !math.IsInf(n, 0) && !math.IsNaN(n)
	}
	return text, true
}

func defaultText(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case int64:
		return strconv.FormatInt(value, 10)
	case float64:
		return strconv.FormatFloat(value, 'g', -1, 64)
	}
	return ""
}

// wrong says what is wrong with a value of a field, "" when nothing is; read
// is false when it could not be read.
func (w *window) wrong(f acp.Field, value any, read bool) string {
	chosen, list := value.([]string)
	switch {
	case !read && f.Type == acp.FieldInteger:
		return w.text("act.WholeNumber")
	case !read:
		return w.text("act.Number")
	case f.Required && (value == nil || list && len(chosen) == 0):
		return w.text("act.Required")
	case value == nil:
		return ""
	}
	switch value := value.(type) {
	case string:
		if wrong := w.outside(f, float64(len([]rune(value))), "act.LeastCharacters", "act.MostCharacters"); wrong != "" {
			return wrong
		}
		return w.misshapen(f, value)
	case int64:
		return w.outside(f, float64(value), "act.LeastValue", "act.MostValue")
	case float64:
		return w.outside(f, value, "act.LeastValue", "act.MostValue")
	case []string:
		return w.outside(f, float64(len(value)), "act.LeastChoices", "act.MostChoices")
	}
	return ""
}

// outside says which bound of a field a size is beyond.
func (w *window) outside(f acp.Field, size float64, least, most string) string {
	switch {
	case f.Min != nil && size < *f.Min:
		return w.printer.Count(least, int(*f.Min), "Number", w.number(*f.Min))
	case f.Max != nil && size > *f.Max:
		return w.printer.Count(most, int(*f.Max), "Number", w.number(*f.Max))
	}
	return ""
}

// number writes a number as the language does.
func (w *window) number(n float64) string {
	whole, rest, fraction := strings.Cut(strconv.FormatFloat(n, 'f', -1, 64), ".")
	if !fraction {
		return whole
	}
	return w.text("act.Decimal", "Whole", whole, "Tenths", rest)
}

// misshapen says that a text is not of the pattern or the format asked for. A
// pattern that can't be read here is left to the agent.
func (w *window) misshapen(f acp.Field, text string) string {
	if f.Pattern != "" {
		if p, err := regexp.Compile(f.Pattern); err == nil && !p.MatchString(text) {
			return w.text("act.Pattern", "Pattern", oneLine(f.Pattern))
		}
	}
	switch f.Format {
	case "email":
		if a, err := mail.ParseAddress(text); err != nil || a.Address != text {
			return w.text("act.Email")
		}
	case "uri":
		if u, err := url.Parse(text); err != nil || !u.IsAbs() {
			return w.text("act.URI")
		}
	case "date":
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			return w.text("act.Date")
		}
	case "date-time":
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			return w.text("act.DateTime")
		}
	}
	return ""
}
