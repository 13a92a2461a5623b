// Package emoji finds emoji in texts and draws them as pictures that look the
// same on every computer: fonts are missing there, or draw a sequence such as
// 👩‍💻 in pieces. Pictures are decoded when they are first needed.
//
// It draws on no screen. A character that has an emoji but is a letter by
// itself, such as ▶ or ©, counts as one only with the selector of emoji
// presentation, U+FE0F.
package emoji

import (
	"archive/zip"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"git.rickub.com/bots-garden/sidekicks/assets"
)

const (
	asText    = '\uFE0E' // selectors of presentation
	asPicture = '\uFE0F'
	keycap    = '\u20E3'

	// letters are text by default (Unicode, emoji-data.txt) and in the window's
	// fonts. What they lack is drawn as a picture.
	letters = "#*0123456789©®‼⁉™↔↕↖↗↘↙↩↪⏏Ⓜ▪▫▶◀☀♥⚠❤⬆"

	kept = 512 // decoded pictures, 16 KB each
)

// pack is the embedded pictures.
type pack struct {
	files  map[string]*zip.File // by code points, as in the zip
	starts map[rune]bool        // what the name of a picture can begin with

	mu      sync.Mutex
	decoded map[string]image.Image
}

var pictures = sync.OnceValue(open)

func open() *pack {
	z, err := zip.NewReader(strings.NewReader(assets.Emoji), int64(len(assets.Emoji)))
	if err != nil {
		panic(fmt.Sprintf("embedded emoji: %v", err)) // a build without its files
	}
	p := &pack{files: make(map[string]*zip.File, len(z.File)), starts: map[rune]bool{}, decoded: map[string]image.Image{}}
	for _, f := range z.File {
		p.files[f.Name] = f
		first, _, _ := strings.Cut(f.Name, "-")
		r, _ := strconv.ParseInt(first, 16, 32)
		p.starts[rune(r)] = true
	}
	return p
}

// Picture returns the picture of an emoji, 64 pixels high, or nil for anything
// else. It is safe for concurrent use.
func Picture(cluster string) image.Image {
	name := pictures().find(cluster)
	if name == "" {
		return nil
	}
	return pictures().decode(name)
}

// Is reports whether a grapheme cluster is an emoji that has a picture.
func Is(cluster string) bool { return pictures().find(cluster) != "" }

// Find returns where the first emoji of a text that has a picture is,
// s[start:end]; both are len(s) when there is none.
func Find(s string) (start, end int) {
	if !suspect(s) {
		return len(s), len(s)
	}
	p := pictures()
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !p.starts[r] || r < 0x80 && !strings.HasPrefix(s[i+1:], "\uFE0F") && !strings.HasPrefix(s[i+1:], "\u20E3") {
			i += n
			continue
		}
		cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(s[i:], -1)
		if p.find(cluster) != "" {
			return i, i + len(cluster)
		}
		i += len(cluster)
	}
	return len(s), len(s)
}

// suspect tells quickly of most texts that no emoji is in them: each has a
// character from U+2000 on.
func suspect(s string) bool {
	for i := range len(s) {
		if s[i] >= 0xE2 {
			return true
		}
	}
	return false
}

// find returns the name of the picture of a cluster, or "". A sequence whose
// colours of skin have no picture is drawn without them.
func (p *pack) find(cluster string) string {
	first, n := utf8.DecodeRuneInString(cluster)
	if !p.starts[first] || strings.ContainsRune(cluster, asText) ||
		n == len(cluster) && strings.ContainsRune(letters, first) {
		return ""
	}
	name, plain := "", ""
	for _, r := range cluster {
		if r == asPicture {
			continue
		}
		code := fmt.Sprintf("-%04x", r)
		name += code
		if r < 0x1F3FB || r > 0x1F3FF {
			plain += code
		}
	}
	name, plain = strings.TrimPrefix(name, "-"), strings.TrimPrefix(plain, "-")
	for _, name := range []string{name, plain, pairs[plain]} {
		if p.files[name] != nil {
			return name
		}
	}
	return ""
}

// pairs are the pictures of two people that are one character while they are
// of the same colour.
var pairs = map[string]string{
	"1f469-200d-1f91d-200d-1f468":           "1f46b", // holding hands
	"1f469-200d-1f91d-200d-1f469":           "1f46d",
	"1f468-200d-1f91d-200d-1f468":           "1f46c",
	"1f9d1-200d-2764-200d-1f48b-200d-1f9d1": "1f48f", // a kiss
	"1f9d1-200d-2764-200d-1f9d1":            "1f491", // in love
	"1faf1-200d-1faf2":                      "1f91d", // a handshake
}

func (p *pack) decode(name string) image.Image {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m := p.decoded[name]; m != nil {
		return m
	}
	f, err := p.files[name].Open()
	if err != nil {
		return nil
	}
	defer f.Close()
	source, err := png.Decode(f)
	if err != nil {
		return nil
	}
	m := image.NewNRGBA(source.Bounds()) // scaled faster than a picture with a palette
	draw.Draw(m, m.Rect, source, m.Rect.Min, draw.Src)
	if len(p.decoded) >= kept {
		clear(p.decoded)
	}
	p.decoded[name] = m
	return m
}
