package process

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// childMark, as first argument, makes the test binary a child of a test.
const childMark = "process-test-child"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == childMark {
		os.Exit(child(os.Args[2:]))
	}
	// Children with the race detector would wait a second at their end.
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	goleak.VerifyTestMain(m)
}

// self is the command of a child that behaves as words say. A stubborn one is
// given little time.
func self(words ...string) Command {
	program, err := os.Executable()
	if err != nil {
		panic(err)
	}
	c := Command{Path: program, Args: append([]string{childMark}, words...), Grace: time.Minute}
	if slices.ContainsFunc(words, func(word string) bool { return stubborn[word] }) {
		c.Grace = 300 * time.Millisecond
	}
	return c
}

// stubborn are the modes of children that do not end by themselves.
var stubborn = map[string]bool{"idle": true, "deaf": true, "launch-deaf": true, "setsid": true, "bare-setsid": true}

// child is the main function of a test's child. One that starts another prints
// its process id first, once that one is ready.
func child(words []string) int {
	mode, rest := words[0], words[1:]
	switch mode {
	case "cat": // a good child
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "exit":
		fmt.Println("out")
		fmt.Fprintln(os.Stderr, "err")
		return 3
	case "print":
		fmt.Println(strings.Join(rest, " "))
	case "environ":
		fmt.Println(strings.Join(os.Environ(), "\n"))
	case "flood":
		_, _ = os.Stderr.WriteString(strings.Repeat("0123456789abcde\n", 1<<16))
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "idle": // reads nothing, ends when asked
		fmt.Println(os.Getpid())
		hang()
	case "deaf": // does not even end when asked
		ignoreTerm()
		fmt.Println(os.Getpid())
		hang()
	case "launch": // a launcher that waits
		spawn(rest, os.Environ(), nil)
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "launch-deaf":
		ignoreTerm()
		spawn(rest, os.Environ(), nil)
		fmt.Println(os.Getpid())
		hang()
	case "abandon": // a launcher that does not wait
		spawn(rest, os.Environ(), nil)
	case "setsid": // starts a child that leaves the group
		spawn(rest, os.Environ(), newSession())
		hang()
	case "abandon-setsid":
		spawn(rest, os.Environ(), newSession())
	case "bare-setsid": // starts one that cannot be told by its environment either
		spawn(rest, []string{}, newSession())
		hang()
	case "abandon-bare-setsid":
		spawn(rest, []string{}, newSession())
	case "program": // a program that uses this package
		p, err := Start(self(rest...))
		if err != nil {
			fmt.Println(err)
			return 1
		}
		lines := bufio.NewScanner(p.Stdout)
		for lines.Scan() {
			fmt.Println(lines.Text())
		}
	default:
		fmt.Println("unknown mode", mode)
		return 2
	}
	return 0
}

// hang does nothing for longer than any test takes.
func hang() { time.Sleep(2 * time.Minute) }

// spawn starts another child and prints what it prints when it is ready. That
// child keeps this one's stderr open.
func spawn(words, env []string, attributes *syscall.SysProcAttr) {
	c := self(words...)
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Env = env
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = attributes
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	fmt.Print(line)
}
