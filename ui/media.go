package ui

import (
	"fmt"
	"image"
	"net/url"
	"path"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// mediaView is what an agent sends beside text: a picture in small, or a line
// that says what a file or a sound is. What lies elsewhere is never loaded: a
// picture on the web is a link.
type mediaView struct {
	r       *messageRow
	box     *fyne.Container // the picture, the link, the line
	picture *canvas.Image
	frame   *fyne.Container
	larger  *button // around it
	link    *button
	text    *label
	shown   *acp.ContentBlock
}

func newMediaView(r *messageRow) *mediaView {
	v := &mediaView{r: r, picture: canvas.NewImageFromImage(nil), text: newCutLabel("", faint())}
	v.picture.FillMode, v.picture.CornerRadius = canvas.ImageFillContain, controlRadius
	v.frame = &fyne.Container{Layout: &exactly{}, Objects: []fyne.CanvasObject{
		newSurface(tokens.Code, "", controlRadius), v.picture,
	}}
	v.larger = newPressable("", quiet, insets{}, v.frame, func() { r.w.enlarge(v.shown) })
	v.link = newPressable("", quiet, inset(2, 0), newCutLabel("", muted().in(tokens.Accent)), nil)
	v.box = newColumn(4, insets{}, v.larger, v.link, v.text)
	return v
}

func (v *mediaView) object() fyne.CanvasObject { return v.box }

func (v *mediaView) show(_ app.Message, p app.Part) { v.set(p.Content) }

func (v *mediaView) set(c *acp.ContentBlock) {
	if c == v.shown {
		return
	}
	v.shown = c
	w, address := v.r.w, webAddress(c)
	v.larger.Hidden, v.link.Hidden = true, address == ""
	if address != "" {
		v.link.name = address
		v.link.content.(*label).setText(address)
		v.link.onTapped = func() { w.openLink(address) }
	}
	v.text.Hidden = address != ""
	id := "ui.Attachment"
	switch c.Type {
	case acp.ContentImage:
		id = "ui.Picture"
	case acp.ContentAudio:
		id = "ui.Sound"
	}
	v.text.setText(w.text(id, "Name", mediaName(c)))
	if data := pictureData(c); data != "" {
		v.showPicture(c, data)
	}
}

// showPicture shows a picture in small, if it is not too large to be decoded.
func (v *mediaView) showPicture(c *acp.ContentBlock, data string) {
	w := v.r.w
	size, err := pictureSize(data)
	dimensions := fmt.Sprintf("%d × %d", size.X, size.Y)
	switch {
	case err != nil:
		v.text.setText(w.text("tool.BadPicture", "Name", mediaName(c)))
		return
	case size.X > mostPixels/size.Y:
		v.text.setText(w.text("tool.LargePicture", "Name", mediaName(c), "Size", dimensions))
		return
	}
	v.text.setText(w.text("ui.Picture", "Name", mediaName(c)+" · "+dimensions))
	width, height := thumbSize(size)
	v.frame.Layout.(*exactly).size = fyne.NewSize(width, height)
	v.larger.Hidden, v.larger.name = false, w.text("tool.Enlarge", "Name", mediaName(c))
	w.help(v.larger)
	v.picture.Image = w.thumbs.known[w.thumbs.key(data)]
	v.picture.Refresh()
	if v.picture.Image != nil {
		return
	}
	w.bridge.outside(func() func() {
		m, err := thumbnail(data)
		return func() { v.decoded(c, data, m, err) }
	})
}

func (v *mediaView) decoded(c *acp.ContentBlock, data string, m image.Image, err error) {
	w := v.r.w
	if err == nil {
		w.thumbs.add(w.thumbs.key(data), m)
	}
	if c != v.shown {
		return
	}
	if err != nil {
		v.larger.Hidden = true
		v.text.setText(w.text("tool.BadPicture", "Name", mediaName(c)))
		v.r.refresh()
		return
	}
	v.picture.Image = m
	v.picture.Refresh()
}

// mediaName is what a file is called, as far as its agent says.
func mediaName(c *acp.ContentBlock) string {
	for _, name := range []string{c.Title, c.Name, base(c.URI), base(c.Resource.URI), c.MIMEType, c.Resource.MIMEType} {
		if name != "" {
			return name
		}
	}
	return c.Type
}

// base is the last part of an address.
func base(address string) string {
	u, err := url.Parse(address)
	if err != nil || address == "" {
		return address
	}
	if name := path.Base(u.Path); name != "." && name != "/" {
		return name
	}
	return address
}

// webAddress is where a content lies on the web, if it does and is not here.
func webAddress(c *acp.ContentBlock) string {
	if c.Data != "" || c.Resource.Blob != "" {
		return ""
	}
	for _, address := range []string{c.URI, c.Resource.URI} {
		if u, err := url.Parse(address); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
			return address
		}
	}
	return ""
}

// exactly gives what it holds one size, at the left.
type exactly struct{ size fyne.Size }

func (e *exactly) Layout(objects []fyne.CanvasObject, _ fyne.Size) {
	for _, o := range objects {
		o.Resize(e.size)
		o.Move(fyne.Position{})
	}
}

func (e *exactly) MinSize([]fyne.CanvasObject) fyne.Size { return e.size }
