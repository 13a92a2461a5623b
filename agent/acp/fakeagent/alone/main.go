// Command alone is the fake agent as a program of its own, for tests in
// containers: built without cgo, it needs nothing there.
package main

import (
	"os"

	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

func main() {
	fakeagent.Main()
	os.Exit(2) // its script was not given
}
