package main

import (
	"image/color"
	"testing"
)

func TestQuantize(t *testing.T) {
	var few, many []color.NRGBA
	for i := range 4096 {
		few = append(few, color.NRGBA{uint8(i%8) * 30, 10, 20, 255})
		many = append(many, color.NRGBA{uint8(i), uint8(i / 16), uint8(i % 64), uint8(255 - i%3)})
	}
	for _, c := range []struct {
		name   string
		pixels []color.NRGBA
		most   float64 // of the mean error, in squares
	}{{"few colours", few, 0}, {"many colours", many, 400}, {"nothing", []color.NRGBA{{}}, 0}} {
		palette, index := quantize(c.pixels, colors)
		if len(palette) > colors || len(index) != len(c.pixels) {
			t.Fatalf("%s: %d colours for %d of %d pixels", c.name, len(palette), len(index), len(c.pixels))
		}
		sum := 0.0
		for i, p := range c.pixels {
			sum += seen(p).away(seen(palette[index[i]].(color.NRGBA)))
		}
		if mean := sum / float64(len(c.pixels)); mean > c.most {
			t.Errorf("%s: the mean error is %.1f", c.name, mean)
		}
	}
}

func TestTones(t *testing.T) {
	for key, want := range map[string]int{"1f44d": 0, "1f44d-1f3fd": 1, "1f469-1f3fb-200d-1f91d-200d-1f468-1f3ff": 2} {
		if got := tones(key); got != want {
			t.Errorf("%s has %d colours of skin, want %d", key, got, want)
		}
	}
}
