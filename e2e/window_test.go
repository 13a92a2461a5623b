package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/app"
)

// binary is the program that people start, built once for all the tests, the
// way the tests themselves are.
var binary = sync.OnceValues(func() (string, error) {
	path := filepath.Join(builds, "sidekicks")
	args := []string{"build", "-o", path}
	if raceEnabled {
		args = append(args, "-race")
	}
	out, err := exec.Command("go", append(args, "git.rickub.com/bots-garden/sidekicks")...).CombinedOutput()
	if err != nil {
		return "", errors.New(string(out))
	}
	return path, nil
})

// window is the program with its window open, in a home of its own.
type window struct {
	t     testing.TB
	home  string
	cmd   *exec.Cmd
	lines chan string // of its stderr
	log   strings.Builder
	known map[string]mark // where things are
}

// mark is where something is in the window, in pixels.
type mark struct{ X, Y, W, H float64 }

// openWindow starts the program and waits until its window is painted.
func openWindow(t testing.TB, home string, args ...string) *window {
	t.Helper()
	return openWindowFor(t, "1", home, args...)
}

// openWindowFor does it with a value of SIDEKICKS_TEST, which says what the
// program prints.
func openWindowFor(t testing.TB, test, home string, args ...string) *window {
	t.Helper()
	if os.Getenv("DISPLAY") == "" {
		t.Fatal("there is no display: 'make test' brings one")
	}
	path, err := binary()
	if err != nil {
		t.Fatal("build sidekicks: ", err)
	}
	w := &window{t: t, home: home, lines: make(chan string, 1000), known: map[string]mark{}}
	w.cmd = exec.Command(path, args...)
	w.cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "SIDEKICKS_CONFIG=", "SIDEKICKS_TEST="+test, "GORACE=atexit_sleep_ms=0")
	stderr, err := w.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(w.lines)
		in := bufio.NewScanner(stderr)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			w.lines <- in.Text()
		}
	}()
	t.Cleanup(func() {
		_ = w.cmd.Process.Kill() // when a test failed; else it has ended
		_ = w.cmd.Wait()
	})
	w.until("the first paint", func(line string) bool { return line == "ready" })
	return w
}

// until reads what the program says up to a line.
func (w *window) until(what string, is func(line string) bool) {
	w.t.Helper()
	late := time.After(2 * time.Minute)
	for {
		select {
		case line, more := <-w.lines:
			if !more {
				w.t.Fatalf("the program ended before %s:\n%s", what, &w.log)
			}
			w.log.WriteString(line + "\n")
			var marks map[string]mark
			if strings.HasPrefix(line, "{") && json.Unmarshal([]byte(line), &marks) == nil {
				w.known = marks
			}
			if is(line) {
				return
			}
		case <-late:
			w.t.Fatalf("waited in vain for %s:\n%s", what, &w.log)
		}
	}
}

// see waits until something is in the window.
func (w *window) see(id string) mark {
	w.t.Helper()
	if m, ok := w.known[id]; ok {
		return m
	}
	w.until(id, func(string) bool { _, ok := w.known[id]; return ok })
	return w.known[id]
}

func (w *window) xdotool(args ...string) string {
	w.t.Helper()
	out, err := exec.Command("xdotool", args...).CombinedOutput()
	if err != nil {
		w.t.Fatalf("xdotool %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// focus gives the keyboard to the window: there is no window manager.
func (w *window) focus() {
	w.t.Helper()
	id := strings.Fields(w.xdotool("search", "--sync", "--onlyvisible", "--pid", strconv.Itoa(w.cmd.Process.Pid)))
	w.xdotool("windowfocus", "--sync", id[len(id)-1])
}

func (w *window) click(id string) {
	w.t.Helper()
	m := w.see(id)
	w.xdotool("mousemove", strconv.Itoa(int(m.X+m.W/2)), strconv.Itoa(int(m.Y+m.H/2)), "click", "1")
}

// picture takes a screenshot, which the README shows when
// SIDEKICKS_SCREENSHOT names a file for it.
func (w *window) picture() {
	w.t.Helper()
	if file := os.Getenv("SIDEKICKS_SCREENSHOT"); file != "" {
		if out, err := exec.Command("import", "-window", "root", file).CombinedOutput(); err != nil {
			w.t.Fatalf("import: %v\n%s", err, out)
		}
	}
}

// quit closes the program as a session that ends does.
func (w *window) quit() {
	w.t.Helper()
	if err := w.cmd.Process.Signal(os.Interrupt); err != nil {
		w.t.Fatal(err)
	}
	for line := range w.lines {
		w.log.WriteString(line + "\n")
	}
	if err := w.cmd.Wait(); err != nil {
		w.t.Errorf("the program ended with %v:\n%s", err, &w.log)
	}
	if strings.Contains(w.log.String(), "Error in Fyne call thread") || strings.Contains(w.log.String(), "DATA RACE") {
		w.t.Errorf("the program complained:\n%s", &w.log)
	}
}

// TestWindow is a newcomer's first minute: no configuration, a window, a
// question to the guide, its demonstration with a permission.
func TestWindow(t *testing.T) {
	home := t.TempDir()
	w := openWindow(t, home)
	w.see("composer")
	w.focus()
	w.xdotool("type", "--delay", "15", "hello, who are you?")
	w.xdotool("key", "Return")

	a, err := app.Open(context.Background(), app.Options{Config: filepath.Join(home, ".config/sidekicks/config.yaml"), History: history(t, home)})
	if err != nil {
		t.Fatal(err)
	}
	beside := &talk{App: a, t: t, events: a.Subscribe()}
	defer beside.close()
	answered := func(n int) func() bool {
		return func() bool {
			list, err := a.Messages(beside.channel(), 0, 100)
			if err != nil || len(list) < n {
				return false
			}
			last := list[len(list)-1]
			return last.Kind == app.FromAgent && !last.Live()
		}
	}
	beside.until("the guide's answer", answered(2))

	w.click("composer")
	w.xdotool("type", "--delay", "15", "/guide:demo")
	w.xdotool("key", "Return")
	w.xdotool("key", "Return") // the first one chose the command in the picker
	w.click("question/3")      // not to write anything
	beside.until("the end of the demonstration", answered(4))
	if _, err := os.Stat(filepath.Join(home, ".config/sidekicks/sidekicks-demo.txt")); err == nil {
		t.Error("the guide wrote its file although it was told not to")
	}
	w.picture()
	w.quit()
}

// history finds the one history file under a home.
func history(t testing.TB, home string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(home, ".config/sidekicks/history/*/history.db"))
	if err != nil || len(found) != 1 {
		t.Fatalf("histories: %v, %v", found, err)
	}
	return found[0]
}

// TestSendBesideAWindow has `sidekicks send` talk on the configuration that a
// window has open.
func TestSendBesideAWindow(t *testing.T) {
	home := t.TempDir()
	w := openWindow(t, home)
	w.see("composer")
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	send := exec.Command(path, "send", "what are channels?")
	send.Env = w.cmd.Env
	out, err := send.Output()
	if err != nil || !strings.Contains(string(out), "channel") {
		t.Fatalf("send: %v, %q", err, out)
	}
	w.see("message/2") // the answer that the other process wrote
	w.quit()
}
