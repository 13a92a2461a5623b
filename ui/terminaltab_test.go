package ui

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// playedShell is a shell that a test plays: it prints what it is told to.
type playedShell struct {
	out   *io.PipeReader
	in    *io.PipeWriter
	state process.ExitState

	mu     sync.Mutex
	typed  string
	closed bool
}

func (s *playedShell) Read(p []byte) (int, error) { return s.out.Read(p) }

func (s *playedShell) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.typed += string(p)
	return len(p), nil
}

func (s *playedShell) Resize(int, int) error   { return nil }
func (s *playedShell) Wait() process.ExitState { return s.state }

func (s *playedShell) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	return s.in.Close()
}

func (s *playedShell) get() (typed string, closed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.typed, s.closed
}

// OpenShell gives the shells of the test in turn, then fails.
func (f *fake) OpenShell(agent string, _, _ int) (app.Shell, error) {
	f.note("shell of %s", agent)
	f.mu.Lock()
	defer f.mu.Unlock()
	s := &playedShell{}
	s.out, s.in = io.Pipe()
	f.shells = append(f.shells, s)
	if len(f.shells) > 3 {
		return nil, errors.New("no shell any more")
	}
	return s, nil
}

// shellDesk is a window with an agent's Terminal tab, whose goroutine is the
// test's.
type shellDesk struct {
	*window
	t    *testing.T
	fake *fake
	set  *terminalSet
	jobs chan func()
}

func openShells(t *testing.T) *shellDesk {
	t.Helper()
	f := newFake()
	d := &shellDesk{t: t, fake: f, jobs: make(chan func(), 1000)}
	d.window = openTest(t, f)
	d.bridge.do = func(do func()) { d.jobs <- do }
	d.showAgent("alice")
	find(t, d.panel.object, "Terminal").onTapped()
	d.set = d.terminals.of("alice")
	t.Cleanup(d.terminals.close)
	return d
}

func (d *shellDesk) until(what string, is func() bool) {
	d.t.Helper()
	patience := time.After(3 * time.Minute)
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for !is() {
		select {
		case f := <-d.jobs:
			f()
		case <-look.C:
		case <-patience:
			d.t.Fatalf("never %s: %q", what, texts(d.panel.object))
		}
	}
}

// shell is the nth shell, once it runs.
func (d *shellDesk) shell(n int) *playedShell {
	d.t.Helper()
	has := func() bool { d.fake.mu.Lock(); defer d.fake.mu.Unlock(); return len(d.fake.shells) > n }
	d.until(fmt.Sprintf("shell %d", n), has)
	return d.fake.shells[n]
}

func (d *shellDesk) prints(n int, text string) {
	d.t.Helper()
	s := d.shell(n)
	if _, err := s.in.Write([]byte(text)); err != nil {
		d.t.Fatal(err)
	}
}

func (d *shellDesk) untilShown(text string) {
	d.t.Helper()
	d.until("shown "+text, func() bool { return slices.Contains(texts(d.panel.object), text) })
}

// A shell opens with the tab and has the focus; it goes on while something
// else is looked at.
func TestTerminalTab(t *testing.T) {
	d := openShells(t)
	d.prints(0, "hello")
	d.until("shown", func() bool { return d.set.shown.screen.Dump() == "hello" })
	if d.fyne.Canvas().Focused() != d.set.shown.screen {
		t.Error("the terminal has not the focus")
	}
	find(t, d.panel.object, "Info").onTapped()
	d.prints(0, " again")
	find(t, d.panel.object, "Terminal").onTapped()
	d.until("shown", func() bool { return d.set.shown.screen.Dump() == "hello again" })
	d.openAgent("alice")
	d.showAgent("garfield")
	if n := len(d.fake.shells); n != 1 {
		t.Errorf("%d shells were opened", n)
	}
	d.showAgent("alice")
	if d.terminals.of("alice").shown.screen.Dump() != "hello again" {
		t.Error("the shell is another one")
	}
}

// Esc is the program's, Shift+Esc leaves, and the window's keys work.
func TestTerminalKeys(t *testing.T) {
	d := openShells(t)
	s := d.shell(0)
	screen := d.set.shown.screen
	screen.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	d.until("typed", func() bool { typed, _ := s.get(); return typed == "\x1b" })
	if !d.panel.object.Visible() || d.fyne.Canvas().Focused() != screen {
		t.Error("Esc left the terminal")
	}
	find(t, d.panel.object, "Let the panel take the whole width, or give it back").onTapped()
	if d.desk.center.Visible() || d.fyne.Canvas().Focused() != screen {
		t.Error("the panel is not wide, or the terminal lost the focus to it")
	}
	shift := &fyne.KeyEvent{Name: desktop.KeyShiftLeft}
	screen.KeyDown(shift)
	screen.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	screen.KeyUp(shift)
	if d.fyne.Canvas().Focused() != d.composer.input || !d.desk.center.Visible() {
		t.Error("Shift+Esc does not lead to the composer")
	}
	d.fyne.Canvas().Focus(screen)
	screen.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyB, Modifier: fyne.KeyModifierControl | fyne.KeyModifierShift})
	if d.panel.object.Visible() {
		t.Error("the window's shortcut did nothing")
	}
}

// A tab closes with its shell, says how that ended, and ends what it left.
func TestTerminalEnds(t *testing.T) {
	d := openShells(t)
	first := d.shell(0)
	find(t, d.panel.object, "New terminal").onTapped()
	d.shell(1).state = process.ExitState{Code: 7}
	d.prints(1, "one\r\ntwo\r\nthree\r\nno such container")
	d.until("both", func() bool { return len(d.set.open) == 2 && strings.Contains(d.set.shown.screen.Dump(), "no such") })
	_ = d.shell(1).in.Close()
	d.untilShown("Terminal 2 ended: exit code 7\ntwo\nthree\nno such container")
	if len(d.set.open) != 1 || d.set.shown.number != 1 || d.fyne.Canvas().Focused() != d.set.shown.screen {
		t.Error("the terminal beside it is not shown")
	}
	if _, closed := d.shell(1).get(); !closed {
		t.Error("what the shell left is not ended")
	}
	_ = first.in.Close()
	d.untilShown("Terminal 1 ended: exit code 0")
	shows(t, d.panel.object, "No terminal is open. One runs your shell in the agent's folder, where the agent runs.")
	if d.fyne.Canvas().Focused() != d.composer.input {
		t.Error("the focus is lost")
	}
	search(d.set.object, "New terminal").onTapped()
	d.shell(2)
	d.set.stop(d.set.shown)
	d.until("closed", func() bool { _, closed := d.shell(2).get(); return closed })
	d.set.add()
	d.untilShown("The terminal could not be opened. no shell any more")
}

func TestTerminalBell(t *testing.T) {
	d := openShells(t)
	d.shell(0)
	d.set.add()
	d.prints(0, "\a")
	d.untilShown("Terminal 1 ●")
	find(t, d.panel.object, "Terminal 1").onTapped()
	d.untilShown("Terminal 1")
}

func TestTerminalSearch(t *testing.T) {
	d := openShells(t)
	d.prints(0, "one two one\r\none")
	d.until("shown", func() bool { return strings.HasSuffix(d.set.shown.screen.Dump(), "one") })
	d.set.search.open()
	d.set.search.field.SetText("one")
	d.untilShown("3 of 3")
	d.set.search.field.OnSubmitted("")
	d.untilShown("2 of 3")
	d.set.search.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if d.set.search.shown || d.fyne.Canvas().Focused() != d.set.shown.screen {
		t.Error("Esc does not end the search")
	}
}

// What is chosen is for all terminals, and remembered.
func TestTerminalMenu(t *testing.T) {
	d := openShells(t)
	d.shell(0)
	pick := func(text string) {
		t.Helper()
		for _, i := range d.set.menu() {
			if i.text == text {
				i.do()
				return
			}
		}
		t.Fatalf("the menu has no %q", text)
	}
	size := d.set.shown.screen.TextSize()
	pick("Larger text")
	pick("10000 lines")
	if got := d.set.shown.screen.TextSize(); got != size+1 {
		t.Errorf("the text is %v large after %v", got, size)
	}
	if got := newTerminals(d.window).look; got != (terminalLook{size + 1, 10000}) {
		t.Errorf("remembered is %+v", got)
	}
	pick("Text of the usual size")
	if got := d.set.shown.screen.TextSize(); got != size {
		t.Errorf("the usual size is %v", got)
	}
	pick("Close this terminal")
	d.until("closed", func() bool { _, closed := d.shell(0).get(); return closed })
}

// Another language, or a configuration without the agent.
func TestTerminalsRebuilt(t *testing.T) {
	d := openShells(t)
	s := d.shell(0)
	d.fake.config.UI.Language = "fr"
	d.apply([]app.Event{{Kind: app.ConfigChanged}})
	if _, closed := s.get(); closed {
		t.Error("another language ends shells")
	}
	d.fake.agents = d.fake.agents[1:]
	d.build()
	d.until("closed", func() bool { _, closed := s.get(); return closed })
}
