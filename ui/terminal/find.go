package terminal

// Find looks for a text in everything that is kept, whatever the case, and
// shows the last place. It says how many there are.
func (t *Terminal) Find(query string) int {
	t.locked(func() { t.found = t.screen.Find(query) })
	t.at = len(t.found) - 1
	t.showFound()
	return len(t.found)
}

// FindNext shows the next place that was found, or the one before it, and says
// its number, from 1.
func (t *Terminal) FindNext(step int) int {
	if len(t.found) == 0 {
		return 0
	}
	t.at = (t.at + step + len(t.found)) % len(t.found)
	t.showFound()
	return t.at + 1
}

func (t *Terminal) showFound() {
	if len(t.found) > 0 {
		t.show(t.found[t.at].From)
	}
	t.draw()
}
