package main

import (
	"go/build"
	"go/importer"
	"go/token"
	"go/types"
	"testing"
)

// TestCompilesForOtherSystems checks the types of agentbox and of all that it is
// made of where these tests do not run, and without C, as it is released. To
// build it would take minutes.
func TestCompilesForOtherSystems(t *testing.T) {
	system, cgo := build.Default.GOOS, build.Default.CgoEnabled
	defer func() { build.Default.GOOS, build.Default.CgoEnabled = system, cgo }()
	build.Default.CgoEnabled = false
	for _, build.Default.GOOS = range []string{"darwin", "windows"} {
		source := importer.ForCompiler(token.NewFileSet(), "source", nil).(types.ImporterFrom)
		if _, err := source.ImportFrom("git.rickub.com/bots-garden/sidekicks/box/cli", ".", 0); err != nil {
			t.Errorf("%s: %v", build.Default.GOOS, err)
		}
	}
}
