package main

import (
	"cmp"
	"hash/crc32"
	"image/color"
	"slices"
)

func checksum(data []byte) uint32 { return crc32.ChecksumIEEE(data) }

// vector is a colour as seen: red, green, blue, each times alpha, and alpha.
type vector [4]float64

func seen(c color.NRGBA) vector {
	a := float64(c.A) / 255
	return vector{float64(c.R) * a, float64(c.G) * a, float64(c.B) * a, float64(c.A)}
}

func (v vector) away(w vector) (d float64) {
	for i := range v {
		d += (v[i] - w[i]) * (v[i] - w[i])
	}
	return d
}

func (v vector) color() color.NRGBA {
	if v[3] < 1 {
		return color.NRGBA{}
	}
	part := func(x float64) uint8 { return uint8(min(255, x*255/v[3]+0.5)) }
	return color.NRGBA{part(v[0]), part(v[1]), part(v[2]), uint8(v[3] + 0.5)}
}

// tint is a colour of the picture and how many pixels have it.
type tint struct {
	vector
	count float64
}

// quantize chooses the colours of a picture: boxes of colours are cut in two,
// the one with the largest error first, and their means are then moved to
// where the nearest colours are.
func quantize(pixels []color.NRGBA, most int) (color.Palette, []uint8) {
	counts := map[color.NRGBA]float64{}
	for _, p := range pixels {
		counts[p]++
	}
	var all []tint
	for c, n := range counts {
		all = append(all, tint{seen(c), n})
	}
	slices.SortFunc(all, func(a, b tint) int { return slices.Compare(a.vector[:], b.vector[:]) })
	boxes := [][]tint{all}
	for len(boxes) < most {
		worst, axis, most := -1, 0, 0.0
		for i, b := range boxes {
			if k, e := spread(b); e > most {
				worst, axis, most = i, k, e
			}
		}
		if worst < 0 {
			break
		}
		left, right := cut(boxes[worst], axis)
		boxes[worst] = left
		boxes = append(boxes, right)
	}
	var means []vector
	for _, b := range boxes {
		means = append(means, mean(b))
	}
	for range 6 {
		near := make([][]tint, len(means))
		for _, t := range all {
			k := nearest(means, t.vector)
			near[k] = append(near[k], t)
		}
		for i, b := range near {
			if len(b) > 0 {
				means[i] = mean(b)
			}
		}
	}
	slices.SortFunc(means, func(a, b vector) int { return cmp.Compare(a[3]*1e3+a[0]+a[1]+a[2], b[3]*1e3+b[0]+b[1]+b[2]) })
	var palette color.Palette
	for _, m := range means {
		palette = append(palette, m.color())
	}
	index := make([]uint8, len(pixels))
	for i, p := range pixels {
		index[i] = uint8(nearest(means, seen(p)))
	}
	return palette, index
}

// spread returns along which part colours of a box differ most, and the error
// that one mean for all of them would make.
func spread(b []tint) (axis int, sum float64) {
	m := mean(b)
	var parts vector
	for _, t := range b {
		for i := range parts {
			parts[i] += (t.vector[i] - m[i]) * (t.vector[i] - m[i]) * t.count
		}
	}
	for i, p := range parts {
		sum += p
		if p > parts[axis] {
			axis = i
		}
	}
	return axis, sum
}

// cut parts a box at its mean.
func cut(b []tint, axis int) (left, right []tint) {
	at := mean(b)[axis]
	for _, t := range b {
		if t.vector[axis] <= at {
			left = append(left, t)
		} else {
			right = append(right, t)
		}
	}
	return left, right
}

func mean(b []tint) (m vector) {
	n := 0.0
	for _, t := range b {
		n += t.count
		for i := range m {
			m[i] += t.vector[i] * t.count
		}
	}
	for i := range m {
		m[i] /= n
	}
	return m
}

func nearest(means []vector, v vector) (best int) {
	least := -1.0
	for i, m := range means {
		if d := m.away(v); least < 0 || d < least {
			best, least = i, d
		}
	}
	return best
}
