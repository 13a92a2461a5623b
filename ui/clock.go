package ui

import (
	"fmt"
	"time"
)

// at writes when something was said: the time, and the day unless it is today.
func (w *window) at(t time.Time) string {
	t, now := t.Local(), w.now().Local()
	if t.Year() == now.Year() && t.YearDay() == now.YearDay() {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}

// duration writes how long something took or has been going on.
func (w *window) duration(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		tenths := d.Round(100*time.Millisecond).Milliseconds() / 100
		return w.text("ui.Tenths", "Seconds", tenths/10, "Tenths", tenths%10)
	case d < time.Minute:
		return w.text("ui.Seconds", "Seconds", int(d.Seconds()))
	case d < time.Hour:
		return w.text("ui.Minutes", "Minutes", int(d.Minutes()), "Seconds", int(d.Seconds())%60)
	}
	return w.text("ui.Hours", "Hours", int(d.Hours()), "Minutes", int(d.Minutes())%60)
}

// since writes how long something has been going on, in whole seconds: a
// clock that moves once a second.
func (w *window) since(t time.Time) string {
	return w.seconds(w.now().Sub(t))
}

// seconds writes a duration in whole seconds.
func (w *window) seconds(d time.Duration) string {
	if d < 10*time.Second {
		return w.text("ui.Seconds", "Seconds", int(max(0, d).Seconds()))
	}
	return w.duration(d)
}

// amount writes a number of tokens: 4.2k, 32k, 1.0M.
func (w *window) amount(n int64) string {
	id, tenths := "act.Thousands", (n+50)/100
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n >= 9_950 && n < 999_500, tenths%10 == 0 && n < 999_500:
		return w.text(id, "Number", (n+500)/1000)
	case n >= 999_500:
		id, tenths = "act.Millions", (n+50_000)/100_000
	}
	return w.text(id, "Number", w.text("act.Decimal", "Whole", tenths/10, "Tenths", tenths%10))
}
