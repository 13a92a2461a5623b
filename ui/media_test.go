package ui

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
	"git.rickub.com/bots-garden/sidekicks/app"
)

// pngData is a picture of that size in base64.
func pngData(t testing.TB, width, height int) string {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, width, height))
	m.Set(0, 0, color.White)
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// claimed is a picture that says to be that large, and ends there.
func claimed(width, height uint32) string {
	header := []byte("IHDR")
	header = binary.BigEndian.AppendUint32(header, width)
	header = binary.BigEndian.AppendUint32(header, height)
	header = append(header, 8, 2, 0, 0, 0)
	out := binary.BigEndian.AppendUint32([]byte("\x89PNG\r\n\x1a\n"), uint32(len(header)-4))
	out = append(out, header...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(header))
	return base64.StdEncoding.EncodeToString(out)
}

func TestPictureSize(t *testing.T) {
	good := pngData(t, 30, 20)
	for _, c := range []struct {
		data string
		want image.Point
	}{
		{good, image.Pt(30, 20)},
		{strings.TrimRight(good, "="), image.Pt(30, 20)},
		{good[:40] + "\r\n" + good[40:], image.Pt(30, 20)},
		{claimed(20_000, 20_000), image.Pt(20_000, 20_000)},
		{"", image.Point{}}, {"AAAA", image.Point{}}, {"not base64!", image.Point{}}, {good[:20], image.Point{}},
	} {
		got, err := pictureSize(c.data)
		if got != c.want || (err == nil) != (c.want != image.Point{}) {
			t.Errorf("%.20q: %v, %v", c.data, got, err)
		}
	}
}

func TestThumbnails(t *testing.T) {
	for _, c := range []struct{ width, height, wantW, wantH, pixels int }{
		{30, 20, 30, 20, 30},
		{800, 500, 320, 200, 640},
		{400, 900, 106, 240, 212},
		{5000, 2, 320, 1, 640},
	} {
		data := pngData(t, c.width, c.height)
		w, h := thumbSize(image.Pt(c.width, c.height))
		m, err := thumbnail(data)
		if err != nil || int(w) != c.wantW || int(h) != c.wantH || m.Bounds().Dx() != c.pixels {
			t.Errorf("%d × %d: shown %g × %g, %v wide, %v", c.width, c.height, w, h, m.Bounds(), err)
		}
	}
	if _, err := thumbnail(claimed(10, 10)); err == nil {
		t.Error("a picture that breaks off is shown")
	}
}

func TestPictures(t *testing.T) {
	f := newFake()
	message := app.Message{Channel: 1, Kind: app.FromAgent, Author: "alice", CreatedAt: time.Now(), EndedAt: time.Now()}
	for i, c := range []acp.ContentBlock{
		{Type: acp.ContentImage, MIMEType: "image/png", Data: pngData(t, 800, 500), URI: "file:///x/chart%20one.png"},
		{Type: acp.ContentImage, Data: claimed(20_000, 20_000), URI: "file:///x/huge.png"},
		{Type: acp.ContentImage, Data: "AAAA", MIMEType: "image/png"},
		{Type: acp.ContentImage, Data: claimed(9, 9), URI: "file:///x/broken.png"},
		{Type: acp.ContentImage, URI: "https://example.org/far.png"},
		{Type: acp.ContentAudio, MIMEType: "audio/wav", Data: "AAAA"},
		{Type: acp.ContentResource, Resource: acp.Resource{URI: "file:///x/in.png", MIMEType: "image/png", Blob: pngData(t, 8, 8)}},
	} {
		message.Parts = append(message.Parts, app.Part{Seq: i + 1, Kind: app.AttachmentPart, Content: &c})
	}
	f.add(message)
	w := openTest(t, f)
	row := w.conversation.rows[w.conversation.list.Row(key(3))].messageRow
	view := func(seq int) *mediaView { return row.views[seq].(*mediaView) }
	before := row.object.MinSize().Height
	if v := view(1); v.picture.Image != nil || v.frame.MinSize() != fyne.NewSize(320, 200) {
		t.Errorf("before it is decoded: %v", v.frame.MinSize())
	}
	broken := view(4).box.MinSize().Height
	w.bridge.runErrands()
	if got := row.object.MinSize().Height; got != before-broken+view(4).box.MinSize().Height {
		t.Errorf("decoded pictures move the row from %g to %g", before, got)
	}
	if view(1).picture.Image == nil || view(7).picture.Image == nil {
		t.Error("a picture is not shown")
	}
	if view(2).picture.Image != nil || !view(2).larger.Hidden {
		t.Error("a picture of 400 megapixels is decoded")
	}
	shows(t, row.object,
		"Picture: chart one.png · 800 × 500", "huge.png: 20000 × 20000 pixels are too many to be shown",
		"image/png: the picture can't be read", "broken.png: the picture can't be read",
		"https://example.org/far.png", "Sound: audio/wav", "Picture: in.png · 8 × 8")
	find(t, row.object, "https://example.org/far.png").press()
	if top := w.fyne.Canvas().Overlays().Top(); top == nil && w.leave == nil {
		t.Error("a link is followed without a question")
	}
	w.leave()
	find(t, row.object, "Enlarge chart one.png").press()
	w.bridge.runErrands()
	large := w.fyne.Canvas().Overlays().Top().(*fyne.Container)
	shows(t, large, "chart one.png")
	var whole *canvas.Image
	walk(large, func(o fyne.CanvasObject) {
		if p, ok := o.(*canvas.Image); ok {
			whole = p
		}
	})
	if whole == nil || whole.Image.Bounds().Dx() != 800 || whole.Size().Width < 600 {
		t.Errorf("enlarged: %v", whole)
	}
	w.leave()
	if w.fyne.Canvas().Overlays().Top() != nil {
		t.Error("an enlarged picture stays")
	}

	v := newMediaView(row)
	v.set(message.Parts[0].Content)
	if v.picture.Image == nil {
		t.Error("a picture that is known is decoded again")
	}
}
