//go:build linux

package box

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"git.rickub.com/bots-garden/sidekicks/runtime/enginetest"
)

// patience bounds every wait: the engine may have much else to do.
const patience = 3 * time.Minute

// person is somebody who uses agentbox: a home, a project, settings.
type person struct {
	home, work string
	env        []string
	box        string // name of the container
	port       string
}

// newPerson makes a person whose box is built on base and named apart.
func newPerson(t *testing.T, base, image string) *person {
	t.Helper()
	enginetest.Need(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &person{home: filepath.Join(dir, "home"), work: filepath.Join(dir, "a project, é"), box: enginetest.Name(), port: freePort(t)}
	for _, folder := range []string{p.home, p.work} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		p.own(t, folder)
	}
	p.env = append(os.Environ(), beAgentbox+"=1", "HOME="+p.home, "TMPDIR="+dir, "SUDO_UID=", "WORKSPACE=", "MEM=", "CPUS=", "DOCKER_NETWORK=",
		"AGENTBOX_CONTAINER="+p.box, "AGENTBOX_IMAGE="+image, "BASE_IMAGE="+base, "CLAUDE_CODE_VERSION="+claudeVersion,
		"AGENTBOX_CA_BUNDLE="+certificates(), "TERM=xterm-256color", "CLAUDE_CODE_OAUTH_TOKEN=", "ANTHROPIC_API_KEY=", "ANTHROPIC_AUTH_TOKEN=")
	enginetest.RemoveLater(t, p.box)
	return p
}

// certificates returns the file of those that this machine trusts: where a
// proxy answers for the internet, builds need them.
func certificates() string {
	const debian = "/etc/ssl/certs/ca-certificates.crt"
	if _, err := os.Stat(debian); err != nil {
		return ""
	}
	return debian
}

// own gives a file to the person: where the tests are root's, that is somebody else.
func (p *person) own(t *testing.T, name string) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	if err := os.Chown(name, 1000, 1000); err != nil {
		t.Fatal(err)
	}
}

// freePort returns a port that nobody listens on, and none that the system
// gives to whoever asks for any: it must stay free while there is no box.
func freePort(t *testing.T) string {
	t.Helper()
	for {
		port := strconv.Itoa(10_000 + rand.IntN(20_000))
		if l, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			_ = l.Close()
			return port
		}
	}
}

// command is agentbox with arguments.
func (p *person) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute) // it may build the image
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = p.work, p.env
	return cmd
}

// run runs agentbox without a terminal and wants an exit code and texts.
func (p *person) run(t *testing.T, code int, wants []string, args ...string) string {
	t.Helper()
	return finish(t, p.command(t, args...), code, wants)
}

func finish(t *testing.T, cmd *exec.Cmd, code int, wants []string) string {
	t.Helper()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("agentbox %q ended with %d, want %d:\n%s", cmd.Args[1:], got, code, &out)
	}
	for _, want := range wants {
		if !strings.Contains(out.String(), want) {
			t.Errorf("agentbox %q: no %q in\n%s", cmd.Args[1:], want, &out)
		}
	}
	return out.String()
}

// in runs a command in the box and returns what it prints, or "".
func (p *person) in(args ...string) string {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, "docker", append([]string{"exec", p.box}, args...)...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func (p *person) tmux(args ...string) string { return p.in(append([]string{"tmux"}, args...)...) }

// clients are the sizes of the terminals that look at the session.
func (p *person) clients() string {
	return p.tmux("list-clients", "-F", "#{client_width}x#{client_height}")
}

// status is what the engine says of the box: "" when there is none.
func (p *person) status() string {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, "docker", "container", "inspect", "--format", "{{.State.Status}}", p.box).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// file returns the content of a file, "" when there is none.
func file(parts ...string) string {
	content, _ := os.ReadFile(filepath.Join(parts...))
	return string(content)
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for tick := time.Tick(50 * time.Millisecond); !so(); <-tick {
		if time.Now().After(deadline) {
			t.Fatalf("it never came to be: %s", what)
		}
	}
}

// terminal is a terminal on which agentbox runs.
type terminal struct {
	cmd    *exec.Cmd
	master *os.File
	ended  chan struct{} // agentbox has ended, and all it printed has been read

	mu   sync.Mutex
	text []byte
}

// open runs agentbox on a terminal of its own.
func (p *person) open(t *testing.T, cols, rows uint16, args ...string) *terminal {
	t.Helper()
	term := &terminal{cmd: p.command(t, args...), ended: make(chan struct{})}
	var err error
	if term.master, err = pty.StartWithSize(term.cmd, &pty.Winsize{Cols: cols, Rows: rows}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = term.cmd.Process.Kill()
		_ = term.master.Close()
		<-term.ended
	})
	go func() {
		defer close(term.ended)
		buffer := make([]byte, 4096)
		for {
			n, err := term.master.Read(buffer)
			term.mu.Lock()
			term.text = append(term.text, buffer[:n]...)
			term.mu.Unlock()
			if err != nil {
				break
			}
		}
		_ = term.cmd.Wait()
	}()
	return term
}

func (term *terminal) shows(text string) bool {
	term.mu.Lock()
	defer term.mu.Unlock()
	return strings.Contains(string(term.text), text)
}

func (term *terminal) write(t *testing.T, keys string) {
	t.Helper()
	if _, err := term.master.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

// end waits until agentbox has ended, and wants an exit code.
func (term *terminal) end(t *testing.T, code int) {
	t.Helper()
	select {
	case <-term.ended:
	case <-time.After(patience):
		t.Fatalf("agentbox does not end; the terminal shows\n%s", term.text)
	}
	if got := term.cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("exit code %d, want %d; the terminal shows\n%s", got, code, term.text)
	}
}

// attached waits until a terminal of this size looks at the session.
func (p *person) attached(t *testing.T, term *terminal, size string) {
	t.Helper()
	eventually(t, "a terminal of "+size, func() bool {
		select {
		case <-term.ended:
			t.Fatalf("agentbox ended:\n%s", term.text)
		default:
		}
		return p.clients() == size
	})
}
