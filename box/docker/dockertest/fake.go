//go:build unix

// Package dockertest gives tests a docker command that says what they want,
// for engines that cannot be had: none, one that hangs, podman, a rootless one.
package dockertest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Rule is an answer of the fake.
type Rule struct {
	Args  string // how the command line begins
	Out   string // what is printed, if anything
	Code  int
	Times int  // how often it is given, then later rules are; 0: always
	Hang  bool // never ends
}

// Fake is a docker command that is first in the PATH of the test.
type Fake struct{ dir string }

// New makes a fake. The first of the rules that fits is taken; where none
// does, the command succeeds without a word.
func New(t testing.TB, rules ...Rule) *Fake {
	t.Helper()
	f := &Fake{t.TempDir()}
	script := fmt.Sprintf("#!/bin/sh\ncd %s\n{ printf '%%s\\037' \"$@\"; printf '\\036'; } >>calls\n", quote(f.dir))
	for i, r := range rules {
		used := fmt.Sprintf("used%d", i)
		script += fmt.Sprintf("case \"$*\" in %s*)\n", quote(r.Args))
		if r.Times > 0 {
			script += fmt.Sprintf("if [ \"$(cat %s 2>/dev/null | wc -c)\" -lt %d ]; then printf x >>%s\n", used, r.Times, used)
		} else {
			script += "if true; then\n"
		}
		if r.Hang {
			script += "exec sleep 1000\n"
		}
		if r.Out != "" {
			script += fmt.Sprintf("printf '%%s\\n' %s\n", quote(r.Out))
		}
		script += fmt.Sprintf("exit %d\nfi ;; esac\n", r.Code)
	}
	if err := os.WriteFile(filepath.Join(f.dir, "docker"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", f.dir+":"+os.Getenv("PATH"))
	return f
}

// Calls returns the command lines so far.
func (f *Fake) Calls() [][]string {
	log, _ := os.ReadFile(filepath.Join(f.dir, "calls"))
	var calls [][]string
	for call := range strings.SplitSeq(string(log), "\x1e") {
		if call != "" {
			calls = append(calls, strings.Split(strings.TrimSuffix(call, "\x1f"), "\x1f"))
		}
	}
	return calls
}

// Called tells whether a command line so far begins with these arguments.
func (f *Fake) Called(args ...string) bool {
	return slices.ContainsFunc(f.Calls(), func(call []string) bool {
		return len(call) >= len(args) && slices.Equal(call[:len(args)], args)
	})
}

func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
