package ui

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"io"
	"maps"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// marks tells a program that tests the window from outside where things are:
// "frame" once the window is painted, "ready" once what is in it is, then, each time it has settled after a
// change, one line of JSON that maps names to rectangles in the window. A nil
// marks tells nothing.
type marks struct {
	out     io.Writer
	driver  fyne.Driver
	canvas  fyne.Canvas
	known   map[string]marked
	seen    map[string]rectangle // at the last look
	printed map[string]rectangle
}

type marked struct{ object, within fyne.CanvasObject }

type rectangle struct {
	X float32 `json:"x"`
	Y float32 `json:"y"`
	W float32 `json:"w"`
	H float32 `json:"h"`
}

func newMarks(out io.Writer, d fyne.Driver, c fyne.Canvas) *marks {
	return &marks{out: out, driver: d, canvas: c, known: map[string]marked{}}
}

func (m *marks) set(id string, o fyne.CanvasObject) { m.setWithin(id, o, nil) }

// setWithin marks an object that can be seen only inside another one.
func (m *marks) setWithin(id string, o, within fyne.CanvasObject) {
	if m != nil {
		m.known[id] = marked{o, within}
	}
}

// drop forgets an object.
func (m *marks) drop(id string) {
	if m != nil {
		delete(m.known, id)
	}
}

// paper is an object whose first painting prints a line.
func (m *marks) paper(line string) fyne.CanvasObject {
	if m == nil {
		return newSurface("", "", 0)
	}
	var painted sync.Once
	return canvas.NewRaster(func(w, h int) image.Image {
		painted.Do(func() { fmt.Fprintln(m.out, line) })
		return image.NewUniform(color.Transparent)
	})
}

// look prints the rectangles when they are the same as at the look before,
// and not printed yet.
func (m *marks) look() {
	if m == nil {
		return
	}
	now := map[string]rectangle{}
	for id, k := range m.known {
		r, ok := m.place(k.object)
		if !ok {
			continue
		}
		if k.within != nil {
			if around, ok := m.place(k.within); !ok || !inside(r, around) {
				continue
			}
		}
		now[id] = r
	}
	settled := maps.Equal(now, m.seen) && !maps.Equal(now, m.printed)
	m.seen = now
	if !settled {
		return
	}
	if line, err := json.Marshal(now); err == nil {
		fmt.Fprintf(m.out, "%s\n", line)
		m.printed = now
	}
}

// place is where an object is, if it is in the window and visible.
func (m *marks) place(o fyne.CanvasObject) (rectangle, bool) {
	at, size := m.driver.AbsolutePositionForObject(o), o.Size()
	r := rectangle{at.X, at.Y, size.Width, size.Height}
	return r, o.Visible() && !at.IsZero() && size.Width > 0 && m.driver.CanvasForObject(o) != nil
}

func inside(r, around rectangle) bool {
	middle := r.Y + r.H/2
	return middle >= around.Y && middle <= around.Y+around.H
}
