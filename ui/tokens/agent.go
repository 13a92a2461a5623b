package tokens

import (
	"hash/fnv"
	"image/color"
)

// AgentColor returns the colour of the circle that stands for an agent
// without an icon. The same name has the same colour everywhere, in both
// themes; a white letter is readable on it.
func AgentColor(name string) color.Color {
	circles := [...]uint32{
		0x0c7c7e, 0xb0446b, 0x5b5bd6, 0x9a5b13, 0x2f7d4f, 0xa23fa8,
		0x2b6cb0, 0xb4462f, 0x64748b, 0x6b7a12, 0x8050c0, 0x3f6f8f,
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return rgb(circles[h.Sum32()%uint32(len(circles))])
}
