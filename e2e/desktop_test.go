//go:build linux || freebsd || openbsd || netbsd

package e2e

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// desktop is a session bus of its own, with somebody on it who shows
// notifications and somebody who has a place for tray icons.
type desktop struct {
	address string
	bus     *dbus.Conn
	dark    atomic.Bool // what the desktop prefers
	shown   chan string // notifications
	trays   chan string // icons that came
}

const busConfig = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:dir=%s</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`

// newDesktop starts the bus, which ends with the test.
func newDesktop(t *testing.T) *desktop {
	t.Helper()
	folder, err := os.MkdirTemp("", "bus") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	file := filepath.Join(folder, "bus.conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, busConfig, folder), 0o600); err != nil {
		t.Fatal(err)
	}
	bus := exec.Command("dbus-daemon", "--config-file="+file, "--nofork", "--print-address=1")
	out, err := bus.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := bus.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bus.Process.Kill(); _ = bus.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal("dbus-daemon: ", err)
	}
	d := &desktop{address: strings.TrimSpace(line), shown: make(chan string, 10), trays: make(chan string, 10)}
	conn, err := dbus.Connect(d.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	d.bus = conn
	for name, path := range map[string]dbus.ObjectPath{
		"org.freedesktop.Notifications":   "/org/freedesktop/Notifications",
		"org.kde.StatusNotifierWatcher":   "/StatusNotifierWatcher",
		"org.freedesktop.portal.Settings": "/org/freedesktop/portal/desktop",
	} {
		if err := conn.Export(d, path, name); err != nil {
			t.Fatal(err)
		}
		if name == "org.freedesktop.portal.Settings" {
			name = "org.freedesktop.portal.Desktop" // which has many interfaces
		}
		if _, err := conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// Notify is the desktop's method that shows a notification.
func (d *desktop) Notify(_ string, _ uint32, _, title, text string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	d.shown <- title + ": " + text
	return 1, nil
}

// RegisterStatusNotifierItem is the desktop's method that takes a tray icon.
func (d *desktop) RegisterStatusNotifierItem(name string) *dbus.Error {
	d.trays <- name
	return nil
}

const appearance = "org.freedesktop.appearance"

// ReadOne is the desktop's method that tells a setting.
func (d *desktop) ReadOne(namespace, key string) (dbus.Variant, *dbus.Error) {
	if namespace != appearance || key != "color-scheme" {
		return dbus.Variant{}, dbus.MakeFailedError(errors.New("no such setting"))
	}
	return d.scheme(), nil
}

func (d *desktop) scheme() dbus.Variant {
	if d.dark.Load() {
		return dbus.MakeVariant(uint32(1))
	}
	return dbus.MakeVariant(uint32(2))
}

// prefer changes what the desktop prefers, and tells it everybody.
func (d *desktop) prefer(t *testing.T, dark bool) {
	t.Helper()
	d.dark.Store(dark)
	err := d.bus.Emit("/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings.SettingChanged", appearance, "color-scheme", d.scheme())
	if err != nil {
		t.Fatal(err)
	}
}

// color waits until the window's background is light, or dark.
func (w *window) color(dark bool) {
	w.t.Helper()
	late := time.Now().Add(time.Minute)
	for {
		out, err := exec.Command("import", "-window", strconv.Itoa(int(w.id())), "-depth", "8", "-crop", "1x1+600+200", "-colorspace", "gray", "gray:-").Output()
		if err != nil || len(out) == 0 {
			w.t.Fatal("import: ", err)
		}
		if (out[0] < 128) == dark {
			return
		}
		if time.Now().After(late) {
			w.t.Fatalf("the background is %d, dark is wanted: %v", out[0], dark)
		}
	}
}

func (d *desktop) next(t *testing.T, what string, from chan string) string {
	t.Helper()
	select {
	case said := <-from:
		return said
	case <-time.After(2 * time.Minute):
		t.Fatal("waited in vain for ", what)
		return ""
	}
}

// TestDesktop looks at what the window tells a desktop: an icon in the tray,
// and what happened while it was not in front.
func TestDesktop(t *testing.T) {
	d := newDesktop(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", d.address)
	w := openWindow(t, t.TempDir())
	w.see("composer")
	d.next(t, "the icon in the tray", d.trays)
	w.color(false)
	d.prefer(t, true)
	w.color(true)
	d.prefer(t, false)
	w.color(false)
	other := newOtherWindow(t)
	w.focus()
	w.xdotool("type", "--delay", "15", "/guide:demo")
	w.xdotool("key", "Return")
	w.xdotool("key", "Return") // the first one chose the command in the picker
	w.xdotool("windowfocus", "--sync", other)
	if got := d.next(t, "the question", d.shown); !strings.HasPrefix(got, "Guide needs you in #general: ") {
		t.Errorf("notified: %q", got)
	}
	w.click("question/3") // a click gives no focus: there is no window manager
	if got := d.next(t, "the end", d.shown); !strings.Contains(got, "answered in #general: ") {
		t.Errorf("notified: %q", got)
	}
	w.quit()
}

// TestNoDesktop has news for nobody: that is said once.
func TestNoDesktop(t *testing.T) {
	for _, name := range []string{"DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"} {
		t.Setenv(name, "")
	}
	w := openWindow(t, t.TempDir())
	w.see("composer")
	w.focus()
	w.xdotool("windowfocus", "--sync", newOtherWindow(t))
	for range 2 {
		send := exec.Command(w.cmd.Path, "send", "hello")
		send.Env = w.cmd.Env
		if out, err := send.CombinedOutput(); err != nil {
			t.Fatalf("send: %v\n%s", err, out)
		}
	}
	w.see("message/4")
	w.quit()
	if n := strings.Count(w.log.String(), "no notifications"); n != 1 {
		t.Errorf("said %d times:\n%s", n, &w.log)
	}
}
