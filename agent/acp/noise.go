package acp

import "fmt"

// Noise is a kind of thing that was skipped.
type Noise int

const (
	NoiseText      Noise = iota // a line that is not a JSON object
	NoiseObject                 // an object that is no message
	NoiseError                  // an error without an id: the peer could not read a line of ours
	NoiseUnmatched              // an answer to no request
	NoiseTooLong                // a line longer than MaxLine
	NoiseUnsent                 // an answer dropped because the peer does not read
	NoisePanic                  // a panic of the handler
	noiseKinds
)

// maxNoise bounds, in bytes, what is told of a skipped line: it may hold
// secrets, and be endless.
const maxNoise = 300

func (n Noise) String() string {
	names := [noiseKinds]string{"text", "object", "error", "unmatched", "too long", "unsent", "panic"}
	if n < 0 || n >= noiseKinds {
		return fmt.Sprintf("Noise(%d)", int(n))
	}
	return names[n]
}

// Noises returns how many things of a kind were skipped so far.
func (c *Conn) Noises(kind Noise) int {
	return int(c.noises[kind].Load())
}

func (c *Conn) noise(kind Noise, line string) {
	c.noises[kind].Add(1)
	defer func() { _ = recover() }() // a panic about a panic has nowhere to go
	c.handler.Noise(kind, line)
}
