package e2e

import (
	"testing"

	"go.uber.org/goleak"

	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

func TestMain(m *testing.M) {
	fakeagent.Main()
	goleak.VerifyTestMain(m)
}
