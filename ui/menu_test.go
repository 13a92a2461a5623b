package ui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func typeKeys(o fyne.Focusable, keys ...fyne.KeyName) {
	for _, k := range keys {
		o.TypedKey(&fyne.KeyEvent{Name: k})
	}
}

func TestMenuByKeyboard(t *testing.T) {
	w := openTest(t, newFake())
	var did []string
	var items []menuItem
	for _, name := range []string{"one", "two", "three"} {
		items = append(items, menuItem{text: name, do: func() { did = append(did, name) }})
	}
	items = slices.Insert(items, 1, menuItem{}, menuItem{text: "a heading"})
	m := w.stage().menu
	for _, c := range []struct {
		keys []fyne.KeyName
		want string
	}{
		{[]fyne.KeyName{fyne.KeyDown, fyne.KeyReturn}, "one"},
		{[]fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeySpace}, "two"},
		{[]fyne.KeyName{fyne.KeyUp, fyne.KeyEnter}, "three"},
		{[]fyne.KeyName{fyne.KeyTab, fyne.KeyUp, fyne.KeyUp, fyne.KeyEnter}, "two"},
		{[]fyne.KeyName{fyne.KeyReturn, fyne.KeyEscape}, ""},
	} {
		did = nil
		w.composer.focus()
		w.popUpAt(fyne.NewPos(100, 100), items)
		if w.fyne.Canvas().Focused() != m || !m.isOpen() {
			t.Fatal("an open menu has not the keys")
		}
		typeKeys(m, c.keys...)
		if got := fmt.Sprint(did); c.want != "" && got != "["+c.want+"]" || c.want == "" && len(did) > 0 {
			t.Errorf("%v does %v, want %q", c.keys, did, c.want)
		}
		if m.isOpen() || w.fyne.Canvas().Focused() != w.composer.input {
			t.Errorf("%v: open: %v, focus on %T", c.keys, m.isOpen(), w.fyne.Canvas().Focused())
		}
	}
	w.popUpAt(fyne.NewPos(100, 100), items)
	m.TypedRune('T')
	m.TypedRune('t')
	typeKeys(m, fyne.KeyReturn)
	if len(did) != 1 || did[0] != "three" {
		t.Errorf("letters lead to %v", did)
	}
}

func TestMenuStaysInside(t *testing.T) {
	w := openTest(t, newFake())
	for n := range 60 {
		var items []menuItem
		for i := range n {
			items = append(items, menuItem{text: fmt.Sprint("item ", i), do: func() {}})
		}
		for _, at := range []fyne.Position{{}, {X: 1359, Y: 859}, {X: 600, Y: 400}} {
			w.popUpAt(at, items)
			m := w.stage().menu
			p, s := absolute(m), m.Size()
			if p.X < 8 || p.Y < 8 || p.X+s.Width > 1352 || p.Y+s.Height > 852 {
				t.Fatalf("%d items at %v: %v, %v", n, at, p, s)
			}
			typeKeys(m, fyne.KeyEnd)
			if n > 0 {
				last := m.rows[n-1]
				if y := absolute(last).Y; y < p.Y || y+last.Size().Height > p.Y+s.Height {
					t.Fatalf("the last of %d items is at %v, out of sight", n, y)
				}
			}
			typeKeys(m, fyne.KeyEscape)
		}
	}
}

func TestMenuClosesBeside(t *testing.T) {
	w := openTest(t, newFake())
	w.popUp(w.head.menu, []menuItem{{text: "one", do: func() { t.Error("chosen") }}})
	test.TapCanvas(w.fyne.Canvas(), fyne.NewPos(700, 700))
	if w.stage().menu.isOpen() {
		t.Error("a click beside the menu leaves it open")
	}
}

func TestHelp(t *testing.T) {
	w := openTest(t, newFake())
	var wait func()
	w.after = func(_ time.Duration, f func()) func() {
		wait = f
		return func() { wait = nil }
	}
	b := w.stage().bubble
	w.fyne.Canvas().Focus(w.head.menu)
	if b.panel.Visible() {
		t.Error("help is shown at once")
	}
	wait()
	if !b.panel.Visible() || b.text.text != w.text("ui.ChannelMenu") {
		t.Errorf("help is %q, visible: %v", b.text.text, b.panel.Visible())
	}
	if at := absolute(b.panel); at.X+b.panel.Size().Width > 1352 || at.Y < absolute(w.head.menu).Y+w.head.menu.Size().Height {
		t.Errorf("help is at %v, %v large", at, b.panel.Size())
	}
	if w.fyne.Canvas().Focused() != w.head.menu {
		t.Error("help takes the focus")
	}
	w.composer.focus()
	if b.panel.Visible() || wait != nil {
		t.Error("help stays when the focus has gone")
	}
	w.head.menu.MouseIn(nil)
	w.head.menu.MouseOut()
	if wait != nil {
		t.Error("help comes after the pointer has gone")
	}
}
