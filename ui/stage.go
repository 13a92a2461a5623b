package ui

import "fyne.io/fyne/v2"

// stage is what fills the window: the window's own content, or a dialog over
// it. A menu and a help bubble lie over it without being one of Fyne's pop-ups,
// which would take the keys away from everything else.
type stage struct {
	object *fyne.Container
	menu   *menu
	bubble *bubble
}

func newStage(w *window, objects ...fyne.CanvasObject) *stage {
	s := &stage{menu: newMenu(w), bubble: newBubble()}
	s.object = newLayers(append(objects, s.menu.object, s.bubble.object)...)
	return s
}

// stage is the one in front.
func (w *window) stage() *stage { return w.stages[len(w.stages)-1] }

// unshaded is a layer that covers the whole window and has no size of its own.
type unshaded struct{ place func(size fyne.Size) }

func (u unshaded) Layout(_ []fyne.CanvasObject, size fyne.Size) { u.place(size) }
func (unshaded) MinSize([]fyne.CanvasObject) fyne.Size          { return fyne.Size{} }
