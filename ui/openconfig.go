package ui

import (
	"errors"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// openConfig shows another configuration file in the window, with its own
// agents, channels and history. Those of the one before end.
func (w *window) openConfig(path string) {
	switch {
	case w.opening || path == w.backend.Config().Path:
		return
	case len(w.unsaved()) > 0:
		w.tell(w.text("settings.Unsaved"))
		return
	}
	w.opening = true
	w.bridge.outside(func() func() {
		next, source, err := w.files.open(path)
		return func() {
			w.opening = false
			switch {
			case errors.Is(err, app.ErrRaised): // it has a window, which is in front now
			case err != nil:
				w.report(err)
			default:
				w.showConfig(next, source)
			}
		}
	})
}

func (w *window) showConfig(next backend, source events) {
	w.composer.leave()
	before, send := w.backend, w.notifier.send
	w.backend = next
	w.bridge.follow(source)
	w.channel, w.opened, w.folders = 0, "", nil
	w.terminals.close()
	w.terminals = newTerminals(w)
	w.configure()
	w.tray.show(w.printer)
	w.notifier = newNotifier(w)
	w.notifier.send = send
	w.build()
	w.files.close(before)
}
