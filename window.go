package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/app/config"
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
	c := &configurations{program: p, ctx: ctx}
	defer func() { err = errors.Join(err, c.end()) }()
	closed := make(chan struct{})
	defer close(closed)
	defer context.AfterFunc(ctx, func() { quit(closed) })()
	err = ui.Run(func() (*app.App, error) { return c.open(path) }, ui.Options{Open: c.openOther, Close: c.leave})
	c.words.end() // not deferred: a panic passes it by
	if errors.Is(err, app.ErrRaised) {
		return p.raised(path)
	}
	return err
}

// configurations are those of a window: one, but for the moments in which
// another takes its place. The window opens them one after the other.
type configurations struct {
	*program
	ctx     context.Context
	current *app.App
	others  []*app.App // opened, and not left yet
	words   lastWords
	leaving sync.WaitGroup

	mu   sync.Mutex
	errs []error // of those that were left
}

func (c *configurations) open(path string) (*app.App, error) {
	a, err := app.Open(c.ctx, app.Options{Config: path, Window: true, ToFront: ui.ToFront, Debug: c.debug("acp")})
	if err != nil {
		return nil, err
	}
	if c.current != nil {
		c.words.end()
		c.others = append(c.others, c.current)
	}
	c.current, c.words = a, c.watchCrashes(path, a)
	return a, nil
}

// openOther opens another file as the person asked in the window, and
// remembers both.
func (c *configurations) openOther(path string) (*app.App, error) {
	if _, err := config.Read(path); err != nil {
		return nil, err
	}
	before := c.current.Config().Path
	a, err := c.open(path)
	if err != nil {
		return nil, err
	}
	for _, file := range []string{before, path} {
		if err := config.Remember(file); err != nil {
			a.Tell(err)
		}
	}
	return a, nil
}

// leave closes, in the background, one that the window shows no more.
func (c *configurations) leave(a *app.App) {
	c.others = slices.DeleteFunc(c.others, func(o *app.App) bool { return o == a })
	c.leaving.Go(func() {
		if err := a.Close(context.WithoutCancel(c.ctx)); err != nil {
			c.mu.Lock()
			c.errs = append(c.errs, err)
			c.mu.Unlock()
		}
	})
}

// end closes all of them, and returns once they are closed.
func (c *configurations) end() error {
	if c.current != nil {
		c.others = append(c.others, c.current)
	}
	for _, a := range slices.Clone(c.others) {
		c.leave(a)
	}
	c.leaving.Wait()
	return errors.Join(c.errs...)
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
