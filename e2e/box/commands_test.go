//go:build linux

package box

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"git.rickub.com/bots-garden/sidekicks/runtime/enginetest"
)

// TestCommands uses agentbox as a person does, with a stand-in for Claude Code.
func TestCommands(t *testing.T) {
	stub(t, realImage(t))
	image := enginetest.Name()
	t.Cleanup(func() { _ = exec.Command("docker", "image", "rm", "--force", image).Run() })
	p := newPerson(t, stubImage, image)
	team := filepath.Join(p.home, ".claude/teams/session-5d1dec1c")
	mine := filepath.Join(p.home, ".claude/sessions/4711.json") // of a Claude Code outside of the box
	if err := os.MkdirAll(filepath.Dir(mine), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, mine, "{}")
	p.own(t, filepath.Dir(filepath.Dir(mine)))
	p.own(t, filepath.Dir(mine))

	t.Run("up without a terminal", func(t *testing.T) {
		p.env = append(p.env, "CLAUDE_CODE_OAUTH_TOKEN=secret")
		p.run(t, 0, []string{"Building the image " + image, "agents ask before they act", "http://localhost:" + p.port, "This is no terminal"}, "--port", p.port)
		eventually(t, "the team", func() bool { return file(team, "config.json") != "" })
		if got, want := file(p.work, "started"), "--teammate-mode tmux\nteams=1\ntoken=secret\n"; got != want {
			t.Errorf("Claude Code was started with %q, want %q", got, want)
		}
		if got := p.tmux("list-windows", "-F", "#{window_name} #{window_panes}"); got != "main 2\nobserver 1" {
			t.Errorf("windows: %q", got)
		}
		if got := enginetest.Docker(t, "port", p.box); got != p.port+"/tcp -> 127.0.0.1:"+p.port {
			t.Errorf("published: %q", got)
		}
		if got := file(filepath.Dir(mine), "4711.json"); got != "{}" {
			t.Error("the sessions of the host were touched")
		}
	})

	t.Run("what the box writes is the person's", func(t *testing.T) {
		want := strconv.Itoa(os.Getuid())
		if os.Getuid() == 0 {
			want = "1000"
		}
		for _, name := range []string{filepath.Join(p.work, "started"), filepath.Join(team, "config.json"), filepath.Join(p.home, ".claude.json")} {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := strconv.Itoa(int(info.Sys().(*syscall.Stat_t).Uid)); got != want {
				t.Errorf("%s is %s's, want %s's", name, got, want)
			}
		}
		if got := p.in("sh", "-c", "id -un; for d in ~/.npm ~/.cargo/registry ~/.cache/pip ~/.config /workspace ~/.claude/sessions; do [ -w $d ] || echo $d; done; [ ! -w /agentbox/entry.sh ] || echo entry"); got != "agent" {
			t.Errorf("the user and what it cannot write: %q", got)
		}
		if found, _ := filepath.Glob(filepath.Join(p.home, ".claude/projects/*--agentbox/*.jsonl")); len(found) != 1 {
			t.Errorf("transcripts of this project alone: %q", found)
		}
	})

	t.Run("the Observer", func(t *testing.T) {
		eventually(t, "the page", func() bool {
			response, err := http.Get("http://127.0.0.1:" + p.port + "/")
			if err != nil {
				return false
			}
			defer response.Body.Close()
			return response.StatusCode == http.StatusOK
		})
		http.DefaultClient.CloseIdleConnections()
	})

	pane := p.tmux("display-message", "-p", "-t", "agentbox:main.0", "#{pane_pid}")
	t.Run("attach, resize, detach", func(t *testing.T) {
		term := p.open(t, 120, 40)
		p.attached(t, term, "120x40")
		eventually(t, "the lead on the screen", func() bool { return term.shows("the lead is here: é ✓") })
		if err := pty.Setsize(term.master, &pty.Winsize{Cols: 90, Rows: 30}); err != nil {
			t.Fatal(err)
		}
		p.attached(t, term, "90x30")
		term.write(t, "\x10") // Ctrl-p, which docker would keep
		eventually(t, "Ctrl-p in the lead", func() bool { return file(p.work, "keys") == "\x10" })
		term.write(t, "\x02d")
		term.end(t, 0)
		if !term.shows("The box runs on") {
			t.Errorf("it says\n%s", term.text)
		}
	})

	t.Run("a terminal that tmux has not heard of", func(t *testing.T) {
		ghostty := *p
		ghostty.env = append(ghostty.env[:len(ghostty.env):len(ghostty.env)], "TERM=xterm-ghostty")
		term := ghostty.open(t, 100, 30)
		p.attached(t, term, "100x30")
		term.write(t, "\x02d")
		term.end(t, 0)
	})

	t.Run("docker is killed", func(t *testing.T) {
		term := p.open(t, 100, 30)
		p.attached(t, term, "100x30")
		if out, err := exec.Command("pkill", "-KILL", "-P", strconv.Itoa(term.cmd.Process.Pid), "docker").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		<-term.ended
		if got := p.clients(); got != "" {
			t.Errorf("a client stays: %q", got)
		}
	})

	t.Run("the terminal is closed", func(t *testing.T) {
		term := p.open(t, 100, 30)
		p.attached(t, term, "100x30")
		_ = term.master.Close()
		<-term.ended
		if got := p.clients(); got != "" {
			t.Errorf("a client stays: %q", got)
		}
	})

	t.Run("another terminal takes over", func(t *testing.T) {
		first := p.open(t, 100, 30)
		p.attached(t, first, "100x30")
		second := p.open(t, 80, 25, "--yolo")
		first.end(t, 0)
		p.attached(t, second, "80x25")
		if !second.shows("--yolo true does not apply to the box that runs") {
			t.Errorf("it says\n%s", second.text)
		}
		second.write(t, "\x02d")
		second.end(t, 0)
	})
	if got := p.tmux("display-message", "-p", "-t", "agentbox:main.0", "#{pane_pid}"); got != pane || pane == "" {
		t.Errorf("the lead's process was %q, and is %q", pane, got)
	}

	t.Run("shell", func(t *testing.T) {
		cmd := p.command(t, "shell")
		cmd.Stdin = strings.NewReader("pwd\necho TMUX=$TMUX\nexit 7\n")
		finish(t, cmd, 7, []string{"/workspace\nTMUX=\n"})
		term := p.open(t, 101, 31, "shell")
		term.write(t, "stty size; exit 5\n")
		term.end(t, 5)
		if !term.shows("31 101") {
			t.Errorf("it says\n%s", term.text)
		}
	})

	t.Run("another project", func(t *testing.T) {
		other := *p
		other.work = filepath.Join(p.home, "other")
		if err := os.Mkdir(other.work, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"up", "shell", "rebuild"} {
			other.run(t, 1, []string{"at work on " + p.work, "agentbox down"}, command)
		}
	})

	t.Run("doctor", func(t *testing.T) {
		p.run(t, 0, []string{"✓ box         " + p.box + " runs for " + p.work, "✓ port        the Observer answers", "✓ tmux", "✓ claude      Claude Code 2.1.332", "✓ node"}, "doctor", "--port", p.port)
		var report struct {
			OK bool
		}
		if out := p.run(t, 0, nil, "doctor", "--json"); json.Unmarshal([]byte(out), &report) != nil || !report.OK {
			t.Errorf("%s", out)
		}
	})

	t.Run("a port that another box has", func(t *testing.T) {
		second := newPerson(t, stubImage, image)
		second.run(t, 1, []string{"the port " + p.port + " of this computer is taken by the container " + p.box, "--port "}, "--port", p.port)
		if got := second.status(); got != "" {
			t.Errorf("something is left: %s", got)
		}
	})

	t.Run("rebuild", func(t *testing.T) {
		before := enginetest.Docker(t, "image", "inspect", "--format", "{{.Id}}", image)
		if err := os.Remove(filepath.Join(p.work, "started")); err != nil {
			t.Fatal(err)
		}
		p.run(t, 0, []string{"Ending the box that runs the old image", "yolo: agents act without asking"}, "rebuild", "--yolo", "--port", p.port)
		if after := enginetest.Docker(t, "image", "inspect", "--format", "{{.Id}}", image); after == before {
			t.Error("the image is the same")
		}
		eventually(t, "a new team", func() bool { return file(team, "config.json") != "" })
		if got := file(p.work, "started"); !strings.HasPrefix(got, "--teammate-mode tmux --dangerously-skip-permissions\n") {
			t.Errorf("Claude Code was started with %q", got)
		}
		if got := enginetest.Docker(t, "container", "inspect", "--format", `{{index .Config.Labels "agentbox.yolo"}}`, p.box); got != "true" {
			t.Errorf("agentbox.yolo is %q", got)
		}
	})

	t.Run("down", func(t *testing.T) {
		p.run(t, 0, []string{"is removed"}, "down")
		if got := p.status(); got != "" {
			t.Errorf("it is %s", got)
		}
		if got := file(team, "config.json"); got != "" {
			t.Errorf("the team is still there: %s", got)
		}
		if got := enginetest.Docker(t, "volume", "inspect", "--format", "{{.Name}}", "agentbox-npm-cache"); got != "agentbox-npm-cache" {
			t.Errorf("the volume: %q", got)
		}
		p.run(t, 0, []string{"There is no box"}, "down")
	})

	t.Run("a shell first, then agents", func(t *testing.T) {
		cmd := p.command(t, "shell", "--port", p.port)
		cmd.Stdin = strings.NewReader("tmux has-session || echo no session\n")
		finish(t, cmd, 0, []string{"no session"})
		p.run(t, 0, []string{"runs"}, "up")
		eventually(t, "the team", func() bool { return file(team, "config.json") != "" })
	})

	t.Run("the lead ends, and is asked for again; then the box", func(t *testing.T) {
		term := p.open(t, 120, 40)
		p.attached(t, term, "120x40")
		if err := os.Remove(filepath.Join(p.work, "started")); err != nil {
			t.Fatal(err)
		}
		p.in("pkill", "-TERM", "-f", "bin/claude")
		eventually(t, "the question", func() bool { return term.shows("Enter: start it again") })
		term.write(t, "\r")
		eventually(t, "the lead again", func() bool { return file(p.work, "started") != "" })
		p.in("pkill", "-TERM", "-f", "bin/claude")
		eventually(t, "the question again", func() bool {
			return strings.Contains(p.tmux("capture-pane", "-p", "-t", "agentbox:main.0"), "q: end the box")
		})
		term.write(t, "q\r")
		term.end(t, 0)
		if !term.shows("The box has ended.") {
			t.Errorf("it says\n%s", term.text)
		}
		eventually(t, "the end of the box", func() bool { return p.status() == "exited" })
	})

	t.Run("a stopped box is replaced", func(t *testing.T) {
		p.run(t, 0, []string{"Replacing the old box, which is not running (ended with exit code 0)"}, "up", "--port", p.port)
	})

	t.Run("docker stop ends the team too, docker start makes it again", func(t *testing.T) {
		eventually(t, "the team", func() bool { return file(team, "config.json") != "" })
		enginetest.Docker(t, "stop", p.box)
		if got := file(team, "config.json"); got != "" {
			t.Errorf("the team is still there: %s", got)
		}
		enginetest.Docker(t, "start", p.box)
		eventually(t, "the team again", func() bool { return file(team, "config.json") != "" })
		p.run(t, 0, nil, "down")
	})

	t.Run("a crash at the start", func(t *testing.T) {
		broken(t, image)
		t.Cleanup(func() { _ = exec.Command("docker", "image", "rm", brokenTmux).Run() })
		sick := *p
		sick.env = append(sick.env[:len(sick.env):len(sick.env)], "AGENTBOX_IMAGE="+brokenTmux)
		sick.run(t, 1, []string{"the box has ended with exit code 9; docker logs:\n  tmux is broken"}, "--port", p.port)
		if got := p.status(); got != "exited" {
			t.Errorf("the box is %q, and should be there to be looked at", got)
		}
		sick.run(t, 1, []string{"! box", "✗ tmux", "agentbox rebuild"}, "doctor", "--port", p.port)
		p.run(t, 0, []string{"Replacing the old box"}, "--port", p.port)
	})
}
