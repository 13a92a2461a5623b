package main

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui"
)

// window opens the window on the configuration and returns when it is closed,
// or ctx ends. It must be called on the main goroutine.
func (p *program) window(ctx context.Context) (err error) {
	path, err := p.file()
	if err != nil {
		return err
	}
	var a *app.App
	defer func() {
		if a != nil {
			err = errors.Join(err, a.Close(context.WithoutCancel(ctx)))
		}
	}()
	defer context.AfterFunc(ctx, quit)()
	return ui.Run(func() (_ *app.App, err error) {
		a, err = app.Open(ctx, app.Options{Config: path, Window: true, Debug: p.debug("acp")})
		return a, err
	}, ui.Options{})
}

// quit closes the window as its own menu does.
func quit() {
	if running := fyne.CurrentApp(); running != nil {
		fyne.Do(running.Quit)
	}
}
