package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"git.rickub.com/bots-garden/sidekicks/ui/list"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// lazyAhead is how far beyond the view lazy objects are drawn.
const lazyAhead = 400

// lazy holds an object that is measured and laid out only after it changed,
// and drawn only while it is in view: a message may have hundreds of cards,
// and changes thirty times a second.
type lazy struct {
	widget.BaseWidget
	content *fyne.Container

	width, height float32 // for that width; 0: not measured
	moved         bool    // it must be laid out again
	away          bool    // it is far from what is in view
	look          color.Color
}

func newLazy(content *fyne.Container) *lazy {
	l := &lazy{content: content, moved: true}
	l.ExtendBaseWidget(l)
	return l
}

// changed has the object measured and laid out again.
func (l *lazy) changed() { l.width, l.moved = 0, true }

// HeightFor implements wrapping.
func (l *lazy) HeightFor(width float32) float32 {
	if width != l.width {
		l.width, l.height = width, heightFor(l.content, width)
	}
	return l.height
}

// Resize implements fyne.Widget.
func (l *lazy) Resize(size fyne.Size) {
	l.BaseWidget.Resize(size)
	if l.moved {
		l.moved = false
		l.content.Resize(size)
		relayout(l.content)
	}
}

// Viewport implements list.Viewer.
func (l *lazy) Viewport(top, bottom float32) {
	away := bottom < -lazyAhead || top > l.Size().Height+lazyAhead
	if away != l.away {
		l.away = away
		canvas.Refresh(l)
	}
	if away {
		return
	}
	if look := theme.Color(tokens.Text); look != l.look {
		if l.look != nil {
			l.content.Refresh() // the theme changed while it was away
		}
		l.look = look
	}
	list.Tell(l.content, top, bottom)
}

// CreateRenderer implements fyne.Widget.
func (l *lazy) CreateRenderer() fyne.WidgetRenderer { return lazyRenderer{l} }

type lazyRenderer struct{ lazy *lazy }

func (r lazyRenderer) Layout(size fyne.Size) { r.lazy.content.Resize(size) }

func (r lazyRenderer) MinSize() fyne.Size {
	return fyne.NewSize(40, r.lazy.HeightFor(max(40, r.lazy.Size().Width)))
}

func (r lazyRenderer) Objects() []fyne.CanvasObject {
	if r.lazy.away {
		return nil
	}
	return []fyne.CanvasObject{r.lazy.content}
}

func (r lazyRenderer) Refresh() {
	r.lazy.content.Refresh()
	canvas.Refresh(r.lazy)
}

func (r lazyRenderer) Destroy() {}
