package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
	"git.rickub.com/bots-garden/sidekicks/app"
)

// fakeTeam writes a configuration of agents that do what they are told, all in
// one channel.
func fakeTeam(b *testing.B, home string, names ...string) (config string) {
	b.Helper()
	program, args, env := fakeagent.Command(fakeagent.Script{})
	name, value, _ := strings.Cut(env[0], "=")
	var agents []map[string]any
	for _, n := range names {
		agents = append(agents, map[string]any{"name": n, "command": program, "args": args, "env": map[string]string{name: value}})
	}
	file, err := yaml.Marshal(map[string]any{
		"version":  1,
		"limits":   map[string]any{"maxRunningAgents": len(names)},
		"agents":   agents,
		"channels": []map[string]any{{"name": "general", "agents": names}},
	})
	config = filepath.Join(home, "team.yaml")
	if err == nil {
		err = os.WriteFile(config, file, 0o600)
	}
	if err != nil {
		b.Fatal(err)
	}
	return config
}

// beat is what the window says of one second: the longest that it took to
// answer, in milliseconds, and how many of 50 answers came later than a frame.
type beat struct{ longest, late int }

func pulsed(line string) (p beat, ok bool) {
	words := strings.Fields(line)
	if len(words) != 3 || words[0] != "pulse" {
		return p, false
	}
	p.longest, _ = strconv.Atoi(words[1])
	p.late, _ = strconv.Atoi(words[2])
	return p, true
}

// BenchmarkStreamInWindow has three agents of an open window with 10,000
// messages stream 30 chunks a second together for SIDEKICKS_SOAK (a minute
// without), while somebody reads up and down and types. It reports the answers
// of the window that took longer than 25 ms, and what the memory grew by in an
// hour of that, told from the second half.
func BenchmarkStreamInWindow(b *testing.B) {
	length := time.Minute
	if given, err := time.ParseDuration(os.Getenv("SIDEKICKS_SOAK")); err == nil {
		length = given
	}
	home := b.TempDir()
	config := fakeTeam(b, home, "alice", "bob", "carol")
	w := openWindowFor(b, "pulse", home, "--config", config)
	w.quit()
	fill(b, config, history(b, home), 10_000)
	w = openWindowFor(b, "pulse", home, "--config", config)
	w.focus()
	a, err := app.Open(context.Background(), app.Options{Config: config, History: history(b, home)})
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close(context.Background())

	chunks := int(length / (100 * time.Millisecond))
	for b.Loop() {
		w.xdotool("type", "--delay", "10", fmt.Sprintf("@all go !repeat %d after 100ms text word$i ", chunks))
		w.xdotool("key", "Return")
		var sum beat
		var half float64
		var halved time.Time
		begun := time.Now()
		w.until("the end of the stream", func(line string) bool {
			p, ok := pulsed(line)
			if !ok {
				return false
			}
			sum.longest, sum.late = max(sum.longest, p.longest), sum.late+p.late
			for range 10 { // up and down, a notch each
				w.xdotool("click", strconv.Itoa(4+int(time.Since(begun).Seconds()/5)%2))
			}
			w.xdotool("type", "x")
			if halved.IsZero() && time.Since(begun) > length/2 {
				half, halved = resident(b, w.cmd.Process.Pid), time.Now()
			}
			return time.Since(begun) > length
		})
		grown := resident(b, w.cmd.Process.Pid) - half
		b.ReportMetric(float64(sum.longest), "ms-longest-answer")
		b.ReportMetric(float64(sum.late)/length.Minutes(), "late-answers/min")
		b.ReportMetric(grown/time.Since(halved).Hours(), "MB/hour")
		w.xdotool("key", "ctrl+a", "BackSpace", "Escape")
	}
	w.quit()
}
