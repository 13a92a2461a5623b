package e2e

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// dragSource is a program that drags files to a window, as a file manager
// does: the source's half of XDND, version 5.
type dragSource struct {
	*xgb.Conn
	window, target xproto.Window
	atoms          map[string]xproto.Atom
	uris           string
}

// drop drops files on a point of a window and returns once the window has
// said that it has them.
func drop(t testing.TB, target uint32, x, y int, files ...string) {
	t.Helper()
	c := display(t)
	defer c.Close()
	s := &dragSource{Conn: c, target: xproto.Window(target), atoms: map[string]xproto.Atom{}}
	for _, f := range files {
		s.uris += (&url.URL{Scheme: "file", Path: f}).String() + "\r\n"
	}
	if err := s.drag(x, y); err != nil {
		t.Fatal("drop: ", err)
	}
}

// display is a connection to the display.
func display(t testing.TB) *xgb.Conn {
	t.Helper()
	xgb.Logger.SetOutput(io.Discard) // it tells of displays that ask for no password
	c, err := xgb.NewConn()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (s *dragSource) drag(x, y int) error {
	for _, name := range []string{
		"XdndSelection", "XdndEnter", "XdndPosition", "XdndStatus", "XdndDrop", "XdndFinished", "XdndActionCopy", "text/uri-list",
	} {
		atom, err := xproto.InternAtom(s.Conn, false, uint16(len(name)), name).Reply()
		if err != nil {
			return err
		}
		s.atoms[name] = atom.Atom
	}
	screen := xproto.Setup(s.Conn).DefaultScreen(s.Conn)
	var err error
	if s.window, err = xproto.NewWindowId(s.Conn); err != nil {
		return err
	}
	err = xproto.CreateWindowChecked(s.Conn, screen.RootDepth, s.window, screen.Root, 0, 0, 1, 1, 0,
		xproto.WindowClassInputOutput, screen.RootVisual, 0, nil).Check()
	if err != nil {
		return err
	}
	xproto.SetSelectionOwner(s.Conn, s.window, s.atoms["XdndSelection"], xproto.TimeCurrentTime)

	s.say("XdndEnter", 5<<24, uint32(s.atoms["text/uri-list"]), 0, 0)
	s.say("XdndPosition", 0, uint32(x)<<16|uint32(y), 0, uint32(s.atoms["XdndActionCopy"]))
	status, err := s.hear("XdndStatus")
	switch {
	case err != nil:
		return err
	case status[1]&1 == 0:
		return errors.New("the window takes no files")
	}
	s.say("XdndDrop", 0, xproto.TimeCurrentTime, 0, 0)
	_, err = s.hear("XdndFinished")
	return err
}

// say sends a message to the window.
func (s *dragSource) say(name string, data ...uint32) {
	e := xproto.ClientMessageEvent{
		Format: 32, Window: s.target, Type: s.atoms[name],
		Data: xproto.ClientMessageDataUnionData32New(append([]uint32{uint32(s.window)}, data...)),
	}
	xproto.SendEvent(s.Conn, false, s.target, xproto.EventMaskNoEvent, string(e.Bytes()))
}

// hear waits for a message of the window, and hands the files over meanwhile.
func (s *dragSource) hear(name string) ([]uint32, error) {
	late := time.AfterFunc(time.Minute, s.Close)
	defer late.Stop()
	for {
		e, err := s.WaitForEvent()
		switch e := e.(type) {
		case xproto.ClientMessageEvent:
			if e.Type == s.atoms[name] {
				return e.Data.Data32, nil
			}
		case xproto.SelectionRequestEvent:
			s.hand(e)
		case nil:
			if err != nil {
				return nil, err
			}
			return nil, fmt.Errorf("no %s", name)
		}
	}
}

// hand gives the files to the window that asks for them.
func (s *dragSource) hand(e xproto.SelectionRequestEvent) {
	xproto.ChangeProperty(s.Conn, xproto.PropModeReplace, e.Requestor, e.Property, e.Target, 8, uint32(len(s.uris)), []byte(s.uris))
	n := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target, Property: e.Property}
	xproto.SendEvent(s.Conn, false, e.Requestor, xproto.EventMaskNoEvent, string(n.Bytes()))
}

// newOtherWindow opens a window that belongs to nobody in particular, and
// returns its number.
func newOtherWindow(t testing.TB) string {
	t.Helper()
	c := display(t)
	t.Cleanup(c.Close)
	screen := xproto.Setup(c).DefaultScreen(c)
	id, err := xproto.NewWindowId(c)
	if err == nil {
		err = xproto.CreateWindowChecked(c, screen.RootDepth, id, screen.Root, 0, 0, 1, 1, 0,
			xproto.WindowClassInputOutput, screen.RootVisual, 0, nil).Check()
	}
	if err == nil {
		err = xproto.MapWindowChecked(c, id).Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	return strconv.Itoa(int(id))
}
