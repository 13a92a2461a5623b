package e2e

import (
	"log"
	"os"
	"testing"

	"go.uber.org/goleak"

	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

// builds is the folder of the programs that the tests build.
var builds string

func TestMain(m *testing.M) {
	fakeagent.Main()
	var err error
	if builds, err = os.MkdirTemp("", "sidekicks-e2e-"); err != nil {
		log.Fatal(err)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(builds)
		os.Exit(code)
	}))
}
