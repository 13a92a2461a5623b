package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// runTail limits the output that the error of Run repeats, in bytes.
const runTail = 2 << 10

// Run runs a short command to its end, without input. What it prints, errors
// included, goes to output line by line, in the goroutine of the caller; output
// may be nil. When ctx is done the command and its descendants are ended. What
// it leaves behind in its process group is ended in any case; a daemon that it
// started, which has left it, is not.
//
// The error is a [*StartError], a [*RunError], which wraps that of ctx, or a
// [*LeftoverError].
func Run(ctx context.Context, c Command, output func(line string)) error {
	c.Daemons = true
	return run(ctx, c, output)
}

func run(ctx context.Context, c Command, output func(line string)) error {
	if err := ctx.Err(); err != nil {
		return &RunError{Command: c.String(), State: ExitState{Code: -1}, Err: err}
	}
	p, err := startRun(c)
	if err != nil {
		return err
	}
	cancel := context.AfterFunc(ctx, func() { _ = p.End(context.Background()) })

	tail := NewLog(runTail)
	text := lines{emit: func(line string) {
		tail.Add(line)
		if output != nil {
			output(line)
		}
	}}
	_, readErr := io.Copy(&text, p.Stdout)
	if text.pending() {
		text.flush()
	}
	<-p.Exited()
	cancelled := !cancel()
	endErr := p.End(context.Background())

	failure := &RunError{Command: c.String(), State: p.State(), Output: tail.Lines(-1)}
	switch {
	case cancelled:
		failure.Err = ctx.Err()
		return errors.Join(failure, endErr)
	case failure.State.Code != 0:
		return errors.Join(failure, endErr)
	case readErr != nil:
		return fmt.Errorf("read the output of %s: %w", c.Path, readErr)
	}
	return endErr
}

// startRun starts c with no input and both outputs in one pipe.
func startRun(c Command) (*Process, error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	defer null.Close()
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	defer w.Close()
	p, err := start(c, [3]*os.File{null, w, w}, [3]*os.File{1: r})
	if err != nil {
		_ = r.Close()
	}
	return p, err
}
