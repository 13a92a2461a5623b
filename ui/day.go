package ui

import (
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"
)

func sameDay(a, b time.Time) bool {
	a, b = a.Local(), b.Local()
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}

// day names a day as people do: today, yesterday, its weekday and its date.
func (w *window) day(t time.Time) string {
	t, now := t.Local(), w.now().Local()
	switch {
	case sameDay(t, now):
		return w.text("find.Today")
	case sameDay(t, now.AddDate(0, 0, -1)):
		return w.text("find.Yesterday")
	}
	if t.Year() == now.Year() {
		return w.dated("find.Day", t)
	}
	return w.date(t)
}

// date is a day for good, whenever it is read.
func (w *window) date(t time.Time) string { return w.dated("find.DayOfYear", t.Local()) }

func (w *window) dated(id string, t time.Time) string {
	number := strconv.Itoa(t.Day())
	if t.Day() == 1 {
		number = w.text("find.First")
	}
	return capital(w.text(id, "Day", number, "Year", t.Year(),
		"Weekday", w.text("find.Weekday."+strconv.Itoa(int(t.Weekday()))),
		"Month", w.text("find.Month."+strconv.Itoa(int(t.Month())))))
}

// capital begins a text with a capital letter.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
