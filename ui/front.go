package ui

// watchFront follows whether the window is in front: only then is what it
// shows seen. A window that was just opened is.
func (w *window) watchFront() {
	w.front = true
	w.app.Lifecycle().SetOnEnteredForeground(func() { w.setFront(true) })
	w.app.Lifecycle().SetOnExitedForeground(func() { w.setFront(false) })
}

func (w *window) setFront(on bool) {
	w.front = on
	w.conversation.scrolled()
}
