package ui

import (
	"encoding/base64"
	"errors"
	"fmt"
	"hash/maphash"
	"image"
	_ "image/gif"  // what agents send
	_ "image/jpeg" // beside PNG
	_ "image/png"
	"io"
	"strings"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"

	"git.rickub.com/bots-garden/sidekicks/agent/acp"
)

const (
	thumbWidth, thumbHeight = 320, 240  // of a picture in a message, at most
	sharp                   = 2         // pixels of a picture for one of Fyne's: enough for any screen
	mostSide                = 3840      // of an enlarged one, in pixels
	mostPixels              = 32 << 20  // of a picture that is decoded: 128 MB
	headerBytes             = 256 << 10 // in which a picture says its size
	keptThumbs              = 24        // decoded pictures that are remembered, 1.2 MB each at most
)

// errPicture means that data is no picture, or of a kind that is not known.
var errPicture = errors.New("the picture can't be read")

// pictureData is the data of a picture in base64, "" if the content is none or
// lies elsewhere. A picture that lies elsewhere is never loaded.
func pictureData(c *acp.ContentBlock) string {
	switch {
	case c.Type == acp.ContentImage:
		return c.Data
	case c.Type == acp.ContentResource && strings.HasPrefix(c.Resource.MIMEType, "image/"):
		return c.Resource.Blob
	}
	return ""
}

// pictureSize returns how many pixels a picture has, without decoding them.
func pictureSize(data string) (image.Point, error) {
	if len(data) > base64.StdEncoding.EncodedLen(headerBytes) {
		data = data[:base64.StdEncoding.EncodedLen(headerBytes)]
	}
	c, _, err := image.DecodeConfig(decoded(data))
	if err != nil || c.Width <= 0 || c.Height <= 0 {
		return image.Point{}, errPicture
	}
	return image.Pt(c.Width, c.Height), nil
}

// decoded reads base64, in lines or not, padded or not.
func decoded(data string) io.Reader {
	return base64.NewDecoder(base64.RawStdEncoding, &unpadded{strings.NewReader(data)})
}

// unpadded leaves out the padding of base64.
type unpadded struct{ io.Reader }

func (u *unpadded) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	kept := 0
	for _, c := range p[:n] {
		if c != '=' {
			p[kept] = c
			kept++
		}
	}
	return kept, err
}

// thumbSize is how large a picture of that size is shown: never larger than
// it is.
func thumbSize(size image.Point) (width, height float32) {
	w, h := float32(size.X), float32(size.Y)
	scale := min(1, thumbWidth/w, thumbHeight/h)
	return max(1, float32(int(w*scale))), max(1, float32(int(h*scale)))
}

// thumbnail decodes a picture whose size was found to be fit, and makes it
// small. It takes long.
func thumbnail(data string) (image.Image, error) {
	source, _, err := image.Decode(decoded(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPicture, err)
	}
	size := source.Bounds().Size()
	w, h := thumbSize(size)
	if size.X <= int(w)*sharp {
		return source, nil
	}
	return scaled(source, image.Pt(int(w)*sharp, int(h)*sharp)), nil
}

// wholePicture decodes a picture whose size was found to be fit, and makes it
// no larger than a screen. It takes long.
func wholePicture(data string) (image.Image, error) {
	source, _, err := image.Decode(decoded(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPicture, err)
	}
	return forScreen(source), nil
}

// forScreen makes a picture no larger than a screen.
func forScreen(source image.Image) image.Image {
	size := source.Bounds().Size()
	scale := min(1, mostSide/float64(max(size.X, size.Y)))
	if scale == 1 {
		return source
	}
	return scaled(source, image.Pt(max(1, int(float64(size.X)*scale)), max(1, int(float64(size.Y)*scale))))
}

func scaled(source image.Image, size image.Point) image.Image {
	small := image.NewNRGBA(image.Rectangle{Max: size})
	draw.ApproxBiLinear.Scale(small, small.Rect, source, source.Bounds(), draw.Src, nil)
	return small
}

// thumbs remembers thumbnails by what is in their data.
type thumbs struct {
	seed  maphash.Seed
	known map[thumbKey]image.Image
}

type thumbKey struct {
	hash uint64
	size int
}

func newThumbs() *thumbs { return &thumbs{maphash.MakeSeed(), map[thumbKey]image.Image{}} }

func (t *thumbs) key(data string) thumbKey { return thumbKey{maphash.String(t.seed, data), len(data)} }

func (t *thumbs) add(key thumbKey, m image.Image) {
	if len(t.known) >= keptThumbs {
		clear(t.known)
	}
	t.known[key] = m
}
