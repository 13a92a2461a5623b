package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// id is the window's number on the display.
func (w *window) id() uint32 {
	w.t.Helper()
	all := strings.Fields(w.xdotool("search", "--sync", "--onlyvisible", "--pid", strconv.Itoa(w.cmd.Process.Pid)))
	id, err := strconv.ParseUint(all[len(all)-1], 10, 32)
	if err != nil {
		w.t.Fatal(err)
	}
	return uint32(id)
}

// paste puts a text into the clipboard and from there where the focus is.
// Typing would garble what is not ASCII.
func (w *window) paste(text string) {
	w.t.Helper()
	copy := exec.Command("xclip", "-selection", "clipboard", "-in")
	copy.Stdin = strings.NewReader(text)
	if err := copy.Run(); err != nil {
		w.t.Fatal("xclip: ", err)
	}
	w.xdotool("key", "ctrl+v")
}

// resize gives the window another size and waits until its parts are placed.
func (w *window) resize(width, height float64) {
	w.t.Helper()
	w.xdotool("windowsize", strconv.Itoa(int(w.id())), strconv.Itoa(int(width)), strconv.Itoa(int(height)))
	placed := func(string) bool {
		send, ok := w.known["send"]
		return ok && w.known["column/sidebar"].H == height && send.X+send.W <= width && send.X+send.W > width-60
	}
	if !placed("") {
		w.until("the new layout", placed)
	}
}

// arranged checks what holds for the parts of a window of any size.
func (w *window) arranged(width, height float64) {
	w.t.Helper()
	side, talk, text, send := w.see("column/sidebar"), w.see("conversation"), w.see("composer"), w.see("send")
	for id, m := range w.known {
		if m.X < 0 || m.Y < 0 || m.X+m.W > width+1 {
			w.t.Errorf("%s sticks out of %v × %v: %+v", id, width, height, m)
		}
	}
	if side.X > talk.X || talk.Y+talk.H > text.Y || text.Y > send.Y || send.Y+send.H > height || talk.X > text.X {
		w.t.Errorf("the parts overlap at %v × %v: sidebar %+v, conversation %+v, composer %+v, send %+v", width, height, side, talk, text, send)
	}
}

// TestFilesAndSizes writes what no keyboard types, drops files, resizes the
// window, and finds all of it again.
func TestFilesAndSizes(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "été 1.txt")
	if err := os.WriteFile(file, []byte("a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := openWindow(t, home)
	w.see("composer")
	w.focus()
	w.resize(1360, 860)
	w.arranged(1360, 860)
	wide := w.see("send")

	w.click("composer")
	const text = "Où est 日本 → ça ? 👩‍💻"
	w.paste(text)
	middle := w.see("conversation")
	drop(t, w.id(), int(middle.X+middle.W/2), int(middle.Y+middle.H/2), file)
	chip, composer := w.see("attached/été 1.txt"), w.see("composer")
	if chip.Y+chip.H > composer.Y || chip.X < composer.X-1 {
		t.Errorf("the file is shown at %+v, the composer is at %+v", chip, composer)
	}

	w.resize(900, 600)
	w.arranged(900, 600)
	w.see("attached/été 1.txt")
	w.resize(1360, 860)
	w.click("send")
	w.see("message/2")
	if again := w.see("send"); again != wide {
		t.Errorf("Send is at %+v, and was at %+v", again, wide)
	}
	w.resize(1000, 700)
	w.quit()

	a, err := app.Open(context.Background(), app.Options{Config: filepath.Join(home, ".config/sidekicks/config.yaml"), History: history(t, home)})
	if err != nil {
		t.Fatal(err)
	}
	list, err := a.Messages(a.Channels()[0].ID, 0, 10)
	if err != nil || len(list) == 0 || list[0].Text() != text {
		t.Errorf("sent: %+v, %v", list, err)
	}
	if err := a.Close(context.Background()); err != nil {
		t.Error(err)
	}

	w = openWindow(t, home) // as large as it was
	w.see("composer")
	w.arranged(1000, 700)
	if m := w.see("column/sidebar"); m.Y+m.H != 700 {
		t.Errorf("the window is %v high", m.Y+m.H)
	}
	w.quit()
}

// TestOneWindow starts the program twice on one configuration.
func TestOneWindow(t *testing.T) {
	w := openWindow(t, t.TempDir())
	w.see("composer")
	front := func() string { return w.xdotool("getwindowfocus") }
	before := front()
	second := exec.Command(w.cmd.Path)
	second.Env = w.cmd.Env
	out, err := second.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "config.yaml") || strings.Contains(string(out), "frame") {
		t.Fatalf("the second: %v\n%s", err, out)
	}
	if id := strconv.Itoa(int(w.id())); front() != id {
		t.Errorf("%s is in front, before %s, not the window %s", front(), before, id)
	}
	w.quit()
}

// TestCrashReport has the program crash: the next start offers the report,
// and the one after that does not.
func TestCrashReport(t *testing.T) {
	home := t.TempDir()
	w := openWindow(t, home)
	w.see("composer")
	if err := w.cmd.Process.Signal(syscall.SIGABRT); err != nil {
		t.Fatal(err)
	}
	for line := range w.lines {
		w.log.WriteString(line + "\n")
	}
	if w.cmd.Wait() == nil {
		t.Fatal("it ended well")
	}
	w = openWindow(t, home)
	w.see("trouble/open")
	w.quit()
	reports, err := filepath.Glob(filepath.Join(filepath.Dir(history(t, home)), "crash-*.txt"))
	if err != nil || len(reports) != 1 {
		t.Fatalf("reports: %q, %v", reports, err)
	}
	if data, err := os.ReadFile(reports[0]); err != nil || !strings.Contains(string(data), "SIGABRT") {
		t.Errorf("the report: %v\n%.500s", err, data)
	}
	w = openWindow(t, home)
	w.see("composer")
	if _, offered := w.known["trouble/open"]; offered {
		t.Error("the report is offered again")
	}
	w.quit()
}
