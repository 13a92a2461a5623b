package app

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

// openWindow opens the world's configuration as a window does.
func (w *world) openWindow(toFront func() bool) (*App, error) {
	return Open(context.Background(), Options{
		Config: w.config(), History: w.history(), Window: true, ToFront: toFront, Times: quick(),
	})
}

func (w *world) history() string { return filepath.Join(w.folder, "history", "history.db") }

func newClosedWorld(t *testing.T) *world {
	w := &world{t: t, folder: t.TempDir()}
	w.configure(cast{"alice": fakeagent.Script{}}, []string{"alice"}, settings{})
	return w
}

// A second window brings the first to the front; once that is closed, or does
// not react, there is a second window.
func TestOneWindow(t *testing.T) {
	w := newClosedWorld(t)
	if raise(t.Context(), w.history()) {
		t.Error("a window came that is not there")
	}
	var raised atomic.Int32
	var reacts atomic.Bool
	reacts.Store(true)
	first, err := w.openWindow(func() bool { raised.Add(1); return reacts.Load() })
	if err != nil {
		t.Fatal(err)
	}
	if !raise(t.Context(), w.history()) || raised.Load() != 1 {
		t.Errorf("raised %d times", raised.Load())
	}
	if a, err := w.openWindow(func() bool { return true }); !errors.Is(err, ErrRaised) || a != nil || raised.Load() != 2 {
		t.Errorf("the second: %v, raised %d times", err, raised.Load())
	}
	if info, err := os.Stat(callPath(w.history())); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}

	reacts.Store(false)
	second, err := w.openWindow(func() bool { return true })
	if err != nil || len(second.Troubles()) != 1 || !strings.Contains(second.Printer().Error(second.Troubles()[0]), "window") {
		t.Fatalf("a second window: %v, %v", second.Troubles(), err)
	}
	if err := second.Close(t.Context()); err != nil {
		t.Error(err)
	}
	reacts.Store(true)
	if !raise(t.Context(), w.history()) {
		t.Error("the first window cannot be reached any more")
	}
	if err := first.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if raise(t.Context(), w.history()) {
		t.Error("a closed window came")
	}
}

// A window that is closing makes place for the next one.
func TestWindowAfterWindow(t *testing.T) {
	w := newClosedWorld(t)
	first, err := w.openWindow(func() bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan error, 1)
	go func() { closed <- first.Close(context.Background()) }()
	second, err := w.openWindow(func() bool { return true })
	if err != nil || len(second.Troubles()) > 0 {
		t.Fatalf("%v, %v", second.Troubles(), err)
	}
	if err := errors.Join(<-closed, second.Close(t.Context())); err != nil {
		t.Error(err)
	}
}

// Two windows started at the same moment are one.
func TestOneWindowAtOnce(t *testing.T) {
	w := newClosedWorld(t)
	type opened struct {
		app *App
		err error
	}
	both := make(chan opened, 2)
	for range 2 {
		go func() {
			a, err := w.openWindow(func() bool { return true })
			both <- opened{a, err}
		}()
	}
	raised := 0
	for range 2 {
		o := <-both
		if errors.Is(o.err, ErrRaised) {
			raised++
			continue
		}
		if o.err != nil {
			t.Fatal(o.err)
		}
		defer func() {
			if err := o.app.Close(context.Background()); err != nil {
				t.Error(err)
			}
		}()
	}
	if raised != 1 {
		t.Errorf("%d of 2 gave way", raised)
	}
}

// What a killed program left behind, and what somebody else says or listens
// to, is no window.
func TestRaiseNobody(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	history := filepath.Join(t.TempDir(), "history.db")
	for _, text := range []string{
		"", "{", `{"address":""}`, `{"address":"127.0.0.1:1"}`, `{"address":"192.0.2.1:80","token":"t"}`, `{"address":"x:y","token":"t"}`,
		`{"address":"` + closed.Addr().String() + `","token":"t"}`, `{"address":"` + silent.Addr().String() + `","token":"t"}`,
	} {
		if err := os.WriteFile(callPath(history), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		if raise(t.Context(), history) {
			t.Errorf("%s: raised", text)
		}
		if took := time.Since(begun); took > 2*raisePatience {
			t.Errorf("%s: took %v", text, took)
		}
	}

	l, err := listen(history, func() bool { t.Error("raised by somebody else"); return true })
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	for _, said := range []string{"\n", "GET / HTTP/1.1\r\n\r\n", strings.Repeat("x", 1000), l.token} {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Write([]byte(said))
		_ = conn.(*net.TCPConn).CloseWrite()
		if n, _ := conn.Read(make([]byte, 100)); n > 0 {
			t.Errorf("%.20q is answered", said)
		}
		conn.Close()
	}
}
