//go:build unix

package terminal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/runtime/process"
	"git.rickub.com/bots-garden/sidekicks/runtime/pty"
)

// shell is a terminal with a real shell in a folder of the test.
func shell(t testing.TB) *desk {
	t.Helper()
	folder := t.TempDir()
	d := open(t, Options{Start: func(cols, rows int) (Program, error) {
		return pty.Start(process.Command{
			Path: "/bin/sh", Args: []string{"-i"}, Dir: folder,
			Env: append(os.Environ(), "HOME="+folder, "PS1=ready> ", "ENV=", "LC_ALL=C.UTF-8", "TMUX=", "TMUX_TMPDIR="+folder, "LESS="),
		}, cols, rows)
	}})
	d.untilShown("ready>")
	for i := range 300 {
		appendTo(t, filepath.Join(folder, "numbers"), fmt.Sprintf("line %d\n", i))
	}
	return d
}

func appendTo(t testing.TB, file, text string) {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
		_ = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (d *desk) enter(text string) {
	d.t.Helper()
	for _, r := range text {
		d.TypedRune(r)
	}
	d.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
}

func (d *desk) press(keys ...fyne.KeyName) {
	for _, k := range keys {
		d.TypedKey(&fyne.KeyEvent{Name: k})
	}
}

func (d *desk) untilNotShown(text string) {
	d.t.Helper()
	d.until(fmt.Sprintf("hidden %q", text), func() bool { return !strings.Contains(d.Dump(), text) })
}

// bottom is the last line of the screen.
func (d *desk) bottom() (text string) {
	d.locked(func() {
		_, rows := d.screen.Size()
		lines := strings.Split(d.screen.String()+strings.Repeat("\n", rows), "\n")
		text = lines[rows-1]
	})
	return text
}

func TestVim(t *testing.T) {
	d := shell(t)
	d.enter("vi -u NONE -N -n numbers")
	d.untilShown("line 5")
	d.until("read", func() bool { return strings.Contains(d.bottom(), "numbers") })
	d.enter(":2")
	for _, r := range "cc日本 é" {
		d.TypedRune(r)
	}
	d.press(fyne.KeyEscape)
	d.untilShown("line 0\n日本 é\nline 2")
	d.window.Resize(fyne.NewSize(500, 250))
	d.untilShown("日本 é\nline 2\n") // in a lower window it may have scrolled
	d.press(fyne.KeyPageDown)
	d.untilNotShown("line 2\n")
	d.enter(":wq")
	d.untilShown("ready>")
	d.enter("head -3 numbers")
	d.untilShown("line 0\n日本 é\nline 2")
}

func TestLess(t *testing.T) {
	d := shell(t)
	d.enter("less numbers")
	d.untilShown("line 0\n")
	d.untilNotShown("ready>")
	d.TypedRune('G')
	d.untilShown("line 299")
	d.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 100)})
	d.untilNotShown("line 299")
	d.enter("?line 123")
	d.untilShown("line 123")
	d.TypedRune('q')
	d.untilShown("ready>")
}

func TestTmux(t *testing.T) {
	d := shell(t)
	d.enter("tmux -u -L sidekicks-test -f /dev/null new-session 'PS1=inside\\>; export PS1; exec sh -i'")
	d.untilShown("inside>")
	d.until("a line of its own", func() bool { return strings.HasPrefix(d.bottom(), "[0]") })
	d.TypedRune(0x02) // Ctrl+B
	d.TypedRune('"')
	d.untilShown("──────")
	d.window.Resize(fyne.NewSize(700, 500))
	d.until("at the new bottom", func() bool { return strings.HasPrefix(d.bottom(), "[0]") })
	d.TypedRune(0x02)
	d.TypedRune(':')
	d.until("asked", func() bool { return d.bottom() == ":" })
	d.enter("kill-server")
	d.untilShown("ready>")
	d.untilNotShown("inside>")
}

func TestTop(t *testing.T) {
	d := shell(t)
	d.enter("top -d 0.2")
	d.untilShown("PID")
	d.TypedRune('q')
	d.untilShown("ready>")
}

// What is printed without end stops at once with Ctrl+C, and the terminal
// answers meanwhile.
func TestFlood(t *testing.T) {
	d := shell(t)
	d.enter("yes flood")
	d.until("flooded", func() bool { return strings.Count(d.Dump(), "\nflood") > 10 })
	d.scroll(-3)
	d.TypedShortcut(&fyne.ShortcutCopy{})
	d.untilShown("ready>")
	d.enter("echo st''ill here")
	d.untilShown("still here")
}

// All of a large output arrives, and its end is what is shown.
func TestLargeOutput(t *testing.T) {
	d := shell(t)
	d.enter("seq 1000000")
	d.untilShown("999999\n1000000\nready>")
	if n := d.Find("9999"); n == 0 {
		t.Error("nothing is kept above")
	}
}
