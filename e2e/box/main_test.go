//go:build linux

package box

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"git.rickub.com/bots-garden/sidekicks/box/cli"
)

// The tests run agentbox as a program of its own: this one, told to be it.
const beAgentbox = "SIDEKICKS_TEST_BE_AGENTBOX"

func TestMain(m *testing.M) {
	if os.Getenv(beAgentbox) != "" {
		os.Exit(cli.Run(os.Args[1:]))
	}
	goleak.VerifyTestMain(m)
}
