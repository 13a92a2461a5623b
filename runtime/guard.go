package runtime

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

// guardScript is what a guard runs inside.
//
//go:embed guard.sh
var guardScript string

// Guard is a shell in a container or a sandbox that ends there what an agent's
// command line started, also when this program is killed: ending `docker exec`
// leaves what it runs running. The command line is the person's and takes no
// mark, so a guard finds its process by what was not there before. A nil Guard
// guards nothing.
type Guard struct {
	box    *box
	proc   *process.Process
	answer chan string // lines of the shell; closed at its end
	turn   func()      // gives the turn to start in this box back

	self   int
	before map[int]int64 // what ran before, with when it was started

	asking sync.Mutex // held while the shell is asked
	broken error      // why it is asked nothing any more

	mu  sync.Mutex
	own map[int]int64 // the agent's processes that are known, with when they were started
}

const (
	askLimit  = 15 * time.Second       // for one answer of the shell; the first comes once docker has started it
	findLimit = 30 * time.Second       // for the agent's process to appear
	findPause = 100 * time.Millisecond // between two looks for it
	findSure  = 3 * time.Second        // that a process is alone there before it is taken for the agent's
	endLimit  = 15 * time.Second       // for ending everything; the script itself takes 5
)

// Guard starts one and waits for its turn: until Find returns, no other agent
// starts in the same box.
func (b *box) Guard(ctx context.Context) (*Guard, error) {
	turn, err := b.host.Turns.take(ctx, string(b.spec.Kind)+" "+b.spec.Name)
	if err != nil {
		return nil, err
	}
	g := &Guard{box: b, turn: turn, own: map[int]int64{}}
	err = g.start(ctx, []string{"-i", "-u", "0"})
	var failure *Error
	if errors.As(err, &failure) && failure.Code == Failed { // there may be no such user
		err = g.start(ctx, []string{"-i"})
	}
	if err != nil {
		turn()
		return nil, err
	}
	return g, nil
}

// start starts the shell and notes what runs already.
func (g *Guard) start(ctx context.Context, flags []string) error {
	c := g.box.script(flags, guardScript, guardMark, "")
	c.Env, c.Daemons, c.Grace = g.box.host.Environ(ctx), true, time.Second
	p, err := process.Start(c)
	if err != nil {
		return g.box.explain(c, err)
	}
	g.proc, g.answer = p, make(chan string)
	said := process.NewLog(tail)
	heard := make(chan struct{})
	go func() { _, _ = io.Copy(said, p.Stderr); close(heard) }()
	go func() {
		defer close(g.answer)
		lines := bufio.NewScanner(p.Stdout)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			g.answer <- lines.Text()
		}
	}()
	pid, err := g.ask(ctx, "pid")
	if err == nil && len(pid) == 1 {
		g.self, err = strconv.Atoi(pid[0])
	}
	var table []guest
	if err == nil {
		table, err = g.look(ctx)
	}
	if err != nil {
		g.quit()
		<-heard
		failure := g.box.explain(c, &process.RunError{State: p.State(), Output: said.Lines(-1), Err: err})
		return failure
	}
	g.before = map[int]int64{}
	for _, m := range table {
		g.before[m.pid] = m.start
	}
	return nil
}

// quit ends the shell without waiting for what it does.
func (g *Guard) quit() {
	now, cancel := context.WithCancel(context.Background())
	cancel()
	_ = g.proc.End(now)
	for range g.answer { // until its reader has ended
	}
}

// ask sends the shell a line and returns its answer.
func (g *Guard) ask(ctx context.Context, question string) ([]string, error) {
	g.asking.Lock()
	defer g.asking.Unlock()
	if g.broken != nil {
		return nil, g.broken
	}
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	if _, err := io.WriteString(g.proc.Stdin, question+"\n"); err != nil {
		g.broken = err
		return nil, err
	}
	var lines []string
	for {
		select {
		case line, more := <-g.answer:
			if !more {
				g.broken = io.ErrUnexpectedEOF
				return nil, g.broken
			}
			if line == "." {
				return lines, nil
			}
			lines = append(lines, line)
		case <-ctx.Done():
			g.broken = ctx.Err() // the next answer would be to this question
			return nil, g.broken
		}
	}
}

// guest is a process inside.
type guest struct {
	pid, parent, session int
	start                int64         // in its system's own unit
	used                 time.Duration // of the processor
	pages                int64         // of memory
}

// statLine matches a line of /proc/PID/stat up to the name, which may hold
// anything.
var statLine = regexp.MustCompile(`^(\d+) \(.*\) ([A-Za-z]) (.*)$`)

// Units of /proc: those of every Linux that runs on common processors.
const (
	tick = time.Second / 100
	page = 4096
)

func parseGuest(line string) (guest, bool) {
	m := statLine.FindStringSubmatch(line)
	if m == nil {
		return guest{}, false
	}
	fields := strings.Fields(m[3])
	if len(fields) < 21 || m[2] == "Z" || m[2] == "X" {
		return guest{}, false
	}
	number := func(s string) int64 { n, _ := strconv.ParseInt(s, 10, 64); return n }
	return guest{
		pid: int(number(m[1])), parent: int(number(fields[0])), session: int(number(fields[2])),
		used:  time.Duration(number(fields[10])+number(fields[11])) * tick,
		start: number(fields[18]), pages: number(fields[20]),
	}, true
}

// look lists the processes inside, but those of the guard.
func (g *Guard) look(ctx context.Context) ([]guest, error) {
	lines, err := g.ask(ctx, "look")
	if err != nil {
		return nil, err
	}
	var table []guest
	for _, line := range lines {
		if m, ok := parseGuest(line); ok && m.pid != g.self && m.session != g.self && m.parent != g.self {
			table = append(table, m)
		}
	}
	return table, nil
}

// Find waits until the agent's process has appeared inside, done being closed
// when its command line has ended. It must be called once after the start of
// the command line, or of the attempt.
func (g *Guard) Find(ctx context.Context, done <-chan struct{}) error {
	if g == nil {
		return nil
	}
	defer g.turn()
	ctx, cancel := context.WithTimeout(ctx, findLimit)
	defer cancel()
	pause := time.NewTicker(findPause)
	defer pause.Stop()
	var last guest
	since := time.Now()
	for ended := false; ; {
		found, exact, err := g.candidate(ctx)
		if err != nil {
			return err
		}
		if found != last {
			last, since = found, time.Now()
		}
		if found.pid != 0 && (exact || ended || time.Since(since) >= findSure) {
			return g.claim(ctx, []guest{found})
		}
		if ended {
			return nil
		}
		select {
		case <-pause.C:
		case <-done:
			ended = true // what it ran may not have
		case <-ctx.Done():
			return fmt.Errorf("find the agent's process in %s: %w", g.box.spec.Name, ctx.Err())
		}
	}
}

// candidate is the process that came into the box from outside since the guard
// looked first, none when there are several. exact means that its words are
// those of the command line.
func (g *Guard) candidate(ctx context.Context) (found guest, exact bool, err error) {
	table, err := g.look(ctx)
	if err != nil {
		return guest{}, false, err
	}
	fresh := slices.DeleteFunc(table, func(m guest) bool { start, ok := g.before[m.pid]; return ok && start == m.start })
	var same, entered []guest
	for _, m := range fresh {
		if slices.ContainsFunc(fresh, func(o guest) bool { return o.pid == m.parent }) {
			continue // started by one of them
		}
		words, err := g.ask(ctx, "words "+strconv.Itoa(m.pid))
		if err != nil {
			return guest{}, false, err
		}
		if slices.Contains(words, "="+ownMark) || slices.Contains(words, "="+guardMark) {
			continue // a command of ours
		}
		m.used, m.pages = 0, 0 // what changes while it runs
		if g.box.entry.runs(words) {
			same = append(same, m)
		}
		if m.parent == 0 {
			entered = append(entered, m)
		}
	}
	switch {
	case len(same) == 1:
		return same[0], true, nil
	case len(same) == 0 && len(entered) == 1:
		return entered[0], false, nil
	}
	return guest{}, false, nil
}

// The names of our own shells inside: those that run files.sh and the like, and
// guards.
const (
	ownMark   = "sidekicks"
	guardMark = "sidekicks-guard"
)

// runs tells whether the words of a process, each after "=", are those of the
// command line, or of the interpreter of its script.
func (e entry) runs(words []string) bool {
	if len(e.argv) == 0 || len(words) < len(e.argv) {
		return false
	}
	tail := words[len(words)-len(e.argv):]
	for i, want := range e.argv {
		got := strings.TrimPrefix(tail[i], "=")
		want = strings.ReplaceAll(want, "\n", " ")
		if got != want && (i > 0 || path.Base(got) != path.Base(want)) {
			return false
		}
	}
	return true
}

// claim takes processes as the agent's own.
func (g *Guard) claim(ctx context.Context, found []guest) error {
	g.mu.Lock()
	for _, m := range found {
		g.own[m.pid] = m.start
	}
	g.mu.Unlock()
	_, err := g.ask(ctx, "own "+g.owned())
	return err
}

// owned are the agent's known processes as guard.sh takes them.
func (g *Guard) owned() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var words []string
	for pid, start := range g.own {
		words = append(words, fmt.Sprintf("%d:%d", pid, start))
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// mine is what lives of the agent's processes.
func (g *Guard) mine(ctx context.Context) ([]guest, error) {
	table, err := g.look(ctx)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	found := map[int]bool{}
	for grown := true; grown; {
		grown = false
		for _, m := range table {
			start, known := g.own[m.pid]
			if !found[m.pid] && (known && start == m.start || found[m.parent] || found[m.session]) {
				found[m.pid], grown = true, true
			}
		}
	}
	return slices.DeleteFunc(table, func(m guest) bool { return !found[m.pid] }), nil
}

// Mark notes what the agent has started inside, while parents still lead to
// their children: before its command line is ended.
func (g *Guard) Mark(ctx context.Context) {
	if g == nil {
		return
	}
	if living, err := g.mine(ctx); err == nil && len(living) > 0 {
		_ = g.claim(ctx, living)
	}
}

// Usage is what the agent's processes inside take.
func (g *Guard) Usage(ctx context.Context) (process.Usage, error) {
	if g == nil {
		return process.Usage{}, nil
	}
	living, err := g.mine(ctx)
	var u process.Usage
	for _, m := range living {
		u.Memory += m.pages * page
		u.Time += m.used
	}
	return u, err
}

// End ends what the agent runs inside and returns when none of it is left. The
// error is a [*LeftoverError].
func (g *Guard) End(ctx context.Context) error {
	if g == nil {
		return nil
	}
	g.turn()
	if g.owned() == "" {
		g.quit()
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, endLimit)
	defer cancel()
	_ = g.proc.Stdin.Close()
	left, done := g.last(limited)
	g.quit()
	if done {
		return g.leftover(left, nil)
	}
	return g.again(ctx) // the shell was ended, or its docker does not answer
}

// last reads what the shell says at its end: what is left, and that it is
// done.
func (g *Guard) last(ctx context.Context) (left []string, done bool) {
	g.asking.Lock()
	defer g.asking.Unlock()
	for {
		select {
		case line, more := <-g.answer:
			if process, ok := strings.CutPrefix(line, "left "); ok {
				left = append(left, process)
			}
			done = done || line == "done"
			if !more {
				return left, done
			}
		case <-ctx.Done():
			return left, false
		}
	}
}

// again ends what is known in another shell: as root, then as whoever the
// image says.
func (g *Guard) again(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, endLimit)
	defer cancel()
	var left []string
	var failure error
	for _, flags := range [][]string{{"-u", "0"}, nil} {
		var out strings.Builder
		c := g.box.script(flags, guardScript, guardMark, g.owned())
		failure = g.box.stream(ctx, c, endLimit, nil, &out)
		if failure == nil && strings.Contains(out.String(), "done\n") {
			left = nil
			for line := range strings.Lines(out.String()) {
				if process, ok := strings.CutPrefix(strings.TrimSpace(line), "left "); ok {
					left = append(left, process)
				}
			}
			if len(left) == 0 {
				return nil
			}
		}
	}
	return g.leftover(left, failure)
}

// leftover is the error for what is left. Nothing runs in a box that does not
// run itself.
func (g *Guard) leftover(left []string, err error) error {
	var failure *Error
	if errors.As(err, &failure) && (failure.Code == Missing || failure.Code == NotRunning) {
		return nil
	}
	if len(left) == 0 && err == nil {
		return nil
	}
	if len(left) == 0 {
		for word := range strings.FieldsSeq(g.owned()) {
			pid, _, _ := strings.Cut(word, ":")
			left = append(left, pid)
		}
	}
	return &LeftoverError{Kind: g.box.spec.Kind, Name: g.box.spec.Name, Processes: left, Err: err, guard: g}
}

// Kill tries again to end what is left.
func (e *LeftoverError) Kill(ctx context.Context) error {
	return e.guard.again(ctx)
}
