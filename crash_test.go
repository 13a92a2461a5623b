package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/agent"
	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

// crashEnv makes the test binary a program that keeps its last words in a
// folder, and ends as it says: "HOW|FOLDER".
const crashEnv = "SIDEKICKS_TEST_CRASH"

func crashMain() {
	how, folder, is := strings.Cut(os.Getenv(crashEnv), "|")
	if !is {
		return
	}
	words, _, err := keepLastWords(folder)
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	switch how {
	case "panic":
		panic("in the window, with swordfish")
	case "goroutine":
		go panic("elsewhere, with swordfish")
		select {}
	case "fatal":
		new(sync.Mutex).Unlock()
	case "well":
		words.end()
	case "killed":
	}
	os.Exit(0)
}

func TestLastWords(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "history")
	run := func(how string) {
		t.Helper()
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), crashEnv+"="+how+"|"+folder)
		if out, err := cmd.CombinedOutput(); (err != nil) != (how != "well" && how != "killed") || cmd.ProcessState.ExitCode() == 3 {
			t.Fatalf("%s: %v\n%s", how, err, out)
		}
	}
	for _, c := range []struct{ how, want string }{
		{"well", ""}, {"killed", ""},
		{"panic", "panic: in the window, with •••"}, {"goroutine", "elsewhere"}, {"fatal", "unlockSlow"},
	} {
		run(c.how)
		words, left, err := keepLastWords(folder)
		if err != nil || (left == nil) != (c.want == "") {
			t.Fatalf("%s left %q, %v", c.how, left, err)
		}
		if c.want != "" {
			path, err := words.report(left, func(text string) string {
				return agent.Hide(text, map[string]string{"KEY": "swordfish"})
			})
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(path)
			if text := string(data); err != nil || !strings.Contains(text, c.want) || !strings.HasPrefix(text, "Sidekicks ") ||
				!strings.Contains(text, "goroutine ") || strings.Contains(text, "swordfish") {
				t.Errorf("%s: the report is %v\n%s", c.how, err, text)
			}
		}
		words.end()
		if _, err := os.Stat(words.path); err == nil {
			t.Errorf("%s: the file stays", c.how)
		}
	}
}

// Few reports are kept, and each is told of with its path.
func TestCrashReports(t *testing.T) {
	words := lastWords{filepath.Join(t.TempDir(), lastWordsName)}
	folder := filepath.Dir(words.path)
	for i := range 2 * mostReports {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("crash-2026010%d-1200.txt", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path, err := words.report([]byte("x\xff"), strings.Clone)
	if err != nil {
		t.Fatal(err)
	}
	kept, _ := filepath.Glob(filepath.Join(folder, "crash-*.txt"))
	if len(kept) != mostReports || kept[len(kept)-1] != path {
		t.Errorf("kept %q", kept)
	}
	for _, language := range []string{"en", "fr"} {
		if text := i18n.For(language).Error(crashed{path}); !strings.Contains(text, filepath.Base(path)) {
			t.Errorf("%s: %q", language, text)
		}
	}
}

// A folder that cannot be written to keeps nobody from opening a window.
func TestNoPlaceForLastWords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, left, err := keepLastWords(filepath.Join(file, "folder")); err == nil || left != nil {
		t.Errorf("left %q, %v", left, err)
	}
	lastWords{}.end()
}
