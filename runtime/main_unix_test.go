//go:build unix

package runtime

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds every wait; a test that needs it has failed.
const patience = 2 * time.Minute

// until looks again and again for what no event tells of: what is inside a
// container.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	late := time.After(patience)
	for !ok() {
		select {
		case <-late:
			t.Fatalf("waited in vain: %s", what)
		case <-time.After(100 * time.Millisecond):
		}
	}
}
