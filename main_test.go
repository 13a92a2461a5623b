package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	crashMain()
	testscript.Main(m, map[string]func(){"sidekicks": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"ends": ends},
		Setup: func(env *testscript.Env) error {
			for name, value := range map[string]string{
				"HOME":            filepath.Join(env.WorkDir, "home"),
				"XDG_CONFIG_HOME": "",
				"APPDATA":         filepath.Join(env.WorkDir, "home"),
				"SHELL":           "/bin/sh",
				"LANG":            "en_US.UTF-8",
				"DISPLAY":         "", // the commands open no window
				"WAYLAND_DISPLAY": "",
			} {
				env.Setenv(name, value)
			}
			return nil
		},
	})
}

// ends is "ends CODE COMMAND...": it runs a command that must end with a code.
func ends(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: ends CODE COMMAND...")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("ended with %d, not %s\n%s%s", code, args[0], ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}
