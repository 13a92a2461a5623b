// Emptywindow opens an empty Fyne window and prints "frame" and "ready" on its
// first paint, as Sidekicks does: what the start of Sidekicks is measured against.
package main

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/canvas"
)

func main() {
	a := app.NewWithID("garden.bots.sidekicks.empty")
	w := a.NewWindow("Empty")
	var painted sync.Once
	w.SetContent(canvas.NewRaster(func(int, int) image.Image {
		painted.Do(func() { fmt.Fprint(os.Stderr, "frame\nready\n") })
		return image.NewUniform(color.White)
	}))
	w.Resize(fyne.NewSize(1360, 860))
	w.ShowAndRun()
}
