package ui

import (
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/theme"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/assets"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// Options say how the window opens.
type Options struct {
	Size fyne.Size // zero: that of the last run, or 1360 × 860

	// Open opens another configuration file, because the person asked for
	// it, and Close takes back one that the window does not show any more.
	// Close returns at once. They are never called at the same time.
	Open  func(path string) (*app.App, error)
	Close func(*app.App)
}

// smallestCenter is what the conversation needs: the window works down to
// 900 × 600 with both columns beside it.
var smallestCenter = fyne.NewSize(900-sidebarWidth-panelWidth, 560)

// NoDisplayError means that there is no desktop to open a window on.
type NoDisplayError struct {
	Name string // of the display that does not answer; empty when none is named
}

func (e NoDisplayError) Error() string {
	if e.Name != "" {
		return "the display " + e.Name + " does not answer"
	}
	return "there is no display to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set"
}

// Localize gives the catalogue's key and arguments.
func (e NoDisplayError) Localize() (string, map[string]any) {
	if e.Name != "" {
		return "ui.DeadDisplay", map[string]any{"Name": e.Name}
	}
	return "ui.NoDisplay", nil
}

// Run opens the window on what open gives, which it calls on another goroutine
// while the desktop gets ready, and returns when the window is closed. It must
// be called on the main goroutine, once.
func Run(open func() (*app.App, error), o Options) error {
	if !hasDisplay(runtime.GOOS, os.Getenv) {
		return NoDisplayError{}
	}
	type opened struct {
		app *app.App
		err error
	}
	opening := make(chan opened, 1)
	go func() {
		a, err := open()
		opening <- opened{a, err}
	}()
	cacheFolder()
	tray := findTray()
	desktop := newCalm(fyneapp.NewWithID("garden.bots.sidekicks"))
	if !canFollow() {
		desktop.start()
	}
	fyne.SetCurrentApp(desktop)
	desktop.SetIcon(fyne.NewStaticResource("sidekicks.png", assets.Icon))
	desktop.Settings().SetTheme(tokens.Theme(tokens.System))
	fonts := readFonts()
	s := start{desktop, desktop.NewWindow("Sidekicks"), openRemembered(rememberedPath()), fonts, tray, o.files()}
	defer s.remembered.save()
	s.window.Resize(rememberedSize(s.remembered, o.Size))
	a := <-opening
	if a.err != nil {
		<-fonts
		return a.err
	}
	return s.show(a.app, a.app.Subscribe())
}

// start is what there is before the window has anything to show.
type start struct {
	desktop    calm
	window     fyne.Window
	remembered *remembered
	fonts      <-chan struct{} // closed once they are read
	tray       <-chan bool
	files      files
}

// files give a window other configurations.
type files struct {
	open  func(path string) (backend, events, error)
	close func(backend)
}

func (o Options) files() files {
	return files{
		open: func(path string) (backend, events, error) {
			a, err := o.Open(path)
			if err != nil {
				return nil, nil, err
			}
			return a, a.Subscribe(), nil
		},
		close: func(b backend) { o.Close(b.(*app.App)) },
	}
}

// sizeKey is what the size of the window is remembered under.
const sizeKey = "size"

// rememberedSize is the size that a window opens with.
func rememberedSize(r *remembered, wanted fyne.Size) fyne.Size {
	if !wanted.IsZero() {
		return wanted
	}
	size := fyne.NewSize(1360, 860)
	var last fyne.Size
	if r.Get(sizeKey, &last) && last.Width >= 400 && last.Height >= 300 && last.Width <= 16384 && last.Height <= 16384 {
		return last
	}
	return size
}

func rememberSize(r *remembered, f fyne.Window) {
	if !f.FullScreen() {
		r.Set(sizeKey, f.Canvas().Size())
	}
}

// hasDisplay tells whether there is a desktop. Fyne would panic without.
func hasDisplay(system string, env func(string) string) bool {
	switch system {
	case "windows", "darwin":
		return true
	}
	return env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != ""
}

// show shows a window on a backend until it is closed. The window comes first
// and its content right after: reading the fonts takes as long as making the
// window, so that the two are done side by side.
func (s start) show(b backend, source events) error {
	desktop, f := s.desktop, s.window
	// Before the desktop runs: from then on a theme makes Fyne forget its fonts.
	theme := b.Config().UI.Theme
	desktop.Settings().SetTheme(tokens.Theme(theme))
	var m *marks
	test := os.Getenv("SIDEKICKS_TEST")
	if test != "" {
		m = newMarks(os.Stderr, desktop.Driver(), f.Canvas())
	}
	f.SetMaster() // a tray icon does not keep the program running
	f.SetPadded(false)
	f.SetContent(newLayers(newSurface(tokens.Background, "", 0), m.paper("frame")))
	var w *window
	tray := newTray(desktop.App, f, s.tray)
	tray.show(b.Printer())
	outside := newCourier()
	defer outside.close()
	desktop.Lifecycle().SetOnStarted(func() {
		desktop.start()
		<-s.fonts
		w = newWindow(b, desktop, f, m, s.remembered, theme)
		w.tray, w.files = tray, s.files
		switch test {
		case "", "start":
		case "pulse":
			w.bridge.out = os.Stderr
		default:
			w.bridge.look = m.look
		}
		w.notifier.send = outside.notifications(desktop.SendNotification, canNotify, func(err error) {
			fyne.LogError("no notifications", err)
		})
		w.bridge.start(source)
		w.lookForPrograms()
		time.AfterFunc(settled, debug.FreeOSMemory)
	})
	desktop.Lifecycle().SetOnStopped(func() {
		if w != nil {
			w.terminals.close()
			w.bridge.stop() // from now on Fyne would run what is handed over on any goroutine
		}
	})
	if !shown(f, func() bool { return w != nil }) {
		source.Close()
		return NoDisplayError{Name: os.Getenv("DISPLAY") + os.Getenv("WAYLAND_DISPLAY")}
	}
	w.bridge.close()
	w.composer.leave()
	rememberSize(s.remembered, f)
	return nil
}

// settled is when a window has started for good: what its start needed, the
// fonts' raw data above all, is then given back to the system.
const settled = 2 * time.Second

// shown opens the window and returns when it is closed. It reports false when
// there was never one: Fyne panics when the display does not answer.
func shown(f fyne.Window, started func() bool) (ok bool) {
	defer func() {
		if problem := recover(); problem != nil && started() {
			panic(problem)
		}
		ok = started()
	}()
	f.ShowAndRun()
	return
}

// readFonts measures a letter in each style that the window begins with,
// which has Fyne read their fonts. The window's goroutine must not draw text
// before the returned channel is closed.
func readFonts() <-chan struct{} {
	read := make(chan struct{})
	go func() {
		defer close(read)
		for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Monospace: true}} {
			fyne.MeasureText("x", theme.TextSize(), style)
		}
	}()
	return read
}

// cacheFolder makes the user's cache folder, in which Fyne makes its own and
// complains when it cannot. A failure costs nothing but that.
func cacheFolder() {
	if folder, err := os.UserCacheDir(); err == nil {
		_ = os.MkdirAll(folder, 0o700)
	}
}
