//go:build unix

package terminal

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"git.rickub.com/bots-garden/sidekicks/runtime/process"
	"git.rickub.com/bots-garden/sidekicks/runtime/pty"
)

// writeLog writes a log of 50 MB, a fifth of its lines in colour.
func writeLog(b *testing.B) (file string, size int64) {
	b.Helper()
	file = filepath.Join(b.TempDir(), "log")
	var text strings.Builder
	for i := 0; text.Len() < 50<<20; i++ {
		color := ""
		if i%5 == 0 {
			color = "\x1b[32m"
		}
		fmt.Fprintf(&text, "%s2026-11-30 12:00:%02d.%06d INFO request %d served to somebody in 12 ms\x1b[m\n", color, i/1000%60, i%1000000, i)
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	return file, int64(text.Len())
}

// A log of 50 MB printed in a terminal that is drawn all the while; and, where
// there is one, in xterm.
func BenchmarkLog(b *testing.B) {
	file, size := writeLog(b)
	b.SetBytes(size)
	ours := time.Duration(0)
	for b.Loop() {
		ended := false
		began := time.Now()
		d := open(b, Options{Start: func(cols, rows int) (Program, error) {
			return pty.Start(process.Command{Path: "cat", Args: []string{file}}, cols, rows)
		}})
		d.feed.shown = func() { d.paintNow() }
		d.until("ended", func() bool { ended = ended || d.called("ended <nil>"); return ended })
		ours += time.Since(began)
		d.Close()
		d.end()
	}
	if theirs := xterm(b, file); theirs > 0 {
		b.ReportMetric(theirs.Seconds(), "xterm-s")
		b.ReportMetric(ours.Seconds()/float64(b.N)/theirs.Seconds(), "xterms")
	}
}

// xterm is how long xterm takes for a file, 0 when it cannot be run.
func xterm(b *testing.B, file string) time.Duration {
	b.Helper()
	args := []string{"xterm", "-geometry", "79x23", "-e", "sh", "-c", `a=$(date +%s%N); cat "$0"; echo $(($(date +%s%N) - a)) >"$0.took"`, file}
	if os.Getenv("DISPLAY") == "" {
		args = append([]string{"xvfb-run", "-a"}, args...)
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return 0
	}
	ctx, cancel := context.WithTimeout(b.Context(), 5*time.Minute)
	defer cancel()
	if err := exec.CommandContext(ctx, args[0], args[1:]...).Run(); err != nil {
		b.Logf("xterm: %v", err)
		return 0
	}
	took, err := os.ReadFile(file + ".took")
	if err != nil {
		b.Fatal(err)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(took)), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return time.Duration(n)
}

// Every cell of a screen of 108 by 36 changes.
func BenchmarkPaintAll(b *testing.B) {
	d := open(b, Options{})
	g := d.measures()
	d.window.Resize(fyne.NewSize(float32(108*g.width+2*margin), float32(36*g.height+2*margin)))
	if cols, rows := d.Grid(); cols != 108 || rows != 36 {
		b.Fatalf("the screen is %d by %d", cols, rows)
	}
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		d.locked(func() {
			for y := range 36 {
				fmt.Fprintf(d.screen, "\x1b[%d;1H\x1b[3%dm%s", y+1, i%8, strings.Repeat(string(rune('a'+i%26)), 108))
			}
		})
		b.StartTimer()
		d.paintNow()
	}
}

// A key until its echo is drawn, while another terminal is flooded and drawn.
// The longest time for which the window did not answer is told too.
func BenchmarkTypingDuringFlood(b *testing.B) {
	d := open(b, Options{Start: func(cols, rows int) (Program, error) {
		return pty.Start(process.Command{Path: "sh", Args: []string{"-c", "stty raw -echo; echo ready; cat"}}, cols, rows)
	}})
	d.feed.shown = func() { d.paintNow() }
	flood := New(Options{Start: func(cols, rows int) (Program, error) {
		return pty.Start(process.Command{Path: "yes", Args: []string{"a line that comes again and again"}}, cols, rows)
	}, Do: d.options.Do, Ended: func(error) {}})
	defer flood.Close()
	test.NewTempWindow(b, flood).Resize(fyne.NewSize(640, 400))
	flood.feed.shown = func() { flood.paint(640, 400) }
	d.untilShown("ready")
	d.until("flooded", func() bool { return strings.Contains(flood.Dump(), "again\na line") })
	var longest time.Duration
	for i := 0; b.Loop(); i++ {
		r := rune('a' + i%26)
		d.TypedRune(r)
		for shown := false; !shown; {
			job := <-d.jobs
			began := time.Now()
			job()
			longest = max(longest, time.Since(began))
			shown = strings.HasSuffix(d.Dump(), string(r))
		}
	}
	b.ReportMetric(float64(longest.Microseconds())/1000, "longest-ms")
}
