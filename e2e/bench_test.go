package e2e

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/store"
)

// measured is what a program with a window takes.
type measured struct {
	frame    time.Duration // to the first paint of the window
	content  time.Duration // to the first paint of what is in it
	resident float64       // MB, a moment after
	idle     float64       // CPU while nothing happens, in percent of a core
}

// measure starts a program that prints "ready" on its first paint, leaves it
// alone for a while, and ends it.
func measure(b *testing.B, home, program string, args ...string) measured {
	b.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "HOME="+home, "SIDEKICKS_TEST=start", "SIDEKICKS_CONFIG=")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		b.Fatal(err)
	}
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	}()
	in := bufio.NewScanner(stderr)
	in.Buffer(nil, 1<<20)
	var m measured
	for m.content == 0 && in.Scan() {
		switch in.Text() {
		case "frame":
			m.frame = time.Since(begun)
		case "ready":
			m.content = time.Since(begun)
		}
	}
	go func() {
		for in.Scan() { // a full pipe would stop the program
		}
	}()
	const settle, watch = 3 * time.Second, 5 * time.Second
	time.Sleep(settle)
	before := cpu(b, cmd.Process.Pid)
	time.Sleep(watch)
	m.idle = 100 * (cpu(b, cmd.Process.Pid) - before).Seconds() / watch.Seconds()
	m.resident = resident(b, cmd.Process.Pid)
	return m
}

// cpu is the time that a process has used.
func cpu(b *testing.B, pid int) time.Duration {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // in ticks of 1/100 s
}

// resident is the memory of a process that is its own, in MB: not the files
// that it maps, which a software renderer has many of.
func resident(b *testing.B, pid int) float64 {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "RssAnon:")
	kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	return kb / 1024
}

// BenchmarkStart compares the start, the memory and the idle CPU of Sidekicks,
// new and with 10,000 messages, with those of an empty Fyne window.
func BenchmarkStart(b *testing.B) {
	sidekicks, err := binary()
	if err != nil {
		b.Fatal(err)
	}
	empty := filepath.Join(b.TempDir(), "empty")
	if out, err := exec.Command("go", "build", "-o", empty, "./emptywindow").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct {
		name, program string
		messages      int
	}{{"empty window", empty, 0}, {"Sidekicks", sidekicks, 0}, {"Sidekicks with 10000 messages", sidekicks, 10_000}} {
		b.Run(c.name, func(b *testing.B) {
			home := b.TempDir()
			if err := os.Mkdir(filepath.Join(home, ".cache"), 0o700); err != nil {
				b.Fatal(err)
			}
			measure(b, home, c.program) // the first start writes caches and the configuration
			if c.messages > 0 {
				fill(b, filepath.Join(home, ".config/sidekicks/config.yaml"), history(b, home), c.messages)
			}
			var sum measured
			n := 0
			for b.Loop() {
				m := measure(b, home, c.program)
				sum.frame, sum.content = sum.frame+m.frame, sum.content+m.content
				sum.resident, sum.idle = sum.resident+m.resident, sum.idle+m.idle
				n++
			}
			b.ReportMetric(float64(sum.frame.Milliseconds())/float64(n), "ms-to-first-frame")
			b.ReportMetric(float64(sum.content.Milliseconds())/float64(n), "ms-to-content")
			b.ReportMetric(sum.resident/float64(n), "MB")
			b.ReportMetric(sum.idle/float64(n), "%-idle-CPU")
		})
	}
}

// fill puts messages into the first channel of a configuration.
func fill(b *testing.B, config, history string, n int) {
	b.Helper()
	ctx := context.Background()
	a, err := app.Open(ctx, app.Options{Config: config, History: history})
	if err != nil {
		b.Fatal(err)
	}
	channel := a.Channels()[0].ID
	if err := a.Close(ctx); err != nil {
		b.Fatal(err)
	}
	s, _, err := store.Open(ctx, history)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	at := time.Now().Add(-time.Duration(n) * time.Minute)
	for i := range n {
		m := store.Message{Channel: channel, Kind: store.FromPerson, CreatedAt: at, EndedAt: at}
		if i%2 == 1 {
			m.Kind, m.Author = store.FromAgent, "guide"
		}
		text := fmt.Sprintf("Message %d about **retries**: the limit is read from the configuration.\n\n- one thing\n- another, with `code`\n", i)
		m.Parts = []store.Part{{Kind: store.Text, Text: text, StartedAt: at, EndedAt: at}}
		if err := s.AddMessage(ctx, &m); err != nil {
			b.Fatal(err)
		}
		at = at.Add(time.Minute)
	}
}

// BenchmarkFloodInWindow has an agent of an open window send 100,000 updates
// as fast as it can, and reports the longest that the window took to answer.
func BenchmarkFloodInWindow(b *testing.B) {
	home := b.TempDir()
	config := fakeTeam(b, home, "alice")
	w := openWindowFor(b, "pulse", home, "--config", config)
	w.focus()
	a, err := app.Open(context.Background(), app.Options{Config: config, History: history(b, home)})
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close(context.Background())
	channel, longest := a.Channels()[0].ID, 0
	for b.Loop() {
		w.xdotool("type", "--delay", "10", "go !repeat 100000 text word$i ")
		w.xdotool("key", "Return")
		w.until("the end of the flood", func(line string) bool {
			if p, ok := pulsed(line); ok {
				longest = max(longest, p.longest)
			}
			list, err := a.Messages(channel, 0, 2)
			return err == nil && len(list) == 2 && list[1].Kind == app.FromAgent && !list[1].Live() &&
				strings.Count(list[1].Text(), "word") == 100_000
		})
	}
	b.ReportMetric(float64(longest), "ms-longest-answer")
	w.quit()
}
