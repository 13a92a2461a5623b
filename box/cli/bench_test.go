//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/box/docker/dockertest"
)

// BenchmarkUpAgain measures what agentbox adds to docker when it attaches to a
// box that runs: 0.5 s at most.
func BenchmarkUpAgain(b *testing.B) {
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"HOME", "TMPDIR"} {
		b.Setenv(name, dir)
	}
	b.Chdir(dir)
	box, err := json.Marshal(map[string]any{"id": "b1", "image": "sha256:a", "state": map[string]any{"Status": "running"},
		"labels": map[string]string{"agentbox.yolo": "false", "agentbox.workspace": dir, "agentbox.port": "4317"}})
	if err != nil {
		b.Fatal(err)
	}
	dockertest.New(b, dockertest.Rule{Args: "container inspect", Out: string(box)},
		dockertest.Rule{Args: "image inspect", Out: `{"id":"sha256:a","size":1,"labels":{}}`})
	for b.Loop() {
		var out bytes.Buffer
		if code := (&program{out: &out, err: &out}).run(b.Context(), []string{"up"}); code != 0 {
			b.Fatalf("exit code %d: %s", code, &out)
		}
	}
}

// BenchmarkDoctorWithoutADaemon measures the doctor where nobody answers: 2 s
// at most.
func BenchmarkDoctorWithoutADaemon(b *testing.B) {
	b.Setenv("HOME", b.TempDir())
	b.Chdir(b.TempDir())
	dockertest.New(b, noDaemon)
	for b.Loop() {
		var out bytes.Buffer
		if code := (&program{out: &out, err: &out}).run(b.Context(), []string{"doctor"}); code != 1 {
			b.Fatalf("exit code %d: %s", code, &out)
		}
	}
}
