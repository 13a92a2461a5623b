package app

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
)

// childEnv makes the test binary another Sidekicks on the same configuration;
// it holds its folder and the text to send.
const childEnv = "SIDEKICKS_TEST_CHILD"

// childMain is that process: it sends a text and prints "sent", then
// "answered" once the text is. It lives until it is killed or its input ends.
func childMain() {
	folder, text, is := strings.Cut(os.Getenv(childEnv), "|")
	if !is {
		return
	}
	a, err := Open(context.Background(), Options{Config: filepath.Join(folder, "config.yaml"), History: filepath.Join(folder, "history", "history.db")})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	sub := a.Subscribe()
	sent := make(chan MessageID, 1)
	_ = a.Send(Outgoing{Channel: a.Channels()[0].ID, Text: text, Sent: func(m Message, _ error) { sent <- m.ID }})
	id := <-sent
	fmt.Println("sent")
	for {
		if _, more := sub.Next(context.Background()); !more {
			break
		}
		m, err := a.Message(id)
		if err != nil {
			continue
		}
		d := m.Deliveries[0]
		if said, err := a.Message(d.Answer); err == nil && strings.Contains(said.Text(), "half") {
			fmt.Println("half")
		}
		if d.State.Final() {
			break
		}
	}
	fmt.Println("answered")
	_ = a.Close(context.Background())
	os.Exit(0)
}

// child starts another Sidekicks on the world's configuration.
func (w *world) child(text string) (*exec.Cmd, *lineReader) {
	w.t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), childEnv+"="+w.folder+"|"+text, "GORACE=atexit_sleep_ms=0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	return cmd, &lineReader{t: w.t, out: newScanner(out)}
}

// Beside an open window `sidekicks send` talks on the same history: the
// window shows it within moments, and both keep everything.
func TestTwoProcessesOneHistory(t *testing.T) {
	w := newWorld(t, cast{"alice": {}}, []string{"alice"}, settings{})
	mine := w.send("mine !text working; wait")
	w.state(mine, Working)
	cmd, out := w.child("theirs !text their answer")
	out.expect("answered")
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	var texts []string
	w.until("the other's message and its answer", func() bool {
		texts = nil
		for _, m := range w.all() {
			texts = append(texts, m.Text())
		}
		all := strings.Join(texts, "|")
		return strings.Contains(all, "theirs") && strings.Contains(all, "their answer")
	})
	w.Stop(w.general(), "")
	w.state(mine, Cancelled)
	talk := 0
	for _, m := range w.all() {
		if m.Kind != FromApp {
			talk++
		}
	}
	if talk != 4 {
		t.Error(w.dump())
	}
}

// Killed at any moment, the program loses at most the last 250 ms of text,
// its agents end, and what was under way can be retried.
func TestKilled(t *testing.T) {
	folder := t.TempDir()
	pid := filepath.Join(folder, "pid")
	w := &world{t: t, folder: folder}
	// The agent ignores the end of its input, as some real ones do.
	script := fakeagent.Script{Start: []string{"ignore eof", "ignore term"}}
	w.configure(cast{"alice": script}, []string{"alice"}, settings{agents: map[string]map[string]any{"alice": {
		"command": "sh", "args": []string{"-c", "echo $$ > " + pid + "; exec " + os.Args[0] + " -test.run=^$"}}}})
	cmd, out := w.child("go !text half; repeat 3 text x; ask t1")
	out.expect("half")
	stored := time.Now()
	<-time.After(time.Until(stored.Add(400 * time.Millisecond))) // longer than the text may stay in memory
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	w.open(settings{})
	list := w.all()
	if len(list) != 2 || !strings.HasPrefix(list[1].Text(), "half") || list[1].Live() {
		t.Fatalf("kept:\n%s", w.dump())
	}
	if d := list[0].Deliveries[0]; d.State != Failed || d.Fix != FixRetry {
		t.Errorf("delivery %+v", d)
	}
	w.reason(list[0])
	for _, p := range list[1].Parts {
		if p.Question != nil && p.Question.State == QuestionOpen {
			t.Error("a question of a dead agent is still open")
		}
	}
	data, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(patience)
	for exists(strings.TrimSpace(string(data))) {
		if time.Now().After(deadline) {
			t.Fatal("the agent lives on")
		}
		<-time.After(20 * time.Millisecond)
	}
}
