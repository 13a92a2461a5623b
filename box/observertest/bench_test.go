//go:build linux

package observertest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// large is a scene with about 100 MB of transcripts, as those of four agents
// that run commands and read files all day.
func large(b *testing.B) *box {
	box := scene(b)
	for i, session := range []string{lead, "builder", "tester", "scout"} {
		file, err := os.OpenFile(filepath.Join(box.claude, transcript(session)), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			b.Fatal(err)
		}
		out := bufio.NewWriter(file)
		encoder := json.NewEncoder(out)
		for n, written := 0, 0; written < 25<<20; n++ {
			id := strconv.Itoa(n)
			output := strings.Repeat("a line of output\n", []int{5, 50, 200, 2000}[n%4])
			rows := []object{
				said("msg_"+session+id, 10, "tool_use", tool("tool"+id, "Bash", object{"command": "npm test " + id})),
				done("tool"+id, output, object{"stdout": output}),
			}
			for _, row := range rows {
				if i > 0 {
					by(teamID, session, row)
				}
				if err := encoder.Encode(row); err != nil {
					b.Fatal(err)
				}
			}
			written += 2 * len(output)
		}
		if err := out.Flush(); err != nil {
			b.Fatal(err)
		}
		if err := file.Close(); err != nil {
			b.Fatal(err)
		}
	}
	return box
}

// BenchmarkObserverFirstPage measures the time from the start of an Observer
// with 100 MB of transcripts to a page that shows the team, and to one that
// shows all, tokens and rows too. The goals are 1 s for the page and 150 MB.
func BenchmarkObserverFirstPage(b *testing.B) {
	box, browser := large(b), browser(b)
	var page, all time.Duration
	var memory int
	for b.Loop() {
		start := time.Now()
		o := box.start(0)
		x := open(b, browser, o.url, desk)
		x.until(`document.querySelectorAll('#members .a').length === 4 && document.querySelectorAll('.c').length === 3`)
		page += time.Since(start)
		x.until(`document.querySelectorAll('#rows .m').length > 10 && document.getElementById('synced').innerText.startsWith('synced')`)
		all += time.Since(start)
		memory = max(memory, o.memory())
		o.stop()
	}
	b.ReportMetric(page.Seconds()/float64(b.N), "s/page")
	b.ReportMetric(all.Seconds()/float64(b.N), "s/all")
	b.ReportMetric(float64(memory>>20), "MB")
}

// BenchmarkObserverIdle measures what an Observer with 100 MB of transcripts
// takes of a core while a page looks and nothing happens, with the tmux
// commands that it runs. The goal is 2 %.
func BenchmarkObserverIdle(b *testing.B) {
	o := large(b).start(0)
	p := o.listen("", "builder")
	p.read()
	var spent, passed time.Duration
	for b.Loop() {
		start, before := time.Now(), o.cpu()
		for range 2 { // one sync every five seconds
			p.next("sync")
		}
		spent += o.cpu() - before
		passed += time.Since(start)
	}
	b.ReportMetric(100*spent.Seconds()/passed.Seconds(), "%core")
	b.ReportMetric(float64(o.memory()>>20), "MB")
}

// BenchmarkObserverNewRow measures the time from a row in a transcript to that
// row on the page, beside 100 MB of others. The goal is 500 ms.
func BenchmarkObserverNewRow(b *testing.B) {
	box, browser := large(b), browser(b)
	x := open(b, browser, box.start(0).url, desk)
	x.until(`document.querySelectorAll('#rows .m').length > 10 && document.getElementById('synced').innerText.startsWith('synced')`)
	n := 0
	for b.Loop() {
		n++
		box.add(lead, said("new", 1, "end_turn", text(fmt.Sprintf("new row %d.", n))))
		x.shows("#rows .m", fmt.Sprintf("new row %d.", n))
	}
}

// cpu returns the processor time of the Observer and of what it started.
func (o *observer) cpu() time.Duration {
	o.t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", o.cmd.Process.Pid))
	if err != nil {
		o.t.Fatal(err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+2:]))
	var ticks int
	for _, field := range fields[11:15] {
		n, err := strconv.Atoi(field)
		if err != nil {
			o.t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
