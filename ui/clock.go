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

// amount writes a number of tokens: 4.2k, 32k.
func amount(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 10_000 && n%1000 >= 50:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", (n+500)/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}
