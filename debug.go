package main

import (
	"io"
	"os"
	"slices"
	"strings"
)

// debug returns where to tell about a topic that SIDEKICKS_DEBUG names: "acp"
// is the traffic with the agents. It is nil when the topic is not named.
func (p *program) debug(topic string) io.Writer {
	if slices.Contains(strings.Split(os.Getenv("SIDEKICKS_DEBUG"), ","), topic) {
		return p.err
	}
	return nil
}
