//go:build unix

package enginetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestImages(t *testing.T) {
	for _, image := range []string{Busybox(t), Debian(t)} {
		box := Run(t, image)
		if got := Docker(t, "exec", box, "sh", "-c", "echo $((6*7)); ls /proc/self/stat"); got != "42\n/proc/self/stat" {
			t.Errorf("%s: %q", image, got)
		}
	}
}

// What the stand-in for sbx does is what its documentation says of sbx.
func TestSbx(t *testing.T) {
	sbx := filepath.Join(Sbx(t, Busybox(t)), "sbx")
	folder, name := t.TempDir(), Name()
	RemoveLater(t, name)
	file := "schemaVersion: \"1\"\nname: " + name + "\nagent: shell\n"
	if err := os.WriteFile(filepath.Join(folder, "sbxenv.yaml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		args string
		want string // in what is printed
		fail bool
	}{
		{"exec NAME true", "not found", true},
		{"env create", "approval", true},
		{"env create --force", "Created", false},
		{"ls -q", name, false},
		{"stop NAME", name, false},
		{"ls -q", name, false},
		{"exec -i NAME pwd", "/", false}, // starts it
		{"exec -i -w " + folder + " NAME pwd", folder, false},
		{"rm NAME", "approval", true},
		{"env rm", "approval", true},
		{"env rm --force", "Removed", false},
		{"exec NAME true", "not found", true},
	} {
		cmd := exec.Command(sbx, strings.Fields(strings.ReplaceAll(step.args, "NAME", name))...)
		cmd.Dir = folder
		out, err := cmd.CombinedOutput()
		if (err != nil) != step.fail || !strings.Contains(string(out), step.want) {
			t.Fatalf("sbx %s: %v: %s", step.args, err, out)
		}
	}
}
