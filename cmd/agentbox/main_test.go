package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestBuildsForAllSystems builds agentbox as it is released: without C, and on
// Linux without a library.
func TestBuildsForAllSystems(t *testing.T) {
	for _, target := range []string{"linux", "darwin", "windows"} {
		t.Run(target, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "agentbox")
			build := exec.Command("go", "build", "-o", program, ".")
			build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+target, "GOFLAGS=")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if target != "linux" {
				return
			}
			file, err := elf.Open(program)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			if libraries, err := file.ImportedLibraries(); err != nil || len(libraries) != 0 {
				t.Errorf("it needs %q, %v", libraries, err)
			}
		})
	}
}
