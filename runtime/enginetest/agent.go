//go:build unix

package enginetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// agent builds the fake agent once for a test binary.
var agent = sync.OnceValues(func() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	program := filepath.Join(cache, "sidekicks-tests", "fakeagent")
	build := exec.Command("go", "build", "-o", program, "git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent/alone")
	build.Dir = moduleFolder()
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	return program + string(out), err
})

// Agent returns the file of a fake agent that runs in any container of this
// processor. Its script is in the variable [fakeagent.Env].
func Agent(t testing.TB) string {
	t.Helper()
	var program string
	alone(t, "agent", func() {
		var err error
		if program, err = agent(); err != nil {
			t.Fatalf("build the fake agent: %v: %s", err, program)
		}
	})
	return program
}
