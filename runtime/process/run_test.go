package process

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRun(t *testing.T) {
	var lines []string
	err := Run(t.Context(), self("print", "hello"), func(line string) { lines = append(lines, line) })
	if err != nil || !slices.Equal(lines, []string{"hello"}) {
		t.Errorf("got %q, %v", lines, err)
	}
	if err := Run(t.Context(), self("cat"), nil); err != nil {
		t.Errorf("a command that reads its input: %v", err)
	}
}

func TestRunFails(t *testing.T) {
	err := Run(t.Context(), self("exit", "-e", "KEY=secret value", "-e=KEY2=secret", "--env=KEY3=secret"), nil)
	var failure *RunError
	if !errors.As(err, &failure) {
		t.Fatalf("error %v", err)
	}
	if failure.State.Code != 3 || !slices.Equal(failure.Output, []string{"out", "err"}) {
		t.Errorf("got %+v", failure)
	}
	text := err.Error()
	if strings.Contains(text, "secret") {
		t.Errorf("%q tells a secret", text)
	}
	for _, part := range []string{self().Path, "exit -e KEY=…", "exit code 3", "out\nerr"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q lacks %q", text, part)
		}
	}
}

func TestRunCannotStart(t *testing.T) {
	err := Run(t.Context(), Command{Path: "nosuch"}, nil)
	var failure *StartError
	if !errors.As(err, &failure) || failure.Reason != NotFound {
		t.Errorf("error %v", err)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	for _, words := range [][]string{{"idle"}, {"deaf"}, {"launch-deaf", "deaf"}} {
		t.Run(strings.Join(words, " "), func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			var lines []string
			err := Run(ctx, self(words...), func(line string) {
				lines = append(lines, line)
				if len(lines) == len(words) { // all are ready
					cancel(nil)
				}
			})
			var failure *RunError
			if !errors.As(err, &failure) || !errors.Is(err, context.Canceled) {
				t.Fatalf("error %v", err)
			}
			if !slices.Equal(failure.Output, lines) {
				t.Errorf("output %q, want %q", failure.Output, lines)
			}
		})
	}
}

func TestRunTooLate(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	if err := Run(ctx, self("cat"), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestCommandString(t *testing.T) {
	c := Command{Path: "docker", Args: []string{"exec", "-e", "KEY=a secret", "--name=x", "box", "two words", ""}}
	if got, want := c.String(), `docker exec -e KEY=… --name=x box "two words" ""`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
