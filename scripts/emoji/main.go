// Emoji packs the pictures of the npm package emoji-datasource-google, which
// are those of Noto, into the one file that Sidekicks embeds:
//
//	npm pack emoji-datasource-google@16.0.0 && tar xzf emoji-datasource-google-16.0.0.tgz
//	go run ./scripts/emoji package/img/google/64 assets/emoji/noto.zip
//
// A picture keeps its 64 pixels but has at most 64 colours, which nobody can
// tell from the original at the size of a letter. Couples in two colours of
// skin are left out: they are drawn in yellow.
package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
)

const (
	colors   = 64
	faintest = 8 // alpha below which a pixel is not seen
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: emoji folder-of-png file.zip")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "emoji:", err)
		os.Exit(1)
	}
}

// pack writes all pictures of a folder, named by their code points without the
// selector of emoji presentation, which texts often lack.
func pack(folder, file string) error {
	names, err := filepath.Glob(filepath.Join(folder, "*.png"))
	if err != nil || len(names) == 0 {
		return fmt.Errorf("no pictures in %s: %v", folder, err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range names {
		key := strings.TrimSuffix(filepath.Base(name), ".png")
		if tones(key) > 1 {
			continue
		}
		small, err := shrink(name)
		if err != nil {
			return err
		}
		// PNG is compressed already.
		entry, err := w.CreateRaw(&zip.FileHeader{
			Name: strings.ReplaceAll(key, "-fe0f", ""), Method: zip.Store,
			CRC32: checksum(small), CompressedSize64: uint64(len(small)), UncompressedSize64: uint64(len(small)),
		})
		if err != nil {
			return err
		}
		if _, err := entry.Write(small); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}

// tones counts the colours of skin in a name.
func tones(key string) (n int) {
	for code := range strings.SplitSeq(key, "-") {
		if code >= "1f3fb" && code <= "1f3ff" {
			n++
		}
	}
	return n
}

// shrink returns a picture in few colours.
func shrink(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	source, err := png.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	b := source.Bounds()
	pixels := make([]color.NRGBA, 0, b.Dx()*b.Dy())
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.NRGBAModel.Convert(source.At(x, y)).(color.NRGBA)
			if c.A < faintest {
				c = color.NRGBA{}
			}
			pixels = append(pixels, c)
		}
	}
	palette, index := quantize(pixels, colors)
	small := image.NewPaletted(b, palette)
	copy(small.Pix, index)
	var out bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if err := e.Encode(&out, small); err != nil {
		return nil, fmt.Errorf("write %s: %w", name, err)
	}
	return out.Bytes(), nil
}
