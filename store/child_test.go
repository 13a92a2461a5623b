package store

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Tests that need another process run this test's program again, in a role.
const roleVariable, pathVariable = "STORE_TEST_ROLE", "STORE_TEST_PATH"

var roles = map[string]func(ctx context.Context, path string) error{
	"stream":              stream,
	"flood":               flood,
	"hold":                hold,
	"report":              report,
	"unprivileged report": func(_ context.Context, path string) error { return runUnprivileged("report", path) },
	"full report": func(ctx context.Context, path string) error {
		if err := fillDisk(); err != nil {
			return err
		}
		return report(ctx, path)
	},
}

// isChild plays the role, if this process has one.
func isChild() bool {
	role := roles[os.Getenv(roleVariable)]
	if role == nil {
		return false
	}
	if err := role(context.Background(), os.Getenv(pathVariable)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

// A process is another process that has the history open.
type process struct {
	cmd   *exec.Cmd
	stdin io.Closer
	lines *bufio.Scanner
}

// start starts a process, which is killed at the end of the test.
func start(t testing.TB, role, path string) *process {
	t.Helper()
	cmd := exec.Command(ok(os.Executable()))
	cmd.Env = append(os.Environ(), roleVariable+"="+role, pathVariable+"="+path)
	cmd.Stderr = os.Stderr
	p := &process{cmd: cmd, stdin: ok(cmd.StdinPipe())}
	p.lines = bufio.NewScanner(ok(cmd.StdoutPipe()))
	must(t, cmd.Start())
	t.Cleanup(p.kill)
	return p
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// line waits for the next line that the process says.
func (p *process) line(t testing.TB) string {
	t.Helper()
	if !p.lines.Scan() {
		t.Fatalf("the process said nothing more: %v", p.cmd.Wait())
	}
	return p.lines.Text()
}

// Each process of the role "stream" writes so many messages in so many steps.
const streamed, steps = 20, 25

// streamedText is what a streamed message says after a number of steps.
func streamedText(i, step int) string {
	return strings.Repeat(fmt.Sprintf("%d of %d ", i, os.Getpid()), step)
}

// stream writes messages that grow step by step.
func stream(ctx context.Context, path string) error {
	s, o, err := Open(ctx, path)
	if err != nil || o.InMemory || o.SetAside != "" {
		return fmt.Errorf("opened with %+v: %w", o, err)
	}
	defer s.Close()
	for i := range streamed {
		m := &Message{Channel: 1, Author: Author(fmt.Sprint(os.Getpid())), Kind: FromAgent}
		if err := s.AddMessage(ctx, m); err != nil {
			return err
		}
		for step := range steps {
			if err := s.SaveParts(ctx, m.ID, []Part{{Kind: Text, Text: streamedText(i, step+1)}}); err != nil {
				return err
			}
		}
		if err := s.EndMessage(ctx, m.ID, time.Now(), nil); err != nil {
			return err
		}
	}
	return nil
}

// flood writes messages until it is killed, and says the id of each once it is written.
func flood(ctx context.Context, path string) error {
	s, _, err := Open(ctx, path)
	for err == nil {
		m := said(1, strings.Repeat("flood ", 500))
		if err = s.AddMessage(ctx, m); err == nil {
			_, err = fmt.Println(m.ID)
		}
	}
	return err
}

// hold leaves a delivery in work and a message half written, says so, and waits to
// be let go.
func hold(ctx context.Context, path string) error {
	s, _, err := Open(ctx, path)
	if err != nil {
		return err
	}
	m := said(1, "question")
	m.Deliveries = []Delivery{{Agent: "alice", State: Working}, {Agent: "bob", State: Answered}}
	answer := &Message{Channel: 1, Author: "alice", Kind: FromAgent, Parts: []Part{{Kind: Text, Text: "halfway"}}}
	if err := errors.Join(s.AddMessage(ctx, m), s.AddMessage(ctx, answer)); err != nil {
		return err
	}
	_, held := s.LockWindow()
	fmt.Println("held", held)
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, s.Close())
}

// A reported is what a process says of a history it opened and talked in.
type reported struct {
	InMemory bool
	Texts    []string // of the warnings
	Talk     string   // what became of a message
}

func report(ctx context.Context, path string) error {
	s, o, err := Open(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	r := reported{InMemory: o.InMemory}
	for _, w := range o.Warnings {
		id, _ := w.(*Error).Localize()
		r.Texts = append(r.Texts, id)
	}
	c := Channel{Name: "a new one"}
	if err := s.CreateChannel(ctx, &c); err != nil {
		return err
	}
	if err := s.AddMessage(ctx, said(c.ID, "still talking")); err != nil {
		return err
	}
	all, err := s.Messages(ctx, c.ID, 0, 9)
	if err != nil {
		return err
	}
	r.Talk = strings.Join(textsOf(all), "|")
	return json.NewEncoder(os.Stdout).Encode(r)
}

// reportOf starts a process in a role that reports.
func reportOf(t testing.TB, role, path string) (r reported) {
	t.Helper()
	must(t, json.Unmarshal([]byte(start(t, role, path).line(t)), &r))
	return r
}
