//go:build unix

package process

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// running tells whether a process has not ended, be it reaped or not.
func running(t testing.TB, pid int) bool {
	t.Helper()
	table, err := processes()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range table {
		if m.pid == pid {
			return !m.zombie
		}
	}
	return false
}

// waitGone polls, since nothing tells when another's child has ended.
func waitGone(t testing.TB, pid int) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(20 * time.Second); running(t, pid); <-tick.C {
		if time.Now().After(deadline) {
			_ = unix.Kill(pid, unix.SIGKILL)
			t.Fatalf("process %d still runs", pid)
		}
	}
}

func readPID(t testing.TB, r io.Reader) int {
	t.Helper()
	line := readLine(t, r)
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatalf("want a process id, got %q", line)
	}
	return pid
}

func TestDescendantsEnd(t *testing.T) {
	for _, words := range []string{
		"launch idle",
		"launch deaf",                // codex: the launcher ends, the agent stays
		"launch launch-deaf deaf",    // npx, sh, node
		"setsid deaf",                // out of the group
		"setsid setsid deaf",         //
		"launch abandon-setsid idle", // a daemon
		"launch bare-setsid deaf",    // without the token: known by its parent
	} {
		t.Run(words, func(t *testing.T) {
			p := launch(t, self(strings.Fields(words)...))
			pid := readPID(t, p.Stdout)
			if err := p.End(context.Background()); err != nil {
				t.Fatal(err)
			}
			if running(t, pid) || running(t, p.PID()) {
				t.Error("End returned before the end of all")
			}
			if _, err := io.Copy(io.Discard, p.Stderr); err != nil {
				t.Error(err)
			}
		})
	}
}

// Nobody calls End: a launcher that ends takes along what it launched.
func TestDescendantsEndWithTheChild(t *testing.T) {
	for _, words := range []string{"abandon idle", "abandon deaf", "abandon-setsid deaf", "abandon abandon-setsid deaf"} {
		t.Run(words, func(t *testing.T) {
			p := launch(t, self(strings.Fields(words)...))
			pid := readPID(t, p.Stdout)
			if _, err := io.Copy(io.Discard, p.Stderr); err != nil { // held open by the abandoned one
				t.Error(err)
			}
			waitGone(t, pid)
			if got := p.State(); got != (ExitState{}) {
				t.Errorf("state %+v, want exit code 0", got)
			}
		})
	}
}

func TestDaemonsMayStay(t *testing.T) {
	c := self("abandon-setsid", "idle")
	c.Daemons = true
	p := launch(t, c)
	pid := readPID(t, p.Stdout)
	defer unix.Kill(pid, unix.SIGKILL)
	if err := p.End(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !running(t, pid) {
		t.Error("the daemon was ended")
	}
}

// One that nothing leads to escapes, but its hold on the pipe stops no reader.
func TestHeldPipeEnds(t *testing.T) {
	p := launch(t, self("abandon-bare-setsid", "deaf"))
	pid := readPID(t, p.Stdout)
	defer unix.Kill(pid, unix.SIGKILL)
	<-p.Exited()
	if err := p.End(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(p.Stderr); err != nil {
		t.Error(err)
	}
	if !running(t, pid) {
		t.Error("the holder of the pipe has ended: the test shows nothing")
	}
}

func TestStopped(t *testing.T) {
	p := launch(t, self("idle"))
	pid := readPID(t, p.Stdout)
	if err := unix.Kill(pid, unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := p.End(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := p.State(); got != (ExitState{Code: -1, Signal: "SIGKILL"}) {
		t.Errorf("state %+v, want SIGKILL", got)
	}
}

// startProgram starts a program that uses this package to start a child.
func startProgram(t *testing.T, words string) (program *exec.Cmd, child int) {
	t.Helper()
	c := self(append([]string{"program"}, strings.Fields(words)...)...)
	cmd := exec.Command(c.Path, c.Args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd, readPID(t, out)
}

// wardenOf returns the process id of a program's warden.
func wardenOf(t *testing.T, program int) int {
	t.Helper()
	list, err := exec.Command("ps", "-A", "-o", "pid=,ppid=,args=").Output()
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(strings.NewReader(string(list))); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) > 2 && fields[1] == strconv.Itoa(program) && fields[2] == "/bin/sh" {
			pid, _ := strconv.Atoi(fields[0])
			return pid
		}
	}
	t.Fatal("the program has no warden")
	return 0
}

func TestProgramKilled(t *testing.T) {
	for _, words := range []string{"deaf", "launch deaf", "launch setsid deaf", "launch abandon-setsid deaf"} {
		t.Run(words, func(t *testing.T) {
			t.Parallel()
			program, pid := startProgram(t, words)
			warden := wardenOf(t, program.Process.Pid)
			if err := program.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			waitGone(t, pid)
			waitGone(t, warden)
		})
	}
}

// The signals that a terminal or a system sends to all do not stop the warden.
func TestWardenIsHardToStop(t *testing.T) {
	t.Parallel()
	program, pid := startProgram(t, "deaf")
	warden := wardenOf(t, program.Process.Pid)
	for _, sig := range []unix.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGTERM, unix.SIGQUIT} {
		if err := unix.Kill(warden, sig); err != nil {
			t.Fatal(err)
		}
	}
	if err := program.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	waitGone(t, pid)
	waitGone(t, warden)
}

func TestWardenIsReplaced(t *testing.T) {
	first := launch(t, self("cat"))
	pid := wardenOf(t, os.Getpid())
	if err := unix.Kill(pid, unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	waitGone(t, pid)
	launch(t, self("cat"))
	if next := wardenOf(t, os.Getpid()); next == pid || !running(t, next) {
		t.Errorf("no warden took the place of %d", pid)
	}
	if err := first.End(context.Background()); err != nil {
		t.Error(err)
	}
}

// A program that is itself a child of this one is ended with its children.
func TestNestedProgram(t *testing.T) {
	p := launch(t, self("program", "setsid", "deaf"))
	pid := readPID(t, p.Stdout)
	if err := p.End(context.Background()); err != nil {
		t.Fatal(err)
	}
	if running(t, pid) {
		t.Error("a grandchild of another program's start still runs")
	}
}

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		t.Helper()
		file := dir + "/" + name
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return file
	}
	plain := write("plain", "text", 0o644)
	for name, test := range map[string]struct {
		command     Command
		reason      Reason
		tried       string
		interpreter string
	}{
		"bare name":        {command: Command{Path: "nosuch", Env: []string{"PATH=/a:/b"}}, reason: NotFound, tried: "/a:/b"},
		"path":             {command: Command{Path: "/nosuch/x"}, reason: NotFound, tried: "/nosuch/x"},
		"relative path":    {command: Command{Path: "./x", Dir: dir}, reason: NotFound, tried: dir + "/x"},
		"no name":          {command: Command{}, reason: NotFound},
		"not executable":   {command: Command{Path: plain}, reason: NotExecutable, tried: plain},
		"only such a file": {command: Command{Path: "plain", Env: []string{"PATH=" + dir}}, reason: NotExecutable, tried: plain},
		"a folder":         {command: Command{Path: dir}, reason: NotFound, tried: dir},
		"no interpreter": {command: Command{Path: write("script", "#!/nosuch/sh -e\n", 0o755)},
			reason: NoInterpreter, tried: dir + "/script", interpreter: "/nosuch/sh"},
		"Windows line ends": {command: Command{Path: write("dos", "#!/nosuch/bin/sh\r\n", 0o755)},
			reason: NoInterpreter, tried: dir + "/dos", interpreter: "/nosuch/bin/sh"},
		"no node": {command: Command{Path: write("npx", "#!/usr/bin/env -S FOO=1 nosuchnode --x\n", 0o755)},
			reason: NoInterpreter, tried: dir + "/npx", interpreter: "nosuchnode"},
		"no program": {command: Command{Path: write("data", "\x7fELF?", 0o755)}, reason: WrongSystem, tried: dir + "/data"},
		"no folder":  {command: Command{Path: "sh", Dir: dir + "/nosuch"}, reason: NoFolder, tried: dir + "/nosuch"},
		"not one":    {command: Command{Path: "sh", Dir: plain}, reason: NoFolder, tried: plain},
		"NUL byte":   {command: Command{Path: "sh", Args: []string{"a\x00b"}}, reason: Refused, tried: shPath(t)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Start(test.command)
			var failure *StartError
			if !errors.As(err, &failure) {
				t.Fatalf("error %v", err)
			}
			if failure.Reason != test.reason || failure.Tried != test.tried || failure.Interpreter != test.interpreter {
				t.Errorf("got %+v", failure)
			}
			if !strings.Contains(err.Error(), test.command.Path) {
				t.Errorf("%v does not name the program", err)
			}
			checkLocalized(t, failure)
		})
	}
}

func shPath(t *testing.T) string {
	t.Helper()
	file, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	return file
}
