//go:build linux

package box

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/runtime/enginetest"
)

// claudeVersion is the Claude Code that the tests build in.
const claudeVersion = "2.1.332"

// The images of the tests; they stay for the next time.
const (
	nodeImage  = "sidekicks-test-node:1"     // what node:22 is to a person
	claudeBox  = "sidekicks-test-agentbox:1" // agentbox's own, built by itself
	stubImage  = "sidekicks-test-stub:1"     // to build on when Claude Code is not the point
	brokenTmux = "sidekicks-test-broken:1"
)

// node makes nodeImage, unless it is there.
func node(t *testing.T) {
	t.Helper()
	debian := enginetest.Debian(t)
	if exec.Command("docker", "image", "inspect", nodeImage).Run() == nil {
		return
	}
	context := t.TempDir()
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	for from, to := range map[string]string{"node-linux-" + arch + "/bin/node": "node", "npm": "npm"} {
		from = filepath.Join("node_modules", from)
		if _, err := os.Stat(from); err != nil {
			t.Fatalf("'make test' installs it: %v", err)
		}
		to = filepath.Join(context, to)
		if exec.Command("cp", "-rl", from, to).Run() == nil { // links, on one file system
			continue
		}
		if out, err := exec.Command("cp", "-r", from, to).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	build(t, nodeImage, context, `FROM `+debian+`
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
# As in Debian's own images, packages are not written through to the disk one by one.
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
 && groupadd -g 1000 node && useradd -u 1000 -g node -m -s /bin/bash node \
 && echo force-unsafe-io > /etc/dpkg/dpkg.cfg.d/docker-apt-speedup
`)
}

// stub makes an image on which agentbox's own builds in a moment: what that
// installs is there already, and its Claude Code is a stand-in.
func stub(t *testing.T, base string) {
	t.Helper()
	context := t.TempDir()
	claude, err := os.ReadFile("testdata/claude")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(context, "claude"), string(claude))
	build(t, stubImage, context, `FROM `+base+`
USER root
COPY claude /opt/claude
RUN rm -f /usr/local/bin/claude && install -m 755 /opt/claude /usr/local/bin/claude \
 && for name in apt-get npm; do ln -sf /bin/true /usr/local/bin/$name; done
`)
}

// broken makes an image of another whose tmux does not run.
func broken(t *testing.T, base string) {
	t.Helper()
	build(t, brokenTmux, t.TempDir(), `FROM `+base+`
USER root
RUN printf '#!/bin/sh\necho tmux is broken >&2\nexit 9\n' > /usr/local/bin/tmux && chmod 755 /usr/local/bin/tmux
USER agent
`)
}

func build(t *testing.T, image, context, dockerfile string) {
	t.Helper()
	write(t, filepath.Join(context, "Dockerfile"), dockerfile)
	enginetest.Docker(t, "build", "--quiet", "--force-rm", "--tag", image, context)
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
