package process

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// launch starts a child that is ended with the test.
func launch(t testing.TB, c Command) *Process {
	t.Helper()
	p, err := Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.End(context.Background()); err != nil {
			t.Error(err)
		}
		_ = p.Stdout.Close()
		_ = p.Stderr.Close()
	})
	return p
}

func readLine(t testing.TB, r io.Reader) string {
	t.Helper()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("read a line: %v (got %q)", err, line)
	}
	return strings.TrimSpace(line)
}

func TestTalk(t *testing.T) {
	p := launch(t, self("cat"))
	if _, err := io.WriteString(p.Stdin, "hello\n"); err != nil {
		t.Fatal(err)
	}
	if got := readLine(t, p.Stdout); got != "hello" {
		t.Errorf("the child answered %q", got)
	}
	if !p.State().Running {
		t.Errorf("state %v of a child that runs", p.State())
	}
	begin := time.Now()
	if err := p.End(context.Background()); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took > 2*time.Second {
		t.Errorf("a child that heeds the end of its input took %v", took)
	}
	if got := p.State(); got != (ExitState{}) {
		t.Errorf("state %+v, want exit code 0", got)
	}
	if _, err := io.WriteString(p.Stdin, "late\n"); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a write after the end: %v", err)
	}
}

func TestExitByItself(t *testing.T) {
	p := launch(t, self("exit"))
	out, err := io.ReadAll(p.Stdout)
	if err != nil || string(out) != "out\n" {
		t.Errorf("stdout %q, %v", out, err)
	}
	errs, err := io.ReadAll(p.Stderr)
	if err != nil || string(errs) != "err\n" {
		t.Errorf("stderr %q, %v", errs, err)
	}
	<-p.Exited()
	if got := p.State(); got != (ExitState{Code: 3}) {
		t.Errorf("state %+v, want exit code 3", got)
	}
}

// What a child printed before its end is still there after End.
func TestOutputOutlivesEnd(t *testing.T) {
	p := launch(t, self("print", "last words"))
	<-p.Exited()
	if err := p.End(context.Background()); err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(p.Stdout)
	if err != nil || string(out) != "last words\n" {
		t.Errorf("stdout %q, %v", out, err)
	}
	if n, err := p.Stdout.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("a read after the end: %d, %v", n, err)
	}
}

func TestEndReleasesBlockedWriter(t *testing.T) {
	p := launch(t, self("idle"))
	readLine(t, p.Stdout)
	written := make(chan error)
	go func() {
		_, err := p.Stdin.Write(make([]byte, 10<<20))
		written <- err
	}()
	if err := p.End(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := <-written; err == nil {
		t.Error("10 MB written to a child that reads nothing")
	}
}

func TestFloodOfErrors(t *testing.T) {
	p := launch(t, self("flood"))
	log := NewLog(64 << 10)
	drained := make(chan error)
	go func() {
		_, err := io.Copy(log, p.Stderr)
		drained <- err
	}()
	if _, err := io.WriteString(p.Stdin, "hello\n"); err != nil {
		t.Fatal(err)
	}
	if got := readLine(t, p.Stdout); got != "hello" {
		t.Errorf("the child answered %q", got)
	}
	if err := p.End(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := <-drained; err != nil {
		t.Error(err)
	}
	if got := len(log.Lines(-1)) + log.Dropped(); got != 1<<16 {
		t.Errorf("%d lines of 65536 seen", got)
	}
}

func TestEndTogether(t *testing.T) {
	p := launch(t, self("deaf"))
	readLine(t, p.Stdout)
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			if err := p.End(context.Background()); err != nil {
				t.Error(err)
			}
			if p.State().Running {
				t.Error("End returned before the end")
			}
		})
	}
	callers.Wait()
}

func TestEndWithoutTime(t *testing.T) {
	c := self("deaf")
	c.Grace = time.Hour
	p := launch(t, c)
	readLine(t, p.Stdout)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.End(ctx); err != nil {
		t.Fatal(err)
	}
	if p.State().Running {
		t.Error("End returned before the end")
	}
}

func TestFewFilesStayOpen(t *testing.T) {
	count := func() int {
		entries, err := os.ReadDir("/dev/fd")
		if err != nil {
			return 0 // there is no such list on Windows
		}
		return len(entries)
	}
	launch(t, self("cat")) // the warden's pipe is there from now on
	before := count()
	for range 5 {
		p, err := Start(self("print", "x"))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.ReadAll(p.Stdout)
		_, _ = io.ReadAll(p.Stderr)
		if err := p.End(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if after := count(); after > before {
		t.Errorf("%d files open, %d before", after, before)
	}
}

func BenchmarkStartEnd(b *testing.B) {
	for b.Loop() {
		p, err := Start(Command{Path: self().Path, Args: []string{childMark, "print", "x"}})
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, p.Stdout)
		_, _ = io.Copy(io.Discard, p.Stderr)
		if err := p.End(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
