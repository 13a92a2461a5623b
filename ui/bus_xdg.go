//go:build linux || freebsd || openbsd || netbsd

package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/godbus/dbus/v5"
)

// Names of the desktop's services on its bus.
const (
	notificationService = "org.freedesktop.Notifications"
	trayService         = "org.kde.StatusNotifierWatcher"
	fileService         = "org.freedesktop.FileManager1"
)

// busPatience is how long the bus may take to say who is there.
const busPatience = 2 * time.Second

// canNotify tells why there is nobody who shows notifications, nil when there
// is somebody.
func canNotify() error { return onBus(notificationService) }

// canTray tells why there is no place for tray icons.
func canTray() error { return onBus(trayService) }

// canFollow tells whether there is a desktop whose theme can be followed.
// Without one, Fyne would start a bus, or complain.
func canFollow() bool { return hasBus(os.Getenv) }

// reveal marks a file in the file manager. The error: there is none to be
// asked.
func reveal(path string) error {
	if err := onBus(fileService); err != nil {
		return err
	}
	bus, err := dbus.SessionBus()
	if err != nil {
		return fmt.Errorf("connect to D-Bus: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), busPatience)
	defer cancel()
	manager := bus.Object(fileService, "/org/freedesktop/FileManager1")
	return manager.CallWithContext(ctx, fileService+".ShowItems", 0, []string{fileURL(path).String()}, "").Err
}

// onBus tells whether a service of the desktop runs, or is started when it is
// needed. It starts no bus.
func onBus(service string) error {
	if !hasBus(os.Getenv) {
		return errors.New("this session has no D-Bus")
	}
	bus, err := dbus.SessionBus() // shared with the toolkit
	if err != nil {
		return fmt.Errorf("connect to D-Bus: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), busPatience)
	defer cancel()
	for _, list := range []string{"ListNames", "ListActivatableNames"} {
		var names []string
		if err := bus.BusObject().CallWithContext(ctx, "org.freedesktop.DBus."+list, 0).Store(&names); err != nil {
			return fmt.Errorf("ask D-Bus for %s: %w", service, err)
		}
		if slices.Contains(names, service) {
			return nil
		}
	}
	return fmt.Errorf("nothing on D-Bus is called %s", service)
}

// hasBus tells whether the session has a bus that needs not be started.
func hasBus(env func(string) string) bool {
	if env("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	folder := env("XDG_RUNTIME_DIR")
	if folder == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(folder, "bus"))
	return err == nil
}
