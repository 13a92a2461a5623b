package main

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui"
)

// window opens the window on the configuration and returns when it is closed,
// or ctx ends. One that is open on it already comes to the front instead. It
// must be called on the main goroutine.
func (p *program) window(ctx context.Context) (err error) {
	path, err := p.file()
	if err != nil {
		return err
	}
	if app.Raise(ctx, path) {
		return p.raised(path)
	}
	var a *app.App
	defer func() {
		if a != nil {
			err = errors.Join(err, a.Close(context.WithoutCancel(ctx)))
		}
	}()
	closed := make(chan struct{})
	defer close(closed)
	defer context.AfterFunc(ctx, func() { quit(closed) })()
	var words lastWords
	err = ui.Run(func() (_ *app.App, err error) {
		a, err = app.Open(ctx, app.Options{Config: path, Window: true, ToFront: ui.ToFront, Debug: p.debug("acp")})
		if err == nil {
			words = p.watchCrashes(path, a)
		}
		return a, err
	}, ui.Options{})
	words.end() // not deferred: a panic passes it by
	if errors.Is(err, app.ErrRaised) {
		return p.raised(path)
	}
	return err
}

// raised says why no window opens.
func (p *program) raised(path string) error {
	p.remark(p.texts.Text("cli.Raised", "Path", path))
	return nil
}

// watchCrashes has a crash of the window written down, and tells of the last one.
func (p *program) watchCrashes(path string, a *app.App) lastWords {
	history, err := app.HistoryPath(path)
	if err != nil {
		a.Tell(err)
		return lastWords{}
	}
	words, left, err := keepLastWords(filepath.Dir(history))
	if err != nil {
		p.remark(warning + err.Error())
	}
	if left != nil {
		report, err := words.report(left, a.Hide)
		if err == nil {
			err = crashed{report}
		}
		a.Tell(err)
	}
	return words
}

// quit closes the window as its own menu does, and again until it is closed:
// one that is just being resized may not listen.
func quit(closed <-chan struct{}) {
	for {
		if running := fyne.CurrentApp(); running != nil {
			fyne.Do(running.Quit)
		}
		select {
		case <-closed:
			return
		case <-time.After(time.Second):
		}
	}
}
