//go:build unix

// Package enginetest gives tests a real Docker engine: images made from what
// Debian has, without a registry, containers that end with their test, the
// compose plugin, and a stand-in for sbx, which cannot be had in a test.
//
// scripts/engine starts an engine where none runs. Where none can be had, the
// tests that need one say why and are left out; nowhere else.
package enginetest

import (
	"context"
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// patience bounds each command of this package; making an image takes longest.
const patience = 10 * time.Minute

// reachable asks for the engine once.
var reachable = sync.OnceValues(func() (string, error) {
	return command("docker", "version", "--format", "{{.Server.APIVersion}}")
})

// Need ends the test when no engine answers.
func Need(t testing.TB) {
	t.Helper()
	if reason := os.Getenv("SIDEKICKS_NO_ENGINE"); reason != "" {
		t.Skip(reason)
	}
	if out, err := reachable(); err != nil {
		t.Fatalf("no Docker engine answers; scripts/engine starts one: %v: %s", err, out)
	}
}

// Docker runs a docker command to its end and returns what it prints, without
// the last line end.
func Docker(t testing.TB, args ...string) string {
	t.Helper()
	out, err := command("docker", args...)
	if err != nil {
		t.Fatalf("docker %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return out
}

// Name returns a name that no other container has.
func Name() string { return "sidekicks-test-" + strings.ToLower(rand.Text()[:10]) }

// Run starts a container of image that does nothing, with more arguments of
// docker run, and returns its name. It is removed when the test ends.
func Run(t testing.TB, image string, args ...string) string {
	t.Helper()
	Need(t)
	name := Name()
	RemoveLater(t, name)
	all := append([]string{"run", "-d", "--init", "--name", name}, args...)
	Docker(t, append(all, image, "sleep", "86400")...)
	return name
}

// RemoveLater removes a container, if there is one, when the test ends.
func RemoveLater(t testing.TB, name string) {
	t.Cleanup(func() { _, _ = command("docker", "rm", "--force", "--volumes", name) })
}

// Compose makes `docker compose` work in the test: with the plugin of this
// machine, or with the one that make builds in e2e/compose.
func Compose(t testing.TB) {
	t.Helper()
	Need(t)
	api, _ := reachable() // the plugin may be newer than the engine and does not ask
	t.Setenv("DOCKER_API_VERSION", api)
	if _, err := command("docker", "compose", "version"); err == nil {
		return
	}
	plugin := filepath.Join(moduleFolder(), "e2e", "compose", "docker-compose")
	if _, err := os.Stat(plugin); err != nil {
		t.Fatal("there is no compose plugin: 'make e2e/compose/docker-compose' builds one")
	}
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "cli-plugins"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(plugin, filepath.Join(folder, "cli-plugins", "docker-compose")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DOCKER_CONFIG", folder)
}

// Sbx returns the folder of the stand-in for sbx, to be put before the PATH.
// Its sandboxes are containers of image; it makes none without that variable.
func Sbx(t testing.TB, image string) string {
	t.Helper()
	Need(t)
	t.Setenv("SIDEKICKS_SBX_IMAGE", image)
	return filepath.Join(moduleFolder(), "runtime", "testdata")
}

func moduleFolder() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..")
}

func command(program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, program, args...).CombinedOutput()
	return strings.TrimSuffix(string(out), "\n"), err
}

// alone runs f while no other process of this user does it under that name.
func alone(t testing.TB, name string, f func()) {
	t.Helper()
	lock, err := os.OpenFile(filepath.Join(os.TempDir(), "sidekicks-"+name+".lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	f()
}
